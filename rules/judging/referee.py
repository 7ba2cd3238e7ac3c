"""What all games share: undo, a lost view, the end, and the order of the calls of one event."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic

from rules.contract.game import SHARED_RULES, Game, Setup, State, View
from rules.contract.mistakes import Mistakes
from rules.judging.doubt import (
    NO_DOUBTS,
    SURE_ENOUGH,
    Doubts,
    Judged,
    as_seen,
    judge_card,
    judge_press,
    translate,
    without_doubted,
    without_gone,
)
from rules.table.call import CALL_ORDER, Call, CallKind
from rules.table.cards import Table, after_event
from rules.table.event import Act, Blind, Event, Learned, Pressed, Sighted
from rules.values import replace

Calls = tuple[Call, ...]

# (state, table, over, doubts, what was before), newest first: undo is keeping the last one.
Past = tuple[State, Table, bool, Doubts, "Past[State] | None"]


@dataclass(frozen=True)
class Session(Generic[State]):
    """A game under way. `table`: the cards as they lie, bottom to top, wrong ones too.

    `blind`: the view is lost; `changed`: something happened meanwhile; `unheard`: the buttons
    pressed meanwhile that count for nothing. `over`: ended. `doubts`: cards whose events were not
    sure enough (below `sure_enough`, 0 to 1); in `table` they are unknown.
    `past` is what undo may take back, and no part of the game itself.
    """

    game: Game[State]
    setup: Setup
    state: State
    table: Table = field(default_factory=dict)
    over: bool = False
    blind: bool = False
    changed: bool = False
    unheard: tuple[str, ...] = ()
    at: float = 0.0
    doubts: Doubts = NO_DOUBTS
    sure_enough: float = SURE_ENOUGH
    past: Past[State] | None = field(default=None, compare=False, repr=False)


def begin(game: Game[State], setup: Setup) -> Session[State]:
    """A session before its first event; `setup` comes from `rules.contract.game.make_setup`."""
    return Session(game, setup, game.start(setup))


def step(session: Session[State], event: Event) -> tuple[Session[State], Calls]:
    """Judges one event. Returns the session after it and its calls, in their order."""
    if isinstance(event, Learned):
        return session, ()
    if session.blind or isinstance(event, (Blind, Sighted)):
        return _step_view(session, event)
    button = event.button if isinstance(event, Pressed) else None
    if button == "undo":
        return _undo(session, event.at), ()
    if session.over:
        return session, ()
    if session.doubts is not NO_DOUBTS:
        return _step_doubtful(session, event)
    if isinstance(event, Pressed):
        table = session.table
    elif event.sure < session.sure_enough:
        return _step_doubtful(session, event)
    elif (laid := after_event(session.table, event)) is None:
        return session, ()
    else:
        table = laid
    game, before = session.game, session.state
    state, calls = game.judge(before, event)
    if not calls and state is before and table is session.table and button != "end":
        return session, ()
    if calls:
        calls = ordered(game, event.at, calls)
    past = (before, session.table, False, NO_DOUBTS, session.past)
    over = button == "end" or (bool(calls) and _ends(game, calls))
    return replace(session, state=state, table=table, over=over, at=event.at, past=past), calls


def _step_doubtful(session: Session[State], event: Act) -> tuple[Session[State], Calls]:
    """Judges an event that is not sure enough, or that comes after one."""
    game, before, doubts = session.game, session.state, session.doubts
    if isinstance(event, Pressed):
        judged = judge_press(game, before, session.table, doubts, event)
    else:
        found = judge_card(game, before, session.table, doubts, event, session.sure_enough)
        if found is None:
            return session, ()
        judged = found
    is_end = isinstance(event, Pressed) and event.button == "end"
    if judged.state is before and judged.table is session.table and not judged.calls and not is_end:
        return session, ()
    calls = ordered(game, event.at, judged.calls)
    after = replace(
        session,
        state=judged.state,
        table=judged.table,
        doubts=judged.doubts,
        over=is_end or _ends(game, calls),
        at=event.at,
        past=(before, session.table, False, doubts, session.past),
    )
    return after, calls


def close(session: Session[State]) -> tuple[Call, ...]:
    """The calls that the end of the input brings; a table out of view is not judged."""
    if session.over or session.blind:
        return ()
    game, state = session.game, session.state
    calls = game.finish(state)
    if session.doubts is not NO_DOUBTS:
        # The mistakes of half acts are not in the state: only the calls are looked at.
        calls = without_doubted(game, Judged(state, session.table, session.doubts, calls)).calls
    return ordered(game, session.at, calls)


def seen_table(session: Session[State]) -> Table:
    """The cards as they were seen, doubtful ones by their names."""
    return as_seen(session.table, session.doubts)


def open_mistakes(session: Session[State]) -> Mistakes:
    """The mistakes that wait to be put right, oldest first."""
    return session.state.mistakes


def view(session: Session[State]) -> View:
    """The state for people."""
    return session.game.view(session.state)


def ordered(game: Game[State], at: float, calls: Iterable[Call]) -> tuple[Call, ...]:
    """Calls of one event in the rulings' order, with their time and game filled in."""
    calls = tuple(calls)
    if len(calls) < 2:
        return (_filled_in(game, at, calls[0]),) if calls else ()
    ranks = _ranks(game)

    def key(call: Call) -> tuple[int, int, str, str]:
        rank = ranks.get(call.rule, len(ranks))
        return CALL_ORDER[call.call], rank, call.place or "", call.card or ""

    return tuple([_filled_in(game, at, call) for call in sorted(calls, key=key)])


