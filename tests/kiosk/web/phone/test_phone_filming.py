"""One phone films at a time; pictures come in order, what is left out is counted."""

import cv2
import numpy as np
import pytest

from kiosk.web.access import Client, Role
from kiosk.web.phone.filming import AT_ONCE, HELD_S, RATE, SILENT_S, Filming
from kiosk.web.phone.messages import BeginFilming, FrameHead, Told
from rules.errors import FairdealError

ANNA, BEN = Client(Role.CAMERA, "device 1"), Client(Role.REFEREE, "device 2")
WISH = BeginFilming(width=640, height=360, is_awake=True, is_locked=True)
PICTURE = cv2.imencode(".jpg", np.full((360, 640, 3), 90, np.uint8))[1].tobytes()
LARGER = cv2.imencode(".jpg", np.full((480, 640, 3), 90, np.uint8))[1].tobytes()
BEGAN = 1000.0  # the machine's time of the phone's 0


class Given:
    """An outlet that remembers what it was given."""

    def __init__(self):
        self.times, self.words, self.is_read = [], [], True

    def give(self, at, data):
        assert data == PICTURE
        self.times.append(at)

    def tell(self, words):
        self.words.append(words)


@pytest.fixture
def outlet():
    return Given()


@pytest.fixture
def filming(outlet):
    shown = []
    filming = Filming(outlet, shown.append)
    filming.shown = shown
    return filming


def head(key, number, taken, sent=None, dropped=0):
    ms = (1000 * taken, 1000 * (taken + 0.01 if sent is None else sent))
    return FrameHead(key=key, number=number, taken=ms[0], sent=ms[1], dropped=dropped)


def send(filming, key, number, taken, way=0.005, data=PICTURE, client=ANNA, **more):
    """One picture, `way` s on its way; when it arrived."""
    of = head(key, number, taken, **more)
    now = BEGAN + of.sent / 1000 + way
    filmed = filming.expect(of, client, now)
    filming.done(filmed)
    filming.take(filmed, of, data, now)
    return now


def test_pictures_are_given_on_with_the_machine_s_time_of_their_taking(filming, outlet):
    key = filming.begin(WISH, ANNA, "Anna", BEGAN)
    filming.tell_time(Told(key=key, sent=0.0), ANNA, BEGAN + 0.002)
    for number, way in enumerate((0.005, 0.9, 0.03)):  # the second was late
        send(filming, key, number, 1.0 + number / RATE, way)
    assert outlet.times == pytest.approx([BEGAN + 1.002 + k / RATE for k in range(3)])
    assert filming.shown == [{"name": "Anna", "is_lost": False}]


def test_a_picture_that_was_overtaken_is_left_out_and_counted(filming, outlet):
    key = filming.begin(WISH, ANNA, "Anna", BEGAN)
    for number in (0, 2, 1, 3):
        now = send(filming, key, number, number / RATE)
    assert len(outlet.times) == 3 and outlet.times == sorted(outlet.times)
    assert "4 received, 1 left out" in filming.finding(now).words
    assert filming.counted == {"received": 4, "left_out": 1}


def test_a_second_phone_is_told_which_one_films_until_that_one_is_gone(filming):
    filming.begin(WISH, ANNA, "Anna's phone", BEGAN)
    with pytest.raises(FairdealError, match="found Anna's phone; stop that one first"):
        filming.begin(WISH, BEN, "Ben", BEGAN + 1)
    filming.begin(WISH, BEN, "Ben", BEGAN + HELD_S + 1)
    assert filming.shown[-1]["name"] == "Ben"


def test_a_phone_takes_its_own_place_again_and_its_old_key_is_of_no_use(filming):
    old = filming.begin(WISH, ANNA, "Anna", BEGAN)
    key = filming.begin(WISH, ANNA, "Anna", BEGAN + 1)
    with pytest.raises(FairdealError, match="begin again"):
        send(filming, old, 0, 2.0)
    send(filming, key, 0, 2.0)
    with pytest.raises(FairdealError, match="begin again"):
        send(filming, key, 1, 2.1, client=BEN)


def test_at_most_two_pictures_are_under_way(filming):
    key = filming.begin(WISH, ANNA, "Anna", BEGAN)
    under_way = [filming.expect(head(key, k, 0.1 * k), ANNA, BEGAN + 1) for k in range(AT_ONCE)]
    with pytest.raises(FairdealError, match="at most 2 pictures under way"):
        filming.expect(head(key, 2, 0.2), ANNA, BEGAN + 1)
    filming.done(under_way[0])
    filming.expect(head(key, 2, 0.2), ANNA, BEGAN + 1)


@pytest.mark.parametrize("data", [LARGER, PICTURE[:-20], b""])
def test_another_picture_than_was_said_is_refused_and_does_not_keep_the_phone(
    filming, outlet, data
):
    key = filming.begin(WISH, ANNA, "Anna", BEGAN)
    send(filming, key, 0, 0.1)
    with pytest.raises(FairdealError):
        send(filming, key, 1, 1.9, data=data)
    filming.tick(BEGAN + 0.2 + SILENT_S)
    assert filming.shown[-1]["is_lost"] and len(outlet.times) == 1


def test_a_silent_phone_is_shown_as_lost_comes_back_and_is_given_up_at_last(filming, outlet):
    key = filming.begin(WISH, ANNA, "Anna", BEGAN)
    send(filming, key, 0, 0.0)
    filming.tick(BEGAN + SILENT_S)
    assert not filming.shown[-1]["is_lost"]
    filming.tick(BEGAN + SILENT_S + 0.6)
    assert filming.shown[-1]["is_lost"]
    assert filming.finding(BEGAN + SILENT_S + 0.6).state == "bad"
    now = send(filming, key, 1, 4.0)
    assert not filming.shown[-1]["is_lost"] and outlet.words == []
    filming.tick(now + HELD_S + 0.1)
    assert filming.shown[-1] is None and outlet.words == ["no picture comes from the phone"]
    assert filming.finding(now) is None


def test_who_stops_is_heard_by_the_one_who_films_on(filming, outlet):
    assert not filming.end() and filming.counted is None
    key = filming.begin(WISH, ANNA, "Anna", BEGAN)
    assert filming.is_of(key, ANNA) and not filming.is_of(key, BEN) and not filming.is_of("", ANNA)
    assert filming.end() and outlet.words == ["the phone has stopped filming"]


def test_health_names_what_may_be_mended(filming, outlet):
    asleep = BeginFilming(width=640, height=360, is_awake=False, is_locked=False)
    key = filming.begin(asleep, ANNA, "Anna", BEGAN)
    now = send(filming, key, 0, 0.0)
    assert "stay on" in filming.finding(now).todo
    assert "its browser does not let exposure and white balance be" in filming.finding(now).words
    key = filming.begin(WISH, ANNA, "Anna", BEGAN)
    for number in range(100):
        now = send(filming, key, number, number / RATE, dropped=number)
    finding = filming.finding(now)
    assert finding.state == "warn" and "99 left out" in finding.words and "router" in finding.todo
    assert "15 pictures a second" in finding.words
    assert "; exposure and white balance locked" in finding.words
    outlet.is_read = False  # nobody looks: few pictures are asked for
    assert filming.finding(now).state == "good" and filming.pause_s > 2 / RATE
