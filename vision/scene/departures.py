"""Cards that went: their place looks as before they came, or they cannot be found any more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision import geometry
from vision.frame import Image
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named, shown_of
from vision.scene.difference import differs, is_shadow
from vision.scene.doubts import Doubt
from vision.scene.hand_blobs import Cover
from vision.scene.held import is_touched
from vision.scene.lost_tops import LOST
from vision.scene.occupancy import DRAWN_OUT
from vision.scene.order import rests_untold
from vision.scene.proposals import SCORE
from vision.scene.restacked import cards_below, course_of, lay_like
from vision.scene.scene import FOOTPRINT, Scene
from vision.scene.table import Card
from vision.sightings import UNKNOWN, Located

SURE_GONE = 0.995  # the place looks as before the card came
MINE = 0.6  # part of a card that must be unchanged for what is bared beside it to be its own
REST_S = 0.05  # s that a place must be still to be remembered
FREE_S = 0.5  # s after which a card that no hand touches counts as seen whole
SHOWN = 0.2  # part of a card's look that must be left for its place to be its own
RESTS = 0.95  # part of it that must be: noise moves the rest
BUSY = 0.1  # part of a card under hands
FOUND = 0.5  # IoU of a located box with a card that still lies there
LINES = 0.15  # part of its place whose fine lines differ too
LOOKED = 3  # looks that tell whether a card lies there
AMOUNT = 0.5  # part of a card's place that must differ from what the card showed, to give it up
PUSHED_S = 1.5  # s since a card was pushed, in which it may have come to hide another one
HIDDEN_S = 0.5  # s for which the card that shows where one went may be hidden
COVERED = 0.5  # part of a card's place that looks neither as the card nor as before it came


class Departures:
    """Takes cards from the scene."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._signs: dict[int, float] = {}
        self._free_at: dict[int, float] = {}
        self._waits: dict[int, float] = {}  # since when (s) cards seem to be gone

    def uncover(self, change: Change, cover: Cover, bgr: Image) -> Change:
        """Remembers what a hand uncovers of the cards that it has just laid."""
        scene = self._scene
        self._free_at = {n: at for n, at in self._free_at.items() if n in scene.hidden}
        self._waits = {n: at for n, at in self._waits.items() if scene.table.card(n) is not None}
        for number, laid in tuple(scene.hidden.items()):
            card = scene.table.card(number)
            if card is None or scene.occupancy.over(number) != {number}:
                del scene.hidden[number]
                continue
            laid = scene.hidden[number] = replace(laid, shown=shown_of(laid, bgr))
            if any(_comes_over(other, card) for other in scene.candidates.coming):
                del scene.hidden[number]
                continue
            bared = self._bared(card, laid, change, cover, bgr)
            if bared.any():
                change = scene.background.absorb(change, bared)
        return change

    def _bared(self, card: Card, laid: Candidate, change: Change, cover: Cover, bgr: Image) -> Mask:
        """Where (h, w) a card that was just laid shows itself anew; it may have moved since."""
        scene, number = self._scene, card.number
        place = scene.occupancy.area(card.quad, FOOTPRINT)
        still = change.still_s >= REST_S
        bared = place & change.changed & ~cover.mask & still
        is_free = not is_touched(scene, cover, card.quad)
        since = self._free_at.setdefault(number, change.at) if is_free else change.at
        self._free_at[number] = since
        rests = is_free and float(still[place].mean()) >= RESTS
        if rests or change.at - since >= FREE_S:
            del scene.hidden[number], self._free_at[number]
            alike = scene.pictures.likeness(card, bgr)
            if alike is None or alike >= LOST:  # else another one was laid on it
                scene.pictures.keep(card, bgr)
            bared = place  # changes of fine lines show a little later
        elif is_free:
            bared = place & change.changed
        if laid.shown < (SHOWN if is_free else MINE):
            return np.zeros_like(bared)
        return bared

    def take_gone(self, change: Change, cover: Cover) -> Change:
        """Takes the cards whose place looks as before they came."""
        scene = self._scene
        while taken := scene.occupancy.gone(change, scene.background.rest, cover.mask):
            place = scene.footprint(taken)
            staying = _staying_on(taken, scene)
            laid_at = max((scene.laid_at.get(n, -np.inf) for n in staying), default=-np.inf)
            if staying and scene.hands.last_at(place) <= laid_at:
                break  # laying those on it shifted what shows of it
            lowest = next(card.number for card in scene.table.cards if card.number in taken)
            before = scene.occupancy.before(lowest, scene.background.rest, change)
            below = self._below(taken)
            found = None if below is None else course_of(scene, *below)
            if below is not None and found is not None and found.kind == "laid":
                return lay_like(scene, below[1], below[0].face, found.corners, change)
            if below is not None and found is None and self._waits_for(below[1], change):
                break
            scene.take(taken, SURE_GONE, doubts_of_going(taken, scene, change))
            change = scene.background.absorb(change, place & change.changed & ~cover.mask)
            if before is not None:
                scene.background.put(before, place & cover.mask)
        return change

    def _below(self, taken: frozenset[int]) -> tuple[Card, Card] | None:
        """The card that shows where one seems to be gone, and that one: another card with the face
        of the one below may have been laid on it."""
        top = self._scene.table.card(next(iter(taken)))
        if len(taken) > 1 or top is None or not (below := cards_below(self._scene, top)):
            return None
        return below[-1], top

    def _waits_for(self, card: Card, change: Change) -> bool:
        """Whether it is too early to say that a card went below which no card is recognised yet: a
        hand may hide it."""
        return change.at - self._waits.setdefault(card.number, change.at) < HIDDEN_S

    def give_up(self, change: Change, cover: Cover, located: Located) -> Change:
        """A card on top that changed nearly everywhere, is free and is found no more went.

        With it go the cards below that changed as well: a pile whose place nobody knows bare was
        swept.
        """
        scene, settings = self._scene, self._scene.settings
        for number, since in scene.occupancy.doubts(change).items():
            card = scene.table.card(number)
            if card is None or number in scene.hidden or scene.occupancy.over(number) != {number}:
                continue
            if self._shows_something(card, cover, located):
                self._signs[number] = change.at
            if change.at - max(since, self._signs.get(number, since)) < settings.doubt_s:
                continue
            place = scene.occupancy.visible(number)
            if change.still_s[place].mean() < settings.doubt_s / 2:
                continue
            if not self._is_other(number, change) or self._is_covered(number, change):
                continue
            self._signs.pop(number, None)
            gone = self._gone_with(card, change, cover, located)
            place = scene.footprint(gone) & ~cover.mask
            scene.take(gone, SURE_GONE, frozenset({Doubt.GIVEN_UP}))
            return scene.background.absorb(change, place & change.changed)
        return change

    def _shows_something(self, card: Card, cover: Cover, located: Located) -> bool:
        """Whether a hand or a card is at the card's place."""
        scene = self._scene
        place = scene.occupancy.visible(card.number)
        if place.any() and cover.mask[place].mean() > BUSY:
            return True
        if any(geometry.iou(card.quad, quad) > FOUND for quad in located.quads):
            return True
        return any(
            geometry.intersection(card.quad, other.quad) > 0 and self._may_be_card(other)
            for other in scene.candidates.coming
        )

    def _may_be_card(self, other: Candidate) -> bool:
        """Whether more than the change says that a card comes there."""
        if other.looks < LOOKED or is_named(other, self._scene.settings):
            return True
        return 2 * other.empty <= other.looks and other.score >= 1.01 * SCORE

    def _is_other(self, number: int, change: Change) -> bool:
        """Whether the card's place differs, and not for a shadow alone."""
        place = self._scene.occupancy.visible(number)
        if float(change.changed[place].mean()) < AMOUNT:
            return False
        if float(change.lines[place].mean()) >= LINES:
            return True
        # Where all differs by much, no lines show: a pale card on a dark table has gone.
        rest, level = self._scene.background.rest, self._scene.settings.changed_level
        return not is_shadow(change.low[place], rest[place], level)

    def _is_covered(self, number: int, change: Change) -> bool:
        """Whether something lies on the card: its place does not look as it did before the card
        came. Where the table below is not known, all may have gone."""
        scene = self._scene
        card = scene.table.card(number)
        if card is None or not all(
            scene.occupancy.was_seen_bare(other.number)
            for other in scene.table.cards
            if geometry.intersection(other.quad, card.quad) > 0
        ):
            return False
        before = scene.occupancy.before(number, scene.background.rest, change)
        if before is None:
            return False
        place = scene.occupancy.visible(number)
        apart = differs(change.low, before, scene.settings.changed_level, change.noise)
        return float(apart[place].mean()) > COVERED

    def _gone_with(
        self, top: Card, change: Change, cover: Cover, located: Located
    ) -> frozenset[int]:
        """The card on top, and those below it that are found no more either."""
        occupancy = self._scene.occupancy
        doubts, gone = occupancy.doubts(change), {top.number}
        for card in reversed(self._scene.table.cards):
            is_elsewhere = None not in (card.place, top.place) and card.place != top.place
            if is_elsewhere or card.number in gone:
                continue
            over = occupancy.above(card.number)
            is_covered = not occupancy.visible(card.number).any()
            if not over or not over <= gone:
                continue
            if self._shows_something(card, cover, located):
                continue
            if is_covered or (card.number in doubts and self._is_other(card.number, change)):
                gone.add(card.number)
        return frozenset(gone)


