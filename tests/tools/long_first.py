"""Files that take long come first, so that no process works alone at the end of a run."""

from __future__ import annotations

import pytest

# Those of more than some 10 s, the longest first.
LONG = (
    "tests/kiosk/web/test_page_sizes.py",
    "tests/host/test_nothing_is_left.py",
    "tests/kiosk/web/test_first_hour_browser.py",
    "tests/kiosk/web/test_browser.py",
    "tests/kiosk/club/test_board_browser.py",
    "tests/vision/scene/test_watcher.py",
    "tests/kiosk/appliance/test_selftest.py",
    "tests/players/test_players.py",
    "tests/kiosk/field/test_judged_again.py",
    "tests/kiosk/web/test_fuzz.py",
    "tests/calibration/deck/test_teaching_questions.py",
    "tests/kiosk/web/test_whole_game.py",
    "tests/lab/test_chaos.py",
    "tests/lab/test_stays_up.py",
    "tests/calibration/deck/test_teach.py",
    "tests/vision/scene/test_rested.py",
    "tests/vision/scene/test_steady.py",
    "tests/calibration/test_commands.py",
    "tests/calibration/table/test_card_fit.py",
    "tests/kiosk/game/test_slow_machine.py",
    "tests/kiosk/web/test_question_browser.py",
)
RANKS = {name: rank for rank, name in enumerate(LONG)}


def rank_of(nodeid: str) -> int:
    """Where a test stands: its file's rank, or behind all of them."""
    return RANKS.get(nodeid.partition("::")[0], len(LONG))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Sorts where several processes share the files; within a file the order stays."""
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: rank_of(item.nodeid))
