"""The way of a call from the referee's loop to a page: observer, socket, server, stream."""

import asyncio
import json
import socket
import threading
from dataclasses import replace
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from patience import PATIENCE_S

from kiosk.game.inbox import Inbox
from kiosk.game.news import (
    EventJudged,
    FrameJudged,
    GameBegan,
    GameEnded,
    GameRejudged,
    Summary,
    ViewLost,
)
from kiosk.game.overruling import CardIs
from kiosk.web.evidence import Evidence, EvidenceSettings, read_evidence
from kiosk.web.hub import Hub
from kiosk.web.link import LinkSettings, PageLink
from kiosk.web.messages import Move, Press
from kiosk.web.state import CALLS_SHOWN, PageState, Phase, after
from rules.contract.game import make_setup
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed
from vision.frame import Frame
from vision.scene.hand_blobs import Cover
from vision.scene.table import Table
from vision.scene.tracks import Track
from vision.scene.watcher import Observation

DOCS = Path(__file__).parents[3] / "docs"
SUDS, SETUP = game("suds"), make_setup(game("suds"), 3)
SIDES = ("bottom", "left", "top")
CORNERS = ((10.0, 10.0), (40.0, 10.0), (40.0, 60.0), (10.0, 60.0))


def begun():
    return GameBegan(SUDS, SETUP, SIDES, referee.view(referee.begin(SUDS, SETUP)))


def judged(*events):
    """The news of these events, judged in order."""
    session, news = referee.begin(SUDS, SETUP), []
    for event in events:
        session, calls = referee.step(session, event)
        news.append(EventJudged(event, calls, referee.view(session), session.state.mistakes))
    return news


def framed(number, at, face="socks"):
    """The news of a frame on which one card lies."""
    bgr = np.full((90, 160, 3), number % 200, np.uint8)
    cover = Cover(np.zeros((9, 16), bool), np.zeros((9, 16), np.uint8))
    tracks = (Track(1, CORNERS, face, 0.99, "lying", "pile/1", 2),)
    observation = Observation((), Table(), tracks, cover)
    return FrameJudged(Frame(bgr, at, number), observation, at, 0.01)


WRONG = judged(Pressed(0.0, "start"), Placed(1.0, "hat", "pile/1"), Placed(2.0, "socks", "pile/1"))


def state_after(*news):
    state = PageState()
    for each in news:
        state = after(state, each)
    return state


def test_a_mistake_is_open_until_it_is_put_right():
    state = state_after(begun(), *WRONG)
    assert [(call.n, call.event, call.is_open) for call in state.calls] == [(1, 3, True)]
    assert state.lamps()["mistake"]
    right = judged(
        Pressed(0.0, "start"), Placed(1.0, "hat", "pile/1"), Placed(2.0, "socks", "pile/1")
    )
    put_right = replace(right[-1], calls=(), open_mistakes=())
    state = after(state, put_right)
    assert not state.calls[0].is_open and not state.lamps()["mistake"]


def test_a_card_stands_in_parts_of_the_picture():
    (card,) = state_after(begun(), framed(1, 0.1)).cards
    assert card.quad[2] == pytest.approx((0.25, 0.6667), abs=1e-4)


def test_a_lost_view_and_the_end_are_states():
    state = state_after(begun(), ViewLost(3.0, None, "the camera is away"))
    assert state.lost == "the camera is away"
    ended = after(state, GameEnded(Summary(1, 0, 3.0, {}, 0.1)))
    assert ended.phase is Phase.OVER


def test_old_calls_leave_the_state_and_the_count_goes_on():
    state = state_after(begun())
    for _ in range(CALLS_SHOWN + 5):
        state = after(state, WRONG[-1])
    assert len(state.calls) == CALLS_SHOWN and state.calls_made == CALLS_SHOWN + 5
    assert state.calls[-1].n == CALLS_SHOWN + 5


