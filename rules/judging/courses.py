"""What one hypothesis becomes by an event: judged, named, or split by what a card may be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from rules.judging import referee
from rules.judging.doubt import UNKNOWN
from rules.judging.hypothesis import Claims, Hypothesis, Key, Origin, Stand, Taken, took
from rules.judging.referee import Session
from rules.judging.stands import (
    depends,
    follow,
    remembering,
    swept_along,
    with_origin,
    without_gone,
)
from rules.table.call import Call, CallKind
from rules.table.event import Event, Learned, Placed, Pressed, Removed
from rules.values import replace

# Kinds of calls that are about one seat: another seat's is another call.
_OF_A_SEAT = (CallKind.WIN, CallKind.COMPLETE, CallKind.NOTICE, CallKind.TIE)
SPLIT_FROM = 0.01  # of the weight; a lighter hypothesis keeps its unnamed cards whole
MOST_SPLITS = 3  # by one event: the heaviest


def key_of(call: Call) -> Key:
    """What a call is about. Who broke a rule may be open while the mistake is certain."""
    seat = call.seat if call.call in _OF_A_SEAT else None
    return call.call, call.rule, call.place, call.card, seat


def claiming(claims: Claims, calls: Iterable[Call]) -> Claims:
    """The claims and some more."""
    more = dict(claims)
    for call in calls:
        key = key_of(call)
        more[key] = (*more.get(key, ()), call)
    return more


def unclaiming(claims: Claims, calls: Iterable[Call]) -> Claims:
    """The claims without some."""
    less = dict(claims)
    for call in calls:
        key = key_of(call)
        left = less.pop(key, ())[:-1]
        if left:
            less[key] = left
    return less


def judged(
    hypothesis: Hypothesis, number: int, events: Sequence[Event], stands: tuple[Stand, ...] = ()
) -> Hypothesis:
    """The hypothesis after event `number`, which was `events` here. `stands`: the new ones."""
    session, kept, fresh = hypothesis.session, hypothesis.stands, stands
    made: list[Call] = []
    for told in events:
        event, kept = follow(kept, told)
        if event is None or isinstance(event, Learned):
            continue
        before = session
        session, calls = referee.step(session, event)
        made += calls
        if isinstance(event, (Placed, Removed)):
            kept = remembering(kept, event, calls)
            fresh = remembering(fresh, event, calls)
            fresh = with_origin(fresh, number, replace(before, past=None), event, calls)
        elif isinstance(event, Pressed):
            kept = remembering(kept, event, calls)
        else:  # after a lost view cards lie as they lie
            kept = tuple(replace(stand, origin=None, faces=()) for stand in kept)
        if isinstance(event, Removed):
            for away in swept_along((*kept, *fresh), event, session):
                session, calls = referee.step(session, away)
                made += calls
                kept, fresh = remembering(kept, away, calls), remembering(fresh, away, calls)
    kept = (*kept, *fresh)
    if kept:
        kept = without_gone(kept, session)
    histories = hypothesis.histories
    if made:
        histories = tuple(replace(h, claims=claiming(h.claims, made)) for h in histories)
    if session.past is not None:
        session = replace(session, past=None)
    is_taken_up = _is_taken_up(hypothesis, events)
    unnamed = replace(hypothesis, unnamed=None) if is_taken_up else None
    return Hypothesis(session, histories, kept, unnamed)


def _is_taken_up(hypothesis: Hypothesis, events: Sequence[Event]) -> bool:
    """Whether an unnamed card was taken up: the next event may name it."""
    if len(events) != 1 or not isinstance(events[0], Removed):
        return False
    return _unnamed_at(hypothesis, events[0].place) is not None and events[0].card == UNKNOWN


def _unnamed_at(hypothesis: Hypothesis, place: str) -> Stand | None:
    for stand in reversed(hypothesis.stands):
        if stand.told == (place, UNKNOWN) and stand.origin is not None:
            return stand
    return None


def named(hypothesis: Hypothesis, number: int, event: Placed) -> Hypothesis | None:
    """The hypothesis where an unnamed card gets its name by `event`; None where there is none.

    Its weight falls by how likely that face was here.
    """
    before = hypothesis.unnamed
    stand = _unnamed_at(before, event.place) if before is not None else None
    if before is None or stand is None or stand.origin is None:
        return None
    chance = dict(stand.faces).get(event.card, 1e-6) if stand.faces else 1.0
    chance *= hypothesis.weight / before.weight
    found = _as_face(before, stand, event.card)
    taken = Taken(number, 0)
    histories = tuple(
        took(replace(each, weight=each.weight * chance), taken) for each in found.histories
    )
    left = tuple(each for each in found.stands if each.told != stand.told or each.origin is None)
    return replace(found, histories=histories, stands=left)


def _as_face(hypothesis: Hypothesis, stand: Stand, face: str, *, is_one: bool = True) -> Hypothesis:
    """The hypothesis where an unnamed card was `face` from the first: judged again since then.

    `is_one`: its name is known; else what it claims names no face.
    """
    origin = stand.origin
    assert origin is not None and stand.real is not None
    session, made = _judged_again(origin, face)
    if not is_one:
        made = tuple(_nameless(call, stand.real[0], face) for call in made)
    histories = tuple(
        replace(each, claims=claiming(unclaiming(each.claims, origin.made), made))
        for each in hypothesis.histories
    )
    this = replace(stand, real=(stand.real[0], face), origin=replace(origin, made=made))
    # The others came in a game that is another one now: they are followed no more.
    stands = tuple(
        this if each is stand else replace(each, origin=None, faces=())
        for each in hypothesis.stands
    )
    return Hypothesis(session, histories, stands)


def _nameless(call: Call, place: str, face: str) -> Call:
    is_it = (call.place, call.card) == (place, face)
    return replace(call, card=UNKNOWN) if is_it else call


def _judged_again(origin: Origin, face: str) -> tuple[Session, tuple[Call, ...]]:
    session = origin.before
    made: list[Call] = []
    for act in (replace(origin.placed, card=face), *origin.since):
        session, calls = referee.step(session, act)
        made += calls
    return replace(session, past=None), tuple(made)


def split(hypothesis: Hypothesis, event: Event) -> list[Hypothesis]:
    """The hypothesis, split by what an unnamed card may be where the event depends on it.

    Faces that the referee judges alike, up to and with this event, stay together.
    """
    layout = hypothesis.session.game.layout
    for stand in reversed(hypothesis.stands):
        if depends(stand, event, in_turn=layout.in_turn):
            return _split_by(hypothesis, stand, event)
    return [hypothesis]


def _split_by(hypothesis: Hypothesis, stand: Stand, event: Event) -> list[Hypothesis]:
    classes: dict[object, list[tuple[str, float]]] = {}
    assert stand.origin is not None
    for face, chance in stand.faces:
        session, made = _judged_again(stand.origin, face)
        told, _ = follow((replace(stand, real=(stand.origin.placed.place, face)),), event)
        calls = referee.step(session, told)[1] if told is not None else ()
        alike = (_without_name(made, face), _without_name(calls, face), session.over)
        classes.setdefault(alike, []).append((face, chance))
    return [
        _of_faces(hypothesis, stand, faces, is_only=len(classes) == 1) for faces in classes.values()
    ]


def _of_faces(
    hypothesis: Hypothesis, stand: Stand, faces: list[tuple[str, float]], *, is_only: bool
) -> Hypothesis:
    """The hypothesis where the card is one of `faces`, judged as the likeliest of them."""
    assert stand.origin is not None and stand.real is not None
    chance = sum(share for _, share in faces)
    face = max(faces, key=lambda each: each[1])[0]
    found = _as_face(hypothesis, stand, face, is_one=len(faces) == 1)
    taken = Taken(stand.origin.event, -1, tuple(name for name, _ in faces))
    histories = tuple(replace(h, weight=h.weight * chance) for h in found.histories)
    if not is_only:
        histories = tuple(took(each, taken) for each in histories)
    left = tuple((name, share / chance) for name, share in faces)
    stands = tuple(replace(s, faces=left) if s.origin is not None else s for s in found.stands)
    return replace(found, histories=histories, stands=stands)


def _without_name(calls: Iterable[Call], face: str) -> object:
    """What calls are about, the card's own name left open."""
    return frozenset(
        Counter(
            (key[:3], "" if key[3] == face else key[3], call.seat)
            for call in calls
            for key in (key_of(call),)
        ).items()
    )