def _filled_in(game: Game[State], at: float, call: Call) -> Call:
    """A call with its time and game, and a `corrected` with its card in words."""
    if call.call is CallKind.CORRECTED and call.card:
        message = f"Put right: {game.say(call.card)}. Thank you, play on."
        return replace(call, at=at, game=game.name, message=message)
    return replace(call, at=at, game=game.name)


@lru_cache(maxsize=64)
def _ranks(game: Game[State]) -> dict[str, int]:
    return {rule.id: i for i, rule in enumerate((*game.rules, *SHARED_RULES))}


def _ends(game: Game[State], calls: tuple[Call, ...]) -> bool:
    return not game.plays_on and any(call.call in (CallKind.WIN, CallKind.TIE) for call in calls)


def _undo(session: Session[State], at: float) -> Session[State]:
    if session.past is None:
        return session
    state, table, over, doubts, past = session.past
    return replace(session, state=state, table=table, over=over, doubts=doubts, past=past, at=at)


def _step_view(
    session: Session[State], event: Act | Blind | Sighted
) -> tuple[Session[State], Calls]:
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
    moved = translate(session.table, session.doubts, event)
    if moved is None:
        return replace(session, changed=True, at=event.at), ()
    _, table, stands = moved
    doubts = replace(session.doubts, stands=stands) if session.doubts.stands else session.doubts
    return replace(session, table=table, doubts=doubts, changed=True, at=event.at), ()


def _press_unseen(session: Session[State], event: Pressed) -> tuple[Session[State], Calls]:
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


def _as_it_lies(session: Session[State], at: float) -> tuple[Session[State], Calls]:
    """Something changed out of view: every card as it lies counts as right."""
    game = session.game
    table, doubts = without_gone(session.table, session.doubts)
    state = game.resume(session.state, table)
    if game.doubt and session.unheard:
        state = game.doubt(state, session.unheard)
    message = "I could not see the table for a while. I take the cards as they lie now; play on."
    if session.unheard:
        names = " and ".join(f'"{button.replace("-", " ")}"' for button in session.unheard)
        message = f"{message} If it still holds, press {names} again."
    call = Call(CallKind.UNSURE, "view-lost", message, at=at, game=game.name)
    return replace(session, state=state, table=table, doubts=doubts), (call,)
