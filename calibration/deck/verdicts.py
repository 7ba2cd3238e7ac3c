"""All pictures of a deck vote on shape, outline and corners; then each has its end."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from calibration.deck.card_selection import DeckShape, estimate_shape, select_card
from calibration.deck.confirmation import SureDeck, confirmed
from calibration.deck.corner_consensus import Settled, settle_corners
from calibration.deck.ends import Asked, End, Taken, Unusable
from calibration.deck.orientation import turned_upright
from calibration.deck.outline import LearntOutline, is_better, learn_outline
from calibration.deck.photographs import Photograph, read_photographs, view
from calibration.deck.picture_quality import flaw
from calibration.deck.proposals import Finder
from calibration.deck.questions import question, ranked_quads, with_whole_first
from calibration.deck.rectangle_fit import clearest_card, fit_rectangle, side_share
from calibration.deck.second_card import DeckPose, is_pair, usual_pose
from calibration.deck.teach import TeachingPicture, picture_of_art, upright
from calibration.deck.tone import evened
from rules.errors import FairdealError
from vision.geometry import Quad

STRANGE = 0.8  # least probability of a card whose corners no other picture confirms
FAINT = 0.75  # of the deck's median contrast: below it the picture's other quads are tried
CLEAR = 0.5  # probability of a card that only its edges show
OWN_EDGES = "edges that may be its picture's"  # found where no other picture confirms the corners
NOWHERE = np.zeros((4, 2), np.float32)  # a quad before the outline is laid on the card

Refuse = Callable[[FairdealError], None]


class Unclear(FairdealError):
    """No quad of the picture is surely its card; the other pictures of the deck may tell it."""


class BeyondUse(FairdealError):
    """A person could not tell the card's outline either."""


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
    """The surely taken pictures of files with their faces; the reason for each other file goes to
    `refuse`. aspect: height / width of the cards, if known."""
    return _taken_only(ends_of(read_photographs(files, finder, aspect), aspect), refuse)


def select_pictures(
    photographs: list[Photograph], aspect: float | None, refuse: Refuse
) -> list[TeachingPicture]:
    """As `read_pictures`, of photographs in memory."""
    return _taken_only(ends_of(photographs, aspect), refuse)


def _taken_only(ends: Sequence[End], refuse: Refuse) -> list[TeachingPicture]:
    taken = []
    for end in finished(ends):
        if isinstance(end, Taken):
            taken.append(end.picture)
        else:
            refuse(end.reason)
    return taken


def ends_of(found: Sequence[Photograph | Unusable], aspect: float | None) -> list[End]:
    """The end of each picture. All pictures of the deck vote on shape, size, outline and corners.
    aspect: height / width of the cards, if known."""
    told = iter(_judged([one for one in found if isinstance(one, Photograph)], aspect))
    return [next(told) if isinstance(one, Photograph) else one for one in found]


def finished(ends: Sequence[End], known: Sequence[TeachingPicture] = ()) -> list[End]:
    """The ends, all taken pictures the right way up and of one tone, as they and `known` agree."""
    taken = [end.picture for end in ends if isinstance(end, Taken)]
    final = iter(evened(turned_upright([*known, *taken]))[len(known) :])
    return [replace(end, picture=next(final)) if isinstance(end, Taken) else end for end in ends]


def _judged(photographs: list[Photograph], aspect: float | None) -> list[End]:
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
        places = {id(one): k for k, one in enumerate(segmented)}
        chosen = [_outlined(*one, learnt, places) for one in zip(photographs, chosen, strict=True)]
    else:
        learnt, chosen = None, _settled(photographs, chosen, shape)
    pose = usual_pose([card.picture for card in chosen if isinstance(card, Card)])
    ends = [
        _end(one, card, pose, shape, learnt) for one, card in zip(photographs, chosen, strict=True)
    ]
    sure = None if learnt else SureDeck.of([e.picture for e in ends if isinstance(e, Taken)])
    if sure is None:
        return with_whole_first(photographs, ends, shape)
    return [
        _asked_again(one, end, sure, pose, shape)
        for one, end in zip(photographs, ends, strict=True)
    ]


def _asked_again(
    one: Photograph, end: End, sure: SureDeck, pose: DeckPose | None, shape: DeckShape
) -> End:
    """The end; of a card whose outline is doubtful, the one where the sure pictures register."""
    if not isinstance(end, Asked) or end.reason.found != OWN_EDGES:
        return end
    found = confirmed(one.face, one.bgr, ranked_quads(one, shape), sure)
    return end if found is None else _end(one, Card(found), pose, shape, None)


def _end(
    one: Photograph,
    card: Card | FairdealError,
    pose: DeckPose | None,
    shape: DeckShape,
    learnt: LearntOutline | None,
) -> End:
    name = one.name or one.face
    if isinstance(card, FairdealError):
        return question(one, None, shape, learnt, card)
    found = _doubt(one, card, pose)
    if found is None:
        bgr = card.picture.bgr if one.taken is None else one.taken
        return Taken(name, replace(card.picture, bgr=bgr), one.scale)
    if isinstance(found, BeyondUse):
        return Unusable(name, one.face, found)
    return question(one, card.picture, shape, learnt, found)


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
    one: Photograph, chosen: Card | FairdealError, learnt: LearntOutline, places: dict[int, int]
) -> Card | FairdealError:
    """The card at the deck's outline, wherever the networks saw one, or why it is not used."""
    if one.located is None and isinstance(chosen, FairdealError):
        return chosen
    if one.located is None:
        plain = picture_of_art(one.face, one.bgr)
        placed = learnt.placed(places[id(one)], plain) if id(one) in places else None
        return Card(placed or learnt.laid_on(plain))
    k = places.get(id(one))
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


def _doubt(one: Photograph, card: Card, pose: DeckPose | None) -> FairdealError | None:
    """Why the card is not surely the right one, whole, sharp and alone."""
    if one.doubt is not None:
        return one.doubt
    if card.is_strange and card.chance < STRANGE:
        return _doubtful(one)
    if one.located is None:
        return None
    picture = card.picture
    is_cut = picture.outline is not None
    if pose is not None and not is_cut and is_pair(one.bgr, picture.quad, one.located, pose):
        return _several(one, 1)
    found = flaw(one.bgr, picture.quad, picture.outline, one.regions)
    if found is not None and found.is_faint and one.taken is not None:
        # A card of the evened table's colour may still stand out from the table's pattern.
        found = flaw(one.taken, picture.quad, picture.outline, one.regions)
    if found is None:
        return None
    kind = BeyondUse if found.is_beyond_use else FairdealError
    return kind(found.expected, found.found, found.todo, str(one.path))


def _several(one: Photograph, others: int) -> FairdealError:
    return FairdealError("one card", f"{1 + others} cards", "photograph each face alone",
                         str(one.path))  # fmt: skip


def _no_card(one: Photograph) -> Unclear:
    return Unclear("one card on a table, or flat art", "no card", "photograph the card alone",
                   str(one.path))  # fmt: skip


def _doubtful(one: Photograph) -> Unclear:
    return Unclear("a card whose edges stand out", OWN_EDGES,
                   "photograph it once more, on a plain ground", str(one.path))  # fmt: skip
