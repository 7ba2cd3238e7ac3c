"""What all games share: undo, a lost view, the end, and the order of the calls of one event."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from rules.call import CALL_ORDER, Call, CallKind
from rules.event import Blind, CardEvent, Event, Placed, Pressed, Sighted
from rules.game import SHARED_RULES, Game, Setup, View
from rules.values import replace

Table = Mapping[str, tuple[str, ...]]
# (state, table, over, what was before), newest first: undo is keeping the last one.
Past = tuple[Any, Table, bool, Any]


@dataclass(frozen=True)
class Session:
    """A game under way. `table`: the cards as they lie, bottom to top, wrong ones too.

    `blind`: the view is lost; `changed`: something happened meanwhile; `unheard`: the buttons
    pressed meanwhile that count for nothing. `over`: ended.
    `past` is what undo may take back, and no part of the game itself.
    """

    game: Game
    setup: Setup
    state: Any
    table: Table = field(default_factory=dict)
    over: bool = False
    blind: bool = False
    changed: bool = False
    unheard: tuple[str, ...] = ()
    at: float = 0.0
    past: Past | None = field(default=None, compare=False, repr=False)


def begin(game: Game, setup: Setup) -> Session:
    """A session before its first event; `setup` comes from `rules.game.make_setup`."""
    return Session(game, setup, game.start(setup))


def step(session: Session, event: Event) -> tuple[Session, tuple[Call, ...]]:
    """Judges one event. Returns the session after it and its calls, in their order."""
    if session.blind or isinstance(event, (Blind, Sighted)):
        return _step_view(session, event)
    button = event.button if isinstance(event, Pressed) else None
    if button == "undo":
        return _undo(session, event.at), ()
    if session.over:
        return session, ()
    table = session.table if isinstance(event, Pressed) else _lay(session.table, event)
    if table is None:
        return session, ()
    game, before = session.game, session.state
    state, calls = game.judge(before, event)
    if not calls and state is before and table is session.table and button != "end":
        return session, ()
    if calls:
        calls = ordered(game, event.at, calls)
    past = (before, session.table, False, session.past)
    over = button == "end" or (bool(calls) and _ends(game, calls))
    return replace(session, state=state, table=table, over=over, at=event.at, past=past), calls


def close(session: Session) -> tuple[Call, ...]:
    """The calls that the end of the input brings; a table out of view is not judged."""
    if session.over or session.blind:
        return ()
    return ordered(session.game, session.at, session.game.finish(session.state))


def view(session: Session) -> View:
    """The state for people."""
    return session.game.view(session.state)


def ordered(game: Game, at: float, calls: Iterable[Call]) -> tuple[Call, ...]:
    """Calls of one event in the rulings' order, with their time and game filled in."""
    calls = tuple(calls)
    if len(calls) < 2:
        return (_filled_in(game, at, calls[0]),) if calls else ()
    ranks = _ranks(game)

    def key(call: Call) -> tuple[int, int, str, str]:
        rank = ranks.get(call.rule, len(ranks))
        return CALL_ORDER[call.call], rank, call.place or "", call.card or ""

    return tuple([_filled_in(game, at, call) for call in sorted(calls, key=key)])


def _filled_in(game: Game, at: float, call: Call) -> Call:
    """A call with its time and game, and a `corrected` with its card in words."""
    if call.call is CallKind.CORRECTED and call.card:
        message = f"Put right: {game.say(call.card)}. Thank you, play on."
        return replace(call, at=at, game=game.name, message=message)
    return replace(call, at=at, game=game.name)


@lru_cache(maxsize=64)
def _ranks(game: Game) -> dict[str, int]:
    return {rule.id: i for i, rule in enumerate((*game.rules, *SHARED_RULES))}


def _ends(game: Game, calls: tuple[Call, ...]) -> bool:
    return not game.plays_on and any(call.call in (CallKind.WIN, CallKind.TIE) for call in calls)


def _lay(table: Table, event: CardEvent) -> Table | None:
    """The table after a card event; None when a card is removed that does not lie there."""
    card, place = event.card, event.place
    cards = table.get(place, ())
    after = dict(table)
    if isinstance(event, Placed):
        after[place] = (*cards, card)
        return after
    if card not in cards:
        return None
    top = len(cards) - 1 - cards[::-1].index(card)
    left = cards[:top] + cards[top + 1 :]
    if left:
        after[place] = left
    else:
        del after[place]
    return after


def _undo(session: Session, at: float) -> Session:
    if session.past is None:
        return session
    state, table, over, past = session.past
    return replace(session, state=state, table=table, over=over, past=past, at=at)


def _step_view(session: Session, event: Event) -> tuple[Session, tuple[Call, ...]]:
    """The view is lost, or lost or found by this event: only `end` is obeyed out of view."""
    if isinstance(event, Blind):
        return replace(session, blind=True, at=event.at), ()
    if not session.blind:
        return session, ()
    if isinstance(event, Sighted):
        lost = session.changed and not session.over
        seen, calls = _as_it_lies(session, event.at) if lost else (session, ())
        found = replace(seen, blind=False, changed=False, unheard=(), past=None, at=event.at)
        return found, calls
    if session.over:
        return session, ()
    if isinstance(event, Pressed):
        return _press_unseen(session, event)
    table = _lay(session.table, event)
    return replace(
        session, table=session.table if table is None else table, changed=True, at=event.at
    ), ()


def _press_unseen(session: Session, event: Pressed) -> tuple[Session, tuple[Call, ...]]:
    """A button while the view is lost: only `end` is obeyed, the others are remembered."""
    if event.button == "end":
        last = replace(session, unheard=())
        seen, lost_calls = _as_it_lies(last, event.at) if session.changed else (last, ())
        state, calls = session.game.judge(seen.state, event)
        ended = replace(seen, state=state, over=True, at=event.at)
        return ended, lost_calls + ordered(session.game, event.at, calls)
    unheard = session.unheard
    if event.button not in ("undo", *unheard):
        unheard = (*unheard, event.button)
    return replace(session, changed=True, unheard=unheard, at=event.at), ()


def _as_it_lies(session: Session, at: float) -> tuple[Session, tuple[Call, ...]]:
    """Something changed out of view: every card as it lies counts as right."""
    game = session.game
    state = game.resume(session.state, session.table)
    if game.doubt and session.unheard:
        state = game.doubt(state, session.unheard)
    message = "I could not see the table for a while. I take the cards as they lie now; play on."
    if session.unheard:
        names = " and ".join(f'"{button.replace("-", " ")}"' for button in session.unheard)
        message = f"{message} If it still holds, press {names} again."
    call = Call(CallKind.UNSURE, "view-lost", message, at=at, game=game.name)
    return replace(session, state=state), (call,)
