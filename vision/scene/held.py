"""Cards in hands: a hand that reaches in holds what it touches until it goes, or moves alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from cv2.typing import MatLike

from vision import geometry
from vision.geometry import Mask
from vision.scene.background import Change
from vision.scene.candidates import Candidate, is_named
from vision.scene.difference import STRUCTURE, distance_beyond
from vision.scene.fans import FAN, Fans, came_in, fanned, lies_apart
from vision.scene.fans import RESTS_S as FAN_RESTS_S
from vision.scene.hand_blobs import Cover
from vision.scene.lone import begins_there
from vision.scene.order import means_nothing, shows_nothing
from vision.scene.scene import Held, Scene
from vision.scene.swaying import FREE, LATELY_S, Swaying, edge_of

OWN = 1.15  # of a card's size: its edge and its shadow
EDGE_PX = 3  # px of the small picture at its border, by which something reaches in
BARE = 0.1  # share of a place that differs from the bare table; below it, no card is there,
LEFT = 0.5  # or none is there any more, where none is seen now
HAND = 2.4  # of a card's size: the part of a hand that tells whether it moves
MOVING_PX = 6  # px of the small picture that move in a hand that moves
ON_CARDS = 0.3  # part of a candidate that lies over a lying card, on a pile
MOSTLY, SHOWS = 0.7, 0.6  # the same, and the part that shows, of one without a hand near it
RESTS_S = 0.4  # s that a card lies still on others or beside a hand, after which it is laid
HELD_S = 2.0  # the same on the bare table, but for
REACHED = 0.25  # part of the ring about a card that a hand takes up beside which it lies,
RING = 1.3  # and of the card's size: that ring
WHOLE = 0.97  # part of a card in the picture, below which its border cuts it off
STILL = 0.06  # part of a card's edge that may move, by noise, while it lies still
LATELY = 5  # frames in which a hand hides its edge
PARTED = 3  # frames in which a hand moves beside a card that does not, after which it has let go,
PARTED_FREE = 2  # or so many where the card lies on others;
GOES = 0.25  # part of a hand that moves, of which one frame tells as much
ALONE_S = 0.4  # s that a card rests alone, which is no card of a fan that comes beside it
APART_S = 0.25  # s that a card is joined to no hand, or is no card of its fan, to have been laid;
AWAY_S = 0.1  # the first where no hand is near it any more
FIRST_S = 4.0  # s that a fan of the first picture rests, after which it lies on the table
FAN_LOOKS_S = 0.5  # s between looks at the cards of a fan
_SQUARE = np.ones((3, 3), np.uint8)


def held(cards: Sequence[Candidate], change: Change, cover: Cover, scene: Scene) -> Held:
    """Which candidates may be in a hand.

    A laid card is an island of change once the hand has let go; a held one is joined to the hand,
    and by it to the picture's border, also where the cards between them are candidates too.
    """
    if not cards:
        return Held()
    places = {card.number: scene.occupancy.area(card.place, OWN) for card in cards}
    reaching = came_in(change, cover, scene)
    whole = cv2.morphologyEx(reaching.view(np.uint8), cv2.MORPH_CLOSE, _SQUARE)
    edge = _border(whole.shape) & (whole > 0) & ~_smeared(places, change, scene)
    if cover.faded is not None:
        edge |= cover.faded & (whole > 0)
    for card in cards:
        place = places[card.number]
        # A hand that has passed leaves candidates behind on the bare table.
        is_seen = card.seen_at == change.at
        is_bare = float(change.changed[place].mean()) < (BARE if is_seen else LEFT)
        if card.fresh and not is_bare and not shows_nothing(card, scene):
            whole[place] = 1
            edge |= _at_border(card, scene) if is_seen else False
    attached = _reaching(places, whole, edge)
    first = _first(cards, scene)
    if len(first) <= FAN:
        return Held(frozenset(attached), fanned(cards, attached, scene))
    for card in first:
        whole[places[card.number]] = 1
        edge |= _at_border(card, scene)
    attached_too = attached | _reaching(places, whole, edge)
    return Held(frozenset(attached), fanned(cards, attached_too, scene))


def _first(cards: Sequence[Candidate], scene: Scene) -> list[Candidate]:
    """Those of the first picture. A fan held there is no change: only its cards tell of it."""
    return [card for card in cards if not card.fresh and scene.is_first(card)]


def _smeared(places: Mapping[int, Mask], change: Change, scene: Scene) -> Mask:
    """Where (h, w) beside candidates only fine lines differ: their window reaches over an edge."""
    near = np.logical_or.reduce(list(places.values())).view(np.uint8)
    near = cv2.dilate(near, np.ones((2 * STRUCTURE.around + 1,) * 2, np.uint8)).view(bool)
    apart = distance_beyond(change.low, scene.background.rest)
    return np.asarray(near & (apart <= scene.settings.changed_level))


def _at_border(card: Candidate, scene: Scene) -> Mask:
    """Where (h, w) the card lies at the picture's border; its edge and shadow do not count."""
    place = scene.occupancy.area(card.place)
    return np.asarray(place & _border(place.shape))


