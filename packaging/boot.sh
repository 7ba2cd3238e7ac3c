#!/usr/bin/env bash
# boot.sh SUITE [FOLDER]: boots a Debian system of this machine's architecture in a container
# (systemd-nspawn, without a network), installs the .deb and tries boot, watchdog, failures, update,
# rollback and removal (boot_checks.py). The report goes to FOLDER/boot-SUITE.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh
suite=$1 out=${2:-build/reports} arch=$(dpkg --print-architecture)
need_root
need mmdebstrap=mmdebstrap systemd-nspawn=systemd-container git=git
base=build/roots/$suite-$arch-systemd.tar
if [ ! -e "$base" ]; then
    mkdir -p build/roots
    mmdebstrap --quiet --format=tar --variant=apt --architectures="$arch" \
        --include=python3,systemd-sysv,udev,dbus,libpam-systemd,procps,iproute2,libxcb1,libgl1 \
        --include="$([ "$suite" = bookworm ] && echo libglib2.0-0 || echo libglib2.0-0t64)" \
        --include=libstdc++6 "$suite" "$base.part" "${MIRROR:-http://deb.debian.org/debian}"
    mv "$base.part" "$base"
fi

# Four versions: as it is, a good next one, one whose network is damaged, one whose server fails.
make_versions() {
    copies=build/versions
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
    printf '\n\nasync def serve(*_: object) -> None:\n    """Fails."""\n    raise OSError("broken")\n' \
        >> "$copies/0.1.3/kiosk/web/server.py"
    for number in 0.1.0 0.1.1 0.1.2 0.1.3; do
        ZSTD=1 packaging/deb.sh "$suite" "$arch" "$copies/$number" build/debs
    done
}

[ -n "${KEEP_DEBS:-}" ] || make_versions
[ -z "${DEBS_ONLY:-}" ] || exit 0
root=build/boot-$suite
rm -rf "$root"
mkdir -p "$root" "$out"
tar --extract --file="$base" --directory="$root"
mkdir "$root/root/debs"
for number in 0.1.0 0.1.1 0.1.2 0.1.3; do
    cp build/debs/fairdeal_"$number"+deb*_"$arch".deb "$root/root/debs/"
done
packaging/in-root.sh "$root" sh -c 'dpkg -i /root/debs/fairdeal_0.1.0+*.deb' >/dev/null
cp packaging/boot_checks.py "$root/root/"
sed 's/^end .*/end 3600/' models/scripts/suds.txt > "$root/root/long.txt"
cat > "$root/etc/systemd/system/checks.service" <<'UNIT'
[Unit]
After=multi-user.target
[Service]
Type=oneshot
StandardOutput=file:/root/report.txt
StandardError=inherit
ExecStart=/usr/bin/python3 /root/boot_checks.py
ExecStopPost=/usr/bin/systemctl poweroff --no-block
[Install]
WantedBy=default.target
UNIT
ln -s ../checks.service "$root/etc/systemd/system/multi-user.target.wants/checks.service" 2>/dev/null ||
    { mkdir -p "$root/etc/systemd/system/multi-user.target.wants" &&
        ln -s ../checks.service "$root/etc/systemd/system/multi-user.target.wants/checks.service"; }
# Where the machine still has cgroups of version 1, newer systemd must be told to take them.
systemd-nspawn --quiet --register=no --keep-unit --private-network --directory="$root" --boot \
    --console=pipe SYSTEMD_CGROUP_ENABLE_LEGACY_FORCE=1 </dev/null >/dev/null 2>&1 || true
cp "$root/root/report.txt" "$out/boot-$suite.txt"
cat "$out/boot-$suite.txt"
tail -n 1 "$out/boot-$suite.txt" | grep -q '^all passed$'
