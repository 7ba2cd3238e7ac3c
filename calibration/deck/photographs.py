"""Teaching pictures from files: photographs of one card each, or flat art."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.deck.card_selection import DeckShape, estimate_shape, select_card
from calibration.deck.corner_consensus import Settled, settle_corners
from calibration.deck.orientation import turned_upright
from calibration.deck.outline import LearntOutline, is_better, learn_outline
from calibration.deck.picture_quality import LIMITS, flaw
from calibration.deck.proposals import Finder
from calibration.deck.rectangle_fit import clearest_card, fit_rectangle, side_share
from calibration.deck.second_card import DeckPose, is_pair, usual_pose
from calibration.deck.segmentation import Image, Region, segment
from calibration.deck.table_pattern import without_pattern
from calibration.deck.teach import TeachingPicture, picture_of_art, upright
from calibration.deck.tone import evened
from models.picture_file import has_alpha, read_art, read_picture
from rules.errors import FairdealError
from vision.geometry import Quad
from vision.sightings import Located

STRANGE = 0.8  # least probability of a card whose corners no other picture confirms
FAINT = 0.75  # of the deck's median contrast: below it the picture's other quads are tried
CLEAR = 0.5  # probability of a card that only its edges show
LARGEST_PX = 1600  # longer side of a picture that is kept: a deck must fit into a Pi's memory
ART_ASPECTS = 1.15, 1.75  # height / width of a file that may be flat art
ART_NEAR = 0.08  # relative difference to the deck's aspect, if that is known

NOWHERE = np.zeros((4, 2), np.float32)  # a quad before the outline is laid on the card

Refuse = Callable[[FairdealError], None]


class Unclear(FairdealError):
    """No quad of the picture is surely its card; the other pictures of the deck may tell it."""


@dataclass(frozen=True, slots=True, eq=False)
class Photograph:
    """A file's picture (H, W, 3) BGR, all cards found in it, and the regions of its segmentation.

    Flat art has None for the cards, and may have an alpha channel. `taken`: the picture as it was
    taken, if a periodic pattern of the table has been removed from `bgr`.
    """

    face: str
    path: Path
    bgr: Image
    located: Located | None
    regions: tuple[Region, ...] = ()
    taken: Image | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A card chosen in a photograph, the probability (`chance`) that its quad is the card, 0..1;
    `is_strange`: no other picture confirms its corners; `is_art`: they are exact."""

    picture: TeachingPicture
    chance: float = 1.0
    is_strange: bool = False
    is_art: bool = False


def read_pictures(
    files: Iterable[tuple[str, Path]], finder: Finder, aspect: float | None, refuse: Refuse
) -> list[TeachingPicture]:
    """Teaching pictures from files with their faces; the reason for each other file goes to
    `refuse`. aspect: height / width of the cards, if known."""
    photographs = []
    for face, path in files:
        try:
            photographs.append(_photograph(face, path, finder, aspect))
        except FairdealError as error:
            refuse(error)
    return select_pictures(photographs, aspect, refuse)


def select_pictures(
    photographs: list[Photograph], aspect: float | None, refuse: Refuse
) -> list[TeachingPicture]:
    """The usable photographs with final corners. All pictures of the deck vote on shape, size,
    outline and corners; the reason for each other photograph goes to `refuse`."""
    shape = estimate_shape(_single_cards(photographs, aspect), aspect)
    are_photographs = any(one.located is not None for one in photographs)
    chosen = [_chosen(one, shape, are_photographs) for one in photographs]
    cards = [card for card in chosen if isinstance(card, Card)]
    segmented = [one for one in photographs if one.regions or one.located is not None]
    learnt = learn_outline(
        [view(one) for one in segmented],
        [one.regions for one in segmented],
        [() if one.located is None else tuple(one.located.quads) for one in segmented],
    )
    if learnt is not None and is_better(learnt, [card.picture for card in cards]):
        places = {one.path: k for k, one in enumerate(segmented)}
        chosen = [_outlined(*one, learnt, places) for one in zip(photographs, chosen, strict=True)]
    else:
        chosen = _settled(photographs, chosen, shape)
    pose = usual_pose([card.picture for card in chosen if isinstance(card, Card)])
    pictures = []
    for one, card in zip(photographs, chosen, strict=True):
        try:
            if isinstance(card, FairdealError):
                raise card
            if card.is_strange and card.chance < STRANGE:
                raise _doubtful(one)
            _check_quality(one, card.picture, pose)
            taken = card.picture.bgr if one.taken is None else one.taken
            pictures.append(replace(card.picture, bgr=taken))
        except FairdealError as error:
            refuse(error)
    return evened(turned_upright(pictures))


def view(one: Photograph) -> Image:
    """The picture (H, W, 3) BGR in which its card is taught: flat art on a plain table."""
    return one.bgr if one.located is not None else picture_of_art(one.face, one.bgr).bgr


def _settled(
    photographs: list[Photograph], chosen: list[Card | FairdealError], shape: DeckShape
) -> list[Card | FairdealError]:
    """Rectangular cards, their sides on edges, their corners where the other pictures have them."""
    fits = [
        fit_rectangle(one.picture) if isinstance(one, Card) and not one.is_art else None
        for one in chosen
    ]
    usual = float(np.median([fit.contrast for _, fit in filter(None, fits)] or [0.0]))
    found: list[Card | FairdealError] = []
    for one, card, fitted in zip(photographs, chosen, fits, strict=True):
        is_weak = isinstance(card, Unclear) or (
            fitted is not None and fitted[1].contrast < FAINT * usual
        )
        again = clearest_card(one.bgr, one.located, shape, usual) if is_weak else None
        if again is not None:
            found.append(Card(TeachingPicture(one.face, one.bgr, again), CLEAR))
        elif isinstance(card, Card) and fitted is not None:
            found.append(replace(card, picture=fitted[0]))
        else:
            found.append(card)
    cards = [card for card in found if isinstance(card, Card)]
    settled = iter(settle_corners([card.picture for card in cards]))
    return [_confirmed(card, next(settled)) if isinstance(card, Card) else card for card in found]


