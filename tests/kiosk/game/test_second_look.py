"""The second look: the loop's thread names the card again, whoever asks."""

import threading

import numpy as np

from kiosk.game.news import FrameJudged
from kiosk.game.second_look import SecondLook
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table
from vision.scene.tracks import Track
from vision.scene.watcher import Observation
from vision.sightings import Named

CORNERS = ((10.0, 10.0), (30.0, 10.0), (30.0, 40.0), (10.0, 40.0))


class Eyes:
    """Names every card the same."""

    def __init__(self, face, confidence):
        self.face, self.confidence, self.threads = face, confidence, []

    def __call__(self, bgr, quads, quick=False, known=None):
        self.threads.append(threading.current_thread())
        one = np.array([self.confidence], np.float32)
        return Named((self.face,), one, quads, np.array([True]))


def frame_of(*places):
    tracks = tuple(
        Track(k, CORNERS, "hat", 0.9, state, place) for k, (place, state) in enumerate(places)
    )
    cover = Cover(np.zeros((9, 16), bool), np.zeros((9, 16), np.uint8))
    bgr = np.zeros((72, 128, 3), np.uint8)
    return FrameJudged(Frame(bgr, 1.0, 1), Observation((), Table(), tracks, cover), 1.0, 0.01)


def looked(eyes, news):
    """What another thread is told, while this one plays the loop."""
    look, found = SecondLook(wait_s=30.0).through(eyes), []
    asker = threading.Thread(target=lambda: found.append(look.look("pile/1")))
    asker.start()
    while asker.is_alive():
        look.hear(news)
    asker.join()
    return found[0]


def test_the_card_is_named_on_the_loop_s_thread():
    eyes = Eyes("pants", 0.995)
    found = looked(eyes, frame_of(("pile/1", "covered"), ("pile/1", "lying")))
    assert (found.card, found.is_sure) == ("pants", True)
    assert set(eyes.threads) == {threading.current_thread()} and len(eyes.threads) == 1


def test_a_doubtful_or_nameless_card_is_not_sure():
    assert not looked(Eyes("pants", 0.9), frame_of(("pile/1", "lying"))).is_sure
    nameless = looked(Eyes("nothing", 1.0), frame_of(("pile/1", "lying")))
    assert (nameless.card, nameless.is_sure) == ("unknown", False)


def test_where_no_card_lies_there_is_nothing_to_name():
    assert looked(Eyes("pants", 1.0), frame_of(("pile/2", "lying"))) is None


def test_without_a_frame_the_page_is_not_kept_waiting():
    assert SecondLook(wait_s=0.0).through(Eyes("pants", 1.0)).look("pile/1") is None
