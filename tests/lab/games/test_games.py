"""Random games for the camera: possible for hands, the same by seed, scored by what happened."""

import json
from collections import Counter

import pytest

from lab.evaluation.games import Scored
from lab.evaluation.games_report import reliability
from lab.games.generate import Wish, generate, wishes
from lab.games.handling import Hands
from lab.games.score import GameScore, match_events, score
from lab.games.truth import due_calls, truth_of_script
from lab.players.players import PLAYERS
from models.deck import load_deck
from models.drawing.happening import truth
from models.drawing.script import parse_script, script_text
from models.drawing.steps import UNTOLD, Verb
from rules.errors import FairdealError
from rules.games import game as game_named
from rules.table.event import Placed, Pressed, Removed

PACES = (1.5, 0.6)


def all_seen(game, late=0.2):
    """What a referee tells who sees everything, `late` s after it happened."""
    happened = truth(game.script)
    events = [json.loads(e.to_json()) | {"told": e.at + late} for e in happened]
    calls = [
        call | {"told": call["at"] + late}
        for call in due_calls(game.script, game.options, happened)
    ]
    return {"events": events, "calls": calls}


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("pace", PACES)
def test_the_same_wish_gives_the_same_script_and_its_text_reads_back(name, pace):
    made, again = generate(Wish(name, 3, pace)), generate(Wish(name, 3, pace))
    assert made == again and made != generate(Wish(name, 4, pace))
    assert parse_script(script_text(made.script), made.script.name) == made.script


@pytest.mark.parametrize("name", PLAYERS)
def test_all_places_lie_in_the_picture(name):
    for seed in range(6):
        script = generate(Wish(name, seed, 1.5)).script
        for spot in script.spots.values():
            assert 0.03 < spot.x < 0.97 and 0.05 < spot.y < 0.95


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("pace", PACES)
def test_hands_are_given_time(name, pace):
    script = generate(Wish(name, 5, pace)).script
    acts = [s for s in script.steps if s.verb not in (Verb.PRESS, *UNTOLD)]
    assert [s.at for s in script.steps] == sorted(s.at for s in script.steps)
    at = {}
    for step in acts:
        for place in {step.place, step.to} - {""}:
            assert step.at - at.get(place, -9.0) >= script.tempo.come
            at[place] = step.at
    mean = (acts[-1].at - acts[0].at) / len(acts)
    assert pace <= mean < 3 * pace


@pytest.mark.parametrize("name", PLAYERS)
def test_who_pushes_or_lifts_a_card_touches_the_top_one(name):
    """One that was drawn out from below would lie on the others, and the truth tells nothing."""
    touched = 0
    for seed in range(25):
        script, piles = generate(Wish(name, seed, 0.9)).script, {}
        for face, place in script.lying:
            piles.setdefault(place, []).append(face)
        for step in script.steps:
            pile = piles.setdefault(step.place, [])
            if step.verb in (Verb.PUSH, Verb.LIFT):
                assert step.face == pile[-1]
                touched += 1
            elif step.verb is Verb.SWEEP:
                pile.clear()
            elif step.verb in (Verb.REMOVE, Verb.MOVE, Verb.TURN):
                del pile[len(pile) - 1 - pile[::-1].index(step.face)]
            shown = {Verb.PLACE: step.face, Verb.MOVE: step.face, Verb.TURN: step.becomes}
            if step.verb in shown:
                piles.setdefault(step.to or step.place, []).append(shown[step.verb])
    assert touched


@pytest.mark.parametrize("name", PLAYERS)
def test_there_are_cheats_and_a_plain_game_has_nothing_besides(name):
    mistakes = 0
    for seed in range(6):
        game = generate(Wish(name, seed, 1.5, plain=True))
        calls = due_calls(game.script, game.options, truth(game.script))
        mistakes += sum(call["call"] == "mistake" for call in calls)
        assert not any(step.verb in UNTOLD or step.stay for step in game.script.steps)
    assert mistakes >= 3


@pytest.mark.parametrize("name", PLAYERS)
def test_a_referee_who_sees_everything_has_no_fault(name):
    game = generate(Wish(name, 2, 0.6))
    made = score(game.script, game.options, all_seen(game))
    assert made.faults == []
    assert made.events == made.events_right > 10 and made.seats == made.seats_right
    assert made.calls == made.calls_right and not any(made.calls_false.values())
    assert made.event_latencies == pytest.approx([0.2] * len(made.event_latencies))


def test_how_sure_events_were_is_held_against_what_happened():
    wish = Wish("suds", 2, 0.6)
    game = generate(wish)
    seen = all_seen(game)
    laid = [event for event in seen["events"] if event["event"] == "placed"]
    for event in laid:
        event["sure"] = 0.995
    laid[3] |= {"card": "unknown", "sure": 0.5}
    made = score(game.script, game.options, seen)
    assert made.certainties.count((0.995, True)) == len(laid) - 1
    assert [each for each in made.certainties if not each[1]] == [(0.5, False)]
    text = reliability([Scored(truth_of_script(game.script, game.options), made)])
    assert "| 0.5 to 0.6 | 1 | 0.500 | 0/1 (0.000) |" in text


