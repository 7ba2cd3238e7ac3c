"""Spoken calls as an observer: news in, sentences out, never waiting for the synthesiser."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, Self

from kiosk.game.news import EventJudged, GameRejudged, News
from kiosk.game.sounds import Sounds
from kiosk.speech.phrases import due_phrase, phrase
from rules.contract.game import PlaceView
from rules.table.call import Call
from rules.table.event import Placed, Removed

QUEUE = 3  # sentences that wait; with more the oldest is dropped
STALE_S = 6.0  # a sentence that waited longer is dropped
PLACES_KEPT = 200  # of the last events, for overrulings
END_S = 5.0  # at the game's end what waits is said within this time
JOIN_S = 2.0


class Speaker(Protocol):
    """What says a sentence. `say` waits until it was said and returns what went wrong."""

    @property
    def is_there(self) -> bool: ...

    def say(self, text: str, language: str, stop: threading.Event) -> str: ...


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence that waits, since time `since` (s of the observer's clock)."""

    text: str
    language: str
    since: float


class Speech:
    """Says calls in the language of `sounds`, and nothing while they are off or muted.

    After a correction only the new value is said: what the place needs now.
    """

    name = "speech"

    def __init__(
        self,
        sounds: Sounds,
        speaker: Speaker,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._sounds, self._speaker, self._say, self._clock = sounds, speaker, say, clock
        self._waiting: deque[Sentence] = deque()
        self._places: dict[int, str] = {}
        self._change = threading.Condition()
        self._stop = threading.Event()
        self._is_failing = self._is_closing = False
        self.drops = 0
        self._thread = threading.Thread(target=self._run, name="speech", daemon=True)

    def hear(self, news: News) -> None:
        """As in Observer."""
        if isinstance(news, EventJudged):
            self._remember(news)
            language = self._language()
            if language:
                for text in said_of(news.calls, news.view.places, language):
                    self._queue(text, language)
        elif isinstance(news, GameRejudged) and news.overruling is not None:
            language = self._language()
            if language:
                self._queue(self._new_value(news, news.overruling.event, language), language)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._change:
            self._is_closing = True
            self._change.notify()
        self._thread.join(END_S)
        self._stop.set()
        self._thread.join(JOIN_S)

    def _language(self) -> str:
        return "" if self._sounds.is_muted else self._sounds.language

    def _remember(self, news: EventJudged) -> None:
        if isinstance(news.event, Placed | Removed):
            self._places[news.number] = news.event.place
            self._places.pop(news.number - PLACES_KEPT, None)

    def _new_value(self, news: GameRejudged, event: int, language: str) -> str:
        """What holds now at the event that was overruled."""
        calls = news.calls[event - 1] if event <= len(news.calls) else ()
        mistakes = [call for call in calls if call.call == "mistake"]
        if mistakes:
            return phrase(mistakes[-1], language)
        place = next((p for p in news.view.places if p.place == self._places.get(event)), None)
        return "" if place is None else due_phrase(place, language)

    def _queue(self, text: str, language: str) -> None:
        if not text:
            return
        with self._change:
            while len(self._waiting) >= QUEUE:
                self._waiting.popleft()
                self.drops += 1
            self._waiting.append(Sentence(text, language, self._clock()))
            self._change.notify()

    def _run(self) -> None:
        while (sentence := self._next()) is not None:
            if self._sounds.is_muted or self._clock() - sentence.since > STALE_S:
                self.drops += 1
                continue
            fault = self._speaker.say(sentence.text, sentence.language, self._stop)
            if fault and not self._is_failing:
                self._say(f"speech: {fault}; calls are not spoken")
            self._is_failing = bool(fault)

    def _next(self) -> Sentence | None:
        with self._change:
            self._change.wait_for(lambda: bool(self._waiting) or self._is_closing)
            if self._stop.is_set() or not self._waiting:
                return None
            return self._waiting.popleft()


def said_of(calls: Sequence[Call], places: Sequence[PlaceView], language: str) -> list[str]:
    """The sentences for the calls of an event."""
    said = []
    for call in calls:
        if call.call != "corrected":
            said.append(phrase(call, language))
            continue
        place = next((each for each in places if each.place == call.place), None)
        if place is not None:
            said.append(due_phrase(place, language))
    return said
