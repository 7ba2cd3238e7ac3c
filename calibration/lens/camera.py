"""`fairdeal calibrate camera`: the lens, from pictures of the printed ChArUco board."""

import argparse
import itertools
import sys
from collections.abc import Iterable, Sequence

import cv2
import numpy as np

from calibration import inputs, pictures, proof, store
from calibration.lens import intrinsics
from calibration.lens.board import Board, NoView, Reason, View, find
from calibration.preview import GIVE_UP, Preview
from calibration.store import Intrinsics
from rules.errors import FairdealError

NEW_VIEW = 0.04  # least mean shift of the corners from every earlier view, of the picture's width


def run(args: argparse.Namespace) -> int:
    """Solves the lens and stores it. Returns 0; FairdealError if it is refused."""
    board = Board()  # its printed scale does not affect the lens
    if args.folder:
        views, refused, last = _from_folder(board, args)
        for no in refused:
            print(f"not used: {no.name}: {no.words}")
    elif args.source:
        views, refused, last = _from_source(board, args)
    else:
        raise FairdealError("pictures or a camera", "neither", "give --from DIR or --source S")
    _refuse_set(views, refused)
    solved = intrinsics.solve(views)
    print(in_words(solved))
    folder, old = inputs.store_folder(args), inputs.stored(args, last)
    # A table that was measured through another lens is no longer valid.
    path = store.save(old.with_part(intrinsics=solved.lens, table=None), folder)
    picture = args.proof or path.with_name(path.stem + "-camera.jpg")
    pictures.write(picture, _coverage(last, views, solved.lens))
    print(f"stored in {path}\nproof picture: {picture}")
    if old.table is not None:
        print("the table was measured through the old lens: run `fairdeal calibrate table` again")
    return 0


def _from_folder(
    board: Board, args: argparse.Namespace
) -> tuple[list[View], list[NoView], np.ndarray]:
    from rich.progress import track

    files = pictures.listed(args.folder)
    views: list[View] = []
    refused: list[NoView] = []
    last = None
    quiet = not sys.stdout.isatty()
    for path in track(files, description="reading the board", transient=True, disable=quiet):
        picture = pictures.read(path)
        if last is None:
            inputs.stored(args, picture)  # reports a damaged file before the work, not after it
        seen = find(board, picture, path.name, thorough=True)
        if isinstance(seen, View):
            views.append(seen)
            last = picture
        else:
            refused.append(seen)
            last = picture if last is None else last
    assert last is not None
    return views, refused, last


def _refuse_set(views: list[View], refused: list[NoView]) -> None:
    """FairdealError with the most frequent reason if too few pictures can be used."""
    if len(views) >= intrinsics.MIN_VIEWS or not refused:
        return
    reasons = [no.reason for no in refused]
    common = max(Reason, key=reasons.count)
    words, todo = common.value
    raise FairdealError(
        f"at least {intrinsics.MIN_VIEWS} pictures that show the board",
        f"{len(views)} of {len(views) + len(refused)}; {reasons.count(common)} of them: {words}",
        todo,
    )


def in_words(solved: intrinsics.Solved) -> str:
    """The lens and how sure it is: some lines for people."""
    found = solved.lens
    word = "good" if found.error_px <= intrinsics.GOOD_PX else "acceptable"
    worst = sorted(solved.errors, key=lambda pair: -pair[1])[:3]
    lines = [
        f"mean reprojection error {found.error_px:.3f} px over {found.views} views: {word}",
        f"lens model {found.model}; in the picture's corners within {solved.corner_px:.1f} px",
        f"focal lengths {found.fx:.1f}, {found.fy:.1f} px",
        f"principal point {found.cx:.1f}, {found.cy:.1f} px",
        *(f"dropped: {name}, {error:.2f} px off" for name, error in solved.dropped),
        "worst used: " + ", ".join(f"{name} {error:.2f} px" for name, error in worst),
    ]
    if solved.missing:
        lines.append("more views would improve it: " + "; ".join(solved.missing))
    return "\n".join(lines)


