"""`fairdeal calibrate check`: all checks at once, on one page with a verdict per item."""

import argparse
import base64
import datetime
import html
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration import doctor, inputs, pictures, proof, store
from calibration.finding import Finding, Verdict
from calibration.lens import intrinsics
from calibration.light import light
from calibration.plane import plane_of
from calibration.store import Calibration
from rules.errors import FairdealError
from rules.files import write_file
from vision import mat
from vision.scene import shift_estimate, view_shift

FRAMES = 12  # enough to measure flicker
MAT_GOOD_MM, MAT_BAD_MM = 1.5, 4.0  # shift of the mat since calibration: good up to, bad above


@dataclass(frozen=True)
class Item:
    """A finding and its proof picture (H, W, 3) uint8, if it has one."""

    finding: Finding
    picture: np.ndarray | None = None


def run(args: argparse.Namespace) -> int:
    """Runs all checks and writes the page. Returns 0 if nothing is bad, else 1."""
    shots = inputs.frames(args, FRAMES)
    name, folder = inputs.camera_name(args), inputs.store_folder(args)
    items = examine([picture for _, picture, _ in shots], name, folder)
    if args.deck:
        items = [*items, _deck(args.deck, shots[-1][1])]
    write_page(args.page, items, name)
    for item in items:
        print(item.finding.line)
    print(f"page: {args.page}")
    return 1 if any(item.finding.state == Verdict.BAD for item in items) else 0


def examine(frames: Sequence[np.ndarray], camera: str, folder: Path) -> list[Item]:
    """The verdicts on a camera, from frames (H, W, 3) uint8 of one still view."""
    picture = frames[-1]
    height, width = picture.shape[:2]
    glare = light.glare_picture(picture)
    items = [
        Item(finding, glare if finding.name == "glare" else None) for finding in light.judge(frames)
    ]
    try:
        calibration = store.find(folder, camera, width, height)
    except FairdealError as error:
        return [Item(Finding("calibration", Verdict.BAD, doctor.wrong(error), error.todo)), *items]
    path = store.path_for(folder, camera, width, height)
    age = doctor.calibrations_one(path)
    return [
        Item(age), _lens(calibration, picture), _table(calibration, picture),
        _mat(calibration, picture), _moved(path, picture), *items,
    ]  # fmt: skip


def _lens(c: Calibration, picture: np.ndarray) -> Item:
    found = c.intrinsics
    if found is None:
        return Item(Finding("lens", Verdict.WARN, "not calibrated", "fairdeal calibrate camera"))
    straight = found.lens.undistort_picture(picture)
    state = Verdict.GOOD if found.error_px <= intrinsics.GOOD_PX else Verdict.WARN
    words = f"mean error {found.error_px:.2f} px over {found.views} views"
    return Item(Finding("lens", state, words), straight)


def _table(c: Calibration, picture: np.ndarray) -> Item:
    table = c.table
    if table is None:
        return Item(Finding("table", Verdict.BAD, "not calibrated", "fairdeal calibrate table"))
    words = (f"{table.width_mm:g}x{table.height_mm:g} mm by {table.method}, "
             f"error {table.error_mm:.2f} mm; seats at {', '.join(table.seats)}")  # fmt: skip
    return Item(Finding("table", Verdict.GOOD, words), proof.table_grid(picture, c))


def _mat(c: Calibration, picture: np.ndarray) -> Item:
    """How far the mat has moved since calibration, if the table was calibrated with a mat."""
    if c.table is None or not c.table.method.startswith("mat"):
        return Item(Finding("mat", Verdict.GOOD, "not used"))
    found = mat.find(picture)
    if found is None:
        return Item(
            Finding("mat", Verdict.WARN, "not visible now", "uncover it to check the table")
        )
    scale = c.table.width_mm / found.mat.width_mm
    off = plane_of(c).to_mm(found.pixels) - found.points_mm * scale
    worst = float(np.linalg.norm(off, axis=1).max())
    state = (
        Verdict.GOOD
        if worst <= MAT_GOOD_MM
        else Verdict.WARN
        if worst <= MAT_BAD_MM
        else Verdict.BAD
    )
    todo = "" if state == Verdict.GOOD else "fairdeal calibrate table"
    words = f"{len(found.numbers)} markers, {worst:.1f} mm at most from their calibrated places"
    return Item(Finding("mat", state, words, todo))


