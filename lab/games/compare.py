"""One game for several referees: its film, its buttons, and scores of what each journal says.

`python -m lab.games.compare FOLDER` writes FOLDER/game.mp4 and FOLDER/presses.jsonl of a game
that `fairdeal evaluate games --keep` left there. Any version of the referee can then judge the
film: `fairdeal referee GAME --source game.mp4 --presses presses.jsonl --journal FILE.jsonl`.
`python -m lab.games.compare FOLDER FILE.jsonl` scores such a journal.
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
from rules.event import Pressed
from vision.sources.simulated import RATE, SIZE, SimulatedSource

FILM, PRESSES = "game.mp4", "presses.jsonl"


def record(folder: Path) -> None:
    """Films the folder's game and writes down its presses. Raises FairdealError."""
    script = read_script(str(folder / SCRIPT))
    setup = json.loads((folder / SETUP).read_text(encoding="utf-8"))
    writer = cv2.VideoWriter(str(folder / FILM), cv2.VideoWriter.fourcc(*"mp4v"), RATE, SIZE)
    with SimulatedSource(script, SIZE, tuple(setup["sides"])) as source:
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
            seen["events" if "event" in entry else "calls"].append(entry | {"told": entry["at"]})
    return seen


def main(words: list[str]) -> int:
    """The command line."""
    folder = Path(words[0])
    if len(words) == 1:
        record(folder)
    script = read_script(str(folder / SCRIPT))
    setup = json.loads((folder / SETUP).read_text(encoding="utf-8"))
    for name in words[1:]:
        made = score(script, setup["options"], read_told(Path(name)))
        print(
            f"{name}: events {made.events_right}/{made.events}, seats {made.seats_right}/"
            f"{made.seats}, calls {made.calls_right} of {made.calls}, false {made.calls_false}"
        )
        for at, what in made.faults:
            print(f"  {at:.2f} s {what}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
