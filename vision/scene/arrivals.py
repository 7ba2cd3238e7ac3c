"""Cards that come: which boxes are followed and named, and when a card counts as laid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision import geometry
from vision.frame import Frame
from vision.geometry import Mask
from vision.recent import RecentFrames
from vision.scene import seen_again
from vision.scene.background import Change
from vision.scene.brought import Bringers
from vision.scene.candidates import Candidate, is_named
from vision.scene.dull_places import DullPlaces
from vision.scene.followed import FAINT, came, followed
from vision.scene.hand_blobs import Cover
from vision.scene.held import Holding, is_touched
from vision.scene.landing import Landings
from vision.scene.lifts import is_carried
from vision.scene.look_back import LookBack
from vision.scene.looks import looked_at, marked, priority
from vision.scene.order import laid_before, rested_before, with_unsettled
from vision.scene.proposals import SCORE
from vision.scene.scene import Scene
from vision.scene.searches import Searches
from vision.scene.seen_again import is_known_near, is_seen_below, like, may_be_seen_again
from vision.scene.tracks import Name
from vision.sightings import Located

UNDER_S = 0.12  # s between looks at a card under a hand
IN_HAND_S = 0.13  # s that a card near the picture's border must rest for a look
FINGER_S = 0.25  # s between looks at a card on which a finger lies
LOOKS = 8  # looks in a row; later ones come every `again_s`
UNCHANGED = 0.05  # the same for a card of another name: that was misread,
EXPLAINED_BY = 0.3  # part of a candidate on lying cards that may be those
ON_CARDS = 0.6  # where so much of it lies on lying cards
EXPLAINED = 0.1  # part of a lying card's place that differs, below which it looks as remembered
SURE = 0.985  # certainty of a name that needs no further look: it may make a mistake
ORDER_S = 0.4  # s that a card waits for one that rested before it
AT_FIRST = 4  # times as many cards of the first pictures are named in a frame: nobody plays yet
WAIT_S = 0.25  # s after which a card lands with the name that it has


class Arrivals:
    """Follows candidates until they land."""

    def __init__(self, scene: Scene, recent: RecentFrames) -> None:
        self._scene = scene
        self._look_back = LookBack(scene, recent)
        self._landings = Landings(scene, recent)
        self._dull = DullPlaces(scene.settings)
        self._holding = Holding(scene)
        self._bringers = Bringers(scene)
        self._searches = Searches()
        self._due: dict[int, Candidate] = {}  # ready; they wait for others

    def resting(self, frame: Frame) -> Mask:
        """Where a candidate already lies, in the low picture: that is no hand."""
        scene = self._scene
        resting = scene.footprint(scene.hidden)
        for card in scene.candidates.coming:
            if card.number in scene.held.fanned:
                continue  # a part of the hand
            is_seen = card.patch is None or card.shown >= scene.settings.stays
            rested_s = frame.at - card.since
            if card.frames >= 2 and is_seen and rested_s >= scene.settings.settle_s / 2:
                resting |= scene.occupancy.area(card.quad, 1.05)
                if card.upright is not None:  # a box is often a little off
                    resting |= scene.occupancy.area(card.upright, 1.05)
        return resting

    def follow(self, change: Change, cover: Cover, boxes: Located, frame: Frame) -> None:
        """Follows the boxes that are no card known to lie there."""
        scene, at = self._scene, frame.at
        quads, scores = boxes.quads, boxes.scores
        fresh = came(change, cover, quads, scene)
        chosen = followed(quads, fresh, scene)
        seen = scene.candidates.see(quads[chosen], scores[chosen], fresh[chosen], at, frame.bgr)
        cards = self._bringers.see(seen, change)
        self._landings.forget(scene.candidates.lost, cards)
        self._look_back.lose(scene.candidates.lost)
        scene.candidates.keep(marked(cards, scene))
        self._holding.see(scene.candidates.coming, change, cover)

    def name(self, change: Change, cover: Cover, frame: Frame, name: Name) -> bool:
        """Looks at the candidates that hardly move, under a hand too; few in one frame. Returns
        whether one of them was searched for, which is costly."""
        scene, at = self._scene, frame.at
        coming = list(scene.candidates.coming)
        wanted = [k for k, card in enumerate(coming) if self._needs_look(card, cover, at)]
        asked: list[int] = []
        for k in sorted(wanted, key=lambda k: priority(coming[k])):
            is_bare = self._is_laid_bare(coming[k], cover, at)
            spared = None if is_bare else self._dull.spared(coming[k], frame.bgr, at)
            if spared is not None:
                coming[k] = spared
            elif self._is_due(coming[k], at) and self._holding.may_look(coming[k], at):
                asked += [k] if len(asked) < self._most(coming[k]) else []
        self._landings.recall(self._look_back.look(at, name))
        if not asked:
            scene.candidates.keep(tuple(coming))
            return False
        wide = [self._may_search(coming[k], cover, at) for k in asked]
        looked = [
            looked_at(coming[k], frame.bgr, name, scene, quick=not may)
            for k, may in zip(asked, wide, strict=True)
        ]
        self._holding.looked(looked, change, cover)
        searched = (card for card, may in zip(looked, wide, strict=True) if may)
        said = (card for card in searched if self._is_seen(card, cover))
        self._searches.searched(((card, not self._is_free(card, cover)) for card in said), at)
        for k, card in zip(asked, looked, strict=True):
            self._dull.looked(coming[k], card, frame.bgr, at)
            coming[k] = card
        scene.candidates.keep(marked(coming, scene))
        return any(wide)

    def _most(self, card: Candidate) -> int:
        """How many cards are named in a frame at most."""
        is_early = self._scene.is_first(card) and not self._scene.layout.is_playing()
        return self._scene.settings.names_at_once * (AT_FIRST if is_early else 1)

    def _is_due(self, card: Candidate, at: float) -> bool:
        """Whether a look may help: at a box that came with no change, in no hand, only a search."""
        return card.fresh or self._in_hand(card) or self._searches.is_due(card, at)

    def _may_search(self, card: Candidate, cover: Cover, at: float) -> bool:
        """Whether a costly search may help: not in a moving hand, a fan, nor after one in vain."""
        if card.frames < 2 and is_touched(self._scene, cover, card.quad):
            return False
        is_free = self._is_free(card, cover)
        is_due = self._is_laid_bare(card, cover, at) or self._searches.is_due(card, at, is_free)
        return is_due and card.number not in self._scene.held.fanned

    def _is_laid_bare(self, card: Candidate, cover: Cover, at: float) -> bool:
        """Whether the hand that brought it has just gone: looks before then say little."""
        is_first = card.fresh and self._searches.is_first_at_rest(card, at)
        is_free = is_first and self._is_free(card, cover)
        return is_free and not self._scene.is_near_border(card.place)

    def _is_free(self, card: Candidate, cover: Cover) -> bool:
        """Whether no hand holds or touches it."""
        return not self._in_hand(card) and not is_touched(self._scene, cover, card.quad)

    def _is_seen(self, card: Candidate, cover: Cover) -> bool:
        """Whether a search in vain says something: a hand that holds the card stays on it, and
        near the picture's border people hold their cards."""
        is_held = self._in_hand(card) or self._scene.is_near_border(card.place)
        return is_held or not is_touched(self._scene, cover, card.quad)

    def _in_hand(self, card: Candidate) -> bool:
        return card.number in self._scene.held.attached

    def _needs_look(self, card: Candidate, cover: Cover, at: float) -> bool:
        settings = self._scene.settings
        if card.seen_at != at or card.is_double or not card.is_slow:
            return False
        if not self._scene.is_in_view(card.quad):
            return False  # it does not land
        if at - card.since < IN_HAND_S and self._scene.is_near_border(card.place):
            return False  # people hold and move their cards there
        since = at - card.looked_at
        if self._holding.is_fingered(card):
            is_free = not is_touched(self._scene, cover, card.quad)
            return since >= (UNDER_S if is_free else FINGER_S)
        if is_named(card, settings) and card.certainty() >= SURE:
            return False
        if card.looks and since < UNDER_S and is_touched(self._scene, cover, card.quad):
            return False
        return card.looks < LOOKS or since >= settings.again_s

    def land(self, change: Change, cover: Cover, frame: Frame) -> Change:
        """Lays the candidates that have come to rest and that no hand holds, in that order. One
        that waits only for others lands at once when the next hand comes to it."""
        self._landings.lay_rows(change)
        kept: dict[int, Candidate] = {}
        scene, due = self._scene, self._due
        coming = scene.candidates.coming
        for card in sorted(coming, key=scene.rested_since):
            is_at_hand = self._in_hand(card) or is_touched(self._scene, cover, card.place)
            is_due = card.number in due and is_at_hand
            if self._is_explained(card, change, cover):
                scene.explained |= {card.number}
            elif not is_due and not self._is_ready(card, change, cover, frame.at):
                kept[card.number] = card
            elif not is_due and (first := self._laid_first(card, change)):
                card = replace(card, waits_for=card.waits_for | first, in_hand=is_at_hand)
                kept[card.number] = due[card.number] = card
            elif self._is_still_new(card, change):
                laid = due[card.number] if is_due else replace(card, in_hand=is_at_hand)
                change = self._landings.lay(with_unsettled(laid, scene, change), change, cover)
            elif scene.is_known(card):  # else it comes again in each frame
                scene.explained |= {card.number}
                place = scene.occupancy.area(card.quad, 1.1)
                change = scene.background.absorb(change, place & change.changed)
        scene.candidates.keep(tuple(kept[c.number] for c in coming if c.number in kept))
        self._due = {number: card for number, card in due.items() if number in kept}
        return change

    def _is_ready(self, card: Candidate, change: Change, cover: Cover, at: float) -> bool:
        settings, lain_s = self._scene.settings, self._lain_s(card, change)
        is_starting = self._scene.is_first(card)
        needed_s = settings.settle_s if card.fresh or is_starting else settings.late_s
        named, is_seen_again = is_named(card, settings), may_be_seen_again(card, self._scene)
        may_be_known = is_seen_again or (self._scene.is_known_place(card.place) and not named)
        if card.is_double or (may_be_known and self._shows_beside(card)):
            return False
        if not self._scene.is_in_view(card.place):
            return False
        alike = like(card, self._scene)
        places = [card.place, *(other.quad for other in alike)] if is_seen_again or alike else []
        if any(is_touched(self._scene, cover, place) for place in places):
            return False  # what changed may be the hand, not the card
        needed_s = max(needed_s, settings.revealed_s) if is_seen_again else needed_s
        if lain_s < needed_s - 1e-6 or card.seen_at < at:
            return False
        if not named and (at - card.since < settings.unknown_s or card.looks < 3):
            return False
        if not named and (2 * card.empty > card.looks or card.score < 1.01 * SCORE):
            return False  # no card lies there, or nobody but the change says so
        if not named and not is_starting and not self._shows_something(card, change):
            return False  # nothing changed there that another card does not explain
        if named and card.certainty() < SURE and lain_s < WAIT_S:
            return False
        return not (self._holding.holds(card, cover, at) or is_carried(card, cover, self._scene))

    def _laid_first(self, card: Candidate, change: Change) -> frozenset[int]:
        """The candidates for which it has to wait, because they rested before it."""
        scene = self._scene
        if not scene.layout.in_turn or change.at - card.since >= ORDER_S:
            return frozenset()
        first = (*rested_before(card, scene, change), *laid_before(card, scene, change))
        return frozenset(other.number for other in first)

    def _lain_s(self, card: Candidate, change: Change) -> float:
        """For how long the card has lain: as it was followed, or as its pixels say."""
        still_s = np.sort(change.still_s[self._scene.occupancy.area(card.place, 0.9)])
        by_pixels = float(still_s[len(still_s) // 4]) if card.fresh and len(still_s) else 0.0
        return max(change.at - card.since, by_pixels)

    def _shows_beside(self, card: Candidate) -> bool:
        """Whether another card, at a place where none was, is just being laid on this one."""
        return any(
            other.number != card.number
            and not other.is_double
            and (other.looks < 3 or is_named(other, self._scene.settings))
            and geometry.intersection(card.quad, other.quad) > 0
            and not self._scene.is_known_place(other.quad)
            for other in self._scene.candidates.coming
        )

    def _is_explained(self, card: Candidate, change: Change, cover: Cover) -> bool:
        """Whether it is a lying card that looks as it is remembered, or still lies below others."""
        if not self._scene.is_known(card):  # perhaps one that was misread under a hand
            is_below = not card.fresh and self._scene.is_first(card)  # from the start
            is_free = not is_below and not is_touched(self._scene, cover, card.place)
            is_other = is_free and self._on_cards(card) >= ON_CARDS
            is_other = is_other and is_named(card, self._scene.settings)
            return is_other and self._changed(card, change) < UNCHANGED
        return self._changed(card, change) < EXPLAINED or is_seen_below(card, self._scene)

    def _is_still_new(self, card: Candidate, change: Change) -> bool:
        """Another card that landed in this frame may have explained it."""
        scene = self._scene
        if (card.fresh or scene.is_first(card)) and not is_known_near(card, self._scene):
            return True
        is_other = card.fresh and seen_again.is_another(card, scene)
        least = FAINT if is_other else scene.settings.fresh
        return self._on_cards(card) < EXPLAINED_BY or self._changed(card, change) >= least

    def _on_cards(self, card: Candidate) -> float:
        """The part of its place on which cards lie."""
        place = self._scene.occupancy.area(card.place, 0.95)
        return float((self._scene.occupancy.owner[place] > 0).mean())

    def _shows_something(self, card: Candidate, change: Change) -> bool:
        """Whether its place differs from the remembered table and has long been still."""
        settings = self._scene.settings
        still_s = change.still_s[self._scene.occupancy.area(card.place, 0.95)]
        is_still = bool(still_s.size) and float(np.median(still_s)) >= settings.unknown_s / 2
        return is_still and self._changed(card, change) >= settings.fresh

    def _changed(self, card: Candidate, change: Change) -> float:
        """The part of its place that differs from the remembered table."""
        place = change.changed[self._scene.occupancy.area(card.place, 0.95)]
        return float(place.mean()) if place.size else 0.0
