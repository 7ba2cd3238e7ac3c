"""`fairdeal calibrate table`: the table's plane, its size and its seats."""

import argparse
from collections.abc import Callable
from pathlib import Path

import numpy as np

from calibration import inputs, options, pictures, proof, store
from calibration.store import Calibration, Intrinsics, TableFit
from calibration.table import card_fit, table_fit
from rules.errors import FairdealError

FRAMES = 5
DEFAULT_SIZE_MM = (700.0, 450.0)


def run(args: argparse.Namespace) -> int:
    """Fits the table and stores it. Returns 0; FairdealError if it is refused."""
    picture = inputs.quiet_picture(inputs.frames(args, FRAMES, _hint_for(args)))
    old = inputs.stored(args, picture)
    lens = None if args.no_lens else old.intrinsics
    if lens is None and old.intrinsics is not None:
        print("the calibrated lens is ignored and removed from the stored calibration")
    if lens is None:
        print("no calibrated lens: the picture is assumed to have no distortion")
    new = old.with_part(table=_fit(args, picture, lens), intrinsics=lens)
    path = keep(new, picture, inputs.store_folder(args))
    proof_path = args.proof or path.with_name(path.stem + "-table.jpg")
    pictures.write(proof_path, proof.table_grid(picture, new))
    print(f"{in_words(new)}\nstored in {path}\nproof picture: {proof_path}")
    return 0


def keep(calibration: Calibration, picture: np.ndarray, folder: Path) -> Path:
    """Stores a calibration with its table. Returns the file; FairdealError if it cannot."""
    path = store.save(calibration, folder)
    # The unmarked picture is kept as well: a moved camera is detected by it.
    pictures.write(store.reference_path(path), picture)
    return path


def _hint_for(args: argparse.Namespace) -> Callable[[np.ndarray], str]:
    """The hint on the live picture while the camera is aimed."""
    if args.cards or args.corners or args.click:
        return lambda bgr: "the whole table in view"

    def hint(bgr: np.ndarray) -> str:
        try:
            _, found = table_fit.from_mat(bgr, None, args.scale)
        except FairdealError as error:
            return error.found
        return f"the mat, {len(found.numbers)} markers"

    return hint


def _fit(args: argparse.Namespace, picture: np.ndarray, lens: Intrinsics | None) -> TableFit:
    height, width = picture.shape[:2]
    size = args.size or DEFAULT_SIZE_MM
    if args.cards:
        return card_fit.from_deck(picture, args.cards, size, lens)
    if args.corners or args.click:
        if args.size is None:
            raise FairdealError("--size with corners", "none", "give the table's size in mm")
        corners = (
            [options.corner(text) for text in args.corners] if args.corners else _clicked(picture)
        )
        return table_fit.from_corners(corners, size[0], size[1], lens, (width, height))
    if args.size:
        raise FairdealError(
            "--size with --corners, --click or --cards", "the mat, whose size is known",
            "omit --size; give --scale if the print is smaller",
        )  # fmt: skip
    fit, _ = table_fit.from_mat(picture, lens, args.scale)
    return fit


def _clicked(picture: np.ndarray) -> list[tuple[float, float]]:
    """Four clicks on the picture. FairdealError without a screen or if cancelled."""
    if not pictures.has_screen():
        raise FairdealError("a screen to click on", "none", "use --corners X,Y X,Y X,Y X,Y")
    import cv2

    corners: list[tuple[float, float]] = []

    def pressed(event: int, x: int, y: int, flags: int, data: object) -> None:
        if event == cv2.EVENT_LBUTTONDOWN and len(corners) < 4:
            corners.append((float(x), float(y)))

    title = "fairdeal calibrate table: click the corners, upper left first, clockwise; Esc gives up"
    cv2.namedWindow(title)
    cv2.setMouseCallback(title, pressed)
    while len(corners) < 4:
        shown = picture.copy()
        for number, (x, y) in enumerate(corners, start=1):
            cv2.circle(shown, (round(x), round(y)), 5, proof.GREEN, -1)
            proof.label(shown, str(number), (x + 8, y), 0.7)
        cv2.imshow(title, shown)
        if cv2.waitKey(20) & 0xFF == 27:
            cv2.destroyAllWindows()
            raise FairdealError("four clicked corners", f"{len(corners)}", "start again")
    cv2.destroyAllWindows()
    return corners


def _what_error(table: TableFit) -> str:
    """What `error_mm` is: the markers' residual, or the uncertainty of the worst point."""
    return "error" if table.method.startswith("mat") else "uncertain by"


def in_words(c: Calibration) -> str:
    """The table's size, error and seats: two lines for people."""
    table = c.table
    assert table is not None
    sides = ", ".join(f"{seat} at the {side}" for seat, side in enumerate(table.seats, start=1))
    return (
        f"table {table.width_mm:g}x{table.height_mm:g} mm by {table.method}, "
        f"{_what_error(table)} {table.error_mm:.2f} mm\nseats in the picture: {sides}"
    )
