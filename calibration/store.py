"""Stored calibrations: one readable TOML file per camera and resolution.

Each file has a version and a checksum; truncated or edited files are refused. Writing is atomic.
"""

import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import numpy as np
import tomli_w

from rules.errors import FairdealError
from rules.files import read_bytes, shown, write_file
from rules.settings import parsed_toml
from vision.lens import Lens, LensModel
from vision.plane import Plane
from vision.sources.stream import without_password

VERSION = 1
COEFFICIENTS = {LensModel.BROWN: (0, 4, 5, 8), LensModel.FISHEYE: (4,)}
_HEAD = "# fairdeal calibration, written by `fairdeal calibrate`; calibrate again, do not edit.\n"
_AGAIN = "delete it and run `fairdeal calibrate` again"


@dataclass(frozen=True)
class Intrinsics:
    """A calibrated lens: focal lengths and principal point in px, distortion coefficients."""

    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...]
    error_px: float
    views: int
    made: str
    model: LensModel = LensModel.BROWN

    @property
    def lens(self) -> Lens:
        """The lens alone, as vision uses it."""
        return Lens(self.fx, self.fy, self.cx, self.cy, self.distortion, self.model)


@dataclass(frozen=True)
class TableFit:
    """The table's plane: `homography` maps an undistorted pixel to millimetres.

    The origin is the upper left corner as seat 1, at the lower side, sees the table.
    `seats[i]` is the side of the picture at which seat i+1 sits.
    """

    homography: tuple[tuple[float, ...], ...]
    width_mm: float
    height_mm: float
    method: str
    error_mm: float
    seats: tuple[str, ...]
    made: str


@dataclass(frozen=True)
class LightLock:
    """Locked camera controls, by the camera's own names and units."""

    controls: tuple[tuple[str, float], ...]
    brightness: float
    made: str


@dataclass(frozen=True)
class Calibration:
    """The calibration of one camera at one resolution; missing parts are None."""

    camera: str
    width: int
    height: int
    intrinsics: Intrinsics | None = None
    table: TableFit | None = None
    light: LightLock | None = None

    def with_part(self, **parts: object) -> "Calibration":
        return replace(self, **parts)  # type: ignore[arg-type]


def default_folder() -> Path:
    """`$FAIRDEAL_HOME/calibration`, else `calibration` in the user's settings folder."""
    home = os.environ.get("FAIRDEAL_HOME")
    if home:
        return Path(home) / "calibration"
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) if base else Path.home() / ".config") / "fairdeal" / "calibration"


def public_name(camera: str) -> str:
    """The camera's name without the user and password of a stream's URL."""
    return without_password(camera) if "://" in camera else camera


