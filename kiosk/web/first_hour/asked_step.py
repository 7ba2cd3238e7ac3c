"""Step 3, doubtful cards: each is shown with its outline, and a person says where the card is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
import numpy as np

from calibration.deck.asked_files import FOLDER, keep_asked, kept_asked
from calibration.deck.ends import Answers, Asked, Taken
from calibration.deck.proposals import CardFinder
from calibration.deck.teaching import Teaching, Wish, teach_deck
from kiosk.serving.schema import Message, Word, read_file
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.pictures import kept_bytes, number_of, teaching_folder
from kiosk.web.first_hour.rows_step import check_corners
from kiosk.web.first_hour.steps import AskedShown
from rules.errors import FairdealError
from vision.geometry import Quad
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.recognition.closeup import Closeup

Place = tuple[float, float]

# Why a picture is doubtful, as the page's texts call it (`hour-why-…`).
WHY = {
    "edges that may be its picture's": "outline", "edges like the table": "faint",
    "no card": "none", "a card cut off by the picture's edge": "cut-off",
    "a hand on it": "hand", "something on it or beside it": "crowded",
    "one out of focus": "soft", "two that touch": "touching", "another one": "shape",
    "something that may be none": "strange",
}  # fmt: skip


def deck_folder(desk: Desk) -> Path:
    """Where the taught deck lies."""
    return desk.folder / "decks" / desk.state.deck.name


def asked_picture(deck: Path, name: str) -> Path:
    """The file of a doubtful picture."""
    return deck / FOLDER / f"{name}.jpg"


def show(desk: Desk) -> None:
    """Shows what is asked of the deck that is taught."""
    if not desk.state.deck.name:
        return
    folder = deck_folder(desk)
    try:
        asked = kept_asked(folder)
    except FairdealError:
        asked = []  # a damaged list: the pictures are taught again
    shown = tuple(_shown(one, folder) for one in asked)
    if shown != desk.state.deck.doubtful:
        desk.change(deck=replace(desk.state.deck, doubtful=shown))


def answered(order: Order, desk: Desk, embedder: Embedder) -> Teaching | None:
    """The deck after an answer; None if the picture is left out. Values: `name`, and `number` of
    the outline that is right (from 0), or `corners` in parts of the picture from the card's upper
    left; with neither the picture is left out."""
    folder = deck_folder(desk)
    asked = {one.name: one for one in kept_asked(folder)}
    one = asked.get(str(order.values.get("name")))
    if one is None:
        raise FairdealError("a doubtful picture of this deck", ascii(order.values.get("name")))
    corners, number = order.values.get("corners"), order.values.get("number")
    if corners is not None:
        check_corners(corners)
        answers = Answers(corners={one.name: _px(one, corners)})
    elif number is not None:
        answers = Answers(accepted={one.name: number})
    else:
        keep_asked(folder, [other for other in asked.values() if other is not one])
        return None
    finder = CardFinder(Closeup(Locator(), embedder.corners))
    shown = desk.state.deck
    wish = Wish(shown.name, folder, game=shown.game, answers=answers)
    teaching = teach_deck(wish, finder, embedder)
    _remember(desk, one, teaching)
    return teaching


class Settled(Message, frozen=True):
    """Corners that a person gave or accepted, px of the picture, and that picture's number."""

    name: Word
    face: Word
    picture: int
    corners: tuple[Place, Place, Place, Place]


class AllSettled(Message, frozen=True):
    """All of a deck's."""

    settled: Annotated[list[Settled], msgspec.Meta(max_length=1024)]


def remembered(desk: Desk) -> Answers:
    """The answers that people gave to the pictures that are still the same ones."""
    numbers = {one.face: one.picture for one in desk.state.deck.faces}
    return Answers(corners={one.name: np.array(one.corners, np.float32) for one in _settled(desk)
                            if numbers.get(one.face) == one.picture})  # fmt: skip


def _remember(desk: Desk, asked: Asked, teaching: Teaching) -> None:
    """Keeps where the card is, so that making the deck again asks no more."""
    number = next((one.picture for one in desk.state.deck.faces if one.face == asked.face), 0)
    quads = [end.picture.quad / end.scale for end in teaching.ends
             if isinstance(end, Taken) and end.name == asked.name]  # fmt: skip
    for quad in quads:
        a, b, c, d = ((float(x), float(y)) for x, y in quad)
        new = Settled(name=asked.name, face=asked.face, picture=number, corners=(a, b, c, d))
        others = [one for one in _settled(desk) if one.name != asked.name]
        kept_bytes(_answers(desk), msgspec.json.encode(AllSettled(settled=[*others, new])))


def _settled(desk: Desk) -> list[Settled]:
    try:
        return list(read_file(AllSettled, _answers(desk), "the answers to doubtful cards").settled)
    except FairdealError:
        return []


def _answers(desk: Desk) -> Path:
    return teaching_folder(desk.folder, desk.state.deck.name) / "answers.json"


def _px(one: Asked, corners: object) -> Quad:
    """Parts of the picture as px of its file."""
    height, width = one.bgr.shape[:2]
    return np.asarray(np.array(corners, np.float32) * [width, height] / one.scale, np.float32)


def _shown(one: Asked, folder: Path) -> AskedShown:
    height, width = one.bgr.shape[:2]
    size = np.array([width, height], np.float32)
    places, rims = [], []
    for proposal in one.proposals:
        places.append(_parts(np.clip(proposal.quad / size, 0, 1)))
        rim = proposal.outline
        less = None if rim is None else cv2.approxPolyDP(rim.astype(np.float32), 0.5, True)[:, 0]
        rims.append(() if less is None else _parts(less / size))
    picture = number_of(asked_picture(folder, one.name))
    return AskedShown(
        one.name, one.face, _why(one), picture, (width, height), tuple(places), tuple(rims)
    )  # fmt: skip


def _why(one: Asked) -> str:
    found = one.reason.found
    return WHY.get(found, "several" if found.endswith(" cards") else "outline")


def _parts(points: np.ndarray) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 4), round(float(y), 4)) for x, y in points)
