"""The photograph-like clips, with detections made from their truth: only hands are real."""

from __future__ import annotations

import json
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from detections import NoisyEyes, TrueCard
from plain_layouts import Piles

from rules.table.event import is_card_event
from rules.table.layout import SIDES
from vision.frame import Frame
from vision.scene.watcher import Watcher

CLIPS = Path(__file__).parents[4] / "shared" / "scenes" / "clips"
FACES = ("hat", "t-shirt", "boxers", "pants", "socks", "sneakers", "wild")


def true_game(truth):
    """The cards of the truth, and the events that must come: (t, event, card, place, seat)."""
    cards, events = [], []
    for event in truth["events"]:
        place, seat = f"pile/{event['pile']}", event["seat"]
        if event["action"] == "toss":
            quad = np.array(event["quad"], np.float32)
            cards.append([event["face"], quad, event["t_settled"], float("inf"), place])
            events.append((event["t_settled"], "placed", event["face"], place, seat))
            continue
        lying = [c for c in cards if c[4] == place and c[3] == float("inf")]
        taken = lying[-1:] if event["action"] == "take-back" else lying
        for card in reversed(taken):
            card[3] = event["t_lifted"]
            events.append((event["t_lifted"], "removed", card[0], place, seat))
    return [TrueCard(*card) for card in cards], events


def arms(mask):
    """Of a cover, what reaches in from the border."""
    _, labels = cv2.connectedComponents(mask.view(np.uint8))
    border = np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])
    return (np.isin(labels, np.setdiff1d(border, [0]))).view(np.uint8)


def play(clip, seed):
    truth = json.loads((CLIPS / f"{clip}.json").read_text())
    cards, expected = true_game(truth)
    eyes = NoisyEyes(cards, FACES, seed)
    watcher = Watcher(Piles(), SIDES)
    video = cv2.VideoCapture(str(CLIPS / f"{clip}.mp4"))
    seen, spent, number, hands = [], [], 0, None
    while True:
        ok, bgr = video.read()
        if not ok:
            return expected, seen, spent
        at = number / truth["fps"]
        located = eyes.locate(at, (1280, 720), hands)
        start = time.thread_time()
        observation = watcher.update(Frame(bgr, at, number), located, eyes.name)
        spent.append(time.thread_time() - start)
        low = arms(observation.cover.mask)
        hands = cv2.resize(low, (1280, 720), interpolation=cv2.INTER_NEAREST).view(bool)
        seen += [
            (e.at, e.kind, e.card, e.place, e.seat) for e in observation.events if is_card_event(e)
        ]
        number += 1


@pytest.mark.shared
@pytest.mark.parametrize("clip", ["clip1", "clip2"])
@pytest.mark.parametrize("seed", range(2))
def test_every_event_of_the_clips_and_no_other(clip, seed):
    if not CLIPS.is_dir():
        pytest.skip("the scenes are not here")
    expected, seen, _ = play(clip, seed)
    assert sorted(e[1:] for e in seen) == sorted(e[1:] for e in expected)
    by_time = sorted(expected, key=lambda e: e[0])
    for event in by_time:
        match = [s for s in seen if s[1:] == event[1:] and 0 <= s[0] - event[0] <= 1.5]
        assert match, event
