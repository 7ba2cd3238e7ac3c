import cv2
import numpy as np
import pytest
from tabletop import card_quad

from vision.scene.close_pictures import ClosePictures
from vision.scene.table import Card, corners_of

WHITE, CLOTH = 235, 70


def drawn():
    """A card's art, (140, 100, 3): a frame and figures on white paper."""
    art = np.full((140, 100, 3), WHITE, np.uint8)
    cv2.rectangle(art, (8, 8), (91, 131), (120, 40, 20), 5)
    cv2.circle(art, (18, 22), 9, (20, 120, 220), -1)
    cv2.circle(art, (82, 118), 9, (20, 120, 220), -1)
    cv2.putText(art, "S", (30, 92), cv2.FONT_HERSHEY_SIMPLEX, 2.2, (40, 40, 160), 6)
    return art


def plain():
    return np.full((140, 100, 3), WHITE, np.uint8)


def picture(art, *quads):
    """The cards on a cloth, (360, 480, 3), with sensor noise."""
    bgr = np.full((360, 480, 3), CLOTH, np.uint8)
    corners = np.float32([[0, 0], [100, 0], [100, 140], [0, 140]])
    for quad in quads:
        warp = cv2.getPerspectiveTransform(corners, quad)
        card = cv2.warpPerspective(art, warp, (480, 360))
        mask = cv2.warpPerspective(np.ones(art.shape[:2], np.uint8), warp, (480, 360))
        bgr[mask > 0] = card[mask > 0]
    noise = np.random.default_rng(len(quads)).normal(0, 3, bgr.shape)
    return np.clip(bgr + noise, 0, 255).astype(np.uint8)


def card(number, quad):
    return Card(number, "sort", "pile", corners_of(quad))


LIES = np.float32(card_quad((240, 180), 100.0))
TURNED = np.float32(card_quad((241, 181), 100.0, degrees=14))
BESIDE = np.float32(card_quad((252, 172), 100.0, degrees=5))


@pytest.fixture(params=[drawn, plain])
def art(request):
    return request.param()


@pytest.fixture
def pictures(art):
    kept = ClosePictures()
    kept.keep(card(1, LIES), picture(art, LIES))
    return kept


@pytest.mark.parametrize("over", [TURNED, BESIDE])
def test_a_like_card_laid_on_a_card_leaves_its_rim(pictures, art, over):
    assert pictures.still_shows(card(1, LIES), over, [], picture(art, LIES, over))


@pytest.mark.parametrize("to", [TURNED, BESIDE])
def test_a_card_that_was_pushed_leaves_nothing(pictures, art, to):
    assert not pictures.still_shows(card(1, LIES), to, [], picture(art, to))


def test_plain_paper_beside_other_cards_tells_nothing():
    kept, below = ClosePictures(), card(2, np.float32(card_quad((240, 180), 130.0)))
    kept.keep(card(1, LIES), picture(plain(), below.quad, LIES))
    after = picture(plain(), below.quad, BESIDE)
    assert not kept.still_shows(card(1, LIES), BESIDE, [below], after)


@pytest.mark.parametrize(("at", "is_elsewhere"), [(LIES, False), (TURNED, True), (BESIDE, True)])
def test_a_face_that_is_seen_at_another_place_is_told_by_its_print(at, is_elsewhere):
    kept = ClosePictures()
    kept.keep(card(1, LIES), picture(drawn(), LIES))
    assert kept.shows_elsewhere(card(1, LIES), picture(drawn(), at)) is is_elsewhere


@pytest.mark.parametrize("now", [plain(), 255 - drawn()])
def test_another_face_tells_not_where_a_card_lies(now):
    kept = ClosePictures()
    kept.keep(card(1, LIES), picture(drawn(), LIES))
    assert not kept.shows_elsewhere(card(1, LIES), picture(now, BESIDE))
    assert not ClosePictures().shows_elsewhere(card(1, LIES), picture(drawn(), BESIDE))


def test_a_card_that_was_never_seen_whole_tells_nothing(art):
    assert not ClosePictures().still_shows(card(1, LIES), BESIDE, [], picture(art, LIES, BESIDE))


def test_a_card_seen_a_little_aside_is_not_a_second_one_on_it():
    aside = np.float32(card_quad((244, 183), 100.0, degrees=3))
    kept = ClosePictures()
    kept.keep(card(1, LIES), picture(drawn(), LIES))
    assert not kept.still_shows(card(1, LIES), aside, [], picture(drawn(), LIES))
    assert kept.still_shows(card(1, LIES), aside, [], picture(drawn(), LIES, aside))


@pytest.mark.parametrize(("lies", "is_gone"), [((LIES, BESIDE), False), ((BESIDE,), True)])
def test_a_drawing_that_shows_no_more_beside_another_card_has_gone(lies, is_gone):
    kept, art = ClosePictures(), drawn()
    kept.keep(card(1, LIES), picture(art, LIES))
    now = picture(art, *lies)
    assert kept.is_gone(card(1, LIES), (BESIDE,), now) is is_gone


@pytest.mark.parametrize(("lies", "is_bare"), [((LIES, BESIDE), False), ((BESIDE,), True)])
def test_where_a_plain_part_beside_another_card_has_the_tables_colour_it_is_bare(lies, is_bare):
    kept, art = ClosePictures(), plain()
    kept.keep(card(1, LIES), picture(art, LIES))
    assert kept.is_bare(card(1, LIES), (BESIDE,), picture(art, *lies)) is is_bare
    assert not kept.is_bare(card(2, LIES), (BESIDE,), picture(art, BESIDE))  # never seen


def test_a_plain_rim_tells_of_no_going():
    kept, art = ClosePictures(), plain()
    kept.keep(card(1, LIES), picture(art, LIES))
    assert not kept.is_gone(card(1, LIES), (BESIDE,), picture(art, BESIDE))


def in_sun(bgr):
    """The picture with a stripe of sun that ends on the card."""
    stripe = np.where(np.arange(bgr.shape[1]) < 245, 1.0, 0.75)
    return (bgr * stripe[None, :, None]).astype(np.uint8)


@pytest.mark.parametrize("light", [lambda bgr: bgr, in_sun])
def test_a_print_is_told_in_any_light(light):
    kept = ClosePictures()
    kept.keep(card(1, LIES), picture(drawn(), LIES))
    elsewhere = LIES + 500  # another one beyond the picture: other noise
    assert kept.likeness(card(1, LIES), light(picture(drawn(), LIES, elsewhere))) > 0.9
    assert kept.likeness(card(1, LIES), light(picture(plain(), LIES, elsewhere))) < 0.3


def test_a_plain_card_has_no_print_to_tell():
    kept = ClosePictures()
    kept.keep(card(1, LIES), picture(plain(), LIES))
    assert kept.likeness(card(1, LIES), picture(plain(), LIES)) is None
    assert kept.likeness(card(2, LIES), picture(plain(), LIES)) is None


def test_of_what_a_card_covers_only_that_part_tells():
    kept, half = ClosePictures(), LIES + np.float32([50, 0])
    kept.keep(card(1, LIES), picture(drawn(), LIES))
    now = picture(drawn(), LIES)
    cv2.fillConvexPoly(now, np.rint(half).astype(np.int32), (WHITE,) * 3)
    assert kept.likeness(card(1, LIES), now, under=half) < 0.3
    assert kept.likeness(card(1, LIES), now, under=LIES - np.float32([50, 0])) > 0.7
    assert kept.likeness(card(1, LIES), now, under=LIES + np.float32([400, 0])) is None
