#!/usr/bin/env bash
# in-root.sh FOLDER CMD…: runs CMD in the unpacked root FOLDER, with /proc and /dev, and without
# /sys: ONNX Runtime under qemu-user reads the host's processor there and crashes.
set -euo pipefail
root=$1
shift
cp /etc/resolv.conf "$root/etc/resolv.conf"
mkdir -p "$root/etc/ssl/certs"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
# Old qemu-user lacks instructions of newer ARM processors that it announces.
export QEMU_CPU=${QEMU_CPU:-cortex-a72}
exec unshare --mount --pid --fork --kill-child bash -c '
    root=$1; shift
    mount --make-rprivate /
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec env -i QEMU_CPU="$QEMU_CPU" PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt \
        chroot "$root" "$@"' in-root "$root" "$@"
