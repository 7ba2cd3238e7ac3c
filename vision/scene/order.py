"""Cards that may have been laid before another one, though they are told after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from vision import geometry
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.scene import SAME_POSE, Scene
from vision.scene.table import Table
from vision.sightings import BACK

LOOKED = 3  # looks that tell whether a card lies there
BEFORE_S = 0.1  # s that a hand came before a card rested, to have laid another one before it
BROUGHT_S = 0.3  # s since that hand went
LONGEST_S = 3.0  # s that it takes to lay a card; a hand that stays holds a fan
DIFFERS = 0.5  # part of its place that differs from the remembered table while a hand has it
HANDED = 0.3  # part of a box that lies over a card of the same hand
RESTED_S = 0.3  # s that a card rests which was laid before another one went
SHAKES_S = 0.5  # s for which a hand shakes a card that it has laid
AWAY_S = 0.05  # s without a hand there, after which one look tells it


def with_unsettled(card: Candidate, scene: Scene, change: Change) -> Candidate:
    """The card, which also waits for those that others hold still since before it was seen.

    A hand that stays on a card shakes its box. The candidate is then reset, with its looks, though
    the card may have been laid long before. A place that has long differed shows that.
    """
    if not scene.layout.in_turn:
        return card
    since = card.since - BEFORE_S
    held = {
        other.number
        for other in scene.candidates.coming
        if other.number < card.number and other.side != card.side
        if other.seen_at >= card.seen_at and may_come(other, scene)
        if geometry.intersection(other.place, card.place) == 0
        if other.looks or -np.inf < change.began(scene.occupancy.area(other.place)) <= since
    }
    return replace(card, waits_for=card.waits_for | held | _out_of_sight(card, scene, change))


def _out_of_sight(card: Candidate, scene: Scene, change: Change) -> set[int]:
    """The numbers of named cards that rested before this one, and that an arm hides, perhaps that
    of the hand which laid both: their places have differed ever since."""
    return {
        other.number
        for other in scene.vanished
        if other.since < card.since - BEFORE_S
        if is_named(other, scene.settings) and may_come(other, scene)
        if geometry.intersection(other.place, card.place) == 0
        if _has_differed(scene.occupancy.area(other.place), change, other.since + BEFORE_S)
    }


def rested_before(card: Candidate, scene: Scene, change: Change) -> list[Candidate]:
    """The candidates elsewhere that have rested no shorter and are not laid yet, but lying cards,
    those that showed nothing in most looks, and what its hand did after it."""
    since = scene.rested_since(card)
    return [
        other
        for other in _beside(card, scene)
        if other.frames >= 2 and scene.rested_since(other) <= since
        if not _is_after(other, card, scene, change)
    ]


def laid_before(card: Candidate, scene: Scene, change: Change) -> list[Candidate]:
    """The candidates elsewhere of the same hand whose place differed before this one's did: that
    hand laid those first, however it hid them since."""
    return [other for other in _beside(card, scene) if _is_after(card, other, scene, change)]


def _is_after(later: Candidate, card: Candidate, scene: Scene, change: Change) -> bool:
    """Whether the hand of a named card came to the place of another candidate later."""
    if later.side is None or later.side != card.side or not is_named(card, scene.settings):
        return False
    began, at = (change.began(scene.occupancy.area(each.place)) for each in (card, later))
    return -np.inf < began < at - BEFORE_S


def brought_before(card: Candidate, scene: Scene, change: Change) -> list[Candidate]:
    """The candidates elsewhere that another hand has still, or has just left, which came before
    the card rested: they may lie there already."""
    since = scene.rested_since(card)
    return [
        other
        for other in _beside(card, scene)
        if other.side not in (None, card.side)
        if _came_before(other, since, scene) or _was_there(other, since, scene, change)
    ]


def _beside(card: Candidate, scene: Scene) -> list[Candidate]:
    return [
        other
        for other in scene.candidates.coming
        if other.number != card.number and other.seen_at >= card.seen_at
        if geometry.intersection(other.place, card.place) == 0
        if not shows_nothing(other, scene) and may_come(other, scene)
    ]


def may_come(card: Candidate, scene: Scene) -> bool:
    """Whether it may be told as a new card, as far as its place and its face tell."""
    is_new = card.fresh and not card.is_double and not scene.is_known(card, SAME_POSE)
    may = is_new and may_land(card, scene) and not means_nothing(card, scene)
    return may and not scene.is_in_fan(card)


def means_nothing(card: Candidate, scene: Scene) -> bool:
    """Whether it lies face down in a game in which nobody turns cards over: wherever it lies, its
    coming is no act."""
    return card.best()[0] == BACK and not scene.layout.turns


def _was_there(other: Candidate, since: float, scene: Scene, change: Change) -> bool:
    """Whether a candidate's place has differed since before another card rested. A hand that rests
    beside the picture's border reaches too little in to count as a visit. While it is there, it may
    hold its cards."""
    if other.number in scene.held.attached and scene.is_near_border(other.place):
        return False
    place = scene.occupancy.area(other.place)
    is_so = _has_differed(place, change, since - BEFORE_S)
    return is_so and change.began(place) >= since - LONGEST_S


def _has_differed(place: Mask, change: Change, since: float) -> bool:
    """Whether most of a place (h, w) has differed since a time (s)."""
    if np.count_nonzero(change.changed[place]) < DIFFERS * np.count_nonzero(place):
        return False
    return change.began(place) <= since


def _came_before(other: Candidate, since: float, scene: Scene) -> bool:
    visit = scene.visits.get(other.side or "")
    if visit is None or scene.at - visit.end > BROUGHT_S:
        return False
    return visit.begin <= since - BEFORE_S


def rests_untold(place: Mask, scene: Scene, change: Change) -> set[int]:
    """The numbers of the candidates that rest, however their boxes shake, are not told yet, and lie
    beside a place (h, w) of the small picture from which a card went."""
    if not scene.layout.in_turn:
        return set()
    return {
        other.number
        for other in scene.candidates.coming
        if other.looks and not shows_nothing(other, scene) and may_come(other, scene)
        if _rests(other, scene) or _was_there(other, scene.at - RESTED_S, scene, change)
        if not place[scene.occupancy.area(other.place)].any()
    }


def _rests(card: Candidate, scene: Scene) -> bool:
    return card.frames >= 2 and scene.at - scene.rested_since(card) >= RESTED_S


def may_land(card: Candidate, scene: Scene) -> bool:
    """Whether most of a card lies in the picture. One without a name, where the picture ends, is
    what shows of a card that does not."""
    if card.looks < LOOKED or is_named(card, scene.settings):
        return scene.is_in_view(card.place)
    return not scene.is_cut_off(card.place)


def shows_nothing(card: Candidate, scene: Scene) -> bool:
    """Whether most looks, or the first ones without a hand, saw no card there."""
    if card.looks >= LOOKED:
        return 2 * card.empty > card.looks
    hand_at = scene.hands.last_at(scene.occupancy.area(card.place))
    return 0 < card.looks == card.empty and hand_at < card.looked_at - AWAY_S


def is_unsettled(card: Candidate, scene: Scene) -> bool:
    """Whether it rested before cards that were told: itself, as it was followed before, or as a box
    of the same hand over it, for a hand that shakes its card is followed as several."""
    numbers = {card.number, *(other.number for other in scene.earlier(card))}
    numbers |= {
        other.number
        for other in (*scene.candidates.coming, *scene.vanished)
        if other.side == card.side is not None
        if geometry.overlap(other.place, card.place) >= HANDED
    }
    return not numbers.isdisjoint(scene.unsettled)


def is_order_open(scene: Scene) -> bool:
    """Whether one of the cards still rests, untold, that may have come before others."""
    return any(
        is_unsettled(card, scene)
        and not scene.is_known(card, SAME_POSE)
        and not shows_nothing(card, scene)
        and may_land(card, scene)
        and not means_nothing(card, scene)
        and not _is_in_hand(card, scene)
        for card in scene.candidates.coming
    )


def _is_in_hand(card: Candidate, scene: Scene) -> bool:
    """Whether it is a card of a fan, or what shows without a name where hands have held one."""
    if scene.is_in_fan(card):
        return True
    place = scene.occupancy.area(card.place)
    return not is_named(card, scene.settings) and scene.was_in_hand(place)


def untold_since(scene: Scene) -> float | None:
    """Since when (s) the first of the new cards rests that is not laid yet. A hand may hide one
    that reached in and is still there, without an act that was told."""
    since = [
        visit.begin
        for visit in scene.visits.values()
        if not visit.is_told and scene.at - visit.end <= BROUGHT_S
        if visit.end - visit.begin <= LONGEST_S
    ]
    since += [scene.rested_since(card) for card in _untold(scene)]
    return min(since, default=None)


def resting_since(scene: Scene) -> float | None:
    """Since when (s) the first of the new cards is seen to rest, apart from hands, that is not laid
    yet."""
    since = [
        scene.rested_since(card)
        for card in _untold(scene)
        if card.frames >= 2 and card.number not in scene.held.attached
    ]
    return min(since, default=None)


def _untold(scene: Scene) -> list[Candidate]:
    """The new cards that may come to lie."""
    return [
        card
        for card in scene.candidates.coming
        if 2 * card.empty <= card.looks and may_come(card, scene)
    ]


def begun_at(scene: Scene, change: Change, before_s: float) -> dict[int, float]:
    """When (s) each of the candidates came at the earliest, by its number: when its place changed,
    at most `before_s` before it rests."""
    found = {}
    for card in scene.candidates.coming:
        began = change.began(scene.occupancy.area(card.place))
        found[card.number] = max(began, scene.rested_since(card) - before_s)
    return found


def acted_since(
    before: Table, after: Table, begun: Mapping[int, float], gone_at: float | None
) -> float | None:
    """When (s) the first of the acts was at the earliest that are told: `begun` of the cards that
    came between two tables, `gone_at` of those that went; None if one of them is not known."""
    came = [card.number for card in after.cards if before.card(card.number) is None]
    known = [begun[number] for number in came if number in begun]
    if len(known) < len(came):
        return None
    return min([*known, *([] if gone_at is None else [gone_at])], default=None)
