"""Step 3, rows of cards: photographs of several cards, found, named, their corners corrected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import msgspec
import numpy as np

from calibration.deck.named_sheets import NONE
from calibration.deck.row_finding import SheetFinder
from calibration.deck.sheets import Sheet, found_sheet, read_sheet
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.pictures import teaching_folder
from kiosk.web.first_hour.sheet_store import SheetStore, StoredSheet
from kiosk.web.first_hour.steps import CardOnSheet, SheetShown, Work
from rules.errors import FairdealError

SHOTS = 5  # of the camera, the sharpest of which is taken


def snap(order: Order, bench: Bench) -> None:
    """Takes the camera's picture of the cards that lie there."""
    desk = bench.desk
    _store(desk)
    desk.change(work=Work.MEASURING, progress=0.0, message="", is_bad=False, words=())
    shots = bench.shots(SHOTS)
    sharpest = max((bgr for _, bgr, _ in shots), key=_sharpness)
    _keep(desk, lambda finder: found_sheet(np.array(sharpest), "this picture", finder))
    desk.tell("")


def find(order: Order, bench: Bench) -> None:
    """Looks for the cards of photographs that were sent."""
    desk = bench.desk
    store = _store(desk)
    desk.change(work=Work.MEASURING, progress=0.0, message="", is_bad=False, words=())
    refused = []
    while (waiting := store.waiting()) and not desk.is_stopped:
        path = waiting[0]
        try:
            _keep(desk, lambda finder, path=path: read_sheet(path, finder))  # type: ignore[misc]
        except FairdealError as error:
            refused.append(str(replace_where(error)))
        finally:
            path.unlink(missing_ok=True)
    desk.tell(refused[-1] if refused else "", is_bad=bool(refused), words=tuple(refused))


def replace_where(error: FairdealError) -> FairdealError:
    """The error without the path of the page's own file."""
    return FairdealError(error.expected, error.found, error.todo)


def name(order: Order, bench: Bench) -> None:
    """Names the cards of a sheet. Values: `sheet`, `names`, one for each card; "" leaves it out."""
    desk = bench.desk
    store, stored = _sheet(order, desk)
    names = [text if text != NONE else "" for text in order.values.get("names", ())]
    known = {one.face for one in desk.state.deck.faces}
    strange = next((text for text in names if text and text not in known), None)
    if len(names) != len(stored.cards) or strange is not None:
        found = f"{len(names)} names" if strange is None else ascii(strange)
        raise FairdealError(f"{len(stored.cards)} names of this deck's faces", found)
    cards = [msgspec.structs.replace(card, face=face)
             for card, face in zip(stored.cards, names, strict=True)]  # fmt: skip
    store.change(msgspec.structs.replace(stored, cards=cards))
    desk.put(Order("refresh"))  # the faces' own pictures


def lay(order: Order, bench: Bench) -> None:
    """A person's corners of a card. Values: `sheet`, `card` (from 0), `corners` in parts of the
    picture from the card's upper left."""
    store, stored = _sheet(order, bench.desk)
    number, corners = order.values.get("card"), order.values.get("corners")
    if number is None or number >= len(stored.cards):
        raise FairdealError("a card of this picture", ascii(number))
    check_corners(corners)
    cards = list(stored.cards)
    cards[number] = msgspec.structs.replace(cards[number], corners=corners, doubt="", is_given=True)
    store.change(msgspec.structs.replace(stored, cards=cards), is_cut_again=True)
    bench.desk.put(Order("refresh"))


def check_corners(corners: object) -> None:
    """FairdealError for corners that enclose no card, clockwise."""
    quad = np.array(corners if corners is not None else np.zeros((4, 2)), np.float32)
    is_convex = cv2.isContourConvex(quad) and cv2.contourArea(quad, oriented=True) > 0
    if not is_convex:
        raise FairdealError("four corners around the card, clockwise", "others",
                            "drag them apart")  # fmt: skip


def forget(order: Order, bench: Bench) -> None:
    """Takes a sheet back. Values: `sheet`."""
    store, stored = _sheet(order, bench.desk)
    store.remove(stored.number)
    bench.desk.put(Order("refresh"))


def refresh(desk: Desk) -> None:
    """Shows the sheets as they are on the disk."""
    if not desk.state.deck.name:
        return
    shown = tuple(map(_shown, _store(desk).all()))
    if shown != desk.state.deck.sheets:
        desk.change(deck=replace(desk.state.deck, sheets=shown))


def _shown(stored: StoredSheet) -> SheetShown:
    cards = tuple(CardOnSheet(card.corners, card.face, card.doubt) for card in stored.cards)
    return SheetShown(stored.number, (stored.width, stored.height), cards)


def _keep(desk: Desk, found: Callable[[SheetFinder], Sheet]) -> None:
    """Keeps what was found, named by the faces that are still to come, in their order."""
    from vision.networks.embedder import Embedder
    from vision.networks.locator import Locator

    sheet = found(SheetFinder(Locator(), Embedder().corners))
    store = _store(desk)
    known = {card.face for one in store.all() for card in one.cards}
    missing = iter([one.face for one in desk.state.deck.faces
                    if not one.picture and one.face not in known])  # fmt: skip
    faces = ["" if card.doubt is not None else next(missing, "") for card in sheet.cards]
    store.add(sheet, faces)
    desk.put(Order("refresh"))


def _store(desk: Desk) -> SheetStore:
    if not desk.state.deck.name:
        raise FairdealError("a game and a name for the deck", "none", "choose them first")
    return SheetStore(teaching_folder(desk.folder, desk.state.deck.name))


def _sheet(order: Order, desk: Desk) -> tuple[SheetStore, StoredSheet]:
    store, number = _store(desk), order.values.get("sheet")
    for stored in store.all():
        if stored.number == number:
            return store, stored
    raise FairdealError("a photograph of this deck", ascii(number))


def _sharpness(bgr: np.ndarray) -> float:
    return float(cv2.Laplacian(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), cv2.CV_32F).var())