def test_what_is_missed_or_made_up_is_a_fault():
    game = generate(Wish("suds", 2, 1.5))
    seen = all_seen(game)
    laid = next(e for e in seen["events"] if e["event"] == "placed" and e.get("seat"))
    laid["seat"] = laid["seat"] % game.script.players + 1
    gone = [e for e in seen["events"] if e["event"] == "removed"][-1]
    seen["events"].remove(gone)
    seen["events"].append(gone | {"event": "placed", "card": "wild", "at": 5.0, "place": "pile/77"})
    seen["calls"].append(
        {"at": 9.0, "call": "mistake", "rule": "too-late", "place": "pile/1", "told": 9.0}
    )
    made = score(game.script, game.options, seen)
    assert made.events_right == made.events - 1 and made.seats_right == made.seats - 1
    assert made.calls_false == {"mistake": 1, "complete": 0}
    kinds = Counter(what.split(":")[0].split(" ")[0] for _, what in made.faults)
    assert kinds == {"missed": 1, "seat": 1, "false": 2}
    assert made.worst_moment() is not None


def test_a_pile_that_is_missed_shifts_the_numbers_and_is_one_fault():
    game = generate(Wish("suds", 2, 1.5, plain=True))
    seen = all_seen(game)
    for told in (*seen["events"], *seen["calls"]):
        if told.get("place"):
            told["place"] = f"pile/{int(told['place'].split('/')[1]) + 3}"
    assert score(game.script, game.options, seen).faults == []


def test_piles_that_are_born_at_once_may_be_numbered_in_either_order():
    """Two hats are laid together; the referee sees the other one first."""
    happened = [
        Placed(1.0, "hat", "pile/1", 1), Placed(1.1, "hat", "pile/2", 2),
        Placed(2.5, "t-shirt", "pile/1", 1), Removed(4.0, "hat", "pile/2", 2),
    ]  # fmt: skip
    other = {"pile/1": "pile/2", "pile/2": "pile/1"}
    told = [json.loads(e.to_json()) | {"place": other[e.place], "told": e.at} for e in happened]
    told[0]["at"], told[1]["at"] = 1.15, 1.0
    made = GameScore()
    names = match_events(made, happened, (), told)
    assert (made.events_right, made.events, made.faults) == (4, 4, [])
    assert names["pile/1@2.5"] == "pile/2"


def test_a_card_that_is_named_later_or_lifted_is_no_false_event():
    game = generate(Wish("suds", 2, 1.5, plain=True))
    seen = all_seen(game)
    for event, card, at in (("placed", "unknown", 4.0), ("removed", "unknown", 4.4)):
        told = {"event": event, "card": card, "place": "pile/50", "at": at, "told": at}
        seen["events"].append(told)
    assert score(game.script, game.options, seen).faults == []
    seen["events"].pop()
    assert len(score(game.script, game.options, seen).faults) == 1


def test_hands_move_turn_and_sweep():
    hands = Hands()
    for face in ("hat", "t-shirt"):
        hands.lay(face, "pile/1")
    hands.lay("machine", "machine/1")
    events = (
        Removed(1.0, "t-shirt", "pile/1", 1), Removed(1.1, "hat", "pile/1", 1),
        Removed(2.0, "machine", "machine/1", 2), Placed(2.1, "machine-broken", "machine/1", 2),
        Placed(3.0, "hat", "pile/2", 1), Removed(4.0, "hat", "pile/2", 1),
        Placed(4.1, "hat", "pile/3", 1), Pressed(5.0, "draw", 1),
    )  # fmt: skip
    verbs = [step.verb for step in hands.steps(events)]
    assert verbs == [Verb.SWEEP, Verb.TURN, Verb.PLACE, Verb.MOVE, Verb.PRESS]
    assert hands.at("pile/3") == ("hat",) and hands.at("machine/1") == ("machine-broken",)


@pytest.mark.parametrize(
    ("games", "paces", "count"),
    [(["chess"], ["1.5"], 1), (["suds"], ["x"], 1), (["suds"], ["9"], 0)],
)
def test_wishes_that_make_no_sense_are_refused(games, paces, count):
    with pytest.raises(FairdealError):
        wishes(games, paces, count, Wish("", 1, 1.0))


@pytest.mark.parametrize("name", sorted(PLAYERS))
def test_the_shipped_deck_has_every_card_that_is_played(name):
    deck = load_deck(game_named(name).deck)
    faces = {*deck.names, deck.back}
    for seed in range(12):
        assert set(generate(Wish(name, seed, 0.9, 60)).script.faces) <= faces
