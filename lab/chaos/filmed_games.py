"""Games with their film and their truth: on the simulated table, and filmed clips."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from kiosk.assembly import GameRequest, read_request
from kiosk.game.loop_parts import Looks
from lab.chaos.kept_film import FilmEyes, KeptFilm
from lab.evaluation.clips import taught_clip
from lab.games.generate import Wish, generate
from models.drawing.happening import truth
from models.drawing.steps import UNTOLD
from rules.table.event import Event, Placed, Pressed, Removed
from vision.recognition.eyes import Eyes
from vision.sources import open_source
from vision.sources.simulated import SimulatedSource
from vision.sources.source import Source


@dataclass(frozen=True, slots=True)
class FilmedGame:
    """`happened`: what the players did, in the film's time (s)."""

    request: GameRequest
    film: KeptFilm
    eyes: Looks
    happened: tuple[Event, ...]
    acts: tuple[float, ...]  # s; when a hand lays or lifts a card

    @property
    def name(self) -> str:
        """The film's."""
        return self.film.name

    @property
    def presses(self) -> tuple[Pressed, ...]:
        """The buttons."""
        return tuple(event for event in self.happened if isinstance(event, Pressed))


def simulated_game(wish: Wish) -> FilmedGame:
    """A random game on the simulated table."""
    made = generate(wish)
    script = made.script
    request = read_request(script.game, None, script.players, made.options, ",".join(made.sides))
    acts = tuple(step.at for step in script.steps if step.verb not in UNTOLD)
    source = SimulatedSource(script, sides=made.sides)
    eyes = Eyes.open(request.deck, threads=1)
    return _filmed(request, source, eyes, truth(script), acts)


def clip_game(path: Path) -> FilmedGame:
    """A clip of Suds with its truth, `<clip>.json`. Raises FairdealError."""
    taught = taught_clip(path, threads=1)
    told = taught.truth["events"]
    happened = clip_events(told, taught.truth["seats"])
    acts = tuple(event["t_settled"] for event in told)
    source = open_source(str(path.with_suffix(".mp4")))
    return _filmed(taught.request, source, taught.eyes, happened, acts)


def _filmed(
    request: GameRequest, source: Source, eyes: Looks, happened: tuple[Event, ...],
    acts: tuple[float, ...],
) -> FilmedGame:  # fmt: skip
    film = KeptFilm(source)
    request = replace(request, signals="none", start=False, presses=(), threads=1)
    return FilmedGame(request, film, FilmEyes(eyes, film), happened, acts)


def clip_events(told: list[dict], sides: list[int]) -> tuple[Event, ...]:
    """The clips' words as events: play has started when a clip begins.

    `sides`: the numbers of the sides at which seats 1, 2, … sit, as the clips name a seat.
    """
    events: list[Event] = [Pressed(0.0, "start")]
    table: dict[str, list[str]] = {}
    for act in told:
        at, place, seat = act["t_settled"], f"pile/{act['pile']}", sides.index(act["seat"]) + 1
        pile = table.setdefault(place, [])
        if act["action"] == "toss":
            events.append(Placed(at, act["face"], place, seat))
            pile.append(act["face"])
        else:
            gone = [act["face"]] if act["face"] else pile[::-1]
            for face in gone:
                events.append(Removed(at, face, place, seat))
                pile.remove(face)
    return tuple(events)
