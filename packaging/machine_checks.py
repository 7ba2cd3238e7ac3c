"""Runs inside the machine of machine.sh: what a container cannot show. See boot_checks.py too.

Lines for machine_host.py: `SCREENSHOT name` and `POWER CUT`; after the cut this runs again.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from boot_system import (
    SOURCE,
    UNIT,
    check,
    failed,
    game_times,
    is_playing,
    is_playing_again,
    is_taken,
    is_up,
    kept_events,
    page,
    press_and_keep,
    run,
    said_to_the_screen,
    shown,
    until,
)

SCREEN = "fairdeal-screen.service"
CUT = Path("/root/cut")  # there once the power was cut
SETTLED_S = 12.0  # until the browser has drawn


def screenshot(name: str, after_s: float = SETTLED_S) -> None:
    time.sleep(after_s)
    print(f"SCREENSHOT {name}", flush=True)
    time.sleep(3)


def browsers() -> list[str]:
    return run("pgrep", "-u", "fairdeal-screen", "chromium", may_fail=True).split()


def uptime() -> float:
    return float(Path("/proc/uptime").read_text().split()[0])


def referee_and_screen_start_together() -> str:
    run("fairdeal", "kiosk", "install", "--source", SOURCE)
    until(is_up)
    until(browsers, 120)
    screenshot("1-setup", 25)
    assert run("systemctl", "is-active", SCREEN).strip() == "active"
    home = [line for line in run("mount").splitlines() if "/run/fairdeal-screen" in line]
    return f"kernel {os.uname().release}; browser runs, its profile in memory {home or '(/run)'}"


def a_game_is_judged_and_shown() -> str:
    page("/api/games", {"game": "suds", "players": 3, "deck": "suds"})
    until(is_playing)
    press_and_keep()
    until(lambda: kept_events() > 2, 150)
    screenshot("2-game")
    sizes = {unit: int(run("systemctl", "show", "--value", "--property=MemoryCurrent", unit)) >> 20
             for unit in (UNIT, SCREEN)}  # fmt: skip
    return f"{kept_events()} events kept; memory in MiB: {sizes}"


def a_hung_server_is_on_the_screen() -> str:
    before = int(shown("MainPID"))
    os.kill(before, signal.SIGSTOP)
    screenshot("3-hung", 23)
    until(lambda: said_to_the_screen()["cause"] == "watchdog", 60)
    why = said_to_the_screen()["why"]
    took = until(lambda: is_playing_again(before), 120)
    screenshot("4-after-hung")
    return f"reason: {why}; playing again {took:.1f} s after the watchdog"


def the_screen_says_why_there_is_no_referee() -> str:
    run("systemctl", "stop", UNIT)
    thief = subprocess.Popen([sys.executable, "-m", "http.server", "8080", "--bind", "127.0.0.1"])
    try:
        until(is_taken)
        run("systemctl", "start", "--no-block", UNIT)
        until(lambda: said_to_the_screen()["failures"] >= 4, 120)
        screenshot("5-port-taken", 6)
        why = said_to_the_screen()["why"]
    finally:
        thief.kill()
        thief.wait()
    took = until(is_up)
    until(is_playing)
    screenshot("6-back")
    return f"{why}; up {took:.1f} s after the port is free"


def memory_beyond_the_limit_ends_in_a_restart() -> str:
    before, events = int(shown("MainPID")), kept_events()
    now = int(shown("MemoryCurrent"))
    run("systemctl", "set-property", "--runtime", UNIT, f"MemoryMax={now // 4}")
    try:
        until(lambda: said_to_the_screen()["cause"] == "oom-kill", 90)
        why = said_to_the_screen()["why"]
    finally:
        run("systemctl", "set-property", "--runtime", UNIT, "MemoryMax=1500M")
    took = until(lambda: is_playing_again(before), 120)
    assert kept_events() >= events
    return f"{now >> 20} MiB used, {now >> 22} allowed: {why}; playing again after {took:.1f} s"


def times_stay_right_when_the_clock_is_wrong() -> str:
    """Set to 1970 before a start, then ahead by 56 years in mid-game, and back by an hour."""
    run("systemctl", "stop", UNIT)
    real = time.time()
    count, began = len(game_times()), time.monotonic()
    run("date", "--set", "1970-01-01 00:00:10")
    run("systemctl", "start", UNIT)
    until(is_playing)
    assert time.time() < 1e6, "the clock was set by somebody else"
    press_and_keep()
    for clock in (real, real - 3600):
        run("date", "--set", f"@{clock:.0f}")
        press_and_keep()
    passed = time.monotonic() - began
    run("date", "--set", f"@{real + passed:.0f}")
    times = game_times()
    assert times == sorted(times), "times of events fall"
    span = times[-1] - times[count - 1]
    assert span < passed + 120, f"{span} s of game in {passed} s"
    return f"{len(times) - count} more events in order, {span:.0f} s of game in {passed:.0f} s"


def the_screen_is_turned() -> str:
    run("fairdeal", "kiosk", "install", "--rotate", "90")
    until(is_up)
    until(browsers, 120)
    screenshot("7-turned", 25)
    run("fairdeal", "kiosk", "install", "--rotate", "0")
    until(is_playing)
    return "by 90 degrees, and back"


def the_game_goes_on_after_a_power_cut() -> str:
    events = int(CUT.read_text())
    until(is_playing)
    since_boot = uptime()
    assert kept_events() >= events, (kept_events(), events)
    until(browsers, 120)
    screenshot("8-after-the-cut", 20)
    return f"{kept_events()} events kept; playing {since_boot:.1f} s after the kernel's start"


def uninstall_gives_the_screen_back() -> str:
    run("fairdeal", "kiosk", "uninstall")
    assert run("systemctl", "is-active", "getty@tty1.service", may_fail=True).strip() == "active"
    assert browsers() == []
    screenshot("9-uninstalled", 3)
    return "the first console has its login again"


BEFORE = (
    referee_and_screen_start_together,
    a_game_is_judged_and_shown,
    a_hung_server_is_on_the_screen,
    the_screen_says_why_there_is_no_referee,
    memory_beyond_the_limit_ends_in_a_restart,
    times_stay_right_when_the_clock_is_wrong,
    the_screen_is_turned,
)
AFTER = (the_game_goes_on_after_a_power_cut, uninstall_gives_the_screen_back)

if CUT.exists():
    failed += Path("/root/failed").read_text().split()
    for test in AFTER:
        check(test)
    print(f"{len(failed)} failed" if failed else "all passed", flush=True)
else:
    for test in BEFORE:
        check(test)
    Path("/root/failed").write_text("\n".join(name.replace(" ", "_") for name in failed))
    CUT.write_text(str(kept_events()))
    os.sync()  # these two files; what the journal writes after this, it keeps by itself
    press_and_keep()
    print(f"note {kept_events()} events kept at the power cut", flush=True)
    print("POWER CUT", flush=True)
    time.sleep(60)
