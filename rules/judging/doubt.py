"""Doubtful events: an event that is not sure enough never makes a mistake, in any game.

Where it would, it is judged as an unknown card at its place, and one `unsure` names the rule. A
card that was judged so *stands* there as an unknown until it is removed or laid again.
"""

from dataclasses import dataclass
from typing import Generic

from rules.contract.game import Game, State
from rules.contract.mistakes import Mistakes
from rules.table.call import Call, CallKind
from rules.table.cards import Table, after_event
from rules.table.event import CardEvent, Placed, Pressed, Removed
from rules.values import replace

# From this `sure` (0 to 1) on an event may make a mistake. Lower: more accusations, more false.
SURE_ENOUGH = 0.98
UNKNOWN = "unknown"
# Doubtful events that are remembered for calls that come later. A half act lives for one act.
_REMEMBERED = 64


@dataclass(frozen=True, slots=True)
class Stand:
    """An unknown in the game that stands for `card`. `gone`: it was seen to be removed."""

    place: str
    card: str
    gone: bool


@dataclass(frozen=True, slots=True)
class Doubts:
    """What stands as an unknown, the (place, card) of the latest doubtful events, and `excused`:
    those of cards laid while something stands, which may be wrong and count as right."""

    stands: tuple[Stand, ...] = ()
    recent: tuple[tuple[str, str], ...] = ()
    excused: tuple[tuple[str, str], ...] = ()


NO_DOUBTS = Doubts()


@dataclass(frozen=True, slots=True)
class Judged(Generic[State]):
    """What an event has made of a game: the state, the table, the doubts and the calls."""

    state: State
    table: Table
    doubts: Doubts
    calls: tuple[Call, ...]


def judge_card(
    game: Game[State],
    state: State,
    table: Table,
    doubts: Doubts,
    event: CardEvent,
    sure_enough: float = SURE_ENOUGH,
) -> Judged[State] | None:
    """Judges a card event that is doubtful or comes after doubtful ones.

    None when a card is removed that does not lie there.
    """
    translated = translate(table, doubts, event)
    if translated is None:
        return None
    acts, table_after, stands = translated
    is_sure = event.sure >= sure_enough
    after = state
    calls: tuple[Call, ...] = ()
    for act in acts:
        after, made = game.judge(after, act)
        calls += made
    if isinstance(event, Removed) and _stand_for(table, doubts.stands, event) is not None:
        # It was an unknown in the game: nobody is accused of taking a card that was in doubt.
        after, calls = _without_unknown(game, after, calls, event)
    judged = Judged(after, table_after, replace(doubts, stands=stands), calls)
    if not is_sure and _has_mistake(calls):
        if isinstance(event, Placed):
            judged = _placed_unknown(game, state, table, doubts, event, calls)
        else:
            judged = _removed_unknown(game, judged, event)
    elif is_sure:
        judged = without_doubted(game, judged)
    judged = replace(judged, doubts=_remember(judged.doubts, event, is_sure))
    return replace(judged, doubts=_excusing(judged.doubts, doubts, event))


def as_seen(table: Table, doubts: Doubts) -> Table:
    """The table with the cards that stand as unknowns named as they were seen."""
    seen = dict(table)
    for stand in doubts.stands:
        cards = list(seen.get(stand.place, ()))
        if UNKNOWN in cards:
            at = cards.index(UNKNOWN)
            cards[at : at + 1] = [] if stand.gone else [stand.card]
            seen[stand.place] = tuple(cards)
    return {place: cards for place, cards in seen.items() if cards}


def without_gone(table: Table, doubts: Doubts) -> tuple[Table, Doubts]:
    """The table as it lies, and what stands there: unknowns for removed cards are gone."""
    left = tuple(stand for stand in doubts.stands if not stand.gone)
    for stand in doubts.stands:
        if stand.gone:
            table = after_event(table, Removed(0.0, UNKNOWN, stand.place)) or table
    return table, Doubts(left) if left else NO_DOUBTS


