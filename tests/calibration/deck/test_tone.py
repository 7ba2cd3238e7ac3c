"""Teaching pictures of another exposure, white balance or contrast get the deck's tone."""

import numpy as np
import pytest

from calibration.deck.teach import TeachingPicture
from calibration.deck.tone import evened

QUAD = np.float32([[20, 20], [80, 20], [80, 104], [20, 104]])


def card(seed, paper=(238, 240, 244)):
    """A card of `paper` with a coloured figure on a slate table."""
    rng = np.random.default_rng(seed)
    bgr = np.full((124, 100, 3), (60, 58, 55), np.uint8)
    bgr[20:104, 20:80] = paper
    bgr[40:80, 35:65] = rng.integers(0, 120, 3)
    return TeachingPicture(f"face-{seed}", bgr, QUAD)


def with_levels(picture, gain, lift=0.0):
    bgr = np.clip(picture.bgr * np.array(gain) + lift, 0, 255).astype(np.uint8)
    return TeachingPicture(picture.face, bgr, picture.quad)


def paper_of(picture):
    return picture.bgr[30, 30].astype(int)


@pytest.mark.parametrize("gain", [0.3, (0.6, 0.9, 1.0), (1.0, 0.8, 0.6)])
def test_a_dim_or_tinted_picture_gets_the_deck_s_paper(gain):
    plain = [card(seed) for seed in range(5)]
    odd = with_levels(card(9), gain)
    *others, mended = evened([*plain, odd])
    assert all(np.array_equal(a.bgr, b.bgr) for a, b in zip(others, plain, strict=True))
    assert paper_of(mended) == pytest.approx(paper_of(plain[0]), abs=4)
    assert mended.bgr[60, 50] == pytest.approx(card(9).bgr[60, 50].astype(int), abs=6)


def test_a_faded_picture_gets_its_contrast_back():
    plain = [card(seed) for seed in range(5)]
    faded = with_levels(card(3), 0.35, 150)
    mended = evened([*plain, faded])[-1]
    before, after = (float(np.ptp(p.bgr[25:100, 25:75].mean(2))) for p in (faded, mended))
    assert after > 1.5 * before and paper_of(mended) == pytest.approx(paper_of(plain[0]), abs=4)


def test_cards_of_different_papers_stay():
    papers = [(250, 250, 250), (40, 60, 200), (30, 160, 40), (200, 60, 20), (20, 20, 20)]
    pictures = [card(k, paper) for k, paper in enumerate(papers)]
    assert evened(pictures) == pictures


def test_two_pictures_tell_no_usual_tone():
    pictures = [card(1), with_levels(card(2), 0.3)]
    assert evened(pictures) is pictures
