"""The live picture: aimed by it, told by its keys, and nothing of it where no screen is."""

import cv2
import numpy as np
import pytest

from calibration import preview
from calibration.deck import live_teach
from calibration.deck.live_teach import begin
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sources.source import Source


class Live(Source):
    """A live camera of grey pictures, `count` of them."""

    recorded = False

    def __init__(self, count=5):
        self.left = count

    def read(self):
        self.left -= 1
        return Frame(np.full((90, 160, 3), 120, np.uint8), 0.0, 0) if self.left >= 0 else None


@pytest.fixture
def screen(monkeypatch):
    """A screen whose windows are remembered and whose keys are typed ahead."""
    shown, keys = [], []
    monkeypatch.setattr("calibration.pictures.has_screen", lambda: True)
    monkeypatch.setattr(cv2, "imshow", lambda title, bgr: shown.append((title, bgr.shape)))
    monkeypatch.setattr(cv2, "waitKey", lambda ms: ord(keys.pop(0)) if keys else -1)
    monkeypatch.setattr(cv2, "destroyWindow", lambda title: shown.append((title, None)))
    return shown, keys


def test_the_picture_is_shown_until_space_is_pressed(screen):
    shown, keys = screen
    keys += ["x", " "]
    source = Live()
    preview.aim(source, "table", lambda bgr: "10 markers")
    assert shown == [("table", (90, 160, 3))] * 2 + [("table", None)]
    assert source.left == 3


def test_giving_up_is_one_line(screen):
    screen[1].append("q")
    with pytest.raises(FairdealError, match="cancelled"):
        preview.aim(Live(), "table", lambda bgr: "")
    assert screen[0][-1] == ("table", None)


def test_without_a_screen_or_with_a_recording_nothing_is_waited_for(screen, monkeypatch):
    recording = Live()
    recording.recorded = True
    preview.aim(recording, "table", lambda bgr: "")
    monkeypatch.setattr("calibration.pictures.has_screen", lambda: False)
    live = Live()
    preview.aim(live, "table", lambda bgr: "")
    assert recording.left == live.left == 5 and not screen[0]


def test_an_opencv_without_windows_is_no_trouble(screen, monkeypatch):
    def refuse(title, bgr):
        raise cv2.error("no GUI")

    monkeypatch.setattr(cv2, "imshow", refuse)
    preview.aim(Live(), "table", lambda bgr: "")
    assert screen[0] == []


def test_a_large_picture_is_shown_smaller_with_its_points(screen):
    picture = np.zeros((1440, 2560, 3), np.uint8)
    with preview.Preview("camera", True) as window:
        assert window.show(picture, "hint", np.array([[100.0, 200.0]])) == ""
    assert screen[0] == [("camera", (720, 1280, 3)), ("camera", None)]
    assert not picture.any()


def test_keys_of_the_window_skip_faces_while_teaching():
    class Frames:
        def watch(self, timeout_s):
            return Frame(np.zeros((90, 160, 3), np.uint8), 0.0, 0)

    class Blind:
        def locate(self, bgr):
            from vision.sightings import Located

            return Located(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))

    class Quiet:
        def print(self, *words, **how):
            """Says nothing."""

    hints, keys = [], iter("ssq")

    def show(bgr, hint):
        hints.append(hint)
        return next(keys)

    progress = live_teach._run(
        Frames(), begin({"hat", "socks", "pants"}), Blind(), 1.4, list, print, Quiet(), show
    )
    assert progress.asked == 2 and not progress.pictures
    assert "hat" in hints[0] and "pants" in hints[1]