def test_evidence_is_cut_around_the_call_and_the_oldest_goes_first(tmp_path):
    settings = EvidenceSettings(before_s=1.0, after_s=0.5, apart_s=0.1, most_bytes=40_000)
    evidence = Evidence(tmp_path, pytest.fail, settings)
    state = state_after(begun(), *WRONG)
    for number in range(60):
        evidence.see(framed(number, number / 10))
        if number == 20:
            evidence.expect(state.calls[-1])
        evidence.write_due(number / 10)
    found = read_evidence(tmp_path, "unkept", 1)
    times = [frame["at"] for frame in found["frames"]]
    assert times[0] == pytest.approx(1.0) and times[-1] == pytest.approx(2.5)
    assert found["frames"][found["rest"]]["at"] == pytest.approx(2.0)
    assert found["has_card"] and found["call"]["card"] == "socks"
    for n in range(2, 12):
        evidence.expect(replace(state.calls[-1], n=n, at=5.5))
    evidence.finish()
    assert read_evidence(tmp_path, "unkept", 1) is None and read_evidence(tmp_path, "unkept", 11)


def test_a_disk_that_is_full_is_said_once(tmp_path):
    said = []
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    evidence = Evidence(blocked, said.append)
    evidence.expect(state_after(begun(), *WRONG).calls[-1])
    evidence.expect(replace(state_after(begun(), *WRONG).calls[-1], n=2))
    evidence.see(framed(1, 0.0))
    evidence.finish()
    assert len(said) == 1 and "free the disk" in said[0]


def linked(tmp_path, acts, share=1.0):
    evidence = Evidence(tmp_path / "evidence", pytest.fail)
    settings = LinkSettings(tick_s=0.01, retry_s=0.02, picture_share=share)

    def act(body):
        acts.append(body["act"])
        return {"ok": True}

    return PageLink(tmp_path / "page", act, evidence, "suds", settings)


async def until(hub, is_so):
    """The first snapshot for which `is_so` holds."""
    async with asyncio.timeout(PATIENCE_S):
        async for snapshot in hub.follow(has_pictures=True):
            if snapshot is not None and is_so(snapshot):
                return snapshot


def test_news_reach_the_page_and_acts_the_game(tmp_path):
    async def play():
        hub, acts = Hub(), []
        server = await hub.listen(tmp_path / "page")
        with linked(tmp_path, acts) as link:
            for news in (begun(), *WRONG, framed(1, 0.1)):
                link.hear(news)
            shown = await until(hub, lambda s: s["calls"] and s["picture"])
            assert shown["is_connected"] and shown["game"]["deck"] == "suds"
            assert hub.picture.startswith(b"\xff\xd8")
            assert (await hub.act(Press(button="undo")))["ok"]
            assert acts == ["press"]
        await until(hub, lambda s: not s["is_connected"])
        assert not (await hub.act(Press(button="undo")))["ok"]
        server.close()

    asyncio.run(play())


def test_pictures_wait_where_their_share_of_the_time_is_used_up(tmp_path):
    async def play():
        hub = Hub()
        server = await hub.listen(tmp_path / "page")
        with linked(tmp_path, [], share=1e-9) as link:
            for news in (begun(), framed(1, 0.1)):
                link.hear(news)
            first = await until(hub, lambda s: s["picture"])
            for news in (framed(2, 0.2), *WRONG):
                link.hear(news)
            assert (await until(hub, lambda s: s["calls"]))["picture"] == first["picture"]
        server.close()

    asyncio.run(play())


def test_a_link_finds_a_server_that_starts_later_and_again(tmp_path):
    async def play():
        with linked(tmp_path, []) as link:
            link.hear(begun())
            for _ in range(2):
                hub = Hub()
                server = await hub.listen(tmp_path / "page")
                await until(hub, lambda s: s["game"] is not None)
                server.close()
                hub.drop()

    asyncio.run(play())


