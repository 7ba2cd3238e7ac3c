"""One game for several referees: its film, its buttons, and scores of what each journal says.

`python -m lab.games.compare FOLDER` writes FOLDER/game.mp4 and FOLDER/presses.jsonl of a game
that `fairdeal evaluate games --keep` left there. Any version of the referee can then judge the
film: `fairdeal referee GAME --source game.mp4 --presses presses.jsonl --journal FILE.jsonl`.
`python -m lab.games.compare FOLDER FILE.jsonl` scores such a journal. One without a call, as a
tracker writes it that has no referee, is judged by the rules of this version first.
"""

import json
import sys
from pathlib import Path
from typing import Any

import cv2

from lab.games.score import score
from lab.games.worker import SCRIPT, SETUP
from models.drawing.happening import truth
from models.drawing.script import read_script
from models.drawing.steps import Script
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.games import game as game_named
from rules.judging import referee
from rules.table.event import Pressed
from vision.sources.simulated import SIZE, SimulatedSource

FILM, PRESSES = "game.mp4", "presses.jsonl"


def record(folder: Path) -> None:
    """Films the folder's game and writes down its presses. Raises FairdealError."""
    script = read_script(str(folder / SCRIPT))
    setup = json.loads((folder / SETUP).read_text(encoding="utf-8"))
    with SimulatedSource(script, SIZE, tuple(setup["sides"])) as source:
        fourcc = cv2.VideoWriter.fourcc(*"mp4v")
        writer = cv2.VideoWriter(str(folder / FILM), fourcc, source.rate, SIZE)
        while (frame := source.read()) is not None:
            writer.write(frame.bgr)
    writer.release()
    lines = [event.to_json() for event in truth(script) if isinstance(event, Pressed)]
    (folder / PRESSES).write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_told(journal: Path) -> dict[str, list[dict[str, Any]]]:
    """Events and calls of a journal in JSON Lines, told when they happened."""
    seen: dict[str, list[dict[str, Any]]] = {"events": [], "calls": []}
    for line in journal.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        if "at" in entry and ("event" in entry or "call" in entry):
            seen["events" if "event" in entry else "calls"].append({"told": entry["at"], **entry})
    return seen


def judged(
    script: Script, options: dict[str, str], seen: dict[str, list[dict[str, Any]]]
) -> dict[str, list[dict[str, Any]]]:
    """What was seen, with the calls that the rules make of it and of the script's presses."""
    the_game = game_named(script.game)
    session = referee.begin(the_game, make_setup(the_game, script.players, options))
    lines = [{key: entry[key] for key in entry if key != "told"} for entry in seen["events"]]
    lines += [json.loads(e.to_json()) for e in truth(script) if isinstance(e, Pressed)]
    lines.sort(key=lambda line: float(line["at"]))
    told = {(e["at"], e.get("card"), e.get("place")): e["told"] for e in seen["events"]}
    calls: list[dict[str, Any]] = []
    for event in read_events(
        (json.dumps(line).encode() for line in lines), the_game, script.players
    ):
        session, made = referee.step(session, event)
        key = (event.at, getattr(event, "card", None), getattr(event, "place", None))
        at = told.get(key, event.at)
        calls += [json.loads(call.to_json()) | {"told": at} for call in made]
    return {"events": seen["events"], "calls": calls}


def main(words: list[str]) -> int:
    """The command line."""
    folder = Path(words[0])
    if len(words) == 1:
        record(folder)
    script = read_script(str(folder / SCRIPT))
    setup = json.loads((folder / SETUP).read_text(encoding="utf-8"))
    for name in words[1:]:
        seen = read_told(Path(name))
        if not seen["calls"]:
            seen = judged(script, setup["options"], seen)
        made = score(script, setup["options"], seen)
        print(
            f"{name}: events {made.events_right}/{made.events}, seats {made.seats_right}/"
            f"{made.seats}, calls {made.calls_right} of {made.calls}, false {made.calls_false}"
        )
        for at, what in made.faults:
            print(f"  {at:.2f} s {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
