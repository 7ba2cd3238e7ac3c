"""docs/add-a-game.md by example: Odd and Even, a sixth game on the contract of the five."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from types import ModuleType

import pytest

from rules import games
from rules import mistakes as open_mistakes
from rules.call import Call, mistake, unknown_card
from rules.event import Act, Pressed, Removed
from rules.game import Game, Rule, Setup, View, make_setup
from rules.mistakes import Mistakes
from rules.reader import read_events
from rules.referee import begin, close, step, view
from rules.values import replace

PILE = "play"
FIVE = 5


@dataclass(frozen=True, slots=True)
class State:
    """`pile`: the right cards, bottom to top."""

    started: bool = False
    pile: tuple[str, ...] = ()
    mistakes: Mistakes = ()


def start(setup: Setup) -> State:
    return State()


def judge(state: State, event: Act) -> tuple[State, tuple[Call, ...]]:
    if isinstance(event, Pressed):
        begins = event.button == "start" and not state.started
        return (replace(state, started=True), ()) if begins else (state, ())
    if isinstance(event, Removed):
        mistakes, calls = open_mistakes.close_by_removal(state.mistakes, event)
        return (replace(state, mistakes=mistakes), calls) if calls else (state, ())
    card = event.card
    if not state.started or card == "back":
        return state, ()
    if card == "unknown":
        return state, (unknown_card(event),)
    if state.pile and int(state.pile[-1]) % 2 == int(card) % 2:
        wrong = mistake(event, "take-turns", "Odd on even, even on odd. Take it back.", event.seat)
        opened = open_mistakes.opened(state.mistakes, wrong, "placed")
        return replace(state, mistakes=opened), (wrong,)
    after = replace(state, pile=(*state.pile, card))
    if len(after.pile) == FIVE:
        return after, (Call("win", "five", "Five in a row.", PILE, event.seat, card),)
    return after, ()


def resume(state: State, table: Mapping[str, tuple[str, ...]]) -> State:
    pile = tuple(card for card in table.get(PILE, ()) if card not in ("unknown", "back"))
    return replace(state, pile=pile, mistakes=())


GAME = Game(
    name="odd-and-even",
    title="Odd and Even",
    players=(1, 2),
    cards=frozenset("123456789"),
    is_place=lambda place, players: place == PILE,
    buttons=frozenset(),
    options=(),
    rules=(
        Rule("take-turns", "mistake", "Odd on even, even on odd.", "A 3 on a 5: take it back."),
        Rule("five", "win / tie", "Five cards in a row win.", "1 2 3 4 5."),
    ),
    start=start,
    judge=judge,
    resume=resume,
    finish=lambda state: (),
    view=lambda state: View(None, (("Pile", " ".join(state.pile)),), "Odd and even in turn."),
    places=PILE,
)


@pytest.fixture
def registered(monkeypatch):
    """The game as if it were rules/odd_and_even.py, named in rules/games.py."""
    module = ModuleType("rules.odd_and_even")
    module.GAME = GAME
    monkeypatch.setitem(sys.modules, "rules.odd_and_even", module)
    monkeypatch.setattr(games, "NAMES", (*games.NAMES, GAME.name))


def lines(*moves):
    """Events as the reader gets them: "1" is placed, "-1" removed, "!start" pressed."""
    for at, move in enumerate(moves):
        if move.startswith("!"):
            yield f'{{"at": {at}, "event": "pressed", "button": "{move[1:]}"}}'.encode()
        else:
            kind = "removed" if move[0] == "-" else "placed"
            card = move.lstrip("-")
            text = f'"event": "{kind}", "card": "{card}", "place": "play", "seat": 1'
            yield f'{{"at": {at}, {text}}}'.encode()


def play(*moves):
    game = games.game("odd-and-even")
    session, made = begin(game, make_setup(game, 2)), []
    for event in read_events(lines(*moves), game, 2):
        session, calls = step(session, event)
        made += [(call.call, call.rule, call.at) for call in calls]
    return session, made + [(c.call, c.rule, c.at) for c in close(session)]


def test_the_new_game_is_known_by_its_name(registered):
    assert games.GAMES["odd-and-even"] is GAME
    assert "odd-and-even" in list(games.GAMES)


def test_a_wrong_card_changes_nothing_and_is_put_right(registered):
    session, made = play("!start", "1", "3", "2", "-3", "5", "4", "7")
    assert made == [
        ("mistake", "take-turns", 2.0),
        ("corrected", "take-turns", 4.0),
        ("win", "five", 7.0),
    ]
    assert session.over
    assert view(session).lines == (("Pile", "1 2 5 4 7"),)


def test_undo_and_unknown_cards_come_from_the_shared_referee(registered):
    session, made = play("!start", "1", "!undo", "2", "unknown")
    assert session.state.pile == ("2",)
    assert made == [("unsure", "unknown-card", 4.0)]
