#!/bin/sh
# screen.sh ROTATE BLANK_MIN BROWSER: runs inside the compositor; turns the screen, blanks it when
# nobody touches it, and becomes the browser. `screen.sh power on|off` switches all screens.
set -u
here=$(dirname "$(readlink -f "$0")")

outputs() { wlr-randr | sed -n 's/^\([^ ][^ ]*\) .*/\1/p'; }

if [ "$1" = power ]; then
    for output in $(outputs); do wlr-randr --output "$output" "--$2"; done
    exit 0
fi

rotate=$1 blank_min=$2 browser=$3
if [ "$rotate" -ne 0 ]; then
    for output in $(outputs); do wlr-randr --output "$output" --transform "$rotate"; done
fi
if [ "$blank_min" -ne 0 ]; then
    swayidle -w timeout $((blank_min * 60)) "$here/screen.sh power off" \
        resume "$here/screen.sh power on" &
fi

profile=${HOME:?}/profile
mkdir -p "$profile"
exec "$browser" \
    --kiosk --ozone-platform=wayland \
    --user-data-dir="$profile" --disk-cache-size=16777216 --media-cache-size=1048576 \
    --no-first-run --no-default-browser-check --password-store=basic --use-mock-keychain \
    --noerrdialogs --disable-infobars --disable-session-crashed-bubble \
    --hide-crash-restore-bubble --disable-crash-reporter --disable-breakpad \
    --disable-sync --disable-component-update --disable-background-networking \
    --disable-domain-reliability --disable-extensions --disable-pinch \
    --overscroll-history-navigation=0 --renderer-process-limit=2 \
    --disable-features=Translate,MediaRouter,OptimizationHints \
    "file://$here/waiting.html"
