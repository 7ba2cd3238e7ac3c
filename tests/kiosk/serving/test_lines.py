"""The log never floods: of each kind one line a minute, and so many in all."""

import logging

from kiosk.serving.lines import EACH_S, KINDS, MOST_LINES, Lines, LinesHandler, bug_line


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def lines():
    said, clock = [], Clock()
    return Lines("page", said.append, clock), said, clock


def test_of_each_kind_one_line_a_minute_and_the_rest_is_counted():
    quiet, said, clock = lines()
    for _ in range(1000):
        quiet.say("a", "it broke off")
    quiet.say("b", "another")
    assert said == ["page: it broke off", "page: another"]
    clock.now = EACH_S
    assert quiet.say("a", "it broke off")
    assert said[-1] == "page: it broke off (999 more lines were left out)"


def test_changing_kinds_flood_neither_log_nor_memory():
    quiet, said, clock = lines()
    for number in range(100_000):
        clock.now = number / 1000  # 100 s
        quiet.say(f"kind {number}", f"line {number}")
    assert len(said) <= 2 * MOST_LINES
    assert len(quiet._kinds) <= KINDS


def test_a_line_is_one_line_and_safe_to_print():
    quiet, said, _ = lines()
    quiet.say("a", "one\ntwo\x1b[2J" + "x" * 10_000)
    assert said[0].isprintable() and len(said[0]) < 400


def test_a_logged_traceback_is_its_last_line_with_its_place():
    quiet, said, _ = lines()
    logger = logging.getLogger("test_lines.traceback")
    logger.propagate = False
    logger.handlers[:] = [LinesHandler(quiet)]
    for _ in range(50):
        try:
            int("x")
        except ValueError as error:
            logger.exception("it failed")
            assert "test_lines.py" in bug_line(error)
    (line,) = said
    assert line.startswith("page: it failed ValueError: invalid literal")
    assert "test_lines.py:" in line and "Traceback" not in line
