"""Sounds and spoken calls, set on the page."""

from device.performer import Performer
from kiosk.game.inbox import Inbox
from kiosk.game.lamps import Lamps
from kiosk.game.news import EventJudged, GameBegan
from kiosk.speech.espeak import EspeakNg
from kiosk.web.page import press_into
from rules.contract.game import make_setup
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed

SUDS = game("suds")
SETUP = make_setup(SUDS, 3)


def test_sounds_are_set_from_the_page_and_reach_the_lamps(monkeypatch):
    inbox = Inbox()
    act = press_into(inbox)
    monkeypatch.setattr(EspeakNg, "is_there", True)
    assert act({"act": "sounds", "speak": "de", "mute_s": 60}) == {"ok": True}
    assert inbox.sounds.language == "de" and inbox.sounds.is_muted
    assert not act({"act": "sounds", "speak": "fr"})["ok"]
    with Performer(()) as performer:
        lamps = Lamps(performer, inbox.sounds)
        session = referee.begin(SUDS, SETUP)
        lamps.hear(GameBegan(SUDS, SETUP, ("bottom", "left", "top"), referee.view(session)))
        assert performer.rest.muted
        act({"act": "sounds", "mute_s": 0})
        for event in (
            Pressed(0.0, "start"),
            Placed(1.0, "hat", "pile/1"),
            Placed(2.0, "socks", "pile/1"),
        ):
            session, calls = referee.step(session, event)
            view = referee.view(session)
            lamps.hear(EventJudged(event, calls, view, session.state.mistakes))
        assert not performer.rest.muted and performer.rest.open_mistakes == 1
    monkeypatch.setattr(EspeakNg, "is_there", False)
    answer = act({"act": "sounds", "speak": "en"})
    assert "sudo apt install espeak-ng" in answer["message"]
    assert act({"act": "sounds", "speak": ""})["ok"] and inbox.sounds.language == ""