def _comes_over(other: Candidate, card: Card) -> bool:
    """Whether another card is being laid on this one."""
    face = other.best()[0]
    return face not in (UNKNOWN, card.face) and geometry.intersection(other.place, card.quad) > 0


def doubts_of_going(taken: frozenset[int], scene: Scene, change: Change) -> frozenset[Doubt]:
    """Why these cards may not have gone, or not now. Piles are squared up more often than a card is
    drawn out of one."""
    doubts = set()
    if untold := rests_untold(scene.footprint(taken), scene, change):
        scene.unsettled |= untold
        scene.is_postponed = True
        doubts.add(Doubt.ORDER)
    shown = max(scene.occupancy.exposed(number) for number in taken)
    staying = _staying_on(taken, scene)
    pushed_at = max((_pushed_at(number, scene) for number in staying), default=-np.inf)
    if staying and (shown < DRAWN_OUT or scene.at - pushed_at <= PUSHED_S):
        doubts.add(Doubt.SQUARED)
    return frozenset(doubts)


def _staying_on(taken: frozenset[int], scene: Scene) -> frozenset[int]:
    """The cards that lie on these, and stay."""
    return frozenset(n for number in taken for n in scene.occupancy.over(number)) - taken


def _pushed_at(number: int, scene: Scene) -> float:
    """When (s) a card was pushed last, or laid if that may have been a push."""
    pushed_at, act = scene.pushed_at.get(number, -np.inf), scene.acts.get(number)
    if act is not None and act.doubts & {Doubt.TWIN, Doubt.SAME_FACE}:
        return max(pushed_at, scene.laid_at.get(number, -np.inf))
    return pushed_at
