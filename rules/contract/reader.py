"""Reads events from JSON Lines and refuses what is not one."""

import json
import math
from collections.abc import Collection, Iterable, Iterator

from rules.contract.game import SHARED_BUTTONS, UNJUDGED_CARDS, Game
from rules.errors import FairdealError
from rules.table.event import (
    Alternatives,
    Blind,
    CardEvent,
    Event,
    Learned,
    Placed,
    Pressed,
    Removed,
    Sighted,
    Way,
)

_KEYS = {
    "placed": {"at", "event", "card", "place"},
    "removed": {"at", "event", "card", "place"},
    "pressed": {"at", "event", "button"},
    "blind": {"at", "event"},
    "sighted": {"at", "event"},
    "learned": {"at", "event", "choice", "likely"},
}
_KEYS_AND_SEAT = {
    kind: keys if kind == "learned" else keys | {"seat"} for kind, keys in _KEYS.items()
}
_KEYS_THAT_MAY_BE = {
    kind: keys | {"sure", "ways", "choice", "awaits"} if "card" in keys else keys
    for kind, keys in _KEYS_AND_SEAT.items()
}
_decode = json.JSONDecoder().decode
# A hostile file may name piles without end. Places past this number are checked every time.
_PLACES_REMEMBERED = 4096
_NAMES_LISTED = 20
_MOST_WAYS = 100  # of one event, and events of one way
_MOST_CHOICE = 2**53
_SUM_ERROR = 1e-3
_WAYS = "ways: a list of [chance, [event, ...]]"


def read_events(lines: Iterable[bytes], game: Game, players: int) -> Iterator[Event]:
    """Yields the events of `lines`, one line at a time.

    Raises FairdealError `line N: expected …, found …` at the first line that is refused. The
    error has no line number when the input holds no event.
    """
    reader = _Reader(game, players)
    for number, line in enumerate(lines, 1):
        if line.isspace() or not line:
            continue
        yield reader.read(number, line)
    if reader.at == -math.inf:
        raise FairdealError("at least one event", "none", "write one JSON object a line")