def _from_source(
    board: Board, args: argparse.Namespace
) -> tuple[list[View], list[NoView], np.ndarray]:
    """Takes pictures until no view is missing, time is up or a recording ends."""
    with inputs.open_camera(args) as source:
        frames = ((f"frame {f.number}", f.bgr, f.at) for f in iter(source.read, None))
        first = list(itertools.islice(frames, 1))
        for _, picture, _ in first:
            inputs.stored(args, picture)  # reports a damaged file before the work
        frames_all = itertools.chain(first, frames)
        return collect(board, frames_all, args.seconds, live=not source.recorded)


def collect(
    board: Board, frames: Iterable[tuple[str, np.ndarray, float]], seconds: float, live: bool
) -> tuple[list[View], list[NoView], np.ndarray]:
    """Selects new views from (name, picture, time in s) and shows hints meanwhile.

    Returns the views, the unusable pictures with their reasons, and the last picture.
    """
    from rich.progress import Progress

    views: list[View] = []
    refused: list[NoView] = []
    last, first_at = None, None
    wish: tuple[str, ...] = ()  # found out again with each new view: it takes some fits
    show = Preview("fairdeal calibrate camera", live and pictures.has_screen())
    with show, Progress(transient=True, disable=not sys.stdout.isatty()) as bar:
        task = bar.add_task("show the board", total=intrinsics.ENOUGH_VIEWS + 4)
        for name, picture, at in frames:
            first_at = at if first_at is None else first_at
            last = picture if last is None else last
            seen = find(board, picture, name)
            if isinstance(seen, View) and is_new(seen, views):
                views.append(seen)
                last = picture
                wish = ()
                if not intrinsics.missing_views(views):
                    wish = intrinsics.missing_corners(views)
            missing = (*intrinsics.missing_views(views), *wish)
            hint = missing[0] if missing else "enough"
            if isinstance(seen, NoView):
                refused.append(seen)
                hint = hint if seen.reason is Reason.NONE else seen.words
            bar.update(task, completed=len(views), description=hint)
            key = show.show(picture, hint, seen.corners_px if isinstance(seen, View) else ())
            if (key and key in GIVE_UP) or at - first_at > seconds or (not missing and live):
                break
    if last is None:
        raise FairdealError("pictures from the camera", "none", "run `fairdeal doctor`")
    return views, refused, last


def is_new(view: View, views: list[View]) -> bool:
    """True if the board is at another place than in all views so far."""
    for old in views:
        _, a, b = np.intersect1d(view.ids, old.ids, return_indices=True)
        if len(a) < 4:
            continue
        step = np.linalg.norm(view.corners_px[a] - old.corners_px[b], axis=1).mean()
        if step < NEW_VIEW * view.width:
            return False
    return True


def _coverage(bgr: np.ndarray, views: Sequence[View], lens: Intrinsics) -> np.ndarray:
    """All board corners of all views on one picture, beside that picture undistorted."""
    seen = bgr.copy()
    for number, view in enumerate(views):
        hue = cv2.cvtColor(
            np.array([[[number * 37 % 180, 200, 255]]], np.uint8), cv2.COLOR_HSV2BGR
        )[0, 0]
        for x, y in view.corners_px:
            where = (round(float(x)), round(float(y)))
            cv2.circle(seen, where, 3, tuple(int(v) for v in hue), -1, cv2.LINE_AA)
    straight = lens.lens.undistort_picture(bgr)
    proof.label(seen, f"{len(views)} views", (12, 28), 0.7)
    proof.label(straight, f"undistorted, mean error {lens.error_px:.2f} px", (12, 28), 0.7)
    both = np.hstack([seen, straight])
    share = min(1.0, 1600 / both.shape[1])
    return cv2.resize(both, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