def _reaching(places: Mapping[int, Mask], whole: MatLike, edge: Mask) -> set[int]:
    """The numbers of the places that lie in a part of `whole` (h, w), 1 or 0, which comes from an
    `edge` (h, w) beside them."""
    _, labels = cv2.connectedComponents(whole, connectivity=8)
    found = set()
    for number, place in places.items():
        parts = np.unique(labels[place & (whole > 0)])
        reaches = np.isin(labels[edge & ~place], parts[parts > 0])
        if np.count_nonzero(reaches) >= EDGE_PX:
            found.add(number)
    return found


def _border(shape: tuple[int, ...]) -> Mask:
    border = np.zeros(shape, bool)
    border[[0, -1], :] = border[:, [0, -1]] = True
    return border


class Holding:
    """Follows which candidates hands hold; see `holds`."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._fans = Fans(scene)
        self._swaying = Swaying(scene)
        self._parted: dict[int, int] = {}
        self._aside: set[int] = set()
        self._apart_since: dict[int, float] = {}
        self._attached_at: dict[int, float] = {}
        self._first_fans: frozenset[int] = frozenset()
        self._fanned_at: dict[int, float] = {}
        self._fan_at = float("-inf")
        self._covers: deque[Mask] = deque(maxlen=LATELY)

    def see(self, cards: Sequence[Candidate], change: Change, cover: Cover) -> None:
        """Takes the candidates of a frame, as they are followed."""
        cards = [card for card in cards if not begins_there(card, self._scene)]
        now = held(cards, change, cover, self._scene)
        fans = self._fans.see(cards, now.fanned, change.at)
        of_fans = now.fanned | fans
        now = self._scene.held = Held(now.attached | fans, of_fans, self._joined(cards, of_fans))
        first = {card.number for card in _first(cards, self._scene)}
        self._first_fans = (self._first_fans | now.fanned) & first
        followed = {card.number for card in cards}
        known = {n: at for n, at in self._attached_at.items() if n in followed}
        self._attached_at = known | dict.fromkeys(now.attached, change.at)
        self._remember(cover)
        self._swaying.see(cards, change, cover)
        attached = [card for card in cards if card.number in now.attached]
        apart = (card.number for card in attached if lies_apart(card, attached, self._scene))
        self._apart_since = {n: self._apart_since.get(n, change.at) for n in apart}
        self._aside = {card.number for card in attached if self._is_aside(card, change)}
        parted = ((card, self._moves_beside(card, change, cover)) for card in cards)
        self._parted = {
            card.number: self._parted.get(card.number, 0) + (PARTED if moves >= GOES else 1)
            for card, moves in parted
            if card.frames > 1 and moves
        }

    def _joined(self, cards: Sequence[Candidate], fanned: frozenset[int]) -> frozenset[int]:
        """The cards of a fan that have a name and had rested alone, before they were part of it."""
        at = self._scene.at
        first_at = {card.number: self._fanned_at.get(card.number, at) for card in cards}
        self._fanned_at = {n: since for n, since in first_at.items() if n in fanned}
        return frozenset(
            card.number
            for card in cards
            if card.number in fanned and is_named(card, self._scene.settings)
            if first_at[card.number] - card.since >= ALONE_S
        )

    def may_look(self, card: Candidate, at: float) -> bool:
        """Whether a look at the candidate is due: the cards of a fan share theirs."""
        return card.number not in self._scene.held.fanned or at - self._fan_at >= FAN_LOOKS_S

    def is_fingered(self, card: Candidate) -> bool:
        """Whether a finger lies on a candidate beside the picture's border."""
        return self._fans.is_fingered(card)

    def looked(self, cards: Sequence[Candidate], change: Change, cover: Cover) -> None:
        """These candidates were looked at."""
        self._fans.looked(cards, change, cover)
        if not self._scene.held.fanned.isdisjoint(card.number for card in cards):
            self._fan_at = change.at

    def holds(self, card: Candidate, cover: Cover, at: float) -> bool:
        """Whether a hand may not have let go of a candidate at rest.

        A hand lets go when it moves and the card does not. Over lying cards nobody rests for long
        with a card in the hand; over the bare table people do.
        """
        if self._swaying.lies_below(card, self._scene.candidates.coming):
            return False
        is_fingered = self._fans.is_fingered(card) or self._is_back_in_hand(card)
        if is_fingered and at - card.since < FAN_RESTS_S:
            return True
        is_attached = card.number in self._scene.held.attached
        if not is_attached and card.number in self._first_fans:
            return at - card.since < FIRST_S
        named = is_named(card, self._scene.settings)
        # A card that the border cuts is located by what shows of it.
        is_in = self._scene.is_in_view(card.place, WHOLE)
        is_cut = not is_in if named else self._scene.is_cut_off(card.place)
        if not is_attached and is_cut:
            # People hold their cards at the picture's border.
            return at - card.since < HELD_S or not named
        if not is_attached and not is_touched(self._scene, cover, card.place):
            # Between the fingers and the cards of a fan the table shows now and then.
            apart_s = at - self._attached_at.get(card.number, float("-inf"))
            is_near_hand = cover.mask[self._scene.occupancy.area(card.place, HAND)].any()
            needed_s = APART_S if is_near_hand else AWAY_S
            return apart_s < needed_s and self._scene.is_near_border(card.place)
        if card.number in self._scene.held.fanned:
            return not self._is_left(card, cover, at)
        if not self.grips(card, cover):
            return False
        rests_s = at - card.since
        is_apart = at - self._apart_since.get(card.number, at) >= APART_S
        if not is_attached or is_apart or self._is_on_cards(card):
            return rests_s < RESTS_S
        is_at_border = self._scene.is_near_border(card.place) and card.number not in self._aside
        return rests_s < HELD_S or is_at_border

    def grips(self, card: Candidate, cover: Cover) -> bool:
        """Whether a hand lies on a candidate, or is joined to it, and did not move beside it."""
        is_attached = card.number in self._scene.held.attached
        if not is_attached and not is_touched(self._scene, cover, card.place):
            return False
        is_free = not is_attached or self._is_on_cards(card)
        return self._parted.get(card.number, 0) < (PARTED_FREE if is_free else PARTED)

    def _is_back_in_hand(self, card: Candidate) -> bool:
        """Whether it lies face down beside the border, where nobody turns cards over: people hold
        their cards there."""
        return means_nothing(card, self._scene) and self._scene.is_near_border(card.place)

    def _is_aside(self, card: Candidate, change: Change) -> bool:
        """Whether all of a named card shows, and the table about it but for a part that a hand
        takes up: it lies beside that hand."""
        scene = self._scene
        if self._fans.is_touched(card) or not is_named(card, scene.settings):
            return False
        area = scene.occupancy.area
        ring = area(card.place, RING) & ~area(card.place, OWN)
        is_whole = scene.is_in_view(card.place, WHOLE)
        return is_whole and float(change.changed[ring].mean()) <= REACHED

    def _is_left(self, card: Candidate, cover: Cover, at: float) -> bool:
        """Whether a card rests on others and no hand is near it: the boxes beside it are parts of
        its pile."""
        if at - card.since < RESTS_S or not self._is_on_cards(card, MOSTLY):
            return False
        is_far = not cover.mask[self._scene.occupancy.area(card.place, HAND)].any()
        return is_far and is_named(card, self._scene.settings) and card.showing() >= SHOWS

    def _is_on_cards(self, card: Candidate, least: float = ON_CARDS) -> bool:
        lying = self._scene.table.cards
        return any(geometry.overlap(card.place, other.quad) >= least for other in lying)

    def _moves_beside(self, card: Candidate, change: Change, cover: Cover) -> float:
        """The part (0 to 1) of a hand beside the card that moves, if the card's edge, as far as it
        shows, has not moved for a while; else 0."""
        scene = self._scene
        hand = cover.mask & scene.occupancy.area(card.place, HAND)
        least = max(MOVING_PX, scene.settings.let_go * np.count_nonzero(hand))
        moved = int(np.count_nonzero(change.moved & hand))
        if moved < least:
            return 0.0
        rim = edge_of(card, scene)
        free = rim.copy()
        for mask in self._covers:
            free &= ~mask
        if np.count_nonzero(free) < FREE * np.count_nonzero(rim):
            return 0.0  # nothing shows whether it moves
        has_moved = change.still_s < LATELY_S
        is_still = np.count_nonzero(free & has_moved) <= STILL * np.count_nonzero(free)
        return moved / max(int(np.count_nonzero(hand)), 1) if is_still else 0.0

    def _remember(self, cover: Cover) -> None:
        """Keeps where hands were lately, a little widened."""
        if not cover.mask.any():
            self._covers.clear()
            return
        self._covers.append(cv2.dilate(cover.mask.view(np.uint8), _SQUARE).view(bool))


def is_touched(scene: Scene, cover: Cover, quad: geometry.Quad) -> bool:
    """Whether a hand reaches over the card's rim."""
    rim = scene.occupancy.rim(quad)
    return bool(rim.any()) and float(cover.mask[rim].mean()) > scene.settings.touched
