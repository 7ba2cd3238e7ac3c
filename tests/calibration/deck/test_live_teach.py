import io

import numpy as np
import pytest
from rich.console import Console

from calibration.deck import live_teach
from rules.errors import FairdealError
from vision import geometry
from vision.frame import Frame
from vision.sightings import Located
from vision.sources import Lost
from vision.sources.source import Ended

QUAD = np.array([[100, 60], [163, 60], [163, 148], [100, 148]], np.float32)
NONE = Located(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
ASPECT = 88 / 63


def table(card=None, at=0.0, shift=0):
    """A frame at `at` s with a card of noise drawn from the seed `card`, `shift` px aside."""
    picture = np.full((240, 320, 3), 100, np.uint8)
    if card is not None:
        art = np.random.default_rng(card).integers(0, 255, (11, 9, 3), dtype=np.uint8)
        art = np.kron(art, np.ones((8, 7, 1), np.uint8))
        picture[60:148, 100 + shift : 163 + shift] = art
    return Frame(picture, at, round(at * 20))


def located(shift=0, count=1):
    quads = np.stack([QUAD + np.float32((shift + 70 * k, 0)) for k in range(count)])
    return Located(quads, np.full(count, 0.9, np.float32))


def shown(progress, card, start, seconds, shift=0):
    """The progress after a card was shown from `start` on, at 20 frames a second."""
    for at in np.arange(start, start + seconds, 0.05):
        seen = NONE if card is None else located(shift)
        progress = live_teach.step(progress, table(card, at, shift), seen, ASPECT)
    return progress


def test_takes_a_card_that_lies_still_and_asks_for_the_next():
    progress = live_teach.begin({"2c", "10c"})
    assert progress.faces == ("2c", "10c", "back")
    progress = shown(progress, 1, 0.0, 0.35)
    assert progress.pictures == ()
    progress = shown(progress, 1, 0.35, 0.2)
    assert [p.face for p in progress.pictures] == ["2c"]
    corner = progress.pictures[0].quad[0].astype(int)
    assert np.array_equal(progress.pictures[0].bgr[corner[1], corner[0]], table(1).bgr[60, 100])
    assert progress.face == "10c"


def test_a_frame_in_the_card_s_picture_is_no_second_card():
    inner = QUAD.mean(0) + (QUAD - QUAD.mean(0)) * 0.8
    both = Located(np.stack([inner, QUAD]).astype(np.float32), np.full(2, 0.9, np.float32))
    progress = live_teach.begin({"a", "b"})
    for at in np.arange(0, 0.6, 0.05):
        progress = live_teach.step(progress, table(1, at), both, ASPECT)
    assert [p.face for p in progress.pictures] == ["a"]
    assert geometry.area(progress.pictures[0].quad) == pytest.approx(geometry.area(QUAD), rel=0.02)


def test_the_same_card_is_not_taken_twice_until_it_has_gone():
    progress = shown(live_teach.begin({"a", "b"}), 1, 0.0, 3.0, shift=0)
    progress = shown(progress, 1, 3.0, 2.0, shift=40)
    assert len(progress.pictures) == 1
    assert progress.hint == "Take the card away."
    progress = shown(progress, None, 5.0, 0.3)
    progress = shown(progress, 1, 5.3, 0.6)
    assert len(progress.pictures) == 2


def test_another_card_laid_on_the_last_one_is_taken():
    progress = shown(live_teach.begin({"a", "b"}), 1, 0.0, 0.6)
    progress = shown(progress, 2, 0.6, 0.6)
    assert [p.face for p in progress.pictures] == ["a", "b"]


def test_a_card_that_moves_is_not_taken():
    progress = live_teach.begin({"a"})
    for k in range(40):
        shift = 3 * k
        frame = table(1, k * 0.05, shift)
        progress = live_teach.step(progress, frame, located(shift), ASPECT)
    assert progress.pictures == ()


def test_two_cards_are_refused():
    progress = live_teach.begin({"a"})
    for k in range(20):
        progress = live_teach.step(progress, table(1, k * 0.05), located(count=2), ASPECT)
    assert progress.pictures == ()
    assert progress.hint == "Only one card, please."


def test_skip_and_redo():
    progress = live_teach.press(live_teach.begin({"a", "b"}), "s")
    assert progress.face == "b"
    assert progress.missing == ("a", "b")
    progress = shown(progress, 1, 0.0, 0.6)
    assert progress.missing == ("a",)
    progress = live_teach.press(progress, "r")
    assert progress.face == "b"
    assert progress.pictures == ()
    progress = shown(progress, 1, 0.6, 1.0)
    assert progress.pictures == ()  # it still lies there: first away with it


class Shown:
    """A source and its locator: cards shown for 0.6 s each, then nothing for 0.3 s."""

    def __init__(self, cards, lost=0):
        self._lost = lost
        self._frames = []
        for card in cards:
            for shows, count in ((card, 12), (None, 6)):
                self._frames += [shows] * count
        self._at = 0.0
        self._now = None

    def watch(self, timeout_s):
        if self._lost:
            self._lost -= 1
            return Lost(self._at, "unplugged")
        if not self._frames:
            return Ended()
        self._now, self._at = self._frames.pop(0), self._at + 0.05
        return table(self._now, self._at)

    def locate(self, bgr):
        return NONE if self._now is None else located()


def play(source, faces, keys=""):
    typed, beeps, text = [keys], [], io.StringIO()
    progress = live_teach._run(
        source, live_teach.begin(faces), source, ASPECT,
        lambda: typed.pop() if typed else "", beeps.append, Console(file=text),
    )  # fmt: skip
    return progress, beeps, text.getvalue()


def test_a_whole_teaching_beeps_for_each_face():
    progress, beeps, said = play(Shown([1, 2, 3], lost=3), {"a", "b"})
    assert beeps == ["a", "b", "back"]
    assert [p.face for p in progress.pictures] == beeps
    assert "Put down: b (2 of 3)" in said
    assert "unplugged" in said


def test_a_deck_without_a_back_ends_with_the_source():
    progress, beeps, _ = play(Shown([1, 2]), {"a", "b"})
    assert beeps == ["a", "b"]
    assert progress.missing == ()


@pytest.mark.parametrize("source", [Shown([1]), Shown([1], lost=live_teach.LOST_REPORTS)])
def test_a_camera_that_ends_early_is_one_line(source):
    with pytest.raises(FairdealError) as refused:
        play(source, {"a", "b"})
    assert "\n" not in str(refused.value)
    assert "a card for each of 2 faces" in str(refused.value)


def test_quit_gives_what_was_taken():
    progress, beeps, _ = play(Shown([1, 2]), {"a", "b"}, keys="q")
    assert beeps == []
    assert progress.missing == ("a", "b")


def test_what_is_of_another_shape_than_the_deck_is_not_taken():
    square = np.float32([[100, 60], [170, 60], [170, 130], [100, 130]])
    progress = live_teach.begin({"a"})
    for k in range(20):
        seen = Located(square[None], np.array([0.9], np.float32))
        progress = live_teach.step(progress, table(1, k * 0.05), seen, ASPECT)
    assert progress.pictures == ()
    assert progress.hint == "On a plain ground, please."


def test_a_small_card_is_as_large_as_the_others_though_these_were_cut_out():
    def wide(card, at):
        picture = np.full((720, 1280, 3), 100, np.uint8)
        picture[:480, :640] = np.kron(table(card).bgr, np.ones((2, 2, 1), np.uint8))
        return Frame(picture, at, round(at * 20))

    progress, at = live_teach.begin(set("abcdefg")), 0.0
    small = Located(2 * QUAD[None], np.full(1, 0.9, np.float32))  # a tenth of the diagonal
    for card in range(7):
        for is_there in [True] * 12 + [False] * 6:
            frame = wide(card if is_there else None, at)
            progress = live_teach.step(progress, frame, small if is_there else NONE, ASPECT)
            at += 0.05
    assert [p.face for p in progress.pictures] == list("abcdefg")
