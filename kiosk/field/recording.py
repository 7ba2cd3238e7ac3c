"""Reads a recording: what was filmed, what happened, what was called and overruled."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kiosk.field.about import ABOUT, FILM, GAME, MOST_SIDE, RULED, About, read_about
from kiosk.field.film import INDEX, Segment, decoded, jpegs, segments_in
from kiosk.field.space import recordings_in
from kiosk.game.overruling import Overruling, read_overruling
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.files import parsed_json, read_bytes
from rules.games import game as game_named
from rules.table.event import Event
from vision.frame import Frame

MOST_LINES_BYTES = 64 << 20
_CALL, _EVENT = "call", "event"


@dataclass(frozen=True, slots=True)
class Recording:
    """A recording. `lines`: the game's events and calls, as JSON objects in their order.

    `overruled`: what people overruled of its events, by their numbers from the first line on.
    """

    folder: Path
    about: About
    segments: tuple[Segment, ...]
    lines: tuple[dict[str, Any], ...]
    overruled: tuple[Overruling, ...]

    @property
    def began(self) -> float:
        """The time (s of the game) of its first picture."""
        return self.segments[0].pictures[0].at

    @property
    def until(self) -> float:
        """The time (s of the game) of the last."""
        return self.segments[-1].until

    @property
    def is_whole(self) -> bool:
        """Whether it begins with the game, or with the start that its first moment brought."""
        return self.segments[0].began.events <= self.about.is_started

    @property
    def pictures(self) -> int:
        """How many pictures it has."""
        return sum(len(segment.pictures) for segment in self.segments)

    @property
    def calls(self) -> tuple[dict[str, Any], ...]:
        """The calls as they were made."""
        return tuple(line for line in self.lines if _CALL in line)

    def events(self, until: float | None = None) -> tuple[Event, ...]:
        """The events, those before `until` (s of the game). Raises FairdealError."""
        game = game_named(self.about.game)
        lines = [json.dumps(line).encode() for line in self.lines if _EVENT in line]
        found = tuple(read_events(lines, game, self.about.players)) if lines else ()
        return found if until is None else tuple(each for each in found if each.at < until)

    def frames(self, offset_s: float = 0.0) -> Iterator[Frame]:
        """The pictures, dated from `offset_s` (s of the game) on. Raises FairdealError."""
        number = 0
        for segment in self.segments:
            for line, jpeg in jpegs(segment):
                bgr = decoded(jpeg, f"{segment.film}, picture at {line.at:.2f} s")
                yield Frame(bgr, max(0.0, line.at - offset_s), number)
                number += 1


def read_recording(folder: Path) -> Recording:
    """A recording's folder, also one that a power cut ended. Raises FairdealError."""
    about = read_about(folder)
    segments = tuple(each for each in segments_in(folder / FILM) if each.pictures)
    if not segments:
        raise FairdealError("a recording with pictures", "none", "name another", str(folder))
    first = decoded(next(jpegs(segments[0]))[1], str(segments[0].film))
    if max(first.shape[:2]) > MOST_SIDE:
        raise FairdealError(f"pictures of at most {MOST_SIDE} px", f"{max(first.shape[:2])} px",
                            "record smaller ones", str(folder))  # fmt: skip
    ruled = tuple(read_overruling(text.decode()) for text in _whole_lines(folder / RULED))
    return Recording(folder, about, segments, _objects(folder / GAME), ruled)


def _objects(path: Path) -> tuple[dict[str, Any], ...]:
    found = []
    for text in _whole_lines(path):
        line = parsed_json(text, "a game's events and calls", "copy the file once more", str(path))
        if not isinstance(line, dict) or not (_CALL in line or _EVENT in line):
            raise FairdealError("an event or a call in each line", "another", where=str(path))
        if not isinstance(line.get("at"), (int, float)):
            raise FairdealError("the time of each event", "none", where=str(path))
        found.append(line)
    return tuple(found)


def _whole_lines(path: Path) -> list[bytes]:
    """Lines that were written to their end; none where there is no file."""
    if not path.is_file():
        return []
    data = read_bytes(path, f"the lines of {ABOUT}'s game", most=MOST_LINES_BYTES)
    return data[: data.rfind(b"\n") + 1].splitlines()


def recordings_of(folder: Path) -> dict[tuple[int, str], list[Path]]:
    """The recordings in `folder` by the number and name of their game, oldest first.

    What cannot be read, or is of no game in the journal, is left out.
    """
    found: dict[tuple[int, str], list[Path]] = {}
    for path in recordings_in(folder):
        with suppress(FairdealError):
            about = read_about(path)
            if about.number is not None and any((path / FILM).glob(f"*{INDEX}")):
                found.setdefault((about.number, about.game), []).append(path)
    return found
