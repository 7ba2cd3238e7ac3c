"""What is remembered of one table, shared by the stages that explain its changes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from rules.table.event import CardEvent, Way
from vision import geometry
from vision.frame import Frame, Image
from vision.geometry import Mask, Quad
from vision.scene.background import Background, Change
from vision.scene.before import Before, Gone
from vision.scene.candidates import Candidate, Candidates
from vision.scene.close_pictures import ClosePictures
from vision.scene.doubts import Act, Doubt
from vision.scene.hands import Hands, Visit
from vision.scene.layout import Layout
from vision.scene.occupancy import Occupancy
from vision.scene.rested import RestedChange, RestedChanges
from vision.scene.table import Card, Corners, Table, corners_of
from vision.settings import VisionSettings
from vision.sightings import UNKNOWN

BORDER = 1.0  # card lengths from the picture's border, within which people hold their cards
IN_VIEW = 0.7  # part of a card that lies in the picture: with less it lies beside the table
SHAKEN, SHAKEN_S = 0.7, 1.0  # IoU, and s between, of two candidates that are one card under a hand
SAME_PLACE = 0.7  # IoU of a candidate with a lying card that it may be
SAME_POSE = 0.9  # the same with one that did not move
TAKEN = 8  # cards that were taken last and are still known
LIFTED_S = 8.0  # s in which a card that went from one place comes to rest at another
NO_DOUBT: frozenset[Doubt] = frozenset()
EDGE = 1.15  # of a located box's size: the card's edge and its shadow too
FOOTPRINT = 1.1  # of a card's size: its edge and its shadow too


@dataclass(frozen=True, slots=True)
class Held:
    """Numbers of candidates. `attached`: joined to something that reaches in from the border;
    `fanned`: overlap others that are attached too, as in a fan held in a hand; `joined`: those of
    them that had rested alone before: cards on the table, to which a hand brings more."""

    attached: frozenset[int] = frozenset()
    fanned: frozenset[int] = frozenset()
    joined: frozenset[int] = frozenset()


@dataclass(slots=True)
class Scene:
    """The state of one watched table; each stage changes it in the order of the frame.

    `acts`: the last act on each card. `names`: how sure each lying card's face is; `laid_at` and
    `pushed_at` (s): when it was told, and moved last. `hidden`: cards that were laid under a hand
    and are not remembered whole yet. `taken`: the cards that went last. `lifted`: the places of
    faces that went and have not come to rest since, and when (s) they went; `renames`: new names
    of places in this frame.
    `waiting`: lifted cards by number, whose removal is not told yet, and since when (s); `outrun`:
    those that were lifted before an act that was told; `returned`: what that may have been, of
    cards that were put back. `explained`: candidates that were lying cards, seen again. `rested`:
    changes that nothing explains yet. `held`: candidates that hands may hold. `vanished`: those
    that rested and are followed no more. `unsettled`: candidates that rested before cards that were
    told; `hurried`: those of which only the hand was there; `is_postponed`: whether acts were told
    that wait for such cards. `suspected`: what may have happened though it was not told, each with
    how likely that is: a like card where one was pushed. `visits`: each side's last;
    `brought_nothing`: the sides of those that left all as it was. `unseen`: cards that went in this
    frame and never had a name where they lay. `named`: the faces that have
    lain. `fan_places` (h, w): where hands have held fans. `bgr`: the present frame.
    """

    layout: Layout
    seats: tuple[str, ...]
    settings: VisionSettings
    acts: dict[int, Act] = field(default_factory=dict)
    names: dict[int, float] = field(default_factory=dict)
    laid_at: dict[int, float] = field(default_factory=dict)
    pushed_at: dict[int, float] = field(default_factory=dict)
    hidden: dict[int, Candidate] = field(default_factory=dict)
    taken: tuple[Gone, ...] = ()
    held: Held = Held()
    vanished: list[Candidate] = field(default_factory=list)
    unsettled: set[int] = field(default_factory=set)
    hurried: set[int] = field(default_factory=set)
    is_postponed: bool = False
    suspected: list[Way] = field(default_factory=list)
    brought_nothing: list[str] = field(default_factory=list)
    visits: dict[str, Visit] = field(default_factory=dict)
    unseen: list[CardEvent] = field(default_factory=list)
    named: set[str] = field(default_factory=set)
    lifted: dict[str, tuple[str, float]] = field(default_factory=dict)
    renames: dict[str, str] = field(default_factory=dict)
    waiting: dict[int, float] = field(default_factory=dict)
    outrun: set[int] = field(default_factory=set)
    returned: list[Way] = field(default_factory=list)
    explained: set[int] = field(default_factory=set)
    fan_places: Mask | None = None
    scale: float = 1.0
    began_at: float = 0.0
    at: float = 0.0
    size: tuple[int, int] = (0, 0)
    background: Background = field(init=False)
    hands: Hands = field(init=False)
    candidates: Candidates = field(init=False)
    rested: RestedChanges = field(init=False)
    pictures: ClosePictures = field(default_factory=ClosePictures)
    bgr: Image = field(init=False)
    _occupancy: Occupancy | None = None

    def __post_init__(self) -> None:
        self.background = Background(self.settings)
        self.hands = Hands(self.settings)
        self.candidates = Candidates(self.settings)
        self.rested = RestedChanges(self.settings)

    def begin(self, frame: Frame, shape: tuple[int, int]) -> Occupancy:
        """The occupancy, made with the first frame; `shape` (h, w) of the low picture."""
        self.at, self.bgr = frame.at, frame.bgr
        if self._occupancy is None:
            self.scale = shape[1] / frame.width
            self.began_at = frame.at
            self.size = (frame.width, frame.height)
            self._occupancy = Occupancy(self.settings, shape, self.scale)
        return self._occupancy

    @property
    def occupancy(self) -> Occupancy:
        """What lies where."""
        assert self._occupancy is not None
        return self._occupancy

    @property
    def table(self) -> Table:
        """The table as it lies now."""
        return self._occupancy.table if self._occupancy is not None else Table()

    def footprint(self, numbers: Iterable[int]) -> Mask:
        """Where these cards lie, in the low picture."""
        wanted, place = set(numbers), np.zeros(self.occupancy.owner.shape, bool)
        for card in self.table.cards:
            if card.number in wanted:
                place |= self.occupancy.area(card.quad, FOOTPRINT)
        return place

    def take(
        self, numbers: frozenset[int], sure: float, doubts: frozenset[Doubt] = NO_DOUBT,
        side: str | None = None,
    ) -> None:  # fmt: skip
        """These cards are gone; the hand that was last there took them, or one from a known
        `side`."""
        place = self.footprint(numbers)
        seat = self.seat(side or self.hands.taker(place, self.at))
        if side is None and (self.is_nobodys(seat) or self.is_mixed(place, self.at)):
            doubts |= {Doubt.WHOSE}
        rivals = self.rivals(place, self.at, seat) if Doubt.WHOSE in doubts else ()
        gone = tuple(card for card in self.table.cards if card.number in numbers)
        went = tuple(Gone(card, self.at, self.occupancy.under(card.number)) for card in gone)
        self.taken = (*self.taken, *went)[-TAKEN:]
        self.lifted |= {card.face: (card.place, self.at) for card in gone if card.place is not None}
        for card in gone:
            name = 1.0 if card.face == UNKNOWN else self.names.get(card.number, 1.0)
            self.acts[card.number] = Act(seat, min(sure, name), 1.0, doubts, rivals)
            self.hidden.pop(card.number, None)
            self.laid_at.pop(card.number, None)
            self.pushed_at.pop(card.number, None)
            self.pictures.forget(card.number)
        self.occupancy.take(numbers)

    def came_from(self, face: str) -> str | None:
        """The place from which a hand may have brought a card of a face."""
        place, at = self.lifted.get(face, (None, 0.0))
        return place if self.at - at <= LIFTED_S else None

    def lay(self, card: Card, before: Before | None, born: int, act: Act, name: float) -> None:
        """One more card lies on top of everything."""
        self.occupancy.lay(card, before, born)
        self.laid_at[card.number] = self.at
        self.named.add(card.face)
        self.lifted.pop(card.face, None)
        self.acts[card.number] = act
        self.names[card.number] = name

    def push(self, card: Card, corners: Corners) -> None:
        """A lying card has its corners here now."""
        pushed, self.pushed_at[card.number] = replace(card, corners=corners), self.at
        self.occupancy.change(card.number, pushed)
        self.pictures.keep(pushed, self.bgr)

    def lay_unknown(self, rested: RestedChange, below: Card) -> None:
        """Perhaps a card without a name lies on another one, where a change rested. It is hardly
        ever one: it has no place, and is told once it has a name."""
        quad = rested.quad_like(below.quad, self.scale)
        card = Card(self.candidates.number(), UNKNOWN, None, corners_of(quad))
        self.lay(card, None, self.table.born, Act(rested.seat), 0.0)

    def is_in_view(self, quad: Quad, least: float = IN_VIEW) -> bool:
        """Whether most of a card, or at least so much of it (0 to 1), lies in the picture."""
        width, height = self.size
        picture = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        return geometry.overlap(quad, picture) >= least

    def is_in_picture(self, points: npt.NDArray[np.float32]) -> bool:
        """Whether all points (…, 2) px lie in the picture."""
        return bool((points >= 0).all() and (points < self.size).all())

    def is_near_border(self, quad: Quad) -> bool:
        """Whether a card lies so near the picture's border that people hold their cards there."""
        middle = geometry.centre(quad)
        beyond = np.minimum(middle, np.array(self.size) - middle)
        return bool(beyond.min() < BORDER * geometry.length(quad))

    def rested_since(self, candidate: Candidate) -> float:
        """Since when (s) a card of its face has rested there. A hand that stays on a card shakes
        its box and hides its print, so that it is followed as several candidates."""
        return min([candidate.since, *(other.since for other in self.earlier(candidate))])

    def earlier(self, candidate: Candidate) -> list[Candidate]:
        """The candidates that were this card, the latest first."""
        found, since, face = [], candidate.since, candidate.best()[0]
        for other in reversed(self.vanished):
            is_it = other.since < since <= other.seen_at + SHAKEN_S
            is_it = is_it and other.best()[0] == face != UNKNOWN
            if is_it and geometry.iou(other.place, candidate.place) >= SHAKEN:
                since = other.since
                found.append(other)
        return found

    def is_first(self, candidate: Candidate) -> bool:
        """Whether it has rested since the first pictures."""
        return candidate.since - self.began_at < self.settings.late_s

    def was_in_hand(self, place: Mask) -> bool:
        """Whether a hand has held a fan at most of a place (h, w): what changes there later may be
        the table that comes to light."""
        return self.fan_places is not None and float(self.fan_places[place].mean()) >= 0.5

    def is_cut_off(self, quad: Quad) -> bool:
        """Whether a located box ends where the picture does: it shows a part of a card."""
        return not self.is_in_picture(geometry.scaled(quad, EDGE))

    def is_known(self, candidate: Candidate, least: float = SAME_PLACE) -> bool:
        """Whether a card of its face is known to lie where it was seen, by their least IoU."""
        return any(
            card.face == candidate.best()[0] and geometry.iou(candidate.place, card.quad) >= least
            for card in self.table.cards
        )

    def is_known_place(self, quad: Quad) -> bool:
        """Whether a lying card may be the one that was seen there."""
        return any(geometry.iou(quad, card.quad) >= SAME_PLACE for card in self.table.cards)

    def still_shows(self, card: Card, over: Quad, change: Change) -> bool:
        """Whether a lying card shows beside one that lies at `over` (4, 2) px now."""
        if not self.shows_beside(card, over):
            return False
        return not self.occupancy.showed_before(card.number, over, self.background.rest, change)

    def shows_beside(self, card: Card, over: Quad) -> bool:
        """The same by its close picture alone."""
        others = [other for other in self.table.cards if other.number != card.number]
        return self.pictures.still_shows(card, over, others, self.bgr)

    def is_mixed(self, place: Mask, at: float) -> bool:
        """Whether two hands were over the place at time `at` (s), where it matters whose it was."""
        return self.layout.in_turn and self.hands.is_mixed(place, at)

    def is_nobodys(self, seat: int | None) -> bool:
        """Whether nobody is known to have acted, where it matters who did."""
        return seat is None and self.layout.in_turn and self.layout.is_playing()

    def rivals(
        self, place: Mask, at: float, seat: int | None, side: str | None = None
    ) -> tuple[int, ...]:
        """The other seats that may have acted at the place: where one `seat` is known, the only
        other one whose hand was there, or of two players the other; else all at the `side`, or
        all."""
        if seat is None:
            known = [k for k, at_side in enumerate(self.seats, 1) if at_side == side]
            return tuple(known or range(1, len(self.seats) + 1)) if self.is_nobodys(seat) else ()
        there = (self.seat(hand) for hand in self.hands.over(place, at))
        others = {other for other in there if other is not None and other != seat}
        if not others and len(self.seats) == 2:
            others = {3 - seat}
        return tuple(others) if len(others) == 1 else ()

    def is_in_fan(self, candidate: Candidate) -> bool:
        """Whether it is a card of a fan that a hand holds beside the picture's border."""
        is_fanned = candidate.number in self.held.fanned - self.held.joined
        return is_fanned and self.is_near_border(candidate.place)

    def last_there(self, place: Mask) -> int | None:
        """The seat whose hand was last over a place of the low picture, if known."""
        return self.seat(self.hands.actor(place))

    def seat(self, side: str | None) -> int | None:
        """The seat at a side; where two sit at one side, the side does not tell who it was."""
        return self.seats.index(side) + 1 if side and self.seats.count(side) == 1 else None
