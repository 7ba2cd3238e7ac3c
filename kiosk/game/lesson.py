"""After a game the deck learns from it, and says what."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from calibration.deck.learning import Lesson, check_can_learn, learn
from kiosk.game.inbox import Inbox
from kiosk.game.learning import CardCollector
from models.deck import Deck
from rules.errors import FairdealError
from vision.networks.embedder import Embedder

WITHIN_S = 60.0  # for all checks
STOPPED_S = 4.0  # where somebody stopped the game: a program that is told to end has 10 s


@contextmanager
def learning(
    deck: Deck, inbox: Inbox, say: Callable[[str], None], *, is_asked: bool
) -> Iterator[tuple[CardCollector, ...]]:
    """The observer of a game from which the deck learns; none if this deck cannot.

    At the end the deck keeps what the game showed clearly, and `say` prints a line. What cannot be
    written is said, too: the game was played. The game's `inbox` knows whether somebody waits.
    FairdealError for a deck that cannot learn, if somebody asked for it now (`is_asked`).
    """
    try:
        check_can_learn(deck)
    except FairdealError as error:
        if is_asked:
            raise
        say(f"the deck learns nothing from this game: {error}")
        yield ()
        return
    collector = CardCollector()
    yield (collector,)
    seen = collector.seen()
    if not seen:
        return
    try:
        within_s = STOPPED_S if inbox.is_stopped else WITHIN_S
        say(lesson_line(deck, learn(deck, seen, Embedder(), within_s)))
    except FairdealError as error:
        say(f"the deck learned nothing: {error}")


def lesson_line(deck: Deck, lesson: Lesson) -> str:
    """What came of it, as a sentence."""
    if not lesson.new:
        why = ", ".join(f"{n} {reason}" for reason, n in sorted(lesson.refused.items()))
        return f"{deck.name} learned nothing new from this game" + (f" ({why})" if why else "")
    faces = ", ".join(f"{face} ({n})" if n > 1 else face for face, n in sorted(lesson.new.items()))
    return (
        f"{deck.name} learned from this game: {faces}. "
        f"`fairdeal calibrate deck {deck.folder} --revert` undoes it"
    )
