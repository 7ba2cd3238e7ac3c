#!/bin/sh
# appliance.sh start|ready|stopped: systemd runs it around the referee, as root. It counts failures,
# makes the pauses grow, goes back to the version before, and tells the screen why it must wait.
# In sh, so that it works when the program does not.
set -u
notes=${FAIRDEAL_NOTES:-/run/fairdeal-appliance}
versions=${FAIRDEAL_VERSIONS:-/opt/fairdeal}
proved=${FAIRDEAL_PROVED:-/var/lib/fairdeal/proved}
uptime=${FAIRDEAL_UPTIME:-/proc/uptime}
GOOD_S=600       # a run this long is no failed start
LONGEST_S=60     # between two tries
TRIES=3          # failed starts of a new version until the one before comes back
PATIENCE=2       # failed starts until the screen leaves the page for the reason

mkdir -p "$notes"
chmod 755 "$notes"
read -r now rest < "$uptime"
now=${now%.*}

note() { # NAME: its number, 0 where there is none
    value=$(cat "$notes/$1" 2>/dev/null)
    case $value in '' | *[!0-9]*) echo 0 ;; *) echo "$value" ;; esac
}

say() { # STATE WORDS PAUSE CAUSE: what the screen's own page reads; it has words for some causes
    words=$(printf '%s' "$2" | tr -d '\000-\037\177' | cut -c 1-600 | sed 's/[\\"]/\\&/g')
    printf 'fairdealSays({"state":"%s","why":"%s","cause":"%s","failures":%s,"pause":%s,"port":%s});\n' \
        "$1" "$words" "${4:-}" "$(note failures)" "$3" "$(port)" > "$notes/why.js.part"
    chmod 644 "$notes/why.js.part"
    mv "$notes/why.js.part" "$notes/why.js"
}

port() {
    value=$(sed -n 's/^port *= *\([0-9]*\)$/\1/p' "${FAIRDEAL_SETTINGS:-/etc/fairdeal/appliance.toml}" 2>/dev/null)
    echo "${value:-8080}"
}

roll_back() { # the version before comes back when a new one does not start
    [ -e "$versions/trial" ] || return 0
    if [ "$(cat "$proved" 2>/dev/null)" = "$(readlink "$versions/current")" ]; then
        rm -f "$versions/trial"
        return 0
    fi
    [ "$1" -ge "$TRIES" ] || return 0
    before=$(cat "$versions/trial")
    case $before in */..* | ../* | /*) return 0 ;; esac
    [ -x "$versions/$before/bin/fairdeal" ] || return 0
    failed=$(readlink "$versions/current")
    ln -sfn "$before" "$versions/current.new"
    mv -T "$versions/current.new" "$versions/current"
    rm -f "$versions/trial"
    printf '%s did not start %s times; %s runs\n' "${failed##*/}" "$1" "${before##*/}" |
        tee "$versions/rolled-back"
    echo 0 > "$notes/failures"
}

last_words() { # the program's own last line
    journalctl --quiet --no-pager --output=cat --lines=50 \
        "_SYSTEMD_INVOCATION_ID=${INVOCATION_ID:-none}" 2>/dev/null |
        sed -n 's/^fairdeal: //p' | tail -n 1
}

reason() { # why it ended: systemd's finding, or what the program said last
    case $SERVICE_RESULT in
    watchdog) echo "it hung and was stopped" ;;
    oom-kill) echo "it needed more memory than its limit" ;;
    timeout) echo "it took too long to start or to stop" ;;
    signal | core-dump) echo "it was ended by the signal ${EXIT_STATUS:-unknown}" ;;
    *)
        words=$(last_words)
        printf '%s' "${words:-$SERVICE_RESULT ${EXIT_CODE:-} ${EXIT_STATUS:-}}"
        ;;
    esac
}

case ${1:-} in
start)
    failures=$(note failures)
    roll_back "$failures"
    failures=$(note failures)
    pause=0 step=1
    while [ "$step" -lt "$failures" ] && [ "$pause" -lt "$LONGEST_S" ]; do
        step=$((step + 1)) pause=$((pause * 2 + 2))
    done
    [ "$pause" -le "$LONGEST_S" ] || pause=$LONGEST_S
    why=$(cat "$notes/why" 2>/dev/null)
    cause=$(cat "$notes/cause" 2>/dev/null)
    say starting "$why" "$pause" "$cause"
    ${FAIRDEAL_SLEEP:-sleep} "$pause"
    say starting "$why" 0 "$cause"
    read -r now rest < "$uptime"
    echo "${now%.*}" > "$notes/started"
    ;;
ready)
    say ready "" 0
    ;;
stopped)
    if [ "${SERVICE_RESULT:-success}" = success ]; then
        echo 0 > "$notes/failures"
        rm -f "$notes/why" "$notes/cause"
        say stopped "" 0
        exit 0
    fi
    failures=$(note failures)
    [ $((now - $(note started))) -lt "$GOOD_S" ] || failures=0
    failures=$((failures + 1))
    echo "$failures" > "$notes/failures"
    why=$(reason)
    printf '%s' "$why" > "$notes/why"
    printf '%s' "$SERVICE_RESULT" > "$notes/cause"
    say failed "$why" 0 "$SERVICE_RESULT"
    # The page in the browser waits for a server that may be back in a second.
    [ "$failures" -ne "$PATIENCE" ] ||
        ${FAIRDEAL_SYSTEMCTL:-systemctl} try-restart --no-block fairdeal-screen.service ||
        true # a table without a screen
    ;;
*)
    echo "expected start, ready or stopped, found ${1:-nothing}" >&2
    exit 2
    ;;
esac
