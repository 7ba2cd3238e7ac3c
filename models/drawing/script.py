"""Scripts of the simulated table in their text form: read, checked, written.

A script is text, one thing a line; `#` begins a remark. Head lines: `game NAME`, `players N`,
`table KIND`, `light KIND`, `card PX` (a card's length in a picture 720 px high), `tilt DEGREES`,
`lens K1`, `things N`, `arms N`, `sleeves SEED`, `camera FAULT…`, `deck NAME`, `seed N`,
`end SECONDS`, `tempo COME GO CARRY FLIP` (s),
`spot PLACE X Y [DX DY]` (parts of the picture; each further card there lies DX, DY further on),
`fan SEAT ALONG DEEP faces|backs one|both FACE…` (cards in a hand).
Steps: `SECONDS [seat=N] place FACE PLACE [on=FACE] [stay=S]`, `… remove FACE PLACE`,
`… sweep PLACE`, `… move FACE PLACE PLACE`, `… turn FACE FACE PLACE`, `… push FACE PLACE`,
`… lift FACE PLACE`, `… reach PLACE`, `… lean stay=S`, `… press BUTTON`, and `lies FACE PLACE` for
what lies from the beginning. The time is when the hand lets go (or lifts). With `wait=S` also
`… hold FACE PLACE`, `… peek FACE PLACE`, `… look FACE PLACE`, `… square PLACE`, `… raise PLACE`,
`… brush PLACE`, `… rest PLACE`, `… elbow PLACE`. `place … wait=S` hovers first; `how=toss` slides,
`how=drop` falls, `sweep … how=forearm` uses the arm. What lies at `aside/…` is no card of the game.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

from models.drawing.cameras import CAMERAS
from models.drawing.happening import truth
from models.drawing.steps import Fan, How, Look, Script, Spot, Step, Tempo, Verb
from models.drawing.surroundings import LIGHTS, TABLES
from rules.errors import FairdealError
from rules.files import read_text

FOLDER = Path(__file__).parents[1] / "scripts"
DEFAULT = "suds"
# After the verb: the fields of a step that follow, in their order.
_WORDS = {
    Verb.PLACE: ("face", "place"),
    Verb.REMOVE: ("face", "place"),
    Verb.SWEEP: ("place",),
    Verb.MOVE: ("face", "place", "to"),
    Verb.TURN: ("face", "becomes", "place"),
    Verb.PUSH: ("face", "place"),
    Verb.LIFT: ("face", "place"),
    Verb.REACH: ("place",),
    Verb.LEAN: (),
    Verb.HOLD: ("face", "place"),
    Verb.PEEK: ("face", "place"),
    Verb.LOOK: ("face", "place"),
    Verb.SQUARE: ("place",),
    Verb.RAISE: ("place",),
    Verb.BRUSH: ("place",),
    Verb.REST: ("place",),
    Verb.ELBOW: ("place",),
    Verb.PRESS: ("button",),
}
_OPTIONS = {"seat": int, "on": str, "stay": float, "wait": float, "how": How}
_HEADS = {"game": str, "players": int, "seed": int, "end": float, "deck": str}
_LOOKS = {
    "table": ("table", str), "card": ("card_px", float), "light": ("light", str),
    "tilt": ("tilt", float), "lens": ("lens", float), "things": ("things", int),
    "arms": ("arms", int), "sleeves": ("sleeves", int),
}  # fmt: skip


def script_names() -> tuple[str, ...]:
    """The names of the scripts that come with the project."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


def read_script(name: str | None = None) -> Script:
    """A shipped script by its name (default: suds), or any by its path. Raises FairdealError."""
    name = name or DEFAULT
    path = FOLDER / f"{name}.txt" if name in script_names() else Path(name).expanduser()
    names = ", ".join(script_names())
    text = read_text(path, f"a script: {names} or a file", "name one of these")
    return parse_script(text, path.stem)


def parse_script(text: str, name: str = "script") -> Script:
    """A script from its text form. Raises FairdealError with the line that is wrong."""
    read = _Read()
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split("#", 1)[0].split()
        if not words:
            continue
        try:
            read.line(words)
        except (ValueError, IndexError, TypeError) as error:
            raise FairdealError(
                "a head line or a step", repr(line.strip()), "correct the script",
                where=f"{name}, line {number}",
            ) from error  # fmt: skip
    script = read.script(name)
    _check(script)
    return script


