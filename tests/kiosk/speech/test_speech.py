"""Spoken calls: off by default, only the new value after a correction, never in the way."""

import threading

import pytest
from needed_tools import ESPEAK, need
from patience import PATIENCE_S

from calibration.settings import Settings, load_settings
from kiosk.game.news import EventJudged, GameRejudged
from kiosk.game.overruling import CardIs, rejudge
from kiosk.game.sounds import MOST_MUTED_S, Sounds
from kiosk.speech.catalogue import messages, spoken
from kiosk.speech.espeak import EspeakNg
from kiosk.speech.observer import QUEUE, Speech
from kiosk.speech.phrases import phrase
from rules.contract.game import make_setup
from rules.errors import FairdealError
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed, Removed

SUDS = game("suds")
START = referee.begin(SUDS, make_setup(SUDS, 3))
EVENTS = (
    Pressed(0.0, "start"),
    Placed(1.0, "hat", "pile/1", 1),
    Placed(2.0, "socks", "pile/1", 2),
    Removed(3.0, "socks", "pile/1", 2),
)
WRONG = "Pile 1 needs a T-shirt, not socks. Take the socks back."


class Heard:
    """A speaker that writes down what it would say; `gate` holds its first sentence back."""

    is_there = True

    def __init__(self, gate=None, fault=""):
        self.said, self.gate, self.fault = [], gate, fault
        self.has_begun = threading.Event()

    def say(self, text, language, stop):
        self.said.append((language, text))
        self.has_begun.set()
        if self.gate is not None:
            self.gate.wait(PATIENCE_S)
        return self.fault


def news(events=EVENTS):
    """The news of these events, in order."""
    session, found = START, []
    for number, event in enumerate(events, 1):
        session, calls = referee.step(session, event)
        found.append(EventJudged(event, calls, referee.view(session), number=number))
    return found


def told(sounds, messages, speaker=None):
    """What is said of these messages by the end."""
    speaker = speaker or Heard()
    with Speech(sounds, speaker, pytest.fail) as speech:
        for each in messages:
            speech.hear(each)
    return speaker.said


def speaking(language):
    sounds = Sounds()
    assert sounds.speak(language)
    return sounds


def test_the_setting_switches_spoken_calls_on(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('[speech]\nlanguage = "de"\n')
    assert load_settings(path).speech.language == "de" and Settings().speech.language == ""
    path.write_text('[speech]\nlanguage = "klingon"\n')
    with pytest.raises(FairdealError, match=r"speech\.language"):
        load_settings(path)


def test_nothing_is_spoken_unless_it_is_switched_on():
    assert told(Sounds(), news()) == []


def test_a_mistake_is_spoken_and_after_its_correction_only_what_is_due_now():
    assert told(speaking("en"), news()) == [("en", WRONG), ("en", "Pile 1 needs a T-shirt")]


def test_after_an_overruling_only_the_new_value_is_spoken():
    events = EVENTS[:3]
    again = rejudge(START, events, (CardIs(3, "t-shirt"),))
    overruled = GameRejudged(CardIs(3, "t-shirt"), again.calls, 0, referee.view(again.session))
    said = told(speaking("en"), [*news(events), overruled])
    assert said[-1] == ("en", "Pile 1 needs boxers")
    still = rejudge(START, events, (CardIs(3, "pants"),))
    wrong = GameRejudged(CardIs(3, "pants"), still.calls, 0, referee.view(still.session))
    assert "not pants" in told(speaking("en"), [*news(events), wrong])[-1][1]


def test_german_words_follow_the_setting():
    assert told(speaking("de"), news()) == [
        ("de", "Stapel 1 braucht T-Shirt, nicht Socken. Nimm Socken zurück."),
        ("de", "Stapel 1 braucht T-Shirt."),
    ]


def test_a_call_without_german_words_is_spoken_as_it_is():
    session, calls = referee.step(START, Pressed(0.0, "start"))
    _, calls = referee.step(session, Pressed(1.0, "draw"))
    assert phrase(calls[0], "xx") == calls[0].message


def test_muted_for_a_while_and_then_heard_again():
    now = [0.0]
    sounds = Sounds(lambda: now[0])
    sounds.speak("en")
    sounds.mute(60.0)
    assert sounds.is_muted and told(sounds, news()[:3]) == []
    now[0] = 61.0
    assert not sounds.is_muted and len(told(sounds, news()[:3])) == 1
    sounds.mute(1e9)
    assert sounds.muted_s == MOST_MUTED_S
    sounds.toggle()
    assert not sounds.is_muted
    assert not sounds.speak("klingon") and sounds.language == "en"


def test_a_slow_voice_delays_nothing_and_the_newest_sentences_win():
    gate = threading.Event()
    speaker = Heard(gate)
    mistakes = news()[2:3]
    with Speech(speaking("en"), speaker, pytest.fail) as speech:
        speech.hear(mistakes[0])
        assert speaker.has_begun.wait(PATIENCE_S)
        for _ in range(50):
            speech.hear(mistakes[0])
        assert speech.drops == 50 - QUEUE
        gate.set()


def test_a_voice_that_fails_is_said_once():
    said = []
    with Speech(speaking("en"), Heard(fault="no sound card"), said.append) as speech:
        for each in news()[2:3] * 3:
            speech.hear(each)
    assert said == ["speech: no sound card; calls are not spoken"]


def test_spoken_messages_of_the_catalogue_have_all_their_variables():
    german = [name for name in messages("de") if name.startswith("call-")]
    assert len(german) >= 8
    values = {"place": "Stapel 1", "seat": "2", "card": "Hut", "due": "Socken"}
    for name in german:
        text = spoken("de", name, values)
        assert text is not None and "{" not in text, name
    assert spoken("de", "call-mistake-due", {}) is None and spoken("de", "no-such", {}) is None
    assert messages("xx") == {}


@pytest.mark.parametrize("language", ["en", "de"])
def test_espeak_says_a_sentence_in_each_language(language):
    need(ESPEAK)
    voice = EspeakNg(options=("--stdout",))
    assert voice.is_there and voice.say("-v x --stdout; $(true)", language, threading.Event()) == ""


def test_a_missing_or_failing_voice_is_told(tmp_path):
    assert not EspeakNg("no-such-voice").is_there
    assert EspeakNg("no-such-voice").say("x", "en", threading.Event())
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\ncat > /dev/null\necho no sound card >&2\nexit 1\n")
    broken.chmod(0o755)
    assert EspeakNg(str(broken)).say("x", "en", threading.Event()) == "no sound card"


def test_a_voice_that_hangs_is_stopped(tmp_path):
    hanging = tmp_path / "hanging"
    hanging.write_text("#!/bin/sh\nexec sleep 60\n")
    hanging.chmod(0o755)
    stop = threading.Event()
    stop.set()
    assert EspeakNg(str(hanging)).say("x", "en", stop) == ""
