"""`fairdeal replay`, `rules` and `bench rules`: what they print and how they end."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from needed_tools import FULL_DEVICE, PROC, need, needs
from patience import PATIENCE_S

from kiosk.cli import main
from lab.bench.rules import measure
from rules.contract.reader import read_events
from rules.contract.sample import read_sample
from rules.games import NAMES, game

GOLDEN = Path(__file__).parents[1] / "golden"
START = '{"at": 0, "event": "pressed", "button": "start"}\n'
WRONG = '{"at": 1, "event": "placed", "card": "socks", "place": "pile/1", "seat": 1}\n'


def write(tmp_path, text):
    path = tmp_path / "events.jsonl"
    path.write_text(text)
    return str(path)


def test_replay_prints_the_calls_as_json_lines(tmp_path, capsys):
    assert main(["replay", "suds", "--players", "3", write(tmp_path, START + WRONG)]) == 0
    out, err = capsys.readouterr()
    (call,) = [json.loads(line) for line in out.splitlines()]
    message = call.pop("message")
    assert call == {
        "at": 1.0,
        "call": "mistake",
        "rule": "starts-with-hat",
        "game": "suds",
        "place": "pile/1",
        "seat": 1,
        "card": "socks",
        "expected": ["hat"],
    }
    assert "hat" in message and "socks" in message and err == ""


def test_what_a_bad_line_follows_is_judged_and_printed(tmp_path, capsys):
    text = START + WRONG + "\n{}\n" + WRONG
    assert main(["replay", "suds", write(tmp_path, text)]) == 2
    out, err = capsys.readouterr()
    assert len(out.splitlines()) == 1
    assert err.startswith("line 4: expected ") and len(err.splitlines()) == 1


@pytest.mark.parametrize(
    "args",
    [
        ["suds", "--players", "9"],
        ["suds", "--option", "variant=cycle", "--players", "3"],
        ["suds", "--option", "variant"],
        ["suds", "--option", "shuffle=yes"],
        ["cat-in-the-hat", "--option", "first=0"],
        ["chess"],
    ],
)
def test_a_wrong_setup_is_refused_before_the_first_line(args, tmp_path, capsys):
    assert main(["replay", *args, write(tmp_path, "not an event\n")]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("expected ") and len(err.splitlines()) == 1


def test_no_events_and_no_file_are_refused_without_a_line_number(tmp_path, capsys):
    assert main(["replay", "suds", write(tmp_path, "\n\n")]) == 2
    assert capsys.readouterr().err.startswith("expected at least one event")
    assert main(["replay", "suds", str(tmp_path / "none")]) == 2
    assert main(["replay", "suds", str(tmp_path)]) == 2
    assert all("expected a file" in line for line in capsys.readouterr().err.splitlines())


@pytest.mark.parametrize("device", ["/dev/zero", "/proc/self/mem"])
def test_what_never_ends_or_cannot_be_read_is_one_line(device, capsys):
    need(PROC)
    assert main(["replay", "suds", device]) == 2
    err = capsys.readouterr().err
    assert "expected" in err and "found" in err and len(err.splitlines()) == 1


def test_a_standard_input_that_is_closed_is_one_line(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["replay", "suds", "-"]) == 2
    assert capsys.readouterr().err == "expected events on standard input, found that it is closed\n"


@needs(FULL_DEVICE)
def test_calls_that_cannot_be_written_are_one_line(tmp_path):
    command = [sys.executable, "-m", "kiosk.cli", "replay", "suds", write(tmp_path, START + WRONG)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("expected to print the calls, found ")
    assert len(done.stderr.splitlines()) == 1


def test_the_calls_of_a_pipe_come_while_it_is_open():
    command = [sys.executable, "-m", "kiosk.cli", "replay", "suds", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=GOLDEN.parents[1]
    ) as child:
        child.stdin.write((START + WRONG).encode())
        child.stdin.flush()
        assert json.loads(child.stdout.readline())["rule"] == "starts-with-hat"
        child.stdin.close()
        assert child.wait(PATIENCE_S) == 0


def test_a_golden_game_with_an_option_through_the_command(capsys):
    path = GOLDEN / "suds" / "cycle.events.jsonl"
    args = ["replay", "suds", "--players", "2", "--option", "variant=cycle", str(path)]
    assert main(args) == 0
    rules = [json.loads(line)["rule"] for line in capsys.readouterr().out.splitlines()]
    assert rules[0] == "out-of-sequence" and rules[-1] == "fewest-cards"


@pytest.mark.parametrize("name", NAMES)
def test_rules_prints_every_rule(name, capsys):
    assert main(["rules", name]) == 0
    out = capsys.readouterr().out
    for rule in game(name).rules:
        assert f"\n{rule.id} ({rule.call})\n  {rule.sentence}\n  Example: {rule.example}" in out
    assert "\nview-lost (unsure)\n" in out


def test_rules_of_no_game_are_refused(capsys):
    assert main(["rules", "chess"]) == 2
    assert "expected a game: suds" in capsys.readouterr().err


@pytest.mark.parametrize("name", NAMES)
def test_the_bench_plays_events_that_the_game_reads(name):
    events = read_sample(game(name).sample)
    assert len(events) == len(game(name).sample.split(";"))
    assert list(read_events([e.to_json().encode() for e in events], game(name), 2)) == list(events)
    speed = measure(name, rounds=1)
    assert 0 < speed.judging == speed.best_judging and speed.replaying > 0


def test_a_bench_of_no_part_is_refused(capsys):
    assert main(["bench", "dishes"]) == 2
    assert "expected parts: rules" in capsys.readouterr().err
