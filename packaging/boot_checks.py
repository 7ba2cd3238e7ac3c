"""Runs inside a booted system and tries the appliance as its users would: see boot.sh.

Each check prints one line. The packages in /root/debs are of versions that boot.sh has made:
0.1.0, a good 0.1.1, 0.1.2 that fails its self-test, 0.1.3 that starts no server.
"""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

SOURCE = "http://127.0.0.1:9000/table"
PAGE = "http://127.0.0.1:8080"
OPT, STATE, NOTES = (
    Path("/opt/fairdeal"),
    Path("/var/lib/fairdeal"),
    Path("/run/fairdeal-appliance"),
)
UNIT = "fairdeal.service"
ONLY = sys.argv[1:]  # names of checks; all without
failed: list[str] = []


def run(*words: str, may_fail: bool = False) -> str:
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode and not may_fail:
        raise AssertionError(f"{' '.join(words)}: {done.returncode} {done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def shown(key: str) -> str:
    return run("systemctl", "show", "--value", f"--property={key}", UNIT).strip()


def until(what: Callable[[], object], seconds: float = 180.0) -> float:
    """Waits until it is true; the time that it took."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        try:
            if what():
                return time.monotonic() - began
        except (OSError, ValueError, KeyError):
            pass
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds:g} s")


def page(path: str, body: dict[str, object] | None = None) -> dict[str, object]:
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(PAGE + path, data), timeout=20) as answer:
        return json.loads(answer.read())


def is_playing() -> bool:
    state = page("/api/state")
    return bool(state["is_connected"]) and state["game"] is not None


def is_up() -> bool:
    return shown("ActiveState") == "active" and "games" in page("/api/setup")


def is_taken() -> bool:
    """Whether anything answers on the page's port."""
    with urllib.request.urlopen(PAGE, timeout=2):
        return True


def games() -> list[str]:
    """The journal's games, a line each, read as the referee's user."""
    said = run("runuser", "-u", "fairdeal", "--", "env", "FAIRDEAL_HOME=/var/lib/fairdeal",
               "fairdeal", "games", "list")  # fmt: skip
    return said.splitlines()


def kept_events() -> int:
    """The events of the one game that is played: a restart must not begin another."""
    (line,) = games()
    return int(line.split(" events")[0].split()[-1])


def is_playing_again(before: int) -> bool:
    return int(shown("MainPID")) not in (0, before) and is_playing()


def referee() -> int:
    """The process that judges: a child of the server."""
    found = run("pgrep", "-P", shown("MainPID"), "-f", "kiosk.cli referee").split()
    return int(found[0])


def current() -> str:
    return os.readlink(OPT / "current")


def version(number: str) -> str:
    (path,) = Path("/root/debs").glob(f"fairdeal_{number}+*.deb")
    return str(path)


def check(test: Callable[[], str]) -> Callable[[], str]:
    if ONLY and test.__name__ not in ONLY:
        return test
    name = test.__name__.replace("_", " ")
    began = time.monotonic()
    try:
        words = test()
    except Exception as error:
        failed.append(name)
        words = f"{type(error).__name__}: {error}"
        print(f"BAD  {name}: {words}", flush=True)
        print(run("journalctl", "-u", UNIT, "-n", "15", "-o", "cat", may_fail=True), flush=True)
    else:
        print(f"ok   {name}: {words} ({time.monotonic() - began:.0f} s)", flush=True)
    return test


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
    page("/api/press", {"button": "start"})
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
    took = until(lambda: is_playing_again(before), 120)
    return f"watchdog of 30 s; playing again after {took:.1f} s"


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
    if run("date", "--set", "1970-01-01 00:00:10", may_fail=True) and time.time() > 1e6:
        return "not tried: this container may not set the clock"
    now = time.time()
    run("systemctl", "restart", UNIT)
    until(is_up)
    assert now < 1e6
    return "started"


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
