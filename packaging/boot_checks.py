"""Runs inside a booted system and tries the appliance as its users would: see boot.sh.

Each check prints one line. The packages in /root/debs are of versions that boot.sh has made:
0.1.0, a good 0.1.1, 0.1.2 that fails its self-test, 0.1.3 that starts no server.
"""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

from boot_system import (
    NOTES,
    OPT,
    SOURCE,
    STATE,
    UNIT,
    check,
    current,
    failed,
    game_times,
    is_playing,
    is_playing_again,
    is_taken,
    is_up,
    kept_events,
    kernel_kills,
    page,
    press_and_keep,
    referee,
    run,
    said_to_the_screen,
    shown,
    until,
    version,
)

CAMERA = ("/opt/fairdeal/current/bin/python3", "/root/boot_camera.py", "/root/long.txt")
subprocess.Popen(CAMERA, cwd="/opt/fairdeal", stdout=subprocess.DEVNULL)


@check
def install_starts_the_referee() -> str:
    run("fairdeal", "kiosk", "install", "--source", SOURCE,
        *([] if Path("/dev/tty0").exists() else ["--no-screen"]))  # fmt: skip
    until(is_up)
    user = run("ps", "-o", "user=", "-p", shown("MainPID")).strip()
    assert user == "fairdeal", user
    return f"systemd {run('systemctl', '--version').split()[1]}, active, page answers, user {user}"


@check
def the_start_needs_no_network() -> str:
    links = run("ip", "-brief", "link").split("\n")
    names = [line.split()[0] for line in links if line]
    assert names == ["lo"], names
    began, ready = (
        float(shown(f"{key}TimestampMonotonic")) / 1e6 for key in ("ExecMainStart", "ActiveEnter")
    )
    return f"only lo; ready {ready - began:.1f} s after exec"


@check
def installing_again_changes_nothing() -> str:
    said = run("fairdeal", "kiosk", "install")
    assert "write" not in said, said
    until(is_up)
    assert SOURCE in Path("/etc/fairdeal/appliance.toml").read_text()
    return "no file written, settings kept"


@check
def a_game_is_judged_inside_the_sandbox() -> str:
    page("/api/games", {"game": "suds", "players": 3, "deck": "suds"})
    took = until(is_playing)
    until(lambda: "Suds" in shown("StatusText"), 30)
    press_and_keep()
    events = until(lambda: kept_events() > 2, 150)
    memory = int(shown("MemoryCurrent")) / 2**20 if shown("MemoryCurrent").isdigit() else 0
    return (
        f"connected after {took:.1f} s, {kept_events()} events kept {events:.0f} s later; "
        f"status: {shown('StatusText')}; memory {memory:.0f} MiB"
    )


@check
def a_killed_server_comes_back_with_its_game() -> str:
    before = int(shown("MainPID"))
    events = kept_events()
    os.kill(before, signal.SIGKILL)
    took = until(lambda: is_playing_again(before))
    assert kept_events() >= events
    return f"playing again after {took:.1f} s, the same game"


@check
def a_hung_judging_loop_is_noticed() -> str:
    until(lambda: "Suds" in shown("StatusText"))
    before = int(shown("MainPID"))
    os.kill(referee(), signal.SIGSTOP)
    took = until(lambda: is_playing_again(before), 120)
    return f"watchdog of 30 s; playing again after {took:.1f} s"


@check
def a_hung_server_is_noticed() -> str:
    before = int(shown("MainPID"))
    os.kill(before, signal.SIGSTOP)
    until(lambda: said_to_the_screen()["cause"] == "watchdog", 90)
    why = said_to_the_screen()["why"]
    took = until(lambda: is_playing_again(before), 120)
    return f"watchdog of 30 s; the screen hears: {why}; playing again {took:.1f} s after that"


@check
def memory_beyond_the_limit_ends_in_a_restart() -> str:
    """With cgroups of version 1 the kernel ends a process; only version 2 tells systemd why."""
    old = Path("/sys/fs/cgroup/memory")
    if old.is_dir():  # the container's own group, see boot.sh
        run("mount", "-o", "remount,bind,rw", str(old))
        run("systemctl", "daemon-reexec")
        run("systemctl", "restart", UNIT)
        until(is_playing)
    if not shown("MemoryCurrent").isdigit():
        return "not tried: this container counts no memory"
    used, limit = int(shown("MemoryCurrent")), 100 * 2**20
    run("systemctl", "stop", UNIT)
    run("systemctl", "set-property", "--runtime", UNIT, f"MemoryMax={limit}")
    try:
        run("systemctl", "start", "--no-block", UNIT)
        took = until(lambda: kernel_kills() > 0 or said_to_the_screen()["cause"] == "oom-kill", 120)
        why = said_to_the_screen()["why"] or "one of its processes ended by the kernel"
    finally:
        run("systemctl", "set-property", "--runtime", UNIT, "MemoryMax=1500M")
    again = until(is_playing)
    return (
        f"{used >> 20} MiB used, {limit >> 20} allowed: {why}, {took:.1f} s after the start; "
        f"playing {again:.1f} s after the limit was lifted"
    )


@check
def status_tells_it() -> str:
    said = run("fairdeal", "kiosk", "status")
    assert "active, running" in said and "http://localhost:8080/" in said, said
    return said.splitlines()[1 if "update" not in said else 2]


