#!/usr/bin/env bash
# boot.sh SUITE [FOLDER]: boots a Debian system of this machine's architecture in a container
# (systemd-nspawn, without a network), installs the .deb and tries boot, watchdog, failures, update,
# rollback and removal (boot_checks.py). The report goes to FOLDER/boot-SUITE.txt. STEPS chooses what
# is done (base versions root boot), ONLY the checks.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh
suite=$1 out=${2:-build/reports} arch=$(dpkg --print-architecture)
need_root
need mmdebstrap=mmdebstrap systemd-nspawn=systemd-container git=git
base=build/roots/$suite-$arch-systemd.tar root=build/boot-$suite

make_base() {
    [ ! -e "$base" ] || return 0
    mkdir -p build/roots
    mmdebstrap --quiet --format=tar --variant=apt --architectures="$arch" \
        --include=python3,systemd-sysv,udev,dbus,libpam-systemd,procps,iproute2,libxcb1,libgl1 \
        --include="$([ "$suite" = bookworm ] && echo libglib2.0-0 || echo libglib2.0-0t64)" \
        --include=libstdc++6 "$suite" "$base.part" "${MIRROR:-http://deb.debian.org/debian}"
    mv "$base.part" "$base"
}

# Four versions: as it is, a good next one, one whose network is damaged, one whose server fails.
make_versions() {
    local copies=build/versions number copy
    rm -rf "$copies"
    for number in 0.1.0 0.1.1 0.1.2 0.1.3; do
        copy=$copies/$number
        mkdir -p "$copy"
        git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null |
            tar --create --files-from=- | tar --extract --directory="$copy"
        sed -i "s/^version = \".*\"/version = \"$number\"/" "$copy/pyproject.toml"
        sed -i "/^name = \"fairdeal\"$/{n;s/^version = .*/version = \"$number\"/}" "$copy/uv.lock"
        git -C "$copy" init --quiet
    done
    truncate --size=1000 "$copies/0.1.2/models/weights/locator.onnx"
    printf '\n\nasync def serve(*_: object) -> None:\n    raise OSError("broken")\n' \
        >> "$copies/0.1.3/kiosk/web/server.py"
    for number in 0.1.0 0.1.1 0.1.2 0.1.3; do
        ZSTD=1 packaging/deb.sh "$suite" "$arch" "$copies/$number" build/debs
    done
}

make_root() {
    rm -rf "$root"
    mkdir -p "$root"
    tar --extract --file="$base" --directory="$root"
    mkdir "$root/root/debs"
    echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/quick"
    cp build/debs/fairdeal_0.1.[0123]+deb*_"$arch".deb "$root/root/debs/"
    rm -f "$root"/root/debs/*+deb"$([ "$suite" = bookworm ] && echo 13 || echo 12)"_*
    packaging/in-root.sh "$root" sh -c 'apt-get update -qq && apt-get install -y -qq libfaketime passwd' >/dev/null
    packaging/in-root.sh "$root" sh -c 'dpkg -i /root/debs/fairdeal_0.1.0+*.deb' >/dev/null
    echo "127.0.0.1 localhost" > "$root/etc/hosts"
    sed 's/^end .*/end 3600/' models/scripts/suds.txt > "$root/root/long.txt"
    mkdir -p "$root/etc/systemd/system/multi-user.target.wants" "$out"
    ln -s ../checks.service "$root/etc/systemd/system/multi-user.target.wants/checks.service"
    : > "$out/boot-$suite.txt"
}

boot() {
    cp packaging/boot_checks.py packaging/boot_system.py packaging/boot_camera.py "$root/root/"
    cat > "$root/etc/systemd/system/checks.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
StandardOutput=file:/root/report.txt
StandardError=inherit
ExecStart=/usr/bin/python3 /root/boot_checks.py ${ONLY:-}
ExecStopPost=/usr/bin/systemctl poweroff --no-block
UNIT
    rm -f "$root/root/report.txt"
    # Where the machine still has cgroups of version 1, newer systemd must be told to take them. The
    # container counts memory in a group of its own there.
    if [ -d /sys/fs/cgroup/memory ]; then
        mkdir -p /sys/fs/cgroup/memory/fairdeal-boot
        echo $$ > /sys/fs/cgroup/memory/fairdeal-boot/cgroup.procs
    fi
    systemd-nspawn --quiet --register=no --keep-unit --private-network --directory="$root" --boot \
        --console=pipe SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1 </dev/null >/dev/null 2>&1 || true
    if [ -d /sys/fs/cgroup/memory/fairdeal-boot ]; then
        echo $$ > /sys/fs/cgroup/memory/cgroup.procs
        find /sys/fs/cgroup/memory/fairdeal-boot -depth -type d -exec rmdir {} +
    fi
    tee -a "$out/boot-$suite.txt" < "$root/root/report.txt"
    tail -n 1 "$root/root/report.txt" | grep -q '^all passed$'
}

for step in ${STEPS:-base versions root boot}; do
    case $step in
    base) make_base ;;
    versions) make_versions ;;
    root) make_root ;;
    boot) boot ;;
    *) echo "expected base, versions, root or boot, found $step" >&2; exit 2 ;;
    esac
done
