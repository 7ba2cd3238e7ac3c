"""Lays a candidate that has come to rest: what it means, where it lies, how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rules.table.event import Placed, Way
from vision import geometry
from vision.geometry import Quad
from vision.recent import RecentFrames
from vision.scene.background import Change, changed_but_for_a_nudge
from vision.scene.before import Before
from vision.scene.candidates import Candidate, is_named
from vision.scene.coming_doubts import doubts_of
from vision.scene.covered import Covered
from vision.scene.difference import distance_beyond
from vision.scene.doubts import Act, Doubt
from vision.scene.hand_blobs import Cover
from vision.scene.interpretation import EXACT, Landing, meaning
from vision.scene.known_again import as_it_lay, bared
from vision.scene.layout import turned_as, turned_to
from vision.scene.lone import BROUGHT_S, take_elsewhere
from vision.scene.renaming import rename
from vision.scene.restacked import course_of
from vision.scene.rested import DIFFERENT
from vision.scene.scene import FOOTPRINT, SAME_PLACE, Scene
from vision.scene.seen_again import coming_over, is_hidden_elsewhere
from vision.scene.table import Card, corners_of
from vision.sightings import UNKNOWN

LAID_S = 0.8  # s before a card is seen to rest, at most, in which it was laid
TWICE = 0.1  # how likely a push that hides its old place was a second card of that face
WHOLE = 0.95  # part of a card's print that shows, from which its picture is kept at once
LOOKS_NEW = 0.4  # part of a card's place that differs from before the cards on it came


class Landings:
    """Turns candidates at rest into cards on the table."""

    def __init__(self, scene: Scene, recent: RecentFrames) -> None:
        self._scene = scene
        self._covered = Covered(scene, recent)
        # Candidates by number that lie on covered cards; whether pictures show all of these.
        self._upon: dict[int, bool] = {}
        self._first: dict[int, Quad] = {}  # where candidates of the first pictures lay, by number

    def forget(self, lost: Sequence[Candidate], coming: Sequence[Candidate]) -> None:
        """Candidates that were followed no more: those that had come to rest are remembered. Of
        those that are `coming`, where the ones of the first pictures lay."""
        self._covered.forget(lost, coming)
        for card in coming:
            if self._scene.is_first(card) and not card.fresh:
                self._first.setdefault(card.number, card.quad)
        numbers = {card.number for card in coming}
        self._first = {number: quad for number, quad in self._first.items() if number in numbers}

    def recall(self, card: Candidate | None) -> None:
        """A candidate that rested and got its name afterwards."""
        self._covered.recall(card)

    def lay_rows(self, change: Change) -> None:
        """A hand lays a row, each card partly on the last one, and goes at the end: a card is laid
        once the next one of that hand rests on it. So no row is taken for a fan."""
        for card in self._covered.tops():
            self._lay_below(card, card.best()[0], self._covered.row(card), change)

    def lay(self, card: Candidate, change: Change, cover: Cover) -> Change:
        """The candidate is a card on the table now; the change without it."""
        scene = self._scene
        face = card.best()[0] if is_named(card, scene.settings) else UNKNOWN
        card = replace(card, side=self._side(card))
        self._lay_covered(card, face, change)
        are_shown = self._upon.pop(card.number, None)
        quad, occupancy = card.place, scene.occupancy
        landing = self._meaning(card, face, change, are_shown is not None)
        footprint = occupancy.area(quad, FOOTPRINT)
        if landing.kind == "revealed":
            footprint |= scene.footprint(landing.taken)
            if landing.is_exact:
                scene.take(landing.taken, card.certainty())
            else:
                scene.take(landing.taken, 1.0, frozenset({Doubt.REVEALED}))
            if landing.is_pushed and landing.number is not None:
                footprint |= self._push(landing, card)
        elif landing.kind == "seen":
            # The part of a covered card that shows; its remembered pose is the better one.
            footprint &= ~coming_over(card, scene)
        elif landing.kind == "known":
            footprint |= self._push(landing, card)
            footprint &= ~coming_over(card, scene)
        elif landing.kind == "bared":
            self._bare(landing, card)
        else:
            change = take_elsewhere(card, face, change, cover, scene)
            self._place(card, face, landing, change, are_shown is False)
            # A hand may lie on it that looks like the card: it is remembered again when it is away.
            scene.hidden[card.number] = card
            lying = scene.table.card(card.number)
            if lying is not None and min(card.shown, card.showing()) >= WHOLE:
                scene.pictures.keep(lying, scene.bgr)
        scene.rested.forget(footprint)
        # All of it: changes of fine lines show a little later.
        return scene.background.absorb(change, footprint & (change.changed | ~cover.mask))

    def _side(self, card: Candidate) -> str | None:
        """The side of the hand that brought a card: one that hid it later, or passed over one that
        lay there from the first picture on, has not."""
        first = self._first.get(card.number)
        if first is not None and geometry.iou(first, card.place) >= SAME_PLACE:
            return None
        earlier = [other.side for other in self._scene.earlier(card) if other.side]
        return earlier[-1] if earlier else card.side

    def _meaning(self, card: Candidate, face: str, change: Change, has_covered: bool) -> Landing:
        """What came to rest; a new card where it lies on one that came just before it."""
        if has_covered:
            return Landing("new")
        scene, occupancy, quad = self._scene, self._scene.occupancy, card.place
        landing = meaning(
            quad, face, occupancy, occupancy.doubts(change), change, scene.layout,
            lambda place: self._shows_other(place, change),
            lambda other: self._still_shows(other, quad, change),
            lambda other: is_hidden_elsewhere(other, card, scene),
        )  # fmt: skip
        if landing.kind == "revealed" and not landing.is_exact:
            landing = self._compared(landing, quad, change)
        if landing.kind == "bared" and self._was_just_taken(face):  # it is laid back
            landing = Landing("new")
        if landing.kind == "new":
            return bared(scene, quad, face) or as_it_lay(scene, quad, face) or landing
        return self._weighed(landing) if landing.kind == "known" else landing

    def _was_just_taken(self, face: str) -> bool:
        since = self._scene.at - BROUGHT_S
        return any(gone.card.face == face and gone.at >= since for gone in self._scene.taken)

    def _compared(self, landing: Landing, quad: geometry.Quad, change: Change) -> Landing:
        """The landing on a card that seems to be bared, if its place looks as before the cards on
        it came. Else it is seen beside what else came, or a like card was laid on those."""
        scene = self._scene
        lowest = next(card.number for card in scene.table.cards if card.number in landing.taken)
        before = scene.occupancy.before(lowest, scene.background.rest, change)
        if before is None:
            return landing
        # Lines do not decide: a card's print that lies half a pixel aside differs by its lines.
        apart = distance_beyond(change.low, before)[scene.occupancy.area(quad, 0.95)]
        if float((apart > scene.settings.changed_level).mean()) < LOOKS_NEW:
            return landing
        old = scene.table.card(landing.number or 0)
        is_exact = old is not None and geometry.iou(quad, old.quad) >= EXACT
        return Landing("known", landing.number) if is_exact else Landing("new")

    def _still_shows(self, other: Card, quad: geometry.Quad, change: Change) -> bool:
        """Whether a card of the same face shows beside the quad, which may be that card, located
        badly under a hand: its own picture tells that."""
        scene = self._scene
        if not scene.still_shows(other, quad, change):
            return False
        is_on_top = scene.occupancy.over(other.number) == {other.number}
        found = course_of(scene, other) if is_on_top else None
        return found is None or found.kind not in ("still", "nudged")

    def _shows_other(self, place: geometry.Mask, change: Change) -> bool:
        scene = self._scene
        level = scene.settings.changed_level
        count = changed_but_for_a_nudge(change, scene.background.rest, place, level)
        return bool(count >= DIFFERENT * np.count_nonzero(place))

    def _weighed(self, landing: Landing) -> Landing:
        """The landing on a known card, by what its picture says: it was pushed, or a like one was
        laid on it."""
        scene = self._scene
        assert landing.number is not None
        old = scene.table.card(landing.number)
        if old is None or scene.occupancy.over(old.number) != {old.number}:
            return landing
        found = course_of(scene, old)
        if found is None or found.kind not in ("laid", "nudged"):
            return landing
        if found.kind == "laid":
            return Landing("new", is_told=False)
        return replace(landing, is_told=True)

    def _push(self, landing: Landing, card: Candidate) -> geometry.Mask:
        """A known card lies where it was seen now; returns where it lay."""
        scene = self._scene
        assert landing.number is not None
        old = scene.table.card(landing.number)
        assert old is not None
        place = scene.footprint({old.number})
        scene.push(old, corners_of(card.place))
        if not landing.is_told and old.place and card.side and card.fresh:
            seat = scene.seat(card.side)
            second = Placed(scene.at, old.face, old.place, seat)
            scene.suspected.append(Way(TWICE, (second,)))
        return place

    def _bare(self, landing: Landing, card: Candidate) -> None:
        """The card that lay on this one went; nobody has laid this one."""
        scene = self._scene
        assert landing.number is not None
        old = scene.table.card(landing.number)
        assert old is not None
        scene.take(frozenset({old.number}), card.certainty())
        face, place = card.best()[0], old.place
        new = Card(card.number, face, place, corners_of(card.place))
        scene.lay(new, None, scene.table.born, Act(None, card.certainty()), card.certainty())
        scene.hidden[card.number] = card

    def _place(
        self, card: Candidate, face: str, landing: Landing, change: Change,
        hides_unseen: bool = False,
    ) -> None:  # fmt: skip
        """Lays the card. `hides_unseen`: on one that is remembered in no picture of the table."""
        scene = self._scene
        other = scene.table.card(landing.number or 0) if landing.kind == "turned" else None
        quad = turned_as(card.place, other.quad) if other else turned_to(card.place, card.side)
        seat = scene.seat(card.side)
        sure = card.certainty() if face != UNKNOWN else 1.0
        doubts = doubts_of(card, face, quad, change, scene)
        if not landing.is_told:
            doubts |= {Doubt.SAME_FACE}
        rivals = scene.rivals(scene.occupancy.area(quad), card.since, seat, card.side)
        came_at = scene.rested_since(card) - LAID_S
        before = None if hides_unseen else self._before(card, quad, change)
        if landing.kind == "turned":
            assert landing.number is not None
            scene.acts[landing.number] = Act(seat, sure, 1.0, doubts, rivals)
            before = scene.occupancy.under(landing.number) or before  # without its other face
            scene.occupancy.take(frozenset({landing.number}))
        spot = scene.layout.spot(
            quad, scene.table, scene.size,
            face=face, side=card.side, came_from=scene.came_from(face),
        )  # fmt: skip
        if Doubt.WHOSE in doubts:
            seat, rivals, doubts = _by_owner(scene.layout.owner(spot.place), seat, rivals, doubts)
        rename(scene, spot)
        born = max(spot.born, scene.table.born)
        if spot.place is not None and face != UNKNOWN:  # else it may be a thing
            side = None if doubts & {Doubt.WHOSE, Doubt.OWNERS} else card.side
            scene.layout.laid(spot.place, card.number, quad, side)
        new = Card(card.number, face, spot.place, corners_of(quad), spot.on)
        scene.lay(
            new,
            before,
            born,
            Act(seat, sure, spot.sure, doubts, rivals, spot.other, card.number, came_at),
            card.certainty(),
        )

    def _before(self, card: Candidate, quad: geometry.Quad, change: Change) -> Before | None:
        """What the picture was before the card came, as far as it is known."""
        scene, rest = self._scene, self._scene.background.rest
        if not card.fresh:
            return scene.occupancy.bare(quad, rest, change.light)
        if scene.background.was_seen(scene.occupancy.area(quad)):
            return Before(rest, change.light)
        return scene.occupancy.early(quad, rest, change.light)

    def _lay_covered(self, card: Candidate, face: str, change: Change) -> None:
        """Lays the candidates that rested where this one lies now. A lying card that is seen again
        covers nothing: what was over it was held there, and is gone."""
        if not self._scene.is_known(card):
            self._lay_below(card, face, list(self._scene.vanished), change)

    def _lay_below(
        self, card: Candidate, face: str, vanished: Sequence[Candidate], change: Change
    ) -> None:
        """Lays those of the vanished candidates on which `card` lies."""
        scene = self._scene
        for other in vanished:
            if not self._covered.lies_below(other, card, face):
                continue
            self._covered.laid(other.number)
            self._lay_below(other, other.best()[0], self._covered.row(other), change)
            under, are_shown = replace(other, fresh=True), self._upon.pop(other.number, None)
            self._place(under, other.best()[0], Landing("new"), change, are_shown is False)
            act = scene.acts[under.number]
            scene.acts[under.number] = replace(act, doubts=act.doubts | {Doubt.COVERED})
            is_shown = self._covered.remember(other)
            self._upon[card.number] = is_shown and self._upon.get(card.number, True)


def _by_owner(
    owner: int | None, seat: int | None, rivals: tuple[int, ...], doubts: frozenset[Doubt]
) -> tuple[int | None, tuple[int, ...], frozenset[Doubt]]:
    """Who laid a card, who else may have, and what is in doubt: the seat that owns the place, if it
    is one of them."""
    known = [each for each in (seat, *rivals) if each is not None]
    if owner not in known:
        return seat, rivals, doubts
    others = tuple(each for each in known if each != owner)
    return owner, others, doubts - {Doubt.WHOSE} | {Doubt.OWNERS}