def path_for(folder: Path, camera: str, width: int, height: int) -> Path:
    """The file of this camera at this resolution."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", public_name(camera)).strip("-.") or "camera"
    return folder / f"{plain[:80]}-{width}x{height}.toml"


def reference_path(path: Path) -> Path:
    """The reference picture beside a calibration file: a moved camera is detected by it."""
    return path.with_name(path.stem + "-reference.png")


def save(calibration: Calibration, folder: Path) -> Path:
    """Writes the file atomically and returns its path. FairdealError if it cannot be written."""
    path = path_for(folder, calibration.camera, calibration.width, calibration.height)
    body = _body(calibration)
    text = f'{_HEAD}version = {VERSION}\nchecksum = "{checksum_of(body)}"\n{body}'
    expected = f"a folder to write {path.name} into"
    todo = "make it writable or name another one with --store"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FairdealError(expected, error.strerror or str(error), todo, str(folder)) from None
    return write_file(path, text, expected, todo, mode=0o600)


def load(path: Path, width: int | None = None, height: int | None = None) -> Calibration:
    """Reads and verifies a calibration file.

    FairdealError if it is missing, truncated, edited, of another version, or (with `width` and
    `height`) of another resolution.
    """
    where = str(path)
    todo = "run `fairdeal calibrate camera` and `fairdeal calibrate table`"
    try:
        text = read_bytes(path, "a calibration file", todo).decode("utf-8")
    except UnicodeDecodeError:
        raise FairdealError(
            "a calibration file", "bytes that are not text", _AGAIN, where
        ) from None
    data = _checked(text, where)
    try:
        calibration = _from_data(data)
    except (
        ArithmeticError,
        AttributeError,
        KeyError,
        RecursionError,
        TypeError,
        ValueError,
    ) as error:
        raise FairdealError("every entry of a calibration", shown(error), _AGAIN, where) from None
    if width and height and (calibration.width, calibration.height) != (width, height):
        raise FairdealError(
            f"a calibration for {width}x{height}",
            f"one for {calibration.width}x{calibration.height}",
            "calibrate at the resolution that the game uses: "
            "a camera crops and scales each resolution differently",
            where,
        )
    return calibration


def load_or_new(folder: Path, camera: str, width: int, height: int) -> Calibration:
    """The stored calibration, or an empty one. FairdealError if the file is damaged."""
    path = path_for(folder, camera, width, height)
    if path.exists():
        return load(path, width, height)
    return Calibration(camera, width, height)


def find(folder: Path, camera: str, width: int, height: int) -> Calibration:
    """The stored calibration of this camera at this resolution.

    FairdealError if there is none; it names other resolutions that are stored.
    """
    path = path_for(folder, camera, width, height)
    if not path.exists():
        stem = path_for(folder, camera, 0, 0).stem.removesuffix("-0x0")
        others = sorted(p.stem.rpartition("-")[2] for p in folder.glob(f"{stem}-*x*.toml"))
        if others:
            raise FairdealError(
                f"a calibration of {camera} at {width}x{height}",
                f"one at {', '.join(others)}",
                "a calibration is valid for its resolution only: use that one, or run "
                "`fairdeal calibrate camera` and `table` at this one",
                str(folder),
            )
    return load(path, width, height)


def _checked(text: str, where: str) -> dict:
    """The parsed file, after its version and checksum were verified."""
    lines = text.splitlines(keepends=True)
    head = next((i for i, line in enumerate(lines) if line.startswith("checksum = ")), None)
    if head is None:
        raise FairdealError("a calibration file with a checksum", "none", _AGAIN, where)
    match = re.fullmatch(r'checksum = "([0-9a-f]{64})"\n', lines[head])
    body = "".join(lines[head + 1 :])
    if match is None or match[1] != checksum_of(body):
        raise FairdealError(
            "an unchanged calibration file", "one that was truncated or edited", _AGAIN, where
        )
    data = parsed_toml(text, where, _AGAIN)
    if data.get("version") != VERSION:
        found = f"version {shown(data.get('version'))}"
        raise FairdealError(f"version {VERSION} of the calibration file", found, _AGAIN, where)
    return data


def checksum_of(body: str) -> str:
    """The checksum of a file's text after its head."""
    return hashlib.sha256(f"{VERSION}\n{body}".encode()).hexdigest()


def _body(c: Calibration) -> str:
    parts = {"intrinsics": c.intrinsics, "table": c.table, "light": c.light}
    tables = {title: asdict(part) for title, part in parts.items() if part is not None}
    _refuse_infinite(tables)
    return tomli_w.dumps({"camera": c.camera, "width": c.width, "height": c.height, **tables})


def _refuse_infinite(value: object) -> None:
    """ValueError if a number in this value, however deep, is not finite."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        for item in value:
            _refuse_infinite(item)
    elif isinstance(value, float) and not np.isfinite(value):
        raise ValueError(f"expected a finite number, found {value}")


def _from_data(data: dict) -> Calibration:
    """The calibration of a parsed file. ValueError, among others, for values that cannot be."""
    _refuse_infinite(data)
    if not (1 <= data["width"] <= 20_000 and 1 <= data["height"] <= 20_000):
        raise ValueError(f"size {data['width']}x{data['height']}")
    intrinsics, table, light = data.get("intrinsics"), data.get("table"), data.get("light")
    if intrinsics is not None:
        # Files from before the fisheye model name none.
        model = LensModel(intrinsics.get("model", LensModel.BROWN))
        distortion = tuple(float(k) for k in intrinsics["distortion"])
        if len(distortion) not in COEFFICIENTS[model]:
            raise ValueError(f"{len(distortion)} distortion coefficients of a {model} lens")
        intrinsics = Intrinsics(**{**intrinsics, "distortion": distortion, "model": model})
    if table is not None:
        rows = tuple(tuple(float(v) for v in row) for row in table["homography"])
        table = TableFit(**{**table, "homography": rows, "seats": tuple(map(str, table["seats"]))})
        Plane.of(rows)  # raises ValueError if it is not a homography
    if light is not None:
        controls = tuple((str(name), float(value)) for name, value in light["controls"])
        light = LightLock(**{**light, "controls": controls})
    for part in (intrinsics, table, light):
        _refuse_other_kinds(part)
    return Calibration(
        str(data["camera"]), int(data["width"]), int(data["height"]), intrinsics, table, light
    )


def _refuse_other_kinds(part: Intrinsics | TableFit | LightLock | None) -> None:
    """TypeError for a number that is text, and the like."""
    for each in fields(part) if part is not None else ():
        value = getattr(part, each.name)
        if each.type is float and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise TypeError(f"{each.name} {value!a:.60}")
        if each.type in (int, str) and type(value) is not each.type:
            raise TypeError(f"{each.name} {value!a:.60}")
