#!/usr/bin/env bash
# root.sh SUITE ARCH: a small Debian root as build/roots/SUITE-ARCH.tar, made once. It has Python,
# make and git, and no compiler and no desktop, as Raspberry Pi OS Lite.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh
suite=$1 arch=$2 out=build/roots/$1-$2.tar
mirror=${MIRROR:-http://deb.debian.org/debian}
[ -e "$out" ] && exit 0
need_root
need mmdebstrap=mmdebstrap
[ "$arch" = arm64 ] && need_arm64
mkdir -p build/roots
mmdebstrap --quiet --format=tar --architectures="$arch" --variant=apt \
    --include=python3,python3-venv,make,git,ca-certificates \
    --aptopt='Acquire::Retries "3"' "$suite" "$out.part" "$mirror"
mv "$out.part" "$out"