def judge_press(
    game: Game[State], state: State, table: Table, doubts: Doubts, event: Pressed
) -> Judged[State]:
    """Judges a button; it may close acts that are half done and were doubtful."""
    after, calls = game.judge(state, event)
    return without_doubted(game, Judged(after, table, doubts, calls))


def without_doubted(game: Game[State], judged: Judged[State]) -> Judged[State]:
    """`judged` without mistakes about cards whose own event was doubtful."""
    recent = judged.doubts.recent + judged.doubts.excused
    for call in judged.calls:
        if call.call is not CallKind.MISTAKE or (call.place, call.card) not in recent:
            continue
        left = tuple(other for other in judged.calls if other is not call)
        state = without_mistakes(judged.state, (call,))
        table, stands, seat = judged.table, judged.doubts.stands, call.seat
        if call.place is not None and call.card is not None:
            lies = call.card in table.get(call.place, ())
            table, stands = _standing(table, stands, call.place, call.card, gone=not lies)
            unknown = Placed(call.at, UNKNOWN, call.place)
            state, _ = _judge_quietly(game, state, unknown)
        call = asked(game, call, seat)
        judged = Judged(state, table, replace(judged.doubts, stands=stands), (*left, call))
    return judged


def translate(
    table: Table, doubts: Doubts, event: CardEvent
) -> tuple[tuple[CardEvent, ...], Table, tuple[Stand, ...]] | None:
    """The event in the game's eyes, where cards stand as unknowns; the table and stands after it.

    None when a card is removed that does not lie there.
    """
    place, card, stands = event.place, event.card, doubts.stands
    acts: tuple[CardEvent, ...] = (event,)
    stand = _stand_for(table, stands, event)
    if stand is not None:
        left = tuple(other for other in stands if other is not stand)
        away = Removed(event.at, UNKNOWN, place, event.seat)
        # A card that is back is named there: nobody's act.
        named = Placed(event.at, card, place)
        acts = (away, named) if isinstance(event, Placed) else (away,)
        stands = left
    elif isinstance(event, Removed) and card == UNKNOWN:
        standing = [stand for stand in stands if stand.place == place]
        if standing and table.get(place, ()).count(UNKNOWN) <= len(standing):
            stands = tuple(other for other in stands if other is not standing[-1])
    for act in acts:
        after = after_event(table, act)
        if after is None:
            return None
        table = after
    return acts, table, stands


def _stand_for(table: Table, stands: tuple[Stand, ...], event: CardEvent) -> Stand | None:
    """The unknown that this event is about, if its card stands there as one."""
    for stand in reversed(stands):
        if (stand.place, stand.card) != (event.place, event.card):
            continue
        if isinstance(event, Placed):
            if stand.gone:
                return stand
        elif not stand.gone or event.card not in table.get(event.place, ()):
            return stand
    return None


def _placed_unknown(
    game: Game[State],
    state: State,
    table: Table,
    doubts: Doubts,
    event: Placed,
    calls: tuple[Call, ...],
) -> Judged[State]:
    accused = _first_mistake(calls)
    stand = _stand_for(table, doubts.stands, event)
    if stand is not None:
        # It stands there as an unknown already, and goes on to do so.
        stands = tuple(replace(s, gone=False) if s is stand else s for s in doubts.stands)
        call = asked(game, accused, event.seat)
        return Judged(state, table, replace(doubts, stands=stands), (call,))
    unknown = Placed(event.at, UNKNOWN, event.place, event.seat)
    after, made = _judge_quietly(game, state, unknown)
    laid = after_event(table, unknown)
    assert laid is not None
    stands = (*doubts.stands, Stand(event.place, event.card, gone=False))
    call = asked(game, accused, event.seat)
    return Judged(after, laid, replace(doubts, stands=stands), (*made, call))


