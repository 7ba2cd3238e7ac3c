"""What happens in a filmed game, apart from its pictures: a value with a text form.

The text form is that of a clip's truth file: `<film>.json` beside `<film>.avi` or `.mp4`.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from lab.games.manners import LASTING, manner_of
from models.drawing.acts import begin_of
from models.drawing.cameras import rate_of
from models.drawing.happening import truth as events_of
from models.drawing.steps import UNTOLD, Script, Verb
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging import referee
from rules.table.event import Event, Placed, Pressed, Removed
from rules.table.layout import SIDES

_AFTER_S = 2.0  # what a manner does to the referee shows until so long after it


@dataclass(frozen=True, slots=True)
class Window:
    """A manner from `begin` to `end` s, until its consequences are over."""

    manner: str
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class FilmTruth:
    """A game that is filmed. `sides` of seats 1 to N; `lying`: (face, place) before it begins.

    `pace` (s), 0 where nobody set it; `lasting`: the manners that are there all game long.
    """

    name: str
    game: str
    deck: str
    sides: tuple[str, ...]
    options: dict[str, str]
    events: tuple[Event, ...]
    acts: int
    seconds: float
    fps: float = 15.0
    pace: float = 0.0
    lying: tuple[tuple[str, str], ...] = ()
    windows: tuple[Window, ...] = ()
    lasting: tuple[str, ...] = ()
    cameras: tuple[str, ...] = ()

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.sides)

    @property
    def presses(self) -> tuple[Pressed, ...]:
        """The buttons, in the film's time."""
        return tuple(event for event in self.events if isinstance(event, Pressed))


def truth_of_script(
    script: Script, options: dict[str, str], sides: tuple[str, ...] = SIDES, pace: float = 0.0
) -> FilmTruth:
    """The truth of a script's film."""
    acts = sum(
        step.verb not in (*UNTOLD, Verb.PRESS) and not step.is_aside for step in script.steps
    )
    shows = {fan.shows_faces for fan in script.fans}
    has = {
        "fans-backs": False in shows, "fans-faces": True in shows,
        "sleeves": script.look.sleeves > 0,
    }  # fmt: skip
    return FilmTruth(
        script.name, script.game, script.deck, tuple(sides[: script.players]), dict(options),
        events_of(script), acts, script.end, rate_of(script.cameras), pace, script.lying,
        tuple(_windows(script)), tuple(name for name in LASTING if has[name]), script.cameras,
    )  # fmt: skip


def _windows(script: Script) -> Iterator[Window]:
    before = None
    for step in script.steps:
        manner = manner_of(step, before)
        if manner is not None:
            begin = begin_of(step, script.tempo)
            yield Window(manner, round(begin, 2), round(step.at + step.stay + _AFTER_S, 2))
        before = step


def due_calls(game: FilmTruth | Script, options: dict[str, str], happened: Any) -> list[dict]:
    """The calls that a referee makes who sees everything, as JSON."""
    the_game = game_named(game.game)
    session = referee.begin(the_game, make_setup(the_game, game.players, options))
    calls: list[dict] = []
    for event in happened:
        session, made = referee.step(session, event)
        calls += [json.loads(call.to_json()) for call in made]
    return calls


def to_json(film: FilmTruth, size: tuple[int, int]) -> str:
    """The text form; `size` (width, height) px."""
    expected = [
        {"t": c["at"], "kind": c["call"], "rule": c["rule"], "place": c.get("place"),
         "face": c.get("card"), "seat": c.get("seat")}
        for c in due_calls(film, film.options, film.events)
        if c["call"] in ("mistake", "complete")
    ]  # fmt: skip
    return json.dumps(
        {
            "clip": film.name, "deck": film.deck, "game": film.game, "players": film.players,
            "seats": [SIDES.index(side) + 1 for side in film.sides], "options": film.options,
            "fps": film.fps, "width": size[0], "height": size[1], "duration_s": film.seconds,
            "pace": film.pace, "acts": film.acts, "lying": film.lying,
            "manners": [asdict(window) for window in film.windows],
            "lasting": film.lasting, "cameras": film.cameras,
            "pressed": [json.loads(event.to_json()) for event in film.presses],
            "events_truth": [json.loads(event.to_json()) for event in film.events],
            "expected_calls": expected,
        },
        indent=1,
    )  # fmt: skip


def from_json(text: str) -> FilmTruth:
    """Reads the text form back, and the truth file of a clip. Raises KeyError, ValueError."""
    words = json.loads(text)
    events = tuple(events_in(words))
    if not any(isinstance(event, Pressed) for event in events):
        events = (Pressed(0.0, "start"), *events)
    acts = sum(isinstance(event, Placed | Removed) and event.at > 0 for event in events)
    return FilmTruth(
        str(words["clip"]).removesuffix(".mp4"), words["game"], words["deck"],
        tuple(SIDES[seat - 1] for seat in words["seats"]), words.get("options", {}),
        events, words.get("acts", acts), words["duration_s"], words["fps"],
        words.get("pace", 0.0), tuple((face, place) for face, place in words.get("lying", ())),
        tuple(Window(w["manner"], w["begin"], w["end"]) for w in words.get("manners", ())),
        tuple(words.get("lasting", ())), tuple(words.get("cameras", ())),
    )  # fmt: skip


def events_in(words: dict[str, Any]) -> Iterator[Event]:
    """The events of a truth file: `events_truth`, or the acts of Suds in `events`."""
    if "events_truth" not in words:
        for act in words["events"]:
            yield from _of_act(act, words["seats"])
        return
    for one in words["events_truth"]:
        if one["event"] == "pressed":
            yield Pressed(one["at"], one["button"], one.get("seat"))
        elif one["event"] == "placed":
            yield Placed(one["at"], one["card"], one["place"], one.get("seat"), on=one.get("on"))
        elif one["event"] == "removed":
            yield Removed(one["at"], one["card"], one["place"], one.get("seat"))


def _of_act(act: dict[str, Any], sides: list[int]) -> Iterator[Event]:
    """A toss, a card taken back, or a sweep of a pile. `sides`: of the picture, in seats' order."""
    at, place, seat = act["t_settled"], f"pile/{act['pile']}", sides.index(act["seat"]) + 1
    if act["action"] == "toss":
        yield Placed(at, act["face"], place, seat)
    elif act["action"] == "take-back":
        yield Removed(at, act["face"], place, seat)
    elif act["action"] == "sweep":
        yield from (Removed(at, card, place, seat) for card in act["cards"])
