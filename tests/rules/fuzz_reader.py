"""Fuzzes the line reader and the referees behind it: `python tests/rules/fuzz_reader.py MINUTES`.

Golden games are cut, spliced and sprinkled with bytes; whatever comes of it must give calls or
one clear line. Prints how much was tried; a traceback names the seed.
"""

import json
import random
import re
import sys
import time
from pathlib import Path

from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import NAMES, game
from rules.judging.referee import begin, close, step, view

ROOT = Path(__file__).parents[1] / "golden"
TOKENS = [b"null", b"true", b"-1", b"1e999", b"NaN", b'"unknown"', b'"back"', b'"seat"', b"{", b"}"]
TOKENS += [b"[", b"]", b'"', b"\\ud800", b"\n", b"\r", b"\x00", b"\xff", b"\xef\xbb\xbf"]
TOKENS += [b"9" * 400, b"9" * 5000]
LINES = [b'{"at": 1, "event": "%s"}\n' % word for word in (b"blind", b"sighted")]
LINES += [
    b'{"at": 1, "event": "pressed", "button": "%s"}\n' % word
    for word in (b"undo", b"end", b"start", b"draw", b"out", b"no", b"done", b"deck-empty")
]
ONE_LINE = re.compile(r"(line [1-9][0-9]*: )?expected .+, found .+")


def mutated(rng: random.Random, data: bytes, whole_lines: bool) -> bytes:
    """`data` with a few random changes: of bytes and tokens, or of whole lines only."""
    for _ in range(rng.randint(1, 6)):
        at, to = sorted(rng.choices(range(len(data) + 1), k=2))
        choice = rng.uniform(0.55, 1) if whole_lines else rng.random()
        if choice < 0.25:
            data = data[:at] + rng.choice(TOKENS) + data[at:]
        elif choice < 0.45:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif choice < 0.55:
            data = data[:at] + data[min(to, at + rng.randint(1, 8)) :]
        else:
            lines = data.splitlines(keepends=True) or [b"\n"]
            one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            if choice < 0.65:
                lines.insert(one, rng.choice(LINES))
            elif choice < 0.75:
                lines[one], lines[other] = lines[other], lines[one]
            elif choice < 0.9:
                lines.insert(one, lines[other])
            else:
                del lines[one]
            data = b"".join(lines)
    return data


def levelled(data: bytes) -> bytes:
    """All times made equal, so that lines in any order reach the referee."""
    return re.sub(rb'"at": [0-9.]+', b'"at": 1', data)


def try_bytes(name: str, players: int, data: bytes) -> str:
    """ "judged" or "refused"; raises where neither calls nor one clear line come."""
    the_game = game(name)
    session = begin(the_game, make_setup(the_game, players))
    try:
        for event in read_events(data.splitlines(keepends=True), the_game, players):
            session, calls = step(session, event)
            for call in calls:
                json.loads(call.to_json())
            view(session)
    except FairdealError as error:
        text = str(error)
        assert ONE_LINE.fullmatch(text) and text.isprintable(), text
        return "refused"
    close(session)
    return "judged"


def main(minutes: float) -> None:
    games = [
        (name, path.read_bytes()) for name in NAMES for path in ROOT.glob(f"{name}/*.events.*")
    ]
    until = time.monotonic() + 60 * minutes
    seed, tried = 0, {"judged": 0, "refused": 0}
    while time.monotonic() < until:
        rng = random.Random(seed)
        name, data = rng.choice(games)
        whole_lines = rng.random() < 0.6
        data = mutated(rng, levelled(data) if whole_lines else data, whole_lines)
        try:
            tried[try_bytes(name, rng.randint(*game(name).players), data)] += 1
        except Exception:
            print(f"seed {seed}: {name}", file=sys.stderr)
            raise
        seed += 1
    print(f"{seed} inputs in {minutes:g} minutes: {tried}")


if __name__ == "__main__":
    main(float(sys.argv[1]))