def _moved(path: Path, picture: np.ndarray) -> Item:
    """Whether the camera still looks at the table from its calibrated place."""
    name, again = "camera's place", "fairdeal calibrate table"
    reference_file = store.reference_path(path)
    if not reference_file.is_file():
        return Item(Finding(name, Verdict.WARN, "no reference picture", again))
    reference = shift_estimate.reference(pictures.read(reference_file))
    if not reference.is_watchable:
        words = "too few features in view to detect a shift"
        todo = "use the mat, or leave objects at the table's edge"
        return Item(Finding(name, Verdict.WARN, words, todo))
    shift = shift_estimate.shift_px(reference, picture)
    if shift is None:
        words = "the view does not match the calibrated one"
        return Item(Finding(name, Verdict.BAD, words, again))
    if shift > view_shift.limit_px(reference):
        words = f"moved by {shift:.0f} px"
        return Item(Finding(name, Verdict.BAD, words, f"put it back, or {again}"))
    return Item(Finding(name, Verdict.GOOD, f"as calibrated, within {shift:.1f} px"))


def _deck(name: str, picture: np.ndarray) -> Item:
    """The cards of this deck that are recognised in the last picture."""
    from vision.recognition.eyes import Eyes

    try:
        seen = Eyes.open(name).see(picture)
    except FairdealError as error:
        return Item(Finding(f"deck {name}", Verdict.BAD, f"found {error.found}", error.todo))
    out = picture.copy()
    for quad, face in zip(seen.quads, seen.faces, strict=True):
        cv2.polylines(out, [quad.round().astype(np.int32).reshape(-1, 1, 2)], True, proof.GREEN, 2)
        proof.label(out, face, tuple(quad[0]), 0.6)
    faces = [face for face in seen.faces if face not in ("unknown", "back")]
    state = Verdict.GOOD if faces else Verdict.WARN
    words = f"{len(seen.faces)} cards, {len(faces)} of them named: {', '.join(faces) or 'none'}"
    todo = "" if faces else "lay some cards of this deck face-up"
    return Item(Finding(f"deck {name}", state, words, todo), out)


def write_page(path: Path, items: Sequence[Item], camera: str) -> None:
    """Writes one self-contained HTML file. FairdealError if it cannot be written."""
    worst = max((item.finding.state for item in items), key=list(Verdict).index)
    verdict = {Verdict.GOOD: "ready", Verdict.WARN: "usable", Verdict.BAD: "not ready"}[worst]
    when = datetime.datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    parts = [_HEAD, f"<h1>Calibration of {html.escape(camera)}: "
             f'<span class="{worst}">{verdict}</span></h1><p>{when}</p>']  # fmt: skip
    parts += [_section(item) for item in items]
    write_file(path, "\n".join([*parts, "</html>"]), "a file for the page", "name another --page")


def _section(item: Item) -> str:
    finding = item.finding
    mark = {
        Verdict.GOOD: "✔ good", Verdict.WARN: "! check it", Verdict.BAD: "✘ bad",
    }[finding.state]  # fmt: skip
    todo = f"<p>To do: {html.escape(finding.todo)}</p>" if finding.todo else ""
    image = ""
    if item.picture is not None:
        share = min(1.0, 900 / item.picture.shape[1])
        small = cv2.resize(item.picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()
        source = base64.b64encode(data).decode()
        alt = html.escape(f"{finding.name}: {finding.words}")
        image = f'<img alt="{alt}" src="data:image/jpeg;base64,{source}">'
    return (f'<section><h2>{html.escape(finding.name)} <span class="{finding.state}">{mark}</span>'
            f"</h2><p>{html.escape(finding.words)}</p>{todo}{image}</section>")  # fmt: skip


_HEAD = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>fairdeal calibration</title>
<meta name="viewport" content="width=device-width">
<style>body{font:16px/1.4 sans-serif;max-width:60rem;margin:1rem auto;padding:0 1rem}
img{max-width:100%}section{border-top:1px solid #bbb}
.good{color:#176b2c}.warn{color:#8a5300}.bad{color:#b00020}</style>"""
