"""A hand lays a row, each card partly on the last one, and goes only at the end: each one is laid
though the next one hid it before the hand was off it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from detections import TrueCard
from plain_layouts import Piles
from tabletop import card_quad
from test_watcher import Play

from vision import geometry
from vision.frame import Frame
from vision.recent import RecentFrames
from vision.scene.candidates import Candidate
from vision.scene.covered import ROW_S
from vision.scene.hand_blobs import Cover
from vision.scene.landing import Landings
from vision.scene.patches import CELLS
from vision.scene.scene import Held
from vision.scene.small_picture import shrink

ROW = ("hat", "t-shirt", "boxers", "pants", "socks")
STEP = np.array([-22.0, 2.0])  # px from a card to the next one
APART_S = 0.6  # between two cards


def candidates(faces: tuple[str, ...], step: np.ndarray) -> list[Candidate]:
    """Each came to rest, and was named, `APART_S` after the last one."""
    found = []
    for k, face in enumerate(faces):
        quad, since = card_quad(np.array([380.0, 180.0]) + k * step), 1.0 + k * APART_S
        evidence = ((face, 1.9),)
        seen_at = since + 0.5
        found.append(
            Candidate(
                k + 1,
                quad,
                quad,
                since,
                seen_at,
                1.0,
                frames=6,
                evidence=evidence,
                errors=((face, (0.05, 0.05)),),
            )
        )
    return found


class Laying:
    """The memory of an empty table; `see`: the one candidate that is followed from now on."""

    def __init__(self, layout: Piles | None = None) -> None:
        self.play = play = Play(layout or Piles(), 5, dropout=0.0, false_boxes=0.0)
        play.look(4)
        self.scene = scene = play.watcher._scene
        self.recent = RecentFrames()
        self.landings = Landings(scene, self.recent)
        self.change = scene.background.see(shrink(scene.bgr, scene.settings.low_width), 9.0)

    def see(self, card: Candidate, *, is_fan: bool = False) -> None:
        """The card is seen at rest under the hand; the one before is seen no more."""
        lost = self.scene.candidates.coming
        numbers = frozenset({card.number} if is_fan else ())
        self.scene.held = Held(numbers, numbers)
        self.scene.candidates.keep((card,))
        self.landings.forget(lost, [card])
        self.landings.lay_rows(self.change)

    def land(self, card: Candidate) -> None:
        """The card is laid; no hand is there."""
        shape = self.scene.occupancy.owner.shape
        cover = Cover(np.zeros(shape, bool), np.zeros(shape, np.uint8))
        self.landings.lay(card, self.change, cover)

    def faces(self) -> list[str]:
        return [card.face for card in self.scene.table.cards]


@pytest.mark.parametrize("is_kept", [True, False])
def test_what_a_card_lies_on_is_known_if_an_older_frame_shows_it(is_kept: bool) -> None:
    """It is seen to go only then."""
    laying, (hat, shirt) = Laying(), candidates(("hat", "t-shirt"), STEP)
    hat = replace(hat, upright=hat.quad, visible=np.ones(CELLS, bool), looked_at=1.4)
    picture = laying.play.drawn.picture([("hat", hat.quad)])
    if is_kept:
        laying.recent.see(Frame(picture, 1.3, 99))
    laying.see(hat)
    laying.see(shirt)
    laying.land(shirt)
    scene = laying.scene
    before = scene.occupancy.under(shirt.number)
    assert (before is not None) == is_kept
    if before is not None:
        where = scene.occupancy.area(hat.quad, 0.9)
        low = shrink(picture, scene.settings.low_width)
        assert np.abs(before.rest[where].astype(float) - low[where]).mean() < 3.0


def test_a_card_that_a_hand_held_over_a_lying_one_was_not_laid_there() -> None:
    """The lying one was seen before it came."""
    laying, (hat, shirt) = Laying(), candidates(("hat", "t-shirt"), STEP)
    laying.scene.vanished = [hat, shirt]
    again = replace(hat, number=9, since=shirt.seen_at, seen_at=shirt.seen_at + 0.3)
    laying.land(again)
    assert laying.faces() == ["hat"]


@dataclass(frozen=True, slots=True)
class Noting(Piles):
    """Notes the places that cards were laid at."""

    places: list[str] = field(default_factory=list)

    def laid(self, place: str, number: int, quad: geometry.Quad, side: str | None = None) -> None:
        """The place is known by this card from now on."""
        self.places.append(place)


@pytest.mark.parametrize("is_named", [True, False])
def test_a_card_without_a_name_does_not_tell_where_its_place_is(is_named: bool) -> None:
    """It may be a thing, as a phone that somebody moves."""
    noting = Noting()
    laying, (hat,) = Laying(noting), candidates(("hat",), STEP)
    laying.land(hat if is_named else replace(hat, evidence=()))
    assert laying.faces() == (["hat"] if is_named else ["unknown"])
    assert noting.places == (["pile/1"] if is_named else [])


def laid(cards: Sequence[Candidate]) -> list[str]:
    """What lies on the table while the hand rests on the last of these; each hid the last one."""
    laying = Laying()
    for card in cards:
        laying.see(card)
    return laying.faces()


def test_each_card_of_a_row_is_laid_once_the_next_one_rests_on_it() -> None:
    assert laid(candidates(ROW, STEP)) == list(ROW[:-1])


@pytest.mark.parametrize(("px", "is_row"), [(-22.0, True), (-60.0, False)])
def test_what_lies_beside_the_next_card_is_no_part_of_the_row(px: float, is_row: bool) -> None:
    faces = ("hat", "t-shirt", "boxers")
    assert laid(candidates(faces, np.array([px, 0.0]))) == list(faces[:-1] if is_row else ())


def test_cards_that_come_at_once_are_a_fan_that_moves() -> None:
    hat, shirt = candidates(("hat", "t-shirt"), STEP)
    assert laid([hat, replace(shirt, since=hat.since + ROW_S / 2)]) == []


def test_a_card_that_another_hand_brings_is_not_of_the_row() -> None:
    hat, shirt = candidates(("hat", "t-shirt"), STEP)
    assert laid([replace(hat, side="top"), replace(shirt, side="left")]) == []


def test_a_face_that_is_seen_twice_in_a_row_is_one_card() -> None:
    """It was lost and found again."""
    hat, shirt, boxers = candidates(("hat", "t-shirt", "boxers"), STEP)
    again = replace(hat, number=9, since=hat.since + 0.1)
    assert laid([hat, again, shirt, boxers]) == ["hat", "t-shirt"]


def test_cards_of_a_fan_are_no_row() -> None:
    laying, (hat, shirt) = Laying(), candidates(("hat", "t-shirt"), STEP)
    laying.see(hat, is_fan=True)
    laying.see(shirt)
    assert laying.faces() == []


def test_a_card_that_is_seen_elsewhere_was_not_left_behind() -> None:
    """Its fan has moved, or the tracker lost it and found it again."""
    laying, (hat, shirt) = Laying(), candidates(("hat", "t-shirt"), STEP)
    laying.see(hat)
    moved = replace(hat, number=9, since=2.0, quad=card_quad((200.0, 180.0)))
    laying.scene.candidates.keep((shirt, moved))
    laying.landings.forget([hat], [shirt, moved])
    laying.landings.lay_rows(laying.change)
    assert laying.faces() == []


def test_a_row_is_told_though_the_hand_stays_on_its_cards() -> None:
    play, aside = Play(Piles(), 5, dropout=0.0, false_boxes=0.0), np.array([0.0, -25.0])
    play.look(4)
    for k, face in enumerate(ROW):
        at = np.array([380.0, 110.0]) + k * np.array([-18.0, 3.0])
        play.look(2, arm=("top", at + aside))
        play.look(2, arm=("top", at))
        play.cards.append(TrueCard(face, card_quad(at), -1.0, place="pile/1"))
        play.look(arm=("top", at))
        play.look(7, arm=("top", at + aside))
    play.look(30)
    assert sorted(play.seen) == sorted(("placed", face, "pile/1", 3) for face in ROW)
