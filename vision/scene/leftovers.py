"""Changes that no located card explains: boxes are proposed there; in the end a card is unknown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from vision import geometry
from vision.frame import Frame
from vision.geometry import Quad
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.doubts import Act, Doubt
from vision.scene.hand_blobs import Cover
from vision.scene.looks import looked_at, wait_s
from vision.scene.proposals import SCORE, proposed
from vision.scene.renaming import rename
from vision.scene.rested import RestedChange
from vision.scene.scene import Scene
from vision.scene.table import Card, corners_of
from vision.scene.tracks import Name
from vision.sightings import UNKNOWN, Located

LOOKS = 4  # looks at an unknown card; from then on each doubles the time to the next
OPEN = 0.7  # part of an unknown card that must show for another look
HIDDEN = 0.5  # part of a candidate's picture that shows, below which something lies on it


class Leftovers:
    """Explains what the other stages leave."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._again: dict[int, Candidate] = {}

    def boxes(self, change: Change, cover: Cover, located: Located) -> Located:
        """The located boxes, and one for each region that changed where none was located."""
        scene = self._scene
        good = located.scores >= scene.settings.score
        quads, scores = located.quads[good], located.scores[good]
        free = ~cover.mask & ~scene.footprint(scene.hidden)
        for quad in quads:
            free &= ~scene.occupancy.area(quad, 1.1)
        for card in scene.candidates.coming:
            if is_named(card, scene.settings):
                free &= ~scene.occupancy.area(card.place, 1.1)
        more = proposed(change, free, scene.table, scene.scale)
        if not len(more):
            return Located(quads, scores)
        return Located(
            np.concatenate([quads, more]),
            np.concatenate([scores, np.full(len(more), SCORE, np.float32)]),
        )

    def name_unknown(self, change: Change, cover: Cover, frame: Frame, name: Name) -> None:
        """Looks at an unknown card now and then, one in a frame; once it is named, that is a turn
        of the card."""
        scene = self._scene
        card = self._due(change, cover, frame.at)
        if card is None:
            return
        held = looked_at(self._again[card.number], frame.bgr, name, scene)
        held = self._again[card.number] = replace(held, seen_at=frame.at)
        if not is_named(held, scene.settings):
            return
        self._again.pop(card.number)
        corners = card.corners if held.upright is None else corners_of(held.upright)
        pushed = self._pushed(held, change, frozenset({card.number}))
        if pushed is not None:
            scene.take(frozenset({card.number}), held.certainty())
            scene.push(pushed, corners)
            return
        number = scene.candidates.number()
        new = replace(card, number=number, face=held.best()[0], corners=corners)
        new = self._placed(new)
        act = scene.acts.get(card.number, Act())
        why = act.doubts - {Doubt.NO_NAME} | {Doubt.LATE}
        scene.acts[number] = replace(act, sure=held.certainty(), doubts=why)
        scene.names[number] = held.certainty()
        scene.occupancy.change(card.number, new)

    def _due(self, change: Change, cover: Cover, at: float) -> Card | None:
        """The first unknown card to look at, at time `at` (s)."""
        scene = self._scene
        doubts = scene.occupancy.doubts(change)
        for card in scene.table.cards:
            if card.face != UNKNOWN or card.number in doubts:
                continue
            held = self._again.get(card.number)
            if held is not None:
                if at - held.seen_at < wait_s(held.looks, LOOKS, scene.settings.again_s):
                    continue
                if self._is_open(card, cover):
                    return card
            # Looks are counted from here on.
            again = Candidate(card.number, card.quad, card.quad, at, at, 1.0)
            self._again[card.number] = again
        return None

    def _pushed(
        self, named: Candidate, change: Change, upon: frozenset[int] = frozenset()
    ) -> Card | None:
        """The lying card that was pushed where it is seen now; only the cards `upon` lie on it."""
        scene, quad = self._scene, named.place
        for old in scene.table.cards:
            if old.face != named.best()[0] or geometry.intersection(old.quad, quad) == 0:
                continue
            if scene.occupancy.above(old.number) <= upon:
                return None if scene.still_shows(old, quad, change) else old
        return None

    def _placed(self, card: Card) -> Card:
        """The card that has a name now, at its place; as long as it had none it had no place."""
        scene = self._scene
        if card.place is not None:
            scene.layout.laid(card.place, card.number, card.quad)
            return card
        spot = scene.layout.spot(card.quad, scene.table, scene.size, face=card.face)
        rename(scene, spot)
        if spot.place is not None:
            scene.layout.laid(spot.place, card.number, card.quad)
        return replace(card, place=spot.place, on=spot.on)

    def _is_open(self, card: Card, cover: Cover) -> bool:
        occupancy = self._scene.occupancy
        is_free = not cover.mask[occupancy.area(card.quad)].any()
        return is_free and occupancy.exposed(card.number) >= OPEN

    def explain(self, change: Change, cover: Cover, frame: Frame, name: Name) -> Change:
        """A change that lies for long becomes the table; on lying cards it is one of these, pushed,
        or an unknown card."""
        scene = self._scene
        still = change.changed & ~cover.mask
        if still.any():
            for card in scene.candidates.coming:
                if self._explains(card):
                    still &= ~scene.occupancy.area(card.quad, 1.1)
        since_s = np.minimum(change.still_s, change.changed_s)
        old = still & (since_s >= scene.settings.absorb_s)
        # A card comes to rest bit by bit: it is judged as a whole.
        found = scene.rested.see(
            change, still, scene.occupancy, scene.background.rest, scene.last_there
        )
        for rested in found:
            if rested.is_bare:
                old |= rested.where
                continue
            if rested.rests_s < scene.settings.absorb_s:
                old &= ~rested.where
                continue
            old |= rested.where
            below = self._below(rested)
            if below is not None:
                quad = rested.quad_like(below.quad, scene.scale)
                if not self._shows_pushed(quad, change, frame, name):
                    scene.lay_unknown(rested, below)
            else:  # perhaps a card, perhaps a cup: the next card laid on it will tell
                scene.rested.absorb(rested, scene.background.rest)
        return scene.background.absorb(change, old) if old.any() else change

    def _shows_pushed(self, quad: Quad, change: Change, frame: Frame, name: Name) -> bool:
        """Looks at a place; whether a lying card was pushed there, which is followed then."""
        scene = self._scene
        seen = Candidate(0, quad, quad, frame.at, frame.at, 1.0)
        seen = looked_at(seen, frame.bgr, name, scene)
        pushed = self._pushed(seen, change) if is_named(seen, scene.settings) else None
        if pushed is not None:
            scene.push(pushed, corners_of(seen.place))
        return pushed is not None

    def _explains(self, card: Candidate) -> bool:
        """Whether what changed at its place is the candidate: not so where it is a lying card that
        was pushed, and another one hides it now."""
        scene = self._scene
        is_hidden = card.shown < HIDDEN and scene.is_known(card)
        is_card = is_named(card, scene.settings) and not is_hidden
        return is_card or card.number in scene.held.attached

    def _below(self, rested: RestedChange) -> Card | None:
        owners = self._scene.occupancy.owner[rested.where]
        if not owners.any():
            return None
        return self._scene.table.cards[int(np.bincount(owners[owners > 0]).argmax()) - 1]