class _Read:
    """What the lines read so far say."""

    def __init__(self) -> None:
        self._head: dict[str, Any] = {"game": "", "players": 2, "seed": 1}
        self._look: dict[str, Any] = {}
        self._tempo = Tempo()
        self._spots: dict[str, Spot] = {}
        self._lying: list[tuple[str, str]] = []
        self._steps: list[Step] = []
        self._fans: list[Fan] = []
        self._cameras: tuple[str, ...] = ()

    def line(self, words: list[str]) -> None:
        """Takes one line. Raises ValueError, IndexError or TypeError for what is none."""
        first, rest = words[0], words[1:]
        if first in _HEADS:
            (value,) = rest
            self._head[first] = _HEADS[first](value)
        elif first in _LOOKS:
            (value,) = rest
            name, kind = _LOOKS[first]
            self._look[name] = kind(value)
        elif first == "tempo":
            self._tempo = Tempo(*map(float, rest))
        elif first == "spot":
            numbers = [float(word) for word in rest[1:]]
            if len(numbers) not in (2, 4):
                raise ValueError("a spot has two or four numbers")
            self._spots[rest[0]] = Spot(*numbers)
        elif first == "lies":
            face, place = rest
            self._lying.append((face, place))
        elif first == "fan":
            self._fans.append(_read_fan(*rest))
        elif first == "camera":
            self._cameras = tuple(rest)
        else:
            self._steps.append(_read_step(float(first), rest))

    def script(self, name: str) -> Script:
        """The whole script."""
        end = (self._steps[-1].at if self._steps else 0.0) + 2.5
        return Script(
            name, look=Look(**self._look), spots=self._spots, lying=tuple(self._lying),
            steps=tuple(self._steps), tempo=self._tempo, fans=tuple(self._fans),
            cameras=self._cameras, **{"end": end, **self._head},
        )  # fmt: skip


def _read_step(at: float, words: list[str]) -> Step:
    options = dict(word.split("=", 1) for word in words if "=" in word)
    verb, *names = (word for word in words if "=" not in word)
    expected = _WORDS[Verb(verb)]
    if options.keys() - _OPTIONS.keys() or len(names) != len(expected) or not 0 <= at < 3600:
        raise ValueError("not a step")
    given: dict[str, Any] = dict(zip(expected, names, strict=True))
    given |= {name: _OPTIONS[name](value) for name, value in options.items()}
    return Step(at, Verb(verb), **given)


def _read_fan(seat: str, along: str, deep: str, shows: str, hands: str, *cards: str) -> Fan:
    if shows not in ("faces", "backs") or hands not in ("one", "both") or not cards:
        raise ValueError("not a fan")
    is_open, both = shows == "faces", hands == "both"
    return Fan(int(seat), float(along), float(deep), is_open, both, cards)


def _check(script: Script) -> None:
    def wrong(expected: str, found: str) -> FairdealError:
        return FairdealError(expected, found, "correct the script", where=script.name)

    if not script.game:
        raise wrong("a line `game NAME`", "none")
    if not (1 <= script.players <= 6 and 20 <= script.look.card_px <= 400):
        raise wrong("1 to 6 players and cards of 20 to 400 px", f"{script.players} players")
    if script.look.table not in TABLES:
        raise wrong(f"a table of {' or '.join(TABLES)}", script.look.table)
    if script.look.light not in LIGHTS:
        raise wrong(f"a light of {' or '.join(LIGHTS)}", script.look.light)
    if not 0 <= script.look.tilt <= 45:
        raise wrong("a tilt of 0 to 45 degrees", f"{script.look.tilt:g}")
    for name in script.cameras:
        if name not in CAMERAS:
            raise wrong(f"a camera of {', '.join(CAMERAS)}", name)
    for fan in script.fans:
        if not 1 <= fan.seat <= script.players:
            raise wrong(f"a fan of a seat from 1 to {script.players}", str(fan.seat))
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
    truth(script)


def script_text(script: Script) -> str:
    """The text form, which `parse_script` reads back the same."""
    return "\n".join(_lines(script)) + "\n"


def _lines(script: Script) -> Iterator[str]:
    for name, kind in _HEADS.items():
        value = getattr(script, name)
        if kind is not str or value:
            yield f"{name} {value:.3f}" if kind is float else f"{name} {value}"
    for name, (attribute, _) in _LOOKS.items():
        yield f"{name} {getattr(script.look, attribute)}"
    yield " ".join(["tempo", *(str(getattr(script.tempo, f.name)) for f in fields(Tempo))])
    for place, spot in script.spots.items():
        yield f"spot {place} {spot.x} {spot.y} {spot.dx} {spot.dy}"
    for fan in script.fans:
        shows, hands = "faces" if fan.shows_faces else "backs", "both" if fan.both_hands else "one"
        yield f"fan {fan.seat} {fan.along} {fan.deep} {shows} {hands} {' '.join(fan.cards)}"
    if script.cameras:
        yield " ".join(["camera", *script.cameras])
    for face, place in script.lying:
        yield f"lies {face} {place}"
    for step in script.steps:
        words = [str(step.at), *([f"seat={step.seat}"] if step.seat is not None else []), step.verb]
        words += [getattr(step, name) for name in _WORDS[step.verb]]
        words += [f"on={step.on}"] if step.on is not None else []
        words += [f"{name}={value}" for name in ("stay", "wait", "how")
                  if (value := getattr(step, name))]  # fmt: skip
        yield " ".join(words)
