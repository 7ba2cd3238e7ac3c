"""The checks of `fairdeal doctor`. Each returns findings and changes nothing."""

import datetime
import grp
import importlib.util
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from calibration import store
from calibration.controls.held import KINDS, not_held
from calibration.engines import engines_in_use
from calibration.finding import Finding, Verdict
from calibration.machine import machine_findings
from device.gpio.pins import lgpio_factory, pi_model
from device.machine import is_writable, read_machine
from rules.errors import FairdealError
from vision.sources.adapters import CameraKind

OLD_DAYS = 90  # a calibration older than this should be checked


def examine(folder: Path, weights: Path) -> tuple[Finding, ...]:
    """All findings."""
    return (
        *cameras(Path("/dev"), bool(pi_model())), *pins(), *serial_ports(), *machine(folder),
        *weights_there(weights), *engines_in_use(), *calibrations(folder),
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


def machine(folder: Path) -> tuple[Finding, ...]:
    """Disk of settings and journal, temperature, supply voltage, clock."""
    found = machine_findings(read_machine(folder))
    if is_writable(folder):
        return found
    todo = f"sudo chown $USER {folder}"
    return (Finding("disk", Verdict.BAD, f"{folder} cannot be written", todo), *found)


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
    """Each stored calibration: its integrity, age and error; of each camera, its light."""
    today = today or datetime.date.today()
    files = sorted(folder.glob("*.toml")) if folder.is_dir() else []
    files = [path for path in files if not path.name.startswith(".")]
    if not files:
        todo = "fairdeal print board, then fairdeal calibrate camera --source S"
        return (Finding("calibration", Verdict.WARN, f"none in {folder}", todo),)
    return (*(_calibration(path, today) for path in files), *_lights(files))


def _lights(files: list[Path]) -> Iterator[Finding]:
    """Of each camera, the light that a game sets: that of its newest file."""
    found: dict[str, store.LightLock | None] = {}
    for path in sorted(files, key=lambda path: -path.stat().st_mtime):
        with suppress(FairdealError):  # a damaged one is a finding of its own
            one = store.load(path)
            found[one.camera] = found.get(one.camera) or one.light
    for camera in sorted(found):
        if camera == CameraKind.PHONE or "://" in camera:
            continue  # a phone's page locks it, and health says so; a stream's is out of reach
        yield light_finding(camera, found[camera])


def light_finding(camera: str, light: store.LightLock | None) -> Finding:
    """Whether a camera's exposure, white balance and focus are locked; what its driver refuses."""
    name, kept = f"light of {camera}", "keep lamp and blinds as they are while you play"
    if light is None:
        todo = f"fairdeal calibrate light --source {camera}"
        return Finding(name, Verdict.WARN, "exposure, white balance and focus not locked", todo)
    free = not_held(dict(light.controls))
    locked = _listed([kind for kind in KINDS if kind not in free])
    if not free:
        return Finding(name, Verdict.GOOD, f"{locked} locked")
    refused = f"the camera's driver does not let {_listed(free)} be locked"
    if free == ("focus",):  # most lenses that cannot be focused are fixed
        return Finding(name, Verdict.GOOD, f"{locked} locked; {refused}")
    return Finding(name, Verdict.WARN, f"{locked} locked; {refused}" if locked else refused, kept)


def _listed(kinds: Sequence[str]) -> str:
    """`exposure, white balance and focus`."""
    words = ["white balance" if kind == "colour" else kind for kind in kinds]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


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
