#!/usr/bin/env bash
# arm64.sh SUITE [FOLDER]: tries fairdeal on a small Debian arm64 system, emulated with qemu-user:
# set-up without a compiler, its messages, games, pictures, the packages that a Pi has, the .deb.
# The report goes to FOLDER/arm64-SUITE.txt. PARTS chooses what is done, STILLS the decks.
set -euo pipefail
cd "$(dirname "$0")/.."
. packaging/tools.sh
suite=$1 out=${2:-build/reports}
root=build/arm64-$suite report=$out/arm64-$suite.txt
parts=${PARTS:-root newcomer libraries doctor times replays stills packages deb played_deb tests picamera}
need_root
need git=git
need_arm64
packaging/root.sh "$suite" arm64
mkdir -p "$out"

inside() { packaging/in-root.sh "$root" sh -c "cd /srv/fairdeal && $1"; }
say() { echo "$*" | tee -a "$report"; }
installed() { inside "apt-get install -y -qq --no-install-recommends $* >/dev/null 2>&1"; }

# seen COMMAND: every still as on x86-64.
seen() {
    local name said
    for name in ${STILLS:-$(basename -s .jsonl build/stills/*.jsonl)}; do
        local deck=$name
        [ -d "build/stills/decks/$name" ] && deck=/srv/stills/decks/$name
        inside "$1 see --threads 1 --deck $deck /srv/stills/$name/*.*" > "$root/srv/found.jsonl"
        said=$(python3 packaging/compare_sightings.py "build/stills/$name.jsonl" "$root/srv/found.jsonl") ||
            { say "BAD  $2 see $name: $said"; continue; }
        say "ok   $2 see $name: $said"
    done
}

# replayed COMMAND: one golden game of each kind gives the calls that are written down.
replayed() {
    local file game events players count=0
    for game in tests/golden/*/; do
        file=$(ls "$game"*.setup.json | head -1)
        events=${file%.setup.json}.events.jsonl
        players=$(sed -n 's/.*"players": \([0-9]*\).*/\1/p' "$file")
        grep -q '"options": {}' "$file" || continue
        inside "$1 replay $(basename "$game") --players $players /srv/fairdeal/$events" > "$root/srv/calls.arm"
        .venv/bin/fairdeal replay "$(basename "$game")" --players "$players" "$events" > "$root/srv/calls.x86"
        cmp -s "$root/srv/calls.arm" "$root/srv/calls.x86" || { say "BAD  replay $events"; return 1; }
        count=$((count + 1))
    done
    say "ok   $2 replay: $count golden games, calls as on x86-64"
}

root() {
    .venv/bin/python packaging/stills.py build/stills # of the same sources
    rm -rf "$root"
    mkdir -p "$root"
    tar --extract --file="build/roots/$suite-arm64.tar" --directory="$root"
    mkdir -p "$root/srv/fairdeal" "$root/srv/stills"
    echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/quick"
    git ls-files -z --cached --others --exclude-standard | xargs -0 ls -d 2>/dev/null |
        tar --create --files-from=- | tar --extract --directory="$root/srv/fairdeal"
    cp -r build/stills/. "$root/srv/stills/"
    : > "$report"
    say "arm64 $suite, $(inside 'python3 --version'), $(qemu-aarch64-static --version | head -1 | cut -d '(' -f 1), $(date +%F)"
    if inside 'command -v gcc cc clang'; then say "BAD  the root has a compiler"; fi
}

newcomer() {
    # The system's packages are seen, as on a Pi.
    local began=$SECONDS line
    if line=$(inside 'make SITE=--system-site-packages setup 2>&1 | grep "^fairdeal: "'); then
        say "ok   set-up on a system without a desktop, after $((SECONDS - began)) s: $line"
    else
        say "BAD  set-up says nothing of the missing libraries"
    fi
    inside '.venv/bin/fairdeal doctor 2>&1 | head -2' | tee -a "$report"
}

libraries() {
    inside 'apt-get update -qq'
    installed libxcb1 libgl1 libglib2.0-0
    local began=$SECONDS
    inside 'make SITE=--system-site-packages setup' >/dev/null
    say "ok   make setup with the libraries it asks for, without a compiler: $((SECONDS - began)) s"
    say "size .venv: $(du -sm "$root/srv/fairdeal/.venv" | cut -f 1) MB"
}

doctor() {
    inside '.venv/bin/fairdeal --version' | tee -a "$report"
    local code=0
    inside '.venv/bin/fairdeal doctor' > "$root/srv/doctor" || code=$?
    say "ok   doctor, exit code $code:"
    tee -a "$report" < "$root/srv/doctor"
}

# Seconds of processor time from the start of Python to the end of the import, here and on arm64.
times() {
    local module code
    for module in cv2 onnxruntime kiosk.web.server kiosk.assembly; do
        code="import time, $module; print(round(time.process_time(), 2))"
        say "time import $module: $(inside ".venv/bin/python -c '$code'") s emulated," \
            "$(.venv/bin/python -c "$code") s on x86-64"
    done
}

replays() { replayed .venv/bin/fairdeal venv; }
stills() { seen .venv/bin/fairdeal venv; }

# The system's numpy, and simplejpeg as apt's is on a Pi with Debian 12: built against numpy 1. Debian
# has neither simplejpeg nor lgpio nor, for Debian 12, libcamera for Python: Raspberry Pi's archive has.
packages() {
    installed python3-numpy
    .uv/bin/uv pip install --quiet --no-deps --target "$root/usr/lib/python3/dist-packages" \
        --python-platform aarch64-manylinux_2_36 --only-binary :all: \
        --python-version "$(inside 'python3 -c "import platform; print(platform.python_version())"')" \
        "simplejpeg$([ "$suite" = bookworm ] && echo '==1.6.6' || echo '>=1.8')"
    inside '.venv/bin/python packaging/pi_packages.py' | tee -a "$report"
}

deb() {
    local file
    file=$(ls dist/fairdeal_*_arm64.deb | grep "+deb$([ "$suite" = bookworm ] && echo 12 || echo 13)_" | tail -1)
    local clean=build/arm64-$suite-deb
    rm -rf "$clean"
    mkdir -p "$clean"
    tar --extract --file="build/roots/$suite-arm64.tar" --directory="$clean"
    mkdir -p "$clean/srv/fairdeal" "$clean/srv/stills"
    echo force-unsafe-io > "$clean/etc/dpkg/dpkg.cfg.d/quick"
    cp -r build/stills/. "$clean/srv/stills/"
    cp -r tests "$clean/srv/fairdeal/"
    cp "$file" "$clean/srv/"
    root=$clean
    local began=$SECONDS
    inside "apt-get update -qq && apt-get install -y -qq --no-install-recommends /srv/$(basename "$file") > /srv/apt.log 2>&1" ||
        { say "BAD  $(basename "$file"): $(tail -3 "$clean/srv/apt.log")"; return 1; }
    say "ok   $(basename "$file") ($(du -m "$file" | cut -f 1) MB) installs in $((SECONDS - began)) s, self-test included; $(du -sm "$clean/opt/fairdeal" | cut -f 1) MB in /opt"
    say "ok   $(inside 'fairdeal --version')"
}

played_deb() {
    root=build/arm64-$suite-deb
    replayed fairdeal deb
    STILLS=${DEB_STILLS:-suds} seen fairdeal deb
}

tests() {
    inside 'make SITE=--system-site-packages setup-dev' >/dev/null
    local began=$SECONDS
    inside ".venv/bin/pytest -x -W ignore -p no:cacheprovider ${TESTS:-tests/rules/test_golden.py tests/kiosk/journal tests/device/test_signals.py tests/kiosk/appliance/test_install.py tests/vision/sources/test_picamera_import.py}" 2>&1 | tail -n 1 | tee -a "$report"
    say "time quick tests: $((SECONDS - began)) s emulated"
}

# The real picamera2 with the libcamera that Debian 13 has for Python; Debian 12 has none. Its preview's
# library pykms is in neither: an empty one stands in. A part of it is compiled, so this comes last.
picamera() {
    [ "$suite" = trixie ] || return 0
    installed python3-libcamera libcamera-ipa python3-prctl python3-pil python3-piexif python3-av \
        python3-libarchive-c python3-tqdm python3-jsonschema python3-pip python3-dev gcc libc6-dev
    inside 'pip install -q --break-system-packages --no-deps PiDNG==4.0.9' >/dev/null 2>&1
    .uv/bin/uv pip install --quiet --no-deps --target "$root/usr/lib/python3/dist-packages" \
        --python-platform aarch64-manylinux_2_36 --python-version 3.13 --only-binary :all: \
        picamera2==0.3.38 videodev2==0.0.4
    printf 'class Formats:\n    def __getattr__(self, name): return name\nPixelFormat = Formats()\n' \
        > "$root/usr/lib/python3/dist-packages/pykms.py"
    inside '.venv/bin/python packaging/pi_packages.py picamera2 2>/dev/null' | tee -a "$report"
    inside '.venv/bin/fairdeal doctor 2>/dev/null | grep picamera2' | tee -a "$report"
}

for part in $parts; do
    root=build/arm64-$suite
    "$part"
done
! grep -q '^BAD' "$report"
