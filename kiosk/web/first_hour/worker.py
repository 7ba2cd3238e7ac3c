"""The set-up as a process: the camera on the main thread, the page's link on another.

`python -m kiosk.web.first_hour.worker --link SOCKET --folder DIR --source S`; the page's server
starts it while no game runs.
"""

from __future__ import annotations

import argparse
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from calibration import entry, store
from host.saying import to_stderr
from host.stopping import stopping
from kiosk.web.first_hour import (
    camera_step,
    check_step,
    deck_step,
    lamps_step,
    lens_step,
    rows_step,
    table_step,
    trial_step,
)
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.link import HourLink
from kiosk.web.first_hour.steps import Mark, Step, Work
from rules.errors import FairdealError, plain

RETRY_S = 2.0  # before a camera that could not be opened is tried again

# What runs while a step is open and the page asks for nothing.
LOOKS: Mapping[Step, Callable[[Bench], None]] = {
    Step.CAMERA: camera_step.look,
    Step.TABLE: table_step.look,
    Step.DECK: deck_step.look,
    Step.LAMPS: lamps_step.look,
    Step.TRIAL: camera_step.look,
    Step.CHECK: camera_step.look,
}


def build_parser() -> entry.Parser:
    """The arguments of the set-up process."""
    parser = entry.Parser(prog="python -m kiosk.web.first_hour.worker", description="The set-up.")
    parser.add_argument("--link", type=Path, required=True, help="the server's local socket")
    parser.add_argument("--folder", type=Path, required=True, help="results and pictures")
    parser.add_argument("--source", required=True, help="as for `referee`")
    parser.add_argument("--signals", help="as for `referee`")
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Runs until it is told to stop, or until the page's server is gone."""
    desk = Desk(args.folder, store.public_name(args.source))

    def stop(_: int) -> None:
        # On a thread of its own: this one may hold the desk's locks when the signal comes.
        threading.Thread(target=desk.stop, daemon=True).start()

    with (
        stopping(stop),
        Bench(args.source, store.default_folder(), desk, args.signals) as bench,
        HourLink(args.link, desk, frozenset(WORK)),
    ):
        while not desk.is_stopped:
            work(bench)
    return 0


def work(bench: Bench) -> None:
    """One activity: the next order, or the view of the open step until an order comes."""
    desk = bench.desk
    order = desk.take()
    try:
        if order is None:
            LOOKS[desk.state.step](bench)
        else:
            WORK[order.name](order, bench)
    except FairdealError as error:
        if order is None:
            desk.change(lost=str(error))
            bench.close()
            desk.wait(RETRY_S)
        else:
            desk.tell(str(error), is_bad=True)
    except Exception as error:  # one step's fault must not end the others
        why = plain(f"{type(error).__name__}: {error}")
        line = f"this step failed: {why}; try it again"
        to_stderr(f"first hour: {line}")
        desk.tell(line, is_bad=True)
        desk.wait(RETRY_S)


def _go(order: Order, bench: Bench) -> None:
    """Opens a step. Values: `step`."""
    step = _step(order)
    bench.desk.change(
        step=step, work=Work.LOOKING, progress=None, message="", is_bad=False, words=(),
        findings=(),
    )  # fmt: skip


def _skip(order: Order, bench: Bench) -> None:
    """Skips a step that has not passed, and opens the next one. Values: `step`."""
    step, desk = _step(order), bench.desk
    standing = desk.state.steps.get(step)
    if standing is None or standing.mark is not Mark.PASSED:
        desk.mark(step, Mark.SKIPPED)
    steps = tuple(Step)
    following = steps[min(steps.index(step) + 1, len(steps) - 1)]
    _go(Order("go", {"step": following.value}), bench)


def _look(order: Order, bench: Bench) -> None:
    """Ends what runs; the live picture goes on."""
    bench.desk.tell("")


def _step(order: Order) -> Step:
    try:
        return Step(str(order.values.get("step")))
    except ValueError:
        names = ", ".join(Step)
        raise FairdealError(f"a step: {names}", ascii(order.values.get("step"))) from None


WORK: Mapping[str, Callable[[Order, Bench], None]] = {
    "go": _go,
    "skip": _skip,
    "look": _look,
    "check-camera": camera_step.check,
    "lens": lens_step.measure,
    "mat": table_step.by_mat,
    "corners": table_step.by_corners,
    "use-deck": deck_step.use,
    "deck": deck_step.begin,
    "refresh": deck_step.refresh,
    "forget-face": deck_step.forget,
    "teach": deck_step.teach,
    "build-deck": deck_step.build,
    "snap-rows": rows_step.snap,
    "find-rows": rows_step.find,
    "name-cards": rows_step.name,
    "lay-card": rows_step.lay,
    "forget-sheet": rows_step.forget,
    "settle": deck_step.settle,
    "trial": trial_step.run,
    "check": check_step.run,
    # These belong to an activity; outside it they find nothing to do.
    **dict.fromkeys(
        (*lamps_step.ORDERS, *trial_step.ORDERS, *deck_step.ORDERS, *check_step.ORDERS), _look
    ),
}

if __name__ == "__main__":
    sys.exit(entry.run("fairdeal first hour", build_parser, None))
