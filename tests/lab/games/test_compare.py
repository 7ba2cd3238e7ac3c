"""A journal without calls is judged by the rules of today."""

import json

import pytest

from lab.games.compare import judged, read_told
from lab.games.generate import Wish, generate
from lab.games.score import score
from models.drawing.happening import truth
from rules.table.event import Pressed


@pytest.mark.parametrize("name", ["suds", "soda", "dirty-laundry"])
def test_events_without_calls_get_the_calls_and_presses_of_the_script(name, tmp_path):
    game = generate(Wish(name, 2, 0.6))
    events = [event for event in truth(game.script) if not isinstance(event, Pressed)]
    journal = tmp_path / "journal.jsonl"
    journal.write_text("".join(event.to_json() + "\n" for event in events))
    made = score(game.script, game.options, judged(game.script, game.options, read_told(journal)))
    assert made.faults == [] and made.calls == made.calls_right
    told = [json.loads(line) | {"told": 99.0} for line in journal.read_text().splitlines()]
    calls = judged(game.script, game.options, {"events": told, "calls": []})["calls"]
    assert calls and all(call["told"] == 99.0 or call.get("card") is None for call in calls)