class _Reader:
    """Checks line after line. It remembers the last time and the places that passed the check."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.players, self.at = game, players, -math.inf
        cards = game.cards_of(players) if game.cards_of else game.cards
        self.cards = cards | UNJUDGED_CARDS
        self.buttons = game.buttons | SHARED_BUTTONS
        self.places: set[str] = set()

    def read(self, number: int, line: bytes) -> Event:
        """The event of one line that is not blank."""
        found = self._parse(number, line)
        kind = found.get("event")
        if not isinstance(kind, str) or kind not in _KEYS:
            allowed = "an event: placed, removed, pressed, blind or sighted"
            raise _refused(number, allowed, _shown(found, "event"))
        self._check_keys(number, kind, found)
        at = self._check_at(number, found["at"])
        seat = self._check_seat(number, found)
        event: Event
        if kind == "pressed":
            event = Pressed(at, self._check_button(number, found), seat)
        elif "card" in found:
            event = self._card_event(number, kind, at, seat, found)
        elif kind == "learned":
            event = self._learned(number, at, found)
        else:
            event = Blind(at) if kind == "blind" else Sighted(at)
        self.at = at
        return event

    def _check_seat(self, number: int, found: dict[str, object]) -> int | None:
        seat = found.get("seat")
        if seat is None or (type(seat) is int and 1 <= seat <= self.players):
            return seat
        raise _refused(number, f"a seat from 1 to {self.players}", _shown(found, "seat"))

    def _check_button(self, number: int, found: dict[str, object]) -> str:
        button = found["button"]
        if not isinstance(button, str) or button not in self.buttons:
            expected = f"a button of {self.game.name}{_listed(self.buttons)}"
            raise _refused(number, expected, _shown(found, "button"))
        return button

    def _parse(self, number: int, line: bytes) -> dict[str, object]:
        expected = "one JSON object in UTF-8"
        try:
            found = _decode(line.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise _refused(number, expected, f"byte {line[error.start]:#04x}") from None
        except (ValueError, RecursionError):
            raise _refused(number, expected, _short(line.decode("utf-8").strip())) from None
        if not isinstance(found, dict):
            raise _refused(number, expected, _text(found))
        return found

    def _check_keys(self, number: int, kind: str, found: dict[str, object]) -> None:
        needed, allowed = _KEYS[kind], _KEYS_THAT_MAY_BE[kind]
        if found.keys() == _KEYS_AND_SEAT[kind] or found.keys() == needed:
            return
        missing = needed - found.keys()
        if missing:
            raise _refused(number, f"the key {min(missing)} in a {kind} event", "none")
        if kind == "placed" and self.game.uses_on:
            allowed = allowed | {"on"}
        extra = found.keys() - allowed
        if extra:
            keys = ", ".join(sorted(allowed))
            raise _refused(number, f"only {keys} in a {kind} event", f"the key {_quoted(extra)}")

    def _check_at(self, number: int, at: object) -> float:
        if type(at) is not float and type(at) is not int:
            raise _refused(number, "at in seconds, a finite number", f"at {_text(at)}")
        try:
            seconds = float(at)
        except OverflowError:
            seconds = math.inf
        if not math.isfinite(seconds):
            raise _refused(number, "at in seconds, a finite number", "at that is not finite")
        if seconds < self.at:
            raise _refused(number, f"at of {self.at} or later", f"at {seconds}")
        return seconds

    def _card_event(
        self, number: int, kind: str, at: float, seat: int | None, found: dict[str, object]
    ) -> CardEvent:
        card, place = found["card"], found["place"]
        if not isinstance(card, str) or card not in self.cards:
            expected = f"a card of {self.game.name}{_listed(self.cards)}"
            raise _refused(number, expected, _shown(found, "card"))
        if not isinstance(place, str) or not self._is_place(place):
            where = f" ({self.game.places})" if self.game.places else ""
            expected = f"a place of {self.game.name} with {self.players} players{where}"
            raise _refused(number, expected, _shown(found, "place"))
        sure = self._check_chance(number, found["sure"], "sure") if "sure" in found else 1.0
        ways = self._check_ways(number, found)
        if kind == "removed":
            return Removed(at, card, place, seat, sure, ways)
        on = self._check_on(number, found) if "on" in found else None
        return Placed(at, card, place, seat, on, sure, ways)

    def _check_ways(self, number: int, found: dict[str, object]) -> Alternatives | None:
        if "ways" not in found:
            if {"choice", "awaits"} & found.keys():
                raise _refused(number, "ways beside a choice", "none")
            return None
        given = found["ways"]
        choice = _check_choice(number, found["choice"]) if "choice" in found else None
        awaits = found.get("awaits", False)
        if not isinstance(awaits, bool) or (awaits and choice is None):
            raise _refused(number, "awaits: true beside a choice", f"awaits {_text(awaits)}")
        if not isinstance(given, list) or len(given) > _MOST_WAYS:
            raise _refused(number, _WAYS, f"ways {_text(given)}")
        ways = tuple(self._check_way(number, way) for way in given)
        if ways and abs(sum(way.chance for way in ways) - 1.0) > _SUM_ERROR:
            raise _refused(number, "ways whose chances sum to 1", f"ways {_text(given)}")
        return Alternatives(ways, choice, awaits)

    def _check_way(self, number: int, way: object) -> Way:
        match way:
            case [chance, [*events]] if len(events) <= _MOST_WAYS:
                return Way(
                    self._check_chance(number, chance, "a chance"),
                    tuple(self._check_event(number, each) for each in events),
                )
        raise _refused(number, _WAYS, f"a way {_text(way)}")

    def _check_event(self, number: int, found: object) -> CardEvent:
        """An event of a way: as a line, without `sure` and `ways`."""
        kind = found.get("event") if isinstance(found, dict) else None
        if not isinstance(found, dict) or not isinstance(kind, str):
            raise _refused(number, "an event in a way", _text(found))
        if kind not in ("placed", "removed") or {"sure", "ways", "choice", "awaits"} & found.keys():
            raise _refused(number, "placed or removed, without sure and ways", _text(found))
        self._check_keys(number, kind, found)
        at = self._check_at(number, found["at"])
        return self._card_event(number, kind, at, self._check_seat(number, found), found)

    def _learned(self, number: int, at: float, found: dict[str, object]) -> Learned:
        choice, likely = _check_choice(number, found["choice"]), found["likely"]
        if not isinstance(likely, list) or not 0 < len(likely) <= _MOST_WAYS:
            raise _refused(number, "likely: a number from 0 to 1 for each way", _text(likely))
        chances = [self._check_chance(number, each, "likely") for each in likely]
        return Learned(at, choice, tuple(chances))

    def _check_on(self, number: int, found: dict[str, object]) -> str:
        on = found["on"]
        if not isinstance(on, str) or on not in self.cards:
            expected = f"on: a card of {self.game.name}{_listed(self.cards)}"
            raise _refused(number, expected, _shown(found, "on"))
        return on

    def _check_chance(self, number: int, chance: object, name: str) -> float:
        # Not isinstance: a bool is an int.
        if (type(chance) is float or type(chance) is int) and 0 <= chance <= 1:
            return float(chance)
        raise _refused(number, f"{name}: a number from 0 to 1", f"{name} {_text(chance)}")

    def _is_place(self, place: str) -> bool:
        if place in self.places:
            return True
        if not self.game.is_place(place, self.players):
            return False
        if len(self.places) < _PLACES_REMEMBERED:
            self.places.add(place)
        return True


def _check_choice(number: int, choice: object) -> int:
    if type(choice) is int and 0 <= choice < _MOST_CHOICE:
        return choice
    raise _refused(number, "choice: a whole number", f"choice {_text(choice)}")


def _refused(number: int, expected: str, found: str) -> FairdealError:
    return FairdealError(expected, found, where=f"line {number}")


def _shown(found: dict[str, object], key: str) -> str:
    return f"{key} {_text(found[key])}" if key in found else f"no {key}"


def _listed(names: Collection[str]) -> str:
    """All allowed names in brackets, or nothing if there are too many to read."""
    return f" ({', '.join(sorted(names))})" if len(names) <= _NAMES_LISTED else ""


def _quoted(keys: Iterable[str]) -> str:
    return _text(min(keys))


def _text(value: object) -> str:
    try:
        return _short(json.dumps(value))
    except RecursionError:
        return "a value nested too deeply"


def _short(text: str) -> str:
    """`text` in ASCII and cut to 60 characters, so that any terminal can print the error."""
    text = text.encode("ascii", "backslashreplace").decode("ascii")
    text = "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in text[:200])
    return text if len(text) <= 60 else text[:57] + "..."
