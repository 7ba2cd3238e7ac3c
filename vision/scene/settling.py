"""Cards that come: which of the located ones are followed, named, and when each counts as laid."""

from __future__ import annotations

from dataclasses import replace
from statistics import median

import cv2
import numpy as np
import numpy.typing as npt

from vision import geometry
from vision.frame import Frame
from vision.geometry import Mask, Quad
from vision.scene.background import Change
from vision.scene.hands import Cover, Hands
from vision.scene.occupancy import Stacks
from vision.scene.tracks import Coming, Name, Tracks, is_named
from vision.settings import VisionSettings
from vision.sightings import Located

_RIM = np.ones((7, 7), np.uint8)
_SAME_PLACE = 0.7
_STILL = 0.98  # of a place's pixels: the rest is the camera's noise
LOOKS = 8  # in a row; what has no name by then is looked at now and then


class Arrivals:
    """Follows the cards that come to one table, until the watcher lays them."""

    def __init__(self, settings: VisionSettings, tracks: Tracks, hands: Hands) -> None:
        self._settings, self._tracks, self._hands = settings, tracks, hands
        self._scale = 1.0
        self._started = 0.0

    def begin(self, scale: float, at: float) -> None:
        """The first frame: the low picture's px for one of the frame's, and the time in s."""
        self._scale, self._started = scale, at

    def resting(self, stacks: Stacks, at: float) -> Mask:
        """Where a card that comes already lies, in the low picture: no hand is there."""
        resting = np.zeros(stacks.owner.shape, bool)
        for card in self._tracks.coming:
            if card.frames >= 2 and at - card.since >= self._settings.settle_s / 2:
                resting |= stacks.area(card.quad, 1.05)
                if card.upright is not None:  # a box is often a little off
                    resting |= stacks.area(card.upright, 1.05)
        return resting

    def follow(self, stacks: Stacks, change: Change, located: Located, at: float) -> None:
        """Follow what was located and is no card that is known to lie there."""
        good = located.scores >= self._settings.score
        quads, scores = located.quads[good], located.scores[good]
        if len(quads):
            shape = stacks.owner.shape
            points = geometry.inside_points(quads * np.float32(self._scale)).astype(np.int32)
            x = np.clip(points[..., 0], 0, shape[1] - 1)
            y = np.clip(points[..., 1], 0, shape[0] - 1)
            fresh = change.changed[y, x].mean(axis=1) >= self._settings.fresh
            unexplained = (stacks.owner[y, x] > 0).mean(axis=1) < 0.3
            chosen = [
                k
                for k in np.flatnonzero(fresh | unexplained)
                if self._fits(stacks, quads[k], bool(fresh[k]))
            ]
            quads, scores, fresh = quads[chosen], scores[chosen], fresh[chosen]
        else:
            fresh = np.zeros(0, bool)
        staying = frozenset(c.number for c in self._tracks.coming if self._stays(stacks, change, c))
        cards = []
        for card in self._tracks.see(quads, scores, fresh, at, staying):
            if card.side is None or card.frames == 1:
                side = self._hands.actor(stacks.area(card.quad, 1.1), at - 3.0)
                card = replace(card, side=side or card.side)
            cards.append(card)
        self._tracks.keep(_marked(cards, self._settings))

    def _stays(self, stacks: Stacks, change: Change, card: Coming) -> bool:
        """Whether the picture stands still since the card was looked at, where it was seen: however
        its box shakes, it lies where it lay."""
        if card.upright is None or not card.evidence:
            return False
        still_s = change.still_s[stacks.area(card.upright, 0.95)]
        since_s = change.at - card.looked_at
        return bool(len(still_s)) and float((still_s >= since_s).mean()) >= _STILL

    def _fits(self, stacks: Stacks, quad: Quad, fresh: bool) -> bool:
        """Neither a part of a card that is known, nor of another size than all cards."""
        known = stacks.table.cards
        size = geometry.area(quad)
        # A box is often a little small: where something changed it may be a card just laid.
        part = 0.5 if fresh else 0.75
        for card in known:
            if size < part * geometry.area(card.quad) and geometry.overlap(quad, card.quad) > 0.8:
                return False
        if len(known) < 3:
            return True
        usual = median(geometry.length(card.quad) for card in known)
        return 0.5 * usual <= geometry.length(quad) <= 1.8 * usual

    def _is_touched(self, stacks: Stacks, cover: Cover, quad: Quad) -> bool:
        inside = stacks.area(quad, 1.02)
        rim = cv2.dilate(inside.view(np.uint8), _RIM).view(bool) & ~inside
        return bool(rim.any()) and float(cover.mask[rim].mean()) > self._settings.touched

    def name(self, stacks: Stacks, frame: Frame, cover: Cover, change: Change, name: Name) -> None:
        """Name the cards that have lain for half the settling time and that no hand touches."""
        at, coming = frame.at, self._tracks.coming
        asked = [
            k
            for k, card in enumerate(coming)
            if card.seen_at == at
            and not (card.is_double or is_named(card, self._settings))
            and (card.looks < LOOKS or at - card.looked_at >= self._settings.again_s)
            and self._lain_s(stacks, change, card) >= self._settings.settle_s / 2
            and not self._is_touched(stacks, cover, card.quad)
        ]
        # Few in one frame, that no frame takes long; the least looked at first.
        asked.sort(key=lambda k: coming[k].looks)
        del asked[self._settings.names_at_once :]
        if not asked:
            return
        looked = looked_at([coming[k] for k in asked], frame, name)
        fresh = dict(zip(asked, looked, strict=True))
        seen = [fresh.get(k, card) for k, card in enumerate(coming)]
        self._tracks.keep(_marked(seen, self._settings))

    def is_ready(
        self, stacks: Stacks, cover: Cover, change: Change, card: Coming, at: float
    ) -> bool:
        """Whether the card counts as laid: it has lain long enough, and its name is settled."""
        settings = self._settings
        lain = self._lain_s(stacks, change, card)
        starting = card.since - self._started < settings.late_s
        needed = settings.settle_s if card.fresh or starting else settings.late_s
        named = is_named(card, settings)
        is_seen_anew = self.is_seen_anew(stacks, card)
        is_on_known = self._is_on_a_known_place(stacks, card.place)
        may_be_seen_anew = is_seen_anew or (is_on_known and not named)
        if card.is_double or (may_be_seen_anew and self._shows_beside(stacks, card)):
            return False
        if is_seen_anew:
            needed = max(needed, settings.revealed_s)
        if lain < needed - 1e-6 or card.seen_at < at:
            return False
        if not named and (at - card.since < settings.unknown_s or card.looks < 3):
            return False
        if not named and 2 * card.empty > card.looks:
            return False  # the locator was wrong: no card lies there
        return not self._is_touched(stacks, cover, card.place)

    def _lain_s(self, stacks: Stacks, change: Change, card: Coming) -> float:
        """For how long the card has lain: as it was located, or as its pixels say."""
        place = stacks.area(card.place, 0.9)
        still_s = np.sort(change.still_s[place])
        by_pixels = float(still_s[len(still_s) // 4]) if card.fresh and len(still_s) else 0.0
        return max(change.at - card.since, by_pixels)

    def _shows_beside(self, stacks: Stacks, card: Coming) -> bool:
        """Whether another card, at a place where none was, is just being laid on this one; what
        has no name after some looks is none."""
        return any(
            other.number != card.number
            and not other.is_double
            and (other.looks < 3 or is_named(other, self._settings))
            and geometry.intersection(card.quad, other.quad) > 0
            and not self._is_on_a_known_place(stacks, other.quad)
            for other in self._tracks.coming
        )

    def _is_on_a_known_place(self, stacks: Stacks, quad: Quad) -> bool:
        return any(geometry.iou(quad, card.quad) >= _SAME_PLACE for card in stacks.table.cards)

    def is_seen_anew(self, stacks: Stacks, card: Coming) -> bool:
        """Whether a card of its face is known to lie where it was seen."""
        return any(
            known.face == card.best()[0] and geometry.iou(card.place, known.quad) >= _SAME_PLACE
            for known in stacks.table.cards
        )

    def is_still_new(self, stacks: Stacks, change: Change, card: Coming) -> bool:
        """Another card that landed in this frame may have explained it."""
        place = stacks.area(card.place, 0.95)
        explained = float((stacks.owner[place] > 0).mean()) >= 0.3
        return not explained or float(change.changed[place].mean()) >= self._settings.fresh


def _marked(cards: list[Coming], settings: VisionSettings) -> tuple[Coming, ...]:
    """Of boxes that lead to the same card all are doubles but the one that fits it best. They are
    followed on: as new ones they would be named again and again."""
    seen = [card for card in cards if card.upright is not None and card.evidence]
    seen.sort(key=lambda card: (
        not is_named(card, settings), -geometry.iou(card.quad, card.place)
    ))  # fmt: skip
    first: list[Coming] = []
    for card in seen:
        if all(
            card.best()[0] != other.best()[0] or geometry.iou(card.place, other.place) < _SAME_PLACE
            for other in first
        ):
            first.append(card)
    doubles = {card.number for card in seen} - {card.number for card in first}
    return tuple(replace(card, is_double=card.number in doubles) for card in cards)


def looked_at(cards: list[Coming], frame: Frame, name: Name) -> list[Coming]:
    """The cards with one look more at each: what `name` says of them in this frame."""
    quads: npt.NDArray[np.float32] = np.stack([card.quad for card in cards]).astype(np.float32)
    named = name(frame.bgr, quads)
    answers = zip(cards, named.faces, named.confidences, named.quads, strict=True)
    return [
        card.named(face, float(sure), np.asarray(quad, np.float32))
        for card, face, sure, quad in answers
    ]
