"""Step 6, the table check: two minutes with cards laid on request, as `fairdeal doctor --table`."""

from __future__ import annotations

from calibration.finding import Verdict
from kiosk.tablecheck.acts import Act
from kiosk.tablecheck.checker import Checker, Networks
from kiosk.tablecheck.command import lock_of, overall
from kiosk.tablecheck.words import finding_json
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Order
from kiosk.web.first_hour.steps import CheckShown, Mark, Step, Work

ORDERS = frozenset({"check-skip"})
THREADS = 2  # of the networks


def run(order: Order, bench: Bench) -> None:
    """Asks for one act after the other until all are over, or the page asks for something else."""
    desk = bench.desk
    desk.change(work=Work.PLAYING, message="", is_bad=False, words=(), check=CheckShown())
    bench.rewind()
    source = bench.source
    lock = None if source.recorded else lock_of(bench.spec, source, bench.folder)
    checker = Checker(Networks(THREADS), lock=lock)
    course, acts = checker.course, tuple(Act)
    while course.asked is not None and not desk.is_called_away(ORDERS):
        if desk.take(ORDERS) is not None:
            course.skip()
            continue
        at = acts.index(course.asked)
        shown = CheckShown(str(course.asked), at + 1, len(acts), round(course.left_s))
        if shown != desk.state.check:
            desk.change(check=shown, progress=at / len(acts))
        frame = bench.frame()
        if frame is not None:
            checker.take(frame)
    if course.asked is not None:  # left before its end: nothing is said of half a check
        desk.change(check=CheckShown())
        desk.tell("")
        return
    _tell(bench, checker)


def _tell(bench: Bench, checker: Checker) -> None:
    desk, findings, unseen = bench.desk, checker.findings(), checker.unseen
    result = overall(findings, unseen)
    shown = CheckShown(
        result=result, findings=tuple(finding_json(each) for each in findings),
        unseen=tuple(str(act) for act in unseen),
    )  # fmt: skip
    desk.change(check=shown)
    bad = sum(each.state is Verdict.BAD for each in findings)
    is_passed = not bad and result != "none"
    desk.mark(Step.CHECK, Mark.PASSED if is_passed else Mark.OPEN, f"{bad} to mend")
    desk.tell("")
