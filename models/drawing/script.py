"""Scripts of the simulated table: their text form, read and checked, and what they make happen.

A script is text, one thing a line; `#` begins a remark. Head lines: `game NAME`, `players N`,
`table wood|felt`, `card PX` (a card's length in a picture 720 px high), `seed N`, `end SECONDS`,
`spot PLACE X Y [DX DY]` (parts of the picture; each further card there lies DX, DY further on).
Steps: `SECONDS [seat=N] place FACE PLACE [on=FACE]`, `… remove FACE PLACE`, `… sweep PLACE`,
`… move FACE PLACE PLACE`, `… turn FACE FACE PLACE`, and `lies FACE PLACE` for what lies from the
beginning. The time is when the hand lets go (or lifts).
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rules.errors import FairdealError
from rules.event import Event

FOLDER = Path(__file__).parents[1] / "scripts"
DEFAULT = "suds"
CARRY_S = 0.9
# After the verb: how many words follow.
VERBS = {"place": 2, "remove": 2, "move": 3, "turn": 3, "sweep": 1}
TABLES = ("wood", "felt")


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a place's cards lie: the first at (x, y), each further one (dx, dy) on."""

    x: float
    y: float
    dx: float = 0.0
    dy: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One act. `face` is the card touched, `becomes` what it shows after a turn, `to` a move's."""

    at: float
    verb: str
    place: str
    face: str = ""
    seat: int | None = None
    becomes: str = ""
    to: str = ""
    on: str | None = None


@dataclass(frozen=True, slots=True)
class Script:
    """A scripted game: `lying` (face, place) from the beginning, `steps` in time, `spots`."""

    name: str
    game: str
    players: int
    table: str
    card_px: float
    seed: int
    end: float
    spots: dict[str, Spot]
    lying: tuple[tuple[str, str], ...]
    steps: tuple[Step, ...]

    @property
    def faces(self) -> tuple[str, ...]:
        """Every face that shows at some time."""
        shown = {face for face, _ in self.lying}
        for step in self.steps:
            shown |= {step.face, step.becomes}
        return tuple(sorted(shown - {""}))


