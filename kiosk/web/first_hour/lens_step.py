"""The lens, from views of the printed board: better corners for a table without a mat."""

from __future__ import annotations

from calibration import store
from calibration.lens import intrinsics
from calibration.lens.board import Board, NoView, Reason, View, find
from calibration.lens.camera import in_words, is_new
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Order
from kiosk.web.first_hour.steps import Mark, Standing, Step, Work
from vision.frame import Image

LENS_MEASURED = "measured through another lens"


def measure(order: Order, bench: Bench) -> None:
    """Takes views of the board until none is missing, as `calibrate camera` does.

    A set-up that is called away earlier stores nothing.
    """
    desk, board = bench.desk, Board()
    desk.change(work=Work.TEACHING, progress=0.0, message="", is_bad=False, words=(), findings=())
    views: list[View] = []
    wish: tuple[str, ...] = ("the board in the middle of the picture",)
    while wish and not desk.is_called_away():
        frame = bench.frame()
        if frame is None:
            continue
        seen = find(board, frame.bgr, f"frame {frame.number}")
        if isinstance(seen, View) and is_new(seen, views):
            views.append(seen)
            wish = intrinsics.missing_views(views) or intrinsics.missing_corners(views)
        unclear = isinstance(seen, NoView) and seen.reason is not Reason.NONE
        hint = seen.words if isinstance(seen, NoView) and unclear else next(iter(wish), "")
        share = min(len(views) / (intrinsics.ENOUGH_VIEWS + 4), 0.95)
        desk.change(message=f"{len(views)} views; now: {hint}", progress=share)
    if wish or desk.frame is None:
        desk.tell("")
        return
    desk.change(work=Work.MEASURING, message="")
    _keep(bench, intrinsics.solve(views), desk.frame.bgr)


def _keep(bench: Bench, solved: intrinsics.Solved, picture: Image) -> None:
    """Stores the lens. A table that was measured through another lens is open again."""
    height, width = picture.shape[:2]
    old = store.load_or_new(bench.folder, bench.camera, width, height)
    store.save(old.with_part(intrinsics=solved.lens, table=None), bench.folder)
    desk = bench.desk
    if desk.state.steps.get(Step.TABLE, Standing()).mark is Mark.PASSED:
        desk.mark(Step.TABLE, Mark.OPEN, LENS_MEASURED)
    desk.tell("", words=tuple(in_words(solved).splitlines()))
