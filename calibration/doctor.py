"""The checks of `fairdeal doctor`. Each returns findings and changes nothing."""

import datetime
import grp
import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from calibration import store
from calibration.finding import Finding, Verdict
from device.gpio.pins import lgpio_factory, pi_model
from rules.errors import FairdealError

OLD_DAYS = 90  # a calibration older than this should be checked
LOW_GIB, EMPTY_GIB = 1.0, 0.2  # free disk space: warning, fault
HOT_C, BURNING_C = 70.0, 80.0  # processor temperature: warning, fault
Run = Callable[[list[str]], str | None]


def run_command(command: list[str]) -> str | None:
    """The output of a command; None if it is missing or fails."""
    if shutil.which(command[0]) is None:
        return None
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout if done.returncode == 0 else None


def examine(folder: Path, weights: Path, run: Run = run_command) -> tuple[Finding, ...]:
    """All findings."""
    return (
        *cameras(Path("/dev"), bool(pi_model())), *pins(), *serial_ports(), disk(folder),
        *power(run), *weights_there(weights), *calibrations(folder),
    )  # fmt: skip


def cameras(dev: Path, pi: bool) -> tuple[Finding, ...]:
    """V4L2 devices and their permissions; picamera2 on a Pi."""
    out = []
    if importlib.util.find_spec("picamera2") is not None:
        out.append(_pi_cameras())
    elif pi:
        out.append(Finding("picamera2", Verdict.BAD, "not importable: no Raspberry Pi camera",
                           "sudo apt install python3-picamera2, and make .venv with "
                           "--system-site-packages"))  # fmt: skip
    devices = sorted(dev.glob("video[0-9]*"))
    if not devices:
        out.append(Finding("USB camera", Verdict.WARN, f"no {dev}/video*", "plug a camera in"))
    closed = [str(device) for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if closed:
        out.append(Finding("USB camera", Verdict.BAD, "no permission for " + ", ".join(closed),
                           "sudo adduser $USER video, then log in again"))  # fmt: skip
    elif devices:
        out.append(Finding("USB camera", Verdict.GOOD, ", ".join(d.name for d in devices)))
    return tuple(out)


def _pi_cameras() -> Finding:
    from vision.sources.picamera import models_here

    try:
        models = models_here()
    except Exception as error:  # what a broken libcamera raises is its own affair
        return Finding("picamera2", Verdict.BAD, f"cannot be asked: {error}",
                       "sudo apt install --reinstall python3-picamera2")  # fmt: skip
    if not models:
        return Finding("picamera2", Verdict.WARN, "installed, and no Raspberry Pi camera there",
                       "push the ribbon cable in the right way round, restart")  # fmt: skip
    return Finding("picamera2", Verdict.GOOD, ", ".join(models))


def pins() -> tuple[Finding, ...]:
    """The pin factory that gpiozero would use."""
    model = pi_model()
    if not model:
        return (Finding("pins", Verdict.GOOD, "no Raspberry Pi: mock pins, or the serial board"),)
    try:
        factory = lgpio_factory()
    except FairdealError as error:
        return (Finding("pins", Verdict.BAD, f"{model}: found {error.found}", error.todo),)
    factory.close()
    return (Finding("pins", Verdict.GOOD, f"{model}: lgpio"),)


def serial_ports() -> tuple[Finding, ...]:
    """Serial ports, their permissions, and which look like a signal board."""
    from device.serial.ports import all_ports, find_ports

    ports = all_ports()
    closed = [p for p in ports if Path(p).exists() and not os.access(p, os.R_OK | os.W_OK)]
    boards = find_ports()
    if closed:
        return (Finding("serial ports", Verdict.BAD, "no permission for " + ", ".join(closed),
                        f"sudo adduser $USER {_group(closed[0])}, then log in again"),)  # fmt: skip
    if boards:
        return (Finding("serial ports", Verdict.GOOD, "board at " + ", ".join(boards)),)
    return (Finding("serial ports", Verdict.GOOD, ", ".join(ports) if ports else "none, no board"),)


def _group(path: str) -> str:
    try:
        return grp.getgrgid(os.stat(path).st_gid).gr_name
    except (OSError, KeyError):
        return "dialout"


def disk(folder: Path) -> Finding:
    """Free space on the disk that holds settings and journal."""
    there = next(p for p in (folder, *folder.parents) if p.exists())
    free = shutil.disk_usage(there).free / 2**30
    words = f"{free:.1f} GiB free at {there}"
    if free < EMPTY_GIB:
        return Finding("disk", Verdict.BAD, words, "delete old journals, or sudo apt clean")
    if not os.access(there, os.W_OK):
        return Finding(
            "disk", Verdict.BAD, f"{there} cannot be written", f"sudo chown $USER {there}"
        )
    if free < LOW_GIB:
        return Finding("disk", Verdict.WARN, words, "delete old journals, or sudo apt clean")
    return Finding("disk", Verdict.GOOD, words)


def power(run: Run) -> tuple[Finding, ...]:
    """Temperature and under-voltage as the Pi's firmware reports them."""
    heat, throttled = run(["vcgencmd", "measure_temp"]), run(["vcgencmd", "get_throttled"])
    out = []
    if heat and (match := re.search(r"temp=([\d.]+)", heat)):
        celsius = float(match[1])
        state = (
            Verdict.BAD
            if celsius >= BURNING_C
            else Verdict.WARN
            if celsius >= HOT_C
            else Verdict.GOOD
        )
        todo = "" if state == Verdict.GOOD else "fit a fan or a heat sink, open the case"
        out.append(Finding("temperature", state, f"{celsius:.0f} °C", todo))
    if throttled and (match := re.search(r"throttled=0x([0-9a-fA-F]+)", throttled)):
        bits = int(match[1], 16)
        supply = "use the Pi's own power supply and a short cable"
        if bits & 0x1:
            out.append(Finding("power", Verdict.BAD, "under-voltage now", supply))
        elif bits & 0x10000:
            out.append(Finding("power", Verdict.WARN, "under-voltage since boot", supply))
        else:
            out.append(Finding("power", Verdict.GOOD, "no under-voltage since boot"))
        if bits & 0xE:
            out.append(
                Finding("speed", Verdict.WARN, "throttled now", "improve cooling and power supply")
            )
    return tuple(out)


def weights_there(folder: Path) -> tuple[Finding, ...]:
    """The weights of the networks that locate and recognise cards."""
    try:
        from vision.networks import corners, embedder, locator
        from vision.networks.engine import check_weights
    except ImportError as error:
        return (Finding("networks", Verdict.BAD, f"cannot be run: {error}", "make setup"),)
    out = []
    for title, version in (
        ("locator", locator.VERSION), ("namer", embedder.VERSION), ("corners", corners.VERSION),
    ):  # fmt: skip
        file = folder / f"{title}.onnx"
        try:
            check_weights(file, version, title)
        except FairdealError as error:
            todo = f"fairdeal train {title}, or reinstall fairdeal"
            out.append(Finding(title, Verdict.BAD, wrong(error), todo))
        else:
            out.append(Finding(title, Verdict.GOOD, f"{file.stat().st_size / 1e6:.1f} MB"))
    return tuple(out)


def wrong(error: FairdealError) -> str:
    """The fault, in the words of the error."""
    return f"expected {error.expected}, found {error.found}"


def calibrations(folder: Path, today: datetime.date | None = None) -> tuple[Finding, ...]:
    """Each stored calibration: its integrity, age and error."""
    today = today or datetime.date.today()
    files = sorted(folder.glob("*.toml")) if folder.is_dir() else []
    files = [path for path in files if not path.name.startswith(".")]
    if not files:
        todo = "fairdeal print board, then fairdeal calibrate camera --source S"
        return (Finding("calibration", Verdict.WARN, f"none in {folder}", todo),)
    return tuple(_calibration(path, today) for path in files)


def calibrations_one(path: Path) -> Finding:
    """The finding on one stored calibration."""
    return _calibration(path, datetime.date.today())


def _calibration(path: Path, today: datetime.date) -> Finding:
    name = f"calibration {path.stem}"
    try:
        found = store.load(path)
    except FairdealError as error:
        return Finding(name, Verdict.BAD, wrong(error), f"rm '{path}' and calibrate again")
    camera = f"--source {found.camera}"
    if found.table is None:
        return Finding(name, Verdict.WARN, "no table", f"fairdeal calibrate table {camera}")
    if found.intrinsics is None:
        return Finding(name, Verdict.WARN, "no lens", f"fairdeal calibrate camera {camera}")
    made = min(found.table.made, found.intrinsics.made)[:10]
    try:
        days = (today - datetime.date.fromisoformat(made)).days
    except ValueError:
        return Finding(name, Verdict.WARN, f"made at {made!r}", "calibrate again")
    words = f"{found.intrinsics.error_px:.2f} px, {found.table.error_mm:.2f} mm, {days} days old"
    if days > OLD_DAYS:
        return Finding(name, Verdict.WARN, words, f"fairdeal calibrate check {camera}")
    return Finding(name, Verdict.GOOD, words)
