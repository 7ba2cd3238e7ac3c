"""The table of signals: nobody is left out, and settings are checked."""

import tomllib

import pytest

from device.settings import DeviceSettings, read_settings
from device.signals import LOST, PATTERNS, SIGNALS, TONES, Signal
from rules.errors import FairdealError
from rules.table.call import CALL_ORDER


def test_every_kind_of_call_has_a_signal_and_so_has_a_lost_view():
    assert set(SIGNALS) == {*CALL_ORDER, LOST}
    assert TONES[SIGNALS[LOST].tone]


def test_pattern_and_lamp_tell_calls_apart_without_colour():
    seen = [(signal.lamp, signal.pattern) for call, signal in SIGNALS.items() if call != "tie"]
    assert len(set(seen)) == len(seen)
    assert SIGNALS["tie"].tone != SIGNALS["win"].tone
    assert all(signal.lamp != "none" for signal in SIGNALS.values())


def test_a_mistake_is_heard_and_unsure_is_amber_and_silent():
    assert TONES[SIGNALS["mistake"].tone]
    assert (SIGNALS["unsure"].colour, TONES[SIGNALS["unsure"].tone]) == ("amber", ())


def test_rhythms_differ_for_a_buzzer_of_one_pitch():
    rhythms = {
        name: tuple((hertz > 0, round(seconds, 2)) for hertz, seconds in notes)
        for name, notes in TONES.items()
    }
    assert len(set(rhythms.values())) == len(rhythms)


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_flashes_faster_than_three_times_a_second(name):
    steps = PATTERNS[name]
    round_s = sum(seconds for _, seconds in steps)
    at, rises, before = 0.0, [], 0.0
    while at < max(3.0, 2 * round_s) and len(rises) < 60:
        for level, seconds in steps:
            if level > 0.1 and before <= 0.1:
                rises.append(at)
            before = level
            at += seconds
    worst = max((sum(t <= u < t + 1.0 for u in rises) for t in rises), default=0)
    assert worst <= 3


def test_settings_change_one_value_and_keep_the_rest():
    settings = read_settings({"signals": {"muted": True, "mistake": {"tone": "tick"}}})
    assert settings.signals.muted
    assert settings.signals.table["mistake"] == Signal("mistake", "red", "blink", "tick", 1.5, True)
    assert settings.signals.table["complete"] == SIGNALS["complete"]


def test_pins_and_buttons_are_read_from_text():
    text = (
        '[pins]\nseats = [5, 6]\nrgb = [12, 13, 19]\nbuzzer = 0\nbuzzer_kind = "plain"\n'
        '[pins.buttons]\nstart = 20\n"out/2" = 21\n[board]\nbuttons = ["undo", "out/1"]\n'
    )
    settings = read_settings(tomllib.loads(text))
    assert settings.pins.seats == (5, 6)
    assert dict(settings.pins.buttons) == {"start": 20, "out/2": 21}
    assert settings.board.buttons == ("undo", "out/1")
    assert read_settings({}) == DeviceSettings()


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ({"signal": {}}, "'signal'"),
        ({"signals": {"mistakes": {}}}, "'mistakes'"),
        ({"signals": {"mistake": {"tune": "x"}}}, "'tune'"),
        ({"signals": {"mistake": {"tone": "loud"}}}, "'loud'"),
        ({"signals": {"mistake": {"seconds": 0}}}, "0"),
        ({"signals": {"mistake": {"seconds": float("nan")}}}, "nan"),
        ({"signals": {"mistake": 3}}, "3"),
        ({"signals": {"muted": 1}}, "1"),
        ({"signals": {"night_level": True}}, "True"),
        ({"pins": {"mistake": 28}}, "28"),
        ({"pins": {"mistake": 17.0}}, "17.0"),
        ({"pins": {"mistake": 27}}, "GPIO27 for mistake and complete"),
        ({"pins": {"rgb": [5, 6]}}, "2"),
        ({"pins": {"rgb": "5,6,7"}}, "'5,6,7'"),
        ({"pins": {"buttons": {"begin": 5}}}, "'begin'"),
        ({"pins": {"buttons": {"out/7": 5}}}, "'out/7'"),
        ({"board": {"buttons": ["start/"]}}, "'start/'"),
        ({"board": {"buttons": [1]}}, "'1'"),
        ({"board": {"port": 3}}, "3"),
    ],
)
def test_bad_settings_are_refused_in_one_line(table, found):
    with pytest.raises(FairdealError) as caught:
        read_settings(table, "my.toml")
    assert f"found {found}" in str(caught.value)
    assert str(caught.value).startswith("my.toml")
    assert "\n" not in str(caught.value)