def test_a_server_that_takes_nothing_never_delays_the_loop(tmp_path):
    hanging = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    hanging.bind(str(tmp_path / "page"))
    hanging.listen(1)
    with linked(tmp_path, []) as link:
        heard = threading.Event()

        def loop():
            for number in range(500):
                link.hear(framed(number, number / 30))
            heard.set()

        thread = threading.Thread(target=loop)
        thread.start()
        thread.join(30.0)
        assert heard.is_set()
    hanging.close()


def test_the_state_keeps_to_its_schema(tmp_path):
    schema = json.loads((DOCS / "api.schema.json").read_text(encoding="utf-8"))
    hub = Hub()
    state = state_after(begun(), *WRONG, framed(1, 0.1), ViewLost(3.0, None, "dark"))
    hub.state = json.loads(json.dumps(state.to_json()))
    jsonschema.validate(hub.snapshot(), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**hub.snapshot(), "more": 1}, schema)


def test_a_call_carries_its_rules_sentence():
    (call,) = state_after(begun(), *WRONG).calls
    assert call.sentence == next(r.sentence for r in SUDS.rules if r.id == call.rule)


def test_a_place_is_moved_in_the_view_and_found_again(tmp_path):
    async def play():
        hub, inbox = Hub(), Inbox()
        plan = inbox.plan
        server = await hub.listen(tmp_path / "page")
        evidence = Evidence(tmp_path / "evidence", pytest.fail)
        settings = LinkSettings(tick_s=0.01, retry_s=0.02)
        act = Move(place="pile/1", at=(0.25, 0.5))
        with PageLink(tmp_path / "page", dict, evidence, "suds", settings, inbox) as link:
            assert not (await hub.act(act))["ok"]
            for news in (begun(), *WRONG, framed(1, 0.1)):
                link.hear(news)
            await until(hub, lambda s: s["picture"])
            assert (await hub.act(act))["ok"]
            assert plan.moved["pile/1"] == pytest.approx((0.25, 0.5))
            shown = await until(hub, lambda s: s["places"][0]["moved"])
            assert shown["places"][0]["label"] == "Pile 1"
            assert (await hub.act(Move(place="pile/1")))["ok"]
            await until(hub, lambda s: s["places"][0]["moved"] is None)
            inbox.sounds.mute(25)
            await until(hub, lambda s: s["sounds"]["muted_s"] == 30)
            wrong = await hub.act(Move(place="nowhere"))
            assert not wrong["ok"] and "a place of the game" in wrong["message"]
        server.close()

    asyncio.run(play())


def test_a_game_that_goes_on_keeps_the_numbers_of_its_calls_and_their_evidence(tmp_path):
    evidence = Evidence(tmp_path, pytest.fail)
    evidence.begin(7)
    evidence.expect(state_after(begun(), *WRONG).calls[-1])
    evidence.see(framed(1, 2.0))
    evidence.finish()
    evidence.begin(7, is_resumed=True)
    assert evidence.last(7) == 1 and read_evidence(tmp_path, "7", 1)
    evidence.begin(7)
    assert evidence.last(7) == 0


def test_the_crop_is_of_the_last_frame_that_shows_the_card_at_rest(tmp_path):
    evidence = Evidence(tmp_path, pytest.fail)
    evidence.see(framed(1, 1.9, "hat"))
    evidence.expect(state_after(begun(), *WRONG).calls[-1])  # socks, at 2 s
    evidence.see(framed(2, 2.0, "socks"))
    evidence.see(framed(3, 2.2, "hat"))
    evidence.finish()
    found = read_evidence(tmp_path, "unkept", 1)
    assert (found["rest"], found["has_card"], found["sure"]) == (1, True, 0.99)


def test_what_was_overruled_stands_at_its_calls():
    state = state_after(begun(), *WRONG)
    news = GameRejudged(CardIs(3, "t-shirt"), ((), (), ()), 0, WRONG[-1].view)
    (call,) = after(state, news).calls
    assert call.is_withdrawn and call.overruled == "card t-shirt"
