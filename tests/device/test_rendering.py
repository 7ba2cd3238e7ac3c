"""What shows at a moment: pure, so every moment can be asked for."""

import pytest

from device.rendering import Cue, Lights, Rest, cue_of, lights
from device.signals import LAMPS, SIGNALS, SignalSettings
from rules.table.call import Call

SETTINGS = SignalSettings()
MISTAKE, COMPLETE, TURN, UNSURE = (LAMPS.index(name) for name in LAMPS)


def cue(call: str, seat: int | None = None) -> Cue:
    made = cue_of(Call(call=call, rule="r", message="m", seat=seat), SETTINGS)
    assert made is not None
    return made


def walk(rest: Rest, played: Cue | None, seconds: float) -> list[tuple[float, Lights]]:
    """Every change within a time, as a worker would meet them."""
    at, seen = 0.0, []
    while at < seconds:
        shown, until = lights(rest, played, at, at, SETTINGS)
        seen.append((at, shown))
        assert until > 0
        at += until
    return seen


def test_at_rest_all_is_dark():
    assert lights(Rest(), None, 0, 0, SETTINGS)[0] == Lights()


def test_a_mistake_lights_its_lamp_and_sounds_at_once():
    shown, _ = lights(Rest(1), cue("mistake", 2), 0.0, 0.0, SETTINGS)
    assert shown.lamps[MISTAKE] == 1.0
    assert shown.seats == (0, 1.0, 0, 0, 0, 0)
    assert shown.tone_hz == 330
    assert shown.colour == (1.0, 0.0, 0.0)


def test_the_mistake_lamp_stays_after_the_cue_and_goes_when_settled():
    shown = [s.lamps[MISTAKE] for at, s in walk(Rest(1), cue("mistake"), 30.0) if at > 2]
    assert max(shown) == 1.0 and len(shown) > 40
    shown = [s.lamps[MISTAKE] for at, s in walk(Rest(0), None, 30.0)]
    assert max(shown) == 0.0


def test_a_lost_view_keeps_its_lamp_until_it_is_found():
    levels = [s.lamps[UNSURE] for _, s in walk(Rest(lost=True), None, 30.0)]
    assert max(levels) == 1.0 and min(levels) < 0.5
    assert lights(Rest(lost=True), None, 0, 0, SETTINGS)[0].colour == (1.0, 0.45, 0.0)
    both = lights(Rest(1, lost=True), None, 0, 0, SETTINGS)[0]
    assert both.colour == (1.0, 0.0, 0.0) and both.lamps[UNSURE] == 1.0


@pytest.mark.parametrize("call", SIGNALS)
def test_every_cue_is_seen_and_ends(call):
    seen = walk(Rest(), cue(call), 20.0)
    lamp = LAMPS.index(SIGNALS[call].lamp)
    assert max(s.lamps[lamp] for _, s in seen) == 1.0
    end = cue(call).seconds
    assert all(s == Lights() for at, s in seen if at >= end)


def test_unsure_is_silent_through_and_through():
    assert all(s.tone_hz == 0 for _, s in walk(Rest(), cue("unsure"), 5.0))


def test_muted_is_silent_and_as_bright():
    loud = walk(Rest(), cue("complete"), 3.0)
    mute = walk(Rest(muted=True), cue("complete"), 3.0)
    assert all(s.tone_hz == 0 for _, s in mute)
    assert [s.lamps for _, s in mute] == [s.lamps for _, s in loud]


def test_night_turns_the_light_down_and_not_off():
    shown, _ = lights(Rest(1, turn=3, night=True), cue("mistake"), 0.0, 0.0, SETTINGS)
    assert shown.lamps[MISTAKE] == SETTINGS.night_level
    assert 0 < shown.seats[2] < SETTINGS.turn_level


def test_the_turn_shows_at_its_seat_beside_an_open_mistake():
    shown, _ = lights(Rest(2, turn=6), None, 0.0, 0.0, SETTINGS)
    assert shown.lamps[TURN] == shown.seats[5] == SETTINGS.turn_level
    assert shown.lamps[MISTAKE] == 1.0
    assert lights(Rest(turn=9), None, 0.0, 0.0, SETTINGS)[0] == Lights()


def test_a_call_that_the_table_does_not_know_is_no_cue():
    assert cue_of(Call(call="other", rule="r", message="m"), SETTINGS) is None
