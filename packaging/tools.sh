# Sourced by the scripts here: installs what they need, or says what is missing. As root.
need() {
    local missing=() pair
    for pair in "$@"; do
        command -v "${pair%%=*}" >/dev/null 2>&1 || missing+=("${pair#*=}")
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
            --no-install-recommends "${missing[@]}" >/dev/null && return 0
    fi
    echo "expected the packages ${missing[*]}; sudo apt install ${missing[*]}" >&2
    return 2
}

need_root() {
    [ "$(id -u)" = 0 ] || { echo "expected root, for chroot and mounts; run it with sudo" >&2; return 2; }
}

# Foreign programs need an entry in the kernel's list of binary formats. qemu's own line with the
# flags OPF keeps the interpreter open, so a root needs no copy of it.
need_arm64() {
    [ "$(uname -m)" = aarch64 ] && return 0
    local formats=/proc/sys/fs/binfmt_misc line=/usr/lib/binfmt.d/qemu-aarch64.conf
    need qemu-aarch64-static=qemu-user-static || return 2
    [ -e $formats/register ] || mount -t binfmt_misc binfmt_misc $formats || return 2
    [ -e $formats/qemu-aarch64 ] || head -c -1 $line > $formats/register || return 2
}
