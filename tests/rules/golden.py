"""Runs golden games: `<name>.events.jsonl`, `.setup.json` and the calls that must come."""

import json
from pathlib import Path

from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.games import game as game_named
from rules.judging.referee import begin, close, step
from rules.table.call import Call

ROOT = Path(__file__).parents[1] / "golden"


def golden_games() -> list[tuple[str, str]]:
    """Every (game, name) that has an events file."""
    found = sorted(ROOT.glob("*/*.events.jsonl"))
    return [(path.parent.name, path.name.removesuffix(".events.jsonl")) for path in found]


def play(game_name: str, name: str) -> list[tuple[int, Call]]:
    """The calls that the referee makes, each with the line that brought it."""
    folder = ROOT / game_name
    given = json.loads((folder / f"{name}.setup.json").read_text())
    game = game_named(game_name)
    options = {key: str(value) for key, value in given["options"].items()}
    session = begin(game, make_setup(game, given["players"], options))
    lines = (folder / f"{name}.events.jsonl").read_bytes().splitlines()
    made = []
    number = 0
    for number, event in enumerate(read_events(lines, game, given["players"]), 1):
        session, calls = step(session, event)
        made += [(number, call) for call in calls]
    return made + [(number, call) for call in close(session)]


def expected(game_name: str, name: str) -> list[dict]:
    """The calls that must come, in order."""
    text = (ROOT / game_name / f"{name}.calls.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def compare(made: list[tuple[int, Call]], due: list[dict]) -> str:
    """Empty when the calls are right; otherwise what differs first.

    Due calls come in order with the keys they name; other calls may only be notices. The order
    among the calls of one event is free. `event` (the line) is compared where it is given.
    """
    left = list(due)
    while left:
        line = left[0].get("event")
        together = [call for call in left if call.get("event") == line and line is not None]
        together = together or left[:1]
        for call in together:
            match = next((m for m in made if (line is None or m[0] == line) and _fits(m, call)), 0)
            if not match:
                near = [str(call.to_json()) for number, call in made if number == line]
                return f"missing {call}; at that line came {near}"
            before = made[: made.index(match)]
            wrong = [m for m in before if m[1].call != "notice" and m[0] != match[0]]
            if wrong:
                return f"not due: line {wrong[0][0]} {wrong[0][1].to_json()}"
            made = [m for m in made if m is not match]
        left = left[len(together) :]
        if line is not None:
            made = [m for m in made if m[0] >= line]
    wrong = [m for m in made if m[1].call != "notice"]
    return f"not due: line {wrong[0][0]} {wrong[0][1].to_json()}" if wrong else ""


def _fits(made: tuple[int, Call], due: dict) -> bool:
    found = json.loads(made[1].to_json())
    return all(found.get(key) == value for key, value in due.items() if key != "event")