def script_names() -> tuple[str, ...]:
    """The names of the scripts that come with the project."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


def read_script(name: str | None = None) -> Script:
    """A shipped script by its name (default: suds), or any by its path. Raises FairdealError."""
    name = name or DEFAULT
    path = FOLDER / f"{name}.txt" if name in script_names() else Path(name).expanduser()
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FairdealError(
            f"a script: {', '.join(script_names())} or a file", f"{name!r}", "name one of these"
        ) from error
    return parse_script(text, path.stem)


def parse_script(text: str, name: str = "script") -> Script:
    """A script from its text form. Raises FairdealError with the line that is wrong."""
    head: dict[str, Any] = {"players": 2, "table": "wood", "card": 150.0, "seed": 1}
    spots: dict[str, Spot] = {}
    lying: list[tuple[str, str]] = []
    steps: list[Step] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        try:
            _read_line(words, head, spots, lying, steps)
        except (ValueError, IndexError) as error:
            raise FairdealError(
                "a head line or a step", repr(line.strip()), "mend the script",
                where=f"{name}, line {number}",
            ) from error  # fmt: skip
    script = Script(
        name, str(head.get("game", "")), head["players"], head["table"], head["card"],
        head["seed"], head.get("end", (steps[-1].at if steps else 0.0) + 2.5), spots,
        tuple(lying), tuple(steps),
    )  # fmt: skip
    _check(script)
    return script


def _read_line(
    words: list[str],
    head: dict[str, Any],
    spots: dict[str, Spot],
    lying: list[tuple[str, str]],
    steps: list[Step],
) -> None:
    first, rest = words[0], words[1:]
    kinds = {"game": str, "players": int, "table": str, "card": float, "seed": int, "end": float}
    if first in kinds:
        (value,) = rest
        head[first] = kinds[first](value)
    elif first == "spot":
        numbers = [float(word) for word in rest[1:]]
        if len(numbers) not in (2, 4):
            raise ValueError("a spot has two or four numbers")
        spots[rest[0]] = Spot(*numbers)
    elif first == "lies":
        face, place = rest
        lying.append((face, place))
    else:
        steps.append(_read_step(float(first), rest))


def _read_step(at: float, words: list[str]) -> Step:
    options = dict(word.split("=", 1) for word in words if "=" in word)
    verb, *names = (word for word in words if "=" not in word)
    if options.keys() - {"seat", "on"} or len(names) != VERBS.get(verb, -1) or not 0 <= at < 3600:
        raise ValueError("not a step")
    seat = int(options["seat"]) if "seat" in options else None
    if verb == "sweep":
        return Step(at, verb, names[0], seat=seat)
    if verb == "move":
        return Step(at, verb, names[1], names[0], seat, to=names[2])
    if verb == "turn":
        return Step(at, verb, names[2], names[0], seat, becomes=names[1])
    return Step(at, verb, names[1], names[0], seat, on=options.get("on"))


def _check(script: Script) -> None:
    def wrong(expected: str, found: str) -> FairdealError:
        return FairdealError(expected, found, "mend the script", where=script.name)

    if not script.game:
        raise wrong("a line `game NAME`", "none")
    if not (1 <= script.players <= 6 and 20 <= script.card_px <= 400):
        raise wrong("1 to 6 players and cards of 20 to 400 px", f"{script.players} players")
    if script.table not in TABLES:
        raise wrong(f"a table of {' or '.join(TABLES)}", script.table)
    places = {place for _, place in script.lying}
    last = 0.0
    for step in script.steps:
        places |= {step.place, step.to} - {""}
        if step.at < last:
            raise wrong("steps in the order of time", f"{step.at:g} s after {last:g} s")
        if step.seat is not None and not 1 <= step.seat <= script.players:
            raise wrong(f"a seat from 1 to {script.players}", str(step.seat))
        last = step.at
    for place in sorted(places - script.spots.keys()):
        raise wrong(f"a line `spot {place} X Y`", "none")
    _events(script)


def truth(script: Script | str | None = None) -> tuple[Event, ...]:
    """What happens on the table, in a referee's words: `start` at 0.0 s, then every card's."""
    return _events(script if isinstance(script, Script) else read_script(script))


def _events(script: Script) -> tuple[Event, ...]:
    table: dict[str, list[str]] = {}
    events = [Event(0.0, "pressed", button="start")]

    def placed(at: float, face: str, place: str, seat: int | None, on: str | None = None) -> None:
        table.setdefault(place, []).append(face)
        events.append(Event(at, "placed", face, place, seat, on=on))

    def removed(at: float, face: str, place: str, seat: int | None) -> None:
        cards = table.get(place, [])
        if face not in cards:
            raise FairdealError(
                f"{face} at {place} at {at:g} s", ", ".join(cards) or "nothing there",
                "mend the script", where=script.name,
            )  # fmt: skip
        del cards[len(cards) - 1 - cards[::-1].index(face)]
        events.append(Event(at, "removed", face, place, seat))

    for face, place in script.lying:
        placed(0.0, face, place, None)
    for step in script.steps:
        if step.verb == "place":
            placed(step.at, step.face, step.place, step.seat, step.on)
        elif step.verb == "sweep":
            for face in table.get(step.place, [])[::-1]:
                removed(step.at, face, step.place, step.seat)
        else:
            lifted = step.at - CARRY_S if step.verb == "move" else step.at
            removed(lifted, step.face, step.place, step.seat)
            if step.verb == "move":
                placed(step.at, step.face, step.to, step.seat)
            elif step.verb == "turn":
                placed(step.at, step.becomes, step.place, step.seat)
    return tuple(sorted(events, key=lambda event: event.at))