@check
def the_screen_hears_why_a_start_fails() -> str:
    run("systemctl", "stop", UNIT)
    thief = subprocess.Popen([sys.executable, "-m", "http.server", "8080", "--bind", "127.0.0.1"])
    try:
        until(is_taken)
        run("systemctl", "start", "--no-block", UNIT)
        until(lambda: '"state":"failed"' in (NOTES / "why.js").read_text(), 60)
        why = (NOTES / "why.js").read_text()
        assert "8080" in why, why
        until(lambda: '"pause":2' in (NOTES / "why.js").read_text(), 60)
    finally:
        thief.kill()
        thief.wait()
    took = until(is_up)
    assert '"state":"ready"' in (NOTES / "why.js").read_text()
    return f"{json.loads(why[13:-3])['why']}; up {took:.1f} s after the port is free"


@check
def a_clock_that_starts_in_1970_is_no_obstacle() -> str:
    """By libfaketime: a container must not set the clock of the machine that it runs on."""
    library = next(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
    if library is None:
        return "not tried: no libfaketime in this system"
    until(is_playing)
    count = len(game_times())
    drop_in = Path(f"/run/systemd/system/{UNIT}.d/clock.conf")
    drop_in.parent.mkdir(parents=True, exist_ok=True)
    clock = '"FAKETIME=@1970-01-01 00:00:10" FAKETIME_DONT_FAKE_MONOTONIC=1'
    drop_in.write_text(f"[Service]\nEnvironment=LD_PRELOAD={library} {clock}\n")
    try:
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", UNIT)
        until(is_playing)
        server = shown("MainPID")
        assert "faketime" in Path(f"/proc/{server}/maps").read_text()
        press_and_keep()
    finally:
        drop_in.unlink()
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", UNIT)
    times = game_times()
    assert times == sorted(times), "times of events fall"
    gap = times[count] - times[count - 1]
    assert 0 <= gap < 600, f"{gap} s between the events around the start"
    until(is_playing)
    return (
        f"started; {len(times) - count} more events of the same game, in order, "
        f"{gap:.1f} s between the last before and the first after"
    )


@check
def a_good_new_version_takes_over() -> str:
    run("dpkg", "-i", version("0.1.1"))
    assert current() == "versions/0.1.1", current()
    until(is_up)
    assert "0.1.1" in run("fairdeal", "--version")
    until(is_playing)
    events = kept_events()
    assert (OPT / "trial").read_text().strip() == "kept/0.1.0"
    return f"0.1.0 kept; the game of 0.1.0 goes on with its {events} events"


@check
def a_version_that_fails_its_self_test_never_starts() -> str:
    before = int(shown("MainPID"))
    said = run("dpkg", "-i", version("0.1.2"), may_fail=True)
    assert "0.1.2 failed its self-test; 0.1.1 goes on" in said, said
    assert current() == "kept/0.1.1" and is_up() and int(shown("MainPID")) == before
    run("systemctl", "restart", UNIT)
    until(is_up)
    assert "0.1.1" in run("fairdeal", "--version")
    why = next(line for line in said.splitlines() if line.startswith("bad"))
    return f"dpkg says so; {why}; 0.1.1 still serves"


@check
def a_version_that_does_not_start_gives_way() -> str:
    said = run("dpkg", "-i", version("0.1.3"), may_fail=True)
    took = until(lambda: current() == "kept/0.1.1" and is_up(), 120)
    assert "0.1.1" in run("fairdeal", "--version")
    status = run("fairdeal", "kiosk", "status")
    line = next(line for line in status.splitlines() if "update" in line)
    return (
        f"0.1.1 serves again {took:.1f} s after the update; {line}; dpkg: {said.splitlines()[-1]}"
    )


@check
def another_version_ends_it() -> str:
    run("dpkg", "-i", version("0.1.1"), may_fail=True)
    until(is_up)
    assert current() == "versions/0.1.1", current()
    return f"{current()}, kept: {os.listdir(OPT / 'kept')}"


@check
def uninstall_takes_it_back() -> str:
    run("fairdeal", "kiosk", "uninstall")
    left = [path for path in ("/etc/fairdeal", "/usr/local/lib/fairdeal", str(NOTES),
            "/etc/systemd/system/fairdeal.service", "/etc/sysusers.d/fairdeal.conf")
            if Path(path).exists()]  # fmt: skip
    assert left == [] and (STATE / "journal.sqlite").exists(), left
    assert "fairdeal" not in Path("/etc/passwd").read_text()
    assert "fairdeal" not in Path("/etc/group").read_text()
    assert shown("LoadState") == "not-found"
    run("fairdeal", "kiosk", "install", "--no-screen")
    until(is_up)
    owner = run("stat", "-c", "%U", str(STATE / "journal.sqlite")).strip()
    assert owner == "fairdeal", owner
    return "users, units and files gone, games kept; installed again, the games are its own"


@check
def purging_the_package_takes_all() -> str:
    run("dpkg", "--purge", "fairdeal")
    left = [str(p) for p in (OPT, STATE, Path("/usr/bin/fairdeal"),
            Path("/etc/systemd/system/fairdeal.service")) if os.path.lexists(p)]  # fmt: skip
    assert left == [], left
    return "nothing left"


print(f"{len(failed)} failed" if failed else "all passed", flush=True)
sys.exit(1 if failed else 0)
