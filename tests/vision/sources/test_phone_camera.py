"""A phone's pictures at the one who films: lost soon, back by itself, damaged ones left out."""

import contextlib
import socket
import threading
import time
import uuid

import cv2
import numpy as np
import pytest
from patience import PATIENCE_S

from rules.errors import FairdealError
from vision.sources import phone as phones
from vision.sources.live import CameraLost
from vision.sources.phone import PhoneCamera, decoded
from vision.sources.phone_wire import HEADER, MOST_BYTES, NO_PICTURE, phone_socket


def picture(level, size=(64, 48)):
    width, height = size
    return cv2.imencode(".jpg", np.full((height, width, 3), level, np.uint8))[1].tobytes()


class Page:
    """The page's server, as far as this camera knows it."""

    def __init__(self, path, first):
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(path)
        self.listening.listen()
        self.first, self.reader = first, None
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            try:
                self.reader, _ = self.listening.accept()
            except OSError:
                return
            with contextlib.suppress(OSError):  # the camera has gone again
                self.reader.sendall(self.first)

    def give(self, data, age_s=0.0):
        self.reader.sendall(HEADER.pack(time.monotonic() - age_s, len(data)) + data)

    def tell(self, words):
        self.reader.sendall(told(words))

    def close(self):
        self.listening.close()
        if self.reader:
            self.reader.close()


def told(words):
    return HEADER.pack(NO_PICTURE, len(words)) + words.encode()


def framed(data):
    return HEADER.pack(time.monotonic(), len(data)) + data


@pytest.fixture
def path():
    return f"\0fairdeal-test-{uuid.uuid4()}"


@pytest.fixture
def page(path):
    page = Page(path, framed(picture(10)))
    yield page
    page.close()


@pytest.fixture
def camera(path, page):
    camera = PhoneCamera(path)
    camera.open()
    yield camera
    camera.close()


def test_pictures_come_with_their_age_and_damaged_ones_are_left_out(camera, page):
    first, _ = camera.grab()
    assert first.shape == (48, 64, 3) and abs(int(first.mean()) - 10) <= 2
    page.give(b"no picture at all")
    page.give(picture(200)[:60])
    page.give(picture(90), age_s=0.7)
    second, age_s = camera.grab()
    assert abs(int(second.mean()) - 90) <= 2 and 0.7 <= age_s < 0.7 + PATIENCE_S


def test_without_a_page_or_a_phone_one_line_says_what_to_do(path):
    with pytest.raises(
        FairdealError, match=r"expected a page .* found none; start `fairdeal kiosk`"
    ):
        PhoneCamera(path).open()
    page = Page(path, told("none"))
    with pytest.raises(FairdealError, match="expected a phone that films, found none; open the"):
        PhoneCamera(path).open()
    page.close()


def test_a_phone_that_stops_is_lost_at_once_with_its_words(camera, page):
    camera.grab()
    page.tell("the phone has stopped filming")
    with pytest.raises(CameraLost, match="the phone has stopped filming"):
        camera.grab()


def test_a_silent_phone_and_a_page_that_ends_are_lost(camera, page, monkeypatch):
    monkeypatch.setattr(phones, "SILENT_S", 0.05)
    camera.grab()
    with pytest.raises(CameraLost, match="no picture comes from the phone"):
        camera.grab()
    monkeypatch.undo()
    page.give(picture(20))
    assert camera.grab()[0].mean() < 40  # it was only late
    page.reader.close()
    with pytest.raises(CameraLost, match="the page's server has ended"):
        camera.grab()
    with pytest.raises(CameraLost, match="closed"):
        camera.grab()


def test_half_a_picture_is_no_beginning_of_the_next_one(camera, page, monkeypatch):
    camera.grab()
    monkeypatch.setattr(phones, "SILENT_S", 0.05)
    page.reader.sendall(framed(picture(30))[:40])
    with pytest.raises(CameraLost, match="hangs"):
        camera.grab()


def test_a_phone_that_was_lost_is_waited_for_and_comes_back(camera, page):
    camera.grab()
    camera.close()
    page.first = told("none")
    threading.Timer(0.2, lambda: page.give(picture(120))).start()
    camera.open()
    assert abs(int(camera.grab()[0].mean()) - 120) <= 2


def test_a_phone_that_was_turned_says_so(camera, page):
    camera.grab()
    page.give(picture(30, (48, 64)))
    with pytest.raises(CameraLost, match="turned: 64x48 px before, now 48x64"):
        camera.grab()


def test_a_page_of_another_user_is_refused(path, page, monkeypatch):
    monkeypatch.setattr(phones, "is_own", lambda connection: False)
    with pytest.raises(FairdealError, match="found one of somebody else"):
        PhoneCamera(path).open()


def test_a_message_beyond_the_bound_is_not_read(camera, page):
    camera.grab()
    page.reader.sendall(HEADER.pack(1.0, MOST_BYTES + 1))
    with pytest.raises(CameraLost, match="at most"):
        camera.grab()


def test_no_bytes_break_the_decoder():
    rng = np.random.default_rng(4)
    plain = np.frombuffer(picture(50), np.uint8)
    for _ in range(300):
        damaged = plain.copy()
        damaged[rng.integers(0, len(plain), 8)] = rng.integers(0, 256, 8)
        found = decoded(damaged.tobytes())
        assert found is None or found.dtype == np.uint8
    assert decoded(b"") is None


def test_each_home_has_a_socket_of_its_own(monkeypatch):
    monkeypatch.setenv("FAIRDEAL_HOME", "/a")
    first = phone_socket()
    monkeypatch.setenv("FAIRDEAL_HOME", "/b")
    assert first != phone_socket() and first.startswith("\0")
