"""Claims: the calls of a course of events that are not decided yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from rules.judging.hypothesis import Claims, Hypothesis, Key
from rules.table.call import Call, CallKind
from rules.values import replace

# Kinds of calls that are about one seat: another seat's is another call.
_OF_A_SEAT = (CallKind.WIN, CallKind.NOTICE, CallKind.TIE)


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


def beyond(calls: Iterable[Call], others: Iterable[Call]) -> list[Call]:
    """The calls that are not among the others."""
    left, found = Counter(key_of(call) for call in others), []
    for call in calls:
        key = key_of(call)
        if left[key] > 0:
            left[key] -= 1
        else:
            found.append(call)
    return found


def without_claims(hypothesis: Hypothesis, gone: Mapping[Key, int]) -> Hypothesis:
    """The hypothesis without so many of each claim, the first ones."""
    histories = tuple(
        replace(each, claims=_left(each.claims, gone)) if each.claims else each
        for each in hypothesis.histories
    )
    return replace(hypothesis, histories=histories)


def _left(claims: Claims, gone: Mapping[Key, int]) -> Claims:
    left = {key: calls[gone.get(key, 0) :] for key, calls in claims.items()}
    return {key: calls for key, calls in left.items() if calls}
