#!/usr/bin/env bash
# machine.sh SUITE [FOLDER]: boots a whole Debian PC with the .deb, cage and Chromium in QEMU (KVM),
# without a network, and tries what a container cannot: the screen, memory limits, the clock, a power
# cut (machine_checks.py). Report and screenshots go to FOLDER/machine-SUITE. STEPS chooses what is done.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh
suite=$1 out=${2:-build/reports}/machine-$1 arch=$(dpkg --print-architecture)
need_root
need mmdebstrap=mmdebstrap qemu-system-x86_64=qemu-system-x86 mke2fs=e2fsprogs
[ -w /dev/kvm ] || { echo "expected /dev/kvm, found none that may be used; try another machine" >&2; exit 2; }
base=build/roots/$suite-$arch-machine.tar root=build/machine-$suite work=build/machine-$suite-files

make_base() {
    [ ! -e "$base" ] || return 0
    mkdir -p build/roots
    mmdebstrap --quiet --format=tar --variant=apt --architectures="$arch" \
        --include=python3,systemd-sysv,udev,dbus,libpam-systemd,procps,iproute2,libxcb1,libgl1 \
        --include="$([ "$suite" = bookworm ] && echo libglib2.0-0 || echo libglib2.0-0t64)" \
        --include=libstdc++6,linux-image-amd64,initramfs-tools,zstd,kbd \
        --include=cage,xwayland,chromium,wlr-randr,swayidle,fonts-noto-core,libgl1-mesa-dri \
        "$suite" "$base.part" "${MIRROR:-http://deb.debian.org/debian}"
    mv "$base.part" "$base"
}

make_image() {
    rm -rf "$root" "$work"
    mkdir -p "$root" "$work"
    tar --extract --file="$base" --directory="$root"
    local package
    package=$(ls build/debs/fairdeal_0.1.0+deb"$([ "$suite" = bookworm ] && echo 12 || echo 13)"_"$arch".deb)
    cp "$package" "$root/root/fairdeal.deb"
    packaging/in-root.sh "$root" sh -c 'dpkg -i /root/fairdeal.deb' >/dev/null
    rm "$root/root/fairdeal.deb"
    echo "127.0.0.1 localhost" > "$root/etc/hosts"
    echo "/dev/vda / ext4 errors=remount-ro 0 1" > "$root/etc/fstab"
    sed 's/^end .*/end 7200/' models/scripts/suds.txt > "$root/root/long.txt"
    cp packaging/machine_checks.py packaging/boot_system.py packaging/boot_camera.py "$root/root/"
    local units=$root/etc/systemd/system
    cat > "$units/camera.service" <<UNIT
[Service]
WorkingDirectory=/opt/fairdeal
ExecStart=/opt/fairdeal/current/bin/python3 /root/boot_camera.py /root/long.txt
UNIT
    cat > "$units/checks.service" <<UNIT
[Unit]
After=multi-user.target
[Service]
Type=oneshot
StandardOutput=tty
StandardError=inherit
TTYPath=/dev/ttyS1
ExecStart=/usr/bin/python3 /root/machine_checks.py
UNIT
    # A machine without a graphics processor draws by itself.
    mkdir -p "$units/fairdeal-screen.service.d" "$units/multi-user.target.wants"
    printf '[Service]\nEnvironment=WLR_RENDERER_ALLOW_SOFTWARE=1 WLR_RENDERER=pixman\n' \
        > "$units/fairdeal-screen.service.d/software.conf"
    ln -s ../camera.service ../checks.service "$units/multi-user.target.wants/"
    cp "$root"/boot/vmlinuz-* "$work/kernel"
    cp "$root"/boot/initrd.img-* "$work/initrd"
    rm -f "$work/disk"
    truncate --size=6G "$work/disk"
    mke2fs -q -t ext4 -d "$root" "$work/disk"
    rm -rf "$root"
}

boot() {
    mkdir -p "$out"
    python3 packaging/machine_host.py "$work" "$out"
}

for step in ${STEPS:-base image boot}; do
    case $step in
    base) make_base ;;
    image) make_image ;;
    boot) boot ;;
    *) echo "expected base, image or boot, found $step" >&2; exit 2 ;;
    esac
done