def _removed_unknown(game: Game[State], judged: Judged[State], event: Removed) -> Judged[State]:
    """The card may still lie there: an unknown takes its place."""
    accused = _first_mistake(judged.calls)
    state = without_mistakes(judged.state, judged.calls)
    calls = tuple(call for call in judged.calls if call.call is not CallKind.MISTAKE)
    table, stands = _standing(
        judged.table, judged.doubts.stands, event.place, event.card, gone=True
    )
    state, made = _judge_quietly(game, state, Placed(event.at, UNKNOWN, event.place, event.seat))
    call = asked(game, accused, event.seat)
    return Judged(state, table, replace(judged.doubts, stands=stands), (*calls, *made, call))


def _judge_quietly(
    game: Game[State], state: State, unknown: Placed
) -> tuple[State, tuple[Call, ...]]:
    """Judges an unknown card; it makes no mistake (an item of Dirty Laundry could), and the call
    that it is unknown is left to the caller."""
    after, calls = game.judge(state, unknown)
    kept = tuple(
        call for call in calls if call.call is not CallKind.MISTAKE and call.rule != "unknown-card"
    )
    return without_mistakes(after, calls), kept


def _standing(
    table: Table, stands: tuple[Stand, ...], place: str, card: str, *, gone: bool
) -> tuple[Table, tuple[Stand, ...]]:
    """The table with an unknown in the place of `card` (on top if it is gone), and the stands."""
    cards = table.get(place, ())
    if not gone:
        top = len(cards) - 1 - cards[::-1].index(card)
        cards = cards[:top] + cards[top + 1 :]
    return {**table, place: (*cards, UNKNOWN)}, (*stands, Stand(place, card, gone))


def without_mistakes(state: State, calls: tuple[Call, ...]) -> State:
    """The state without the mistakes that these calls have opened."""
    left: Mistakes = state.mistakes
    for call in calls:
        if call.call is not CallKind.MISTAKE:
            continue
        for i in range(len(left) - 1, -1, -1):
            named = (left[i].rule, left[i].place, left[i].card)
            if named == (call.rule, call.place, call.card):
                left = left[:i] + left[i + 1 :]
                break
    return state if left is state.mistakes else replace(state, mistakes=left)


def asked(game: Game[State], call: Call, seat: int | None) -> Call:
    """The `unsure` in the place of a mistake: the same rule, place, card and what was due."""
    what = game.say(call.card) if call.card else "this"
    where = f" at {call.place.replace('/', ' ')}" if call.place else ""
    message = f"I am not sure that I saw {what}{where}. Please look; play goes on."
    return replace(call, call=CallKind.UNSURE, message=message, seat=seat)


def _without_unknown(
    game: Game[State], state: State, calls: tuple[Call, ...], event: Removed
) -> tuple[State, tuple[Call, ...]]:
    """The state and the calls without mistakes about the unknown that was removed."""
    accusing = [c for c in calls if c.call is CallKind.MISTAKE and c.card == UNKNOWN]
    kept = tuple(call for call in calls if call not in accusing)
    told = tuple(asked(game, replace(c, card=event.card), event.seat) for c in accusing[:1])
    return without_mistakes(state, tuple(accusing)), (*kept, *told)


def _excusing(doubts: Doubts, before: Doubts, event: CardEvent) -> Doubts:
    """The doubts, the card remembered if it was laid while something stood as an unknown."""
    if not doubts.stands:
        return replace(doubts, excused=()) if doubts.excused else doubts
    if not before.stands or not isinstance(event, Placed):
        return doubts
    excused = (*doubts.excused, (event.place, event.card))
    return replace(doubts, excused=excused[-_REMEMBERED:])


def _has_mistake(calls: tuple[Call, ...]) -> bool:
    return any(call.call is CallKind.MISTAKE for call in calls)


def _first_mistake(calls: tuple[Call, ...]) -> Call:
    return next(call for call in calls if call.call is CallKind.MISTAKE)


def _remember(doubts: Doubts, event: CardEvent, is_sure: bool) -> Doubts:
    known = (event.place, event.card)
    recent = tuple(other for other in doubts.recent if other != known)
    if not is_sure:
        recent = (*recent, known)[-_REMEMBERED:]
    return replace(doubts, recent=recent) if recent or doubts.stands else NO_DOUBTS