def _confirmed(card: Card, last: Settled) -> Card:
    is_moved = last.picture is not card.picture
    picture = fit_rectangle(last.picture)[0] if is_moved else card.picture
    return replace(card, picture=picture, is_strange=last.is_strange)


def _outlined(
    one: Photograph, chosen: Card | FairdealError, learnt: LearntOutline, places: dict[Path, int]
) -> Card | FairdealError:
    """The card at the deck's outline, wherever the networks saw one, or why it is not used."""
    if one.located is None and isinstance(chosen, FairdealError):
        return chosen
    if one.located is None:
        plain = picture_of_art(one.face, one.bgr)
        placed = learnt.placed(places[one.path], plain) if one.path in places else None
        return Card(placed or learnt.laid_on(plain))
    k = places.get(one.path)
    placed = None if k is None else learnt.placed(k, TeachingPicture(one.face, one.bgr, NOWHERE))
    if k is None or placed is None:
        return chosen if isinstance(chosen, FairdealError) else _doubtful(one)
    if learnt.others[k]:
        return _several(one, learnt.others[k])
    return Card(placed)


def _single_cards(
    photographs: list[Photograph], aspect: float | None
) -> Iterator[tuple[Quad, tuple[int, ...]]]:
    """The cards of photographs that show one card, and these pictures' shapes."""
    for one in photographs:
        if one.located is not None:
            card = select_card(one.located, DeckShape(aspect), one.bgr.shape)
            if card is not None and not card.others:
                yield card.quad, one.bgr.shape


def _photograph(face: str, path: Path, finder: Finder, aspect: float | None) -> Photograph:
    bgr = read_picture(path, LARGEST_PX)
    if has_alpha(path):
        art = read_art(path)
        return Photograph(face, path, art, None, segment(picture_of_art(face, art).bgr))
    h, w = bgr.shape[:2]
    if min(h, w) < LIMITS.side_px:
        raise FairdealError(f"a picture of {LIMITS.side_px} px or more", f"{w}×{h} px",
                            "photograph the card closer", str(path))  # fmt: skip
    if float(bgr.mean()) < LIMITS.mean_level:
        raise FairdealError("a picture bright enough to see", f"a mean of {bgr.mean():.0f} of 255",
                            "more light", str(path))  # fmt: skip
    if max(h, w) > LARGEST_PX:
        scale = LARGEST_PX / max(h, w)
        small = cv2.resize(bgr, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        bgr = np.asarray(small, np.uint8)
    even = without_pattern(bgr)
    seen = bgr if even is None else even
    regions = segment(seen)
    located = finder.locate(seen, regions)
    if _may_be_art(h / w, aspect):
        is_png = path.suffix.lower() == ".png"
        if is_png or select_card(located, DeckShape(), bgr.shape) is None:
            return Photograph(face, path, bgr, None)
    return Photograph(face, path, seen, located, regions, None if even is None else bgr)


def _chosen(one: Photograph, shape: DeckShape, are_photographs: bool) -> Card | FairdealError:
    """The card by its best quad, or why the picture is not used."""
    if one.located is None:
        # An upright photograph of a bare table has the shape of art.
        is_art = not are_photographs or one.path.suffix.lower() == ".png"
        return Card(picture_of_art(one.face, one.bgr), is_art=True) if is_art else _no_card(one)
    card = select_card(one.located, shape, one.bgr.shape, lambda quad: side_share(one.bgr, quad))
    if card is None:
        return _no_card(one)
    if card.others:
        return _several(one, card.others)
    if not card.is_likely:
        return _doubtful(one)
    picture = TeachingPicture(one.face, one.bgr, upright(card.quad, shape.aspect))
    return Card(picture, card.chance)


def _check_quality(one: Photograph, picture: TeachingPicture, pose: DeckPose | None) -> None:
    """FairdealError if the card is cut off, small, out of focus, or not alone."""
    if one.located is None:
        return
    is_cut = picture.outline is not None
    if pose is not None and not is_cut and is_pair(one.bgr, picture.quad, one.located, pose):
        raise _several(one, 1)
    found = flaw(one.bgr, picture.quad, picture.outline, one.regions)
    if found is not None and found.is_faint and one.taken is not None:
        # A card of the evened table's colour may still stand out from the table's pattern.
        found = flaw(one.taken, picture.quad, picture.outline, one.regions)
    if found is not None:
        raise FairdealError(found.expected, found.found, found.todo, str(one.path))


def _several(one: Photograph, others: int) -> FairdealError:
    return FairdealError("one card", f"{1 + others} cards", "photograph each face alone",
                         str(one.path))  # fmt: skip


def _no_card(one: Photograph) -> Unclear:
    return Unclear("one card on a table, or flat art", "no card", "photograph the card alone",
                   str(one.path))  # fmt: skip


def _doubtful(one: Photograph) -> Unclear:
    return Unclear("a card whose edges stand out", "edges that may be its picture's",
                   "photograph it once more, on a plain ground", str(one.path))  # fmt: skip


def _may_be_art(shape: float, aspect: float | None) -> bool:
    if aspect is not None:
        return abs(shape / aspect - 1) < ART_NEAR
    return ART_ASPECTS[0] < shape < ART_ASPECTS[1]
