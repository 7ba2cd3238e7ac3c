"""Pictures with their decks, and what is seen on them here: the measure for other processors.

`python packaging/stills.py FOLDER` writes them. Where ../shared holds rendered scenes, some of
those are taken too, with their decks taught here.
"""

import json
import subprocess
import sys
from pathlib import Path

import cv2

from models.deck import load_deck
from models.drawing.play import Play
from models.drawing.script import read_script

ROOT = Path(__file__).parents[1]
SCENES = ROOT.parent / "shared" / "scenes"
DRAWN = {"suds": 10.2}  # script: time (s)
RENDERED = {"suds-a": "suds"}  # deck: its game
PER_DECK = 1


def fairdeal(*words: str) -> str:
    """The output of a command of this checkout."""
    done = subprocess.run(
        [sys.executable, "-m", "kiosk.cli", *words], cwd=ROOT, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"fairdeal {' '.join(words)}: {done.stderr}")
    return done.stdout


def main(folder: Path) -> None:
    """Writes FOLDER/DECK/*.png and FOLDER/DECK.jsonl; taught decks into FOLDER/decks."""
    for name, at in DRAWN.items():
        (folder / name).mkdir(parents=True, exist_ok=True)
        picture = Play(read_script(name), load_deck(name)).picture(at)
        cv2.imwrite(str(folder / name / f"{name}.png"), picture)
    for name, game in RENDERED.items():
        stills = sorted((SCENES / "stills" / name).glob("*.jpg"))[:PER_DECK]
        if not stills:
            continue
        (folder / name).mkdir(parents=True, exist_ok=True)
        for still in stills:
            (folder / name / still.name).write_bytes(still.read_bytes())
        deck = folder / "decks" / name
        if not deck.exists():
            taught = ["calibrate", "deck", name, "--from", str(SCENES / "teach" / name)]
            fairdeal(*taught, "--out", str(deck), "--game", game)
    for name in (*DRAWN, *RENDERED):
        pictures = sorted(map(str, (folder / name).glob("*.*")))
        own = folder / "decks" / name
        if pictures:
            said = fairdeal("see", "--deck", str(own) if own.exists() else name, *pictures)
            lines = [json.loads(line) for line in said.splitlines()]
            rows = [json.dumps({**line, "image": Path(line["image"]).name}) for line in lines]
            (folder / f"{name}.jsonl").write_text("\n".join(rows) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
