"""docs/add-a-game.md by example: `example_game/odd_and_even`, one folder and nothing else."""

import json
import sys
from pathlib import Path

import pytest

from kiosk.cli import main
from rules import games
from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.contract.sample import read_sample
from rules.judging.referee import begin, close, step, view
from rules.table.event import is_card_event
from rules.table.layout import default_sides

NAME = "odd-and-even"
FOLDER = Path(__file__).parent / "example_game"
SCRIPT = """game odd-and-even
players 2
deck plain52
card 130
camera rate
end 9.5
spot play 0.38 0.5 0.08 0.0
1.0 seat=1 place 3h play
2.8 seat=2 place 5c play
4.8 seat=2 remove 5c play
6.4 seat=2 place 4c play
8.0 seat=1 place 9s play
"""


@pytest.fixture
def game(monkeypatch):
    """The game as if its folder lay in rules/games/."""
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(FOLDER)])
    yield games.game(NAME)
    for name in [name for name in sys.modules if name.startswith("rules.games.odd_and_even")]:
        del sys.modules[name]
    del games.odd_and_even


def play(game, text):
    session, made = begin(game, make_setup(game, 2)), []
    for event in read_sample(text):
        session, calls = step(session, event)
        made += [(call.call, call.rule, call.at) for call in calls]
    return session, made + [(call.call, call.rule, call.at) for call in close(session)]


def test_a_game_is_its_folder(game):
    assert games.names() == (*games.NAMES, NAME) and games.GAMES[NAME] is game
    with pytest.raises(KeyError):
        games.GAMES["odd"]


def test_its_sample_is_played_and_a_wrong_card_changes_nothing(game):
    session, made = play(game, game.sample)
    assert made == [
        ("mistake", "take-turns", 1.0),
        ("corrected", "take-turns", 1.5),
        ("win", "five", 3.5),
    ]
    assert session.over and session.state.pile == ("3h", "4c", "9s", "2d", "7h")
    assert view(session).lines[0] == ("Pile", "3h 4c 9s 2d 7h")


def test_undo_unknown_cards_and_lost_views_come_from_the_shared_referee(game):
    session, made = play(game, "!start; 1 3h play; !undo; 2 4c play; 1 unknown play; 1 6c play")
    assert session.state.pile == ("4c", "6c")
    assert made == [("unsure", "unknown-card", 2.0)]


def test_its_buttons_places_and_areas_are_its_own(game):
    lines = [b'{"at": 1, "event": "pressed", "button": "pass", "seat": 2}',
             b'{"at": 2, "event": "placed", "card": "2c", "place": "seat/2/stock"}']  # fmt: skip
    assert len(list(read_events(lines, game, 2))) == 2
    assert game.keys == {"s": "start", "u": "undo", "e": "end", "p": "pass"}
    areas = game.layout.areas(default_sides(2))
    assert [area.place for area in areas] == ["seat/1/stock", "seat/2/stock", "play"]


def test_its_recorded_events_are_replayed(game, tmp_path, capsys):
    path = tmp_path / "events.jsonl"
    path.write_text("\n".join(event.to_json() for event in read_sample(game.sample)))
    assert main(["replay", NAME, "--players", "2", str(path)]) == 0
    calls = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [call["rule"] for call in calls] == ["take-turns", "take-turns", "five"]


def test_it_is_refereed_on_the_simulated_table(game, tmp_path, capsys):
    script, journal = tmp_path / "script.txt", tmp_path / "journal.jsonl"
    script.write_text(SCRIPT)
    words = ["referee", NAME, "--source", f"simulated:{script}", "--players", "2", "--headless",
             "--signals", "none", "--journal", str(journal)]  # fmt: skip
    assert main(words) == 0
    lines = [line for line in journal.read_text().splitlines() if '"event"' in line]
    events = list(read_events([line.encode() for line in lines], game, 2))
    seen = [(event.kind, event.card, event.place) for event in events if is_card_event(event)]
    assert seen == [
        ("placed", "3h", "play"),
        ("placed", "5c", "play"),
        ("removed", "5c", "play"),
        ("placed", "4c", "play"),
        ("placed", "9s", "play"),
    ]
    # How sure the scene is decides whether the foul is called a mistake or unsure.
    calls = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    found = [(call["rule"], call["card"]) for call in calls if call["call"] != "corrected"]
    assert found == [("take-turns", "5c")]
