"""What happens in a running game, as frozen values: the messages that every observer hears."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from kiosk.game.health import Health
from rules.contract.game import Game, Setup, View
from rules.contract.mistakes import Mistake
from rules.table.call import Call
from rules.table.event import Event

if TYPE_CHECKING:
    from kiosk.game.overruling import Overruling
    from vision.frame import Frame
    from vision.scene.watcher import Observation


class LostBy(Enum):
    """What lost the view of the table."""

    CAMERA = "camera"  # the camera gives no pictures, or the same picture again and again
    PLACE = "place"  # the camera or the mat was moved, or the table is compared after a restart
    PICTURE = "picture"  # the picture is dark, or a hand covers the lens


@dataclass(frozen=True, slots=True)
class Summary:
    """A run in figures: frames judged and dropped, seconds of the source's clock, calls by kind.

    `first_frame_s`: from the start of the run to the first judged frame (s); None without one.
    """

    frames: int
    drops: int
    seconds: float
    calls: dict[str, int]
    first_frame_s: float | None


@dataclass(frozen=True, slots=True)
class GameBegan:
    """The first message. `sides`: the side of the picture of seats 1..N.

    `at`: the game's time (s), above 0 where a game that was cut off goes on.
    `number`: the game's number in the journal; None where none is kept.
    """

    game: Game
    setup: Setup
    sides: tuple[str, ...]
    view: View
    open_mistakes: tuple[Mistake, ...] = ()
    at: float = 0.0
    is_resumed: bool = False
    number: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FrameJudged:
    """A frame went through vision. It comes after the events of that frame.

    `at`: the game's time (s); `frame.at` is the source's. `work_s`: what the frame cost.
    `latency_s`: from the picture to this message; None for recordings.
    """

    frame: Frame
    observation: Observation
    at: float
    work_s: float
    latency_s: float | None = None


@dataclass(frozen=True, slots=True)
class EventJudged:
    """An event was journaled and judged. `event` is None for the calls of the game's end.

    `view` and `open_mistakes` describe the game after it. `number`: the event's in the game,
    from 1, as overrulings name it; the last one's for the calls of the end. `about`: for each
    call, the number of the event that it is about; empty where that is this one.
    """

    event: Event | None
    calls: tuple[Call, ...]
    view: View
    open_mistakes: tuple[Mistake, ...] = ()
    number: int = 0
    about: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GameRejudged:
    """People overruled an event, and the game was judged again from there.

    `overruling` None: nobody did; later events or looks have turned the weights over.
    `calls`: those of each event from the first on, as they are now. `changed`: how many calls of
    later events are withdrawn or new.
    """

    overruling: Overruling | None
    calls: tuple[tuple[Call, ...], ...]
    changed: int
    view: View
    open_mistakes: tuple[Mistake, ...] = ()


@dataclass(frozen=True, slots=True)
class ViewLost:
    """The table cannot be judged from `at` (s) on. `why`: a sentence for people.

    It is told again while the view stays lost, when the reason or its figures change.
    """

    at: float
    by: LostBy
    why: str


@dataclass(frozen=True, slots=True)
class ViewFound:
    """The table is in view again, for all that had lost it."""

    at: float


@dataclass(frozen=True, slots=True)
class HealthRead:
    """The state of the table was read; every few seconds. For health pages and status lines."""

    health: Health


@dataclass(frozen=True, slots=True)
class GameEnded:
    """The last message. `is_over`: the game is finished; else it was stopped and can be resumed."""

    summary: Summary
    is_over: bool = field(default=True)


News = (
    GameBegan
    | FrameJudged
    | EventJudged
    | GameRejudged
    | ViewLost
    | ViewFound
    | HealthRead
    | GameEnded
)
