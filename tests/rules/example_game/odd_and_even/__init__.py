"""Odd and Even: lay odd on even and even on odd; five in a row win. For one or two players."""

from rules.games.odd_and_even.judge import finish, judge
from rules.games.odd_and_even.layout import LAYOUT, is_place
from rules.games.odd_and_even.sheet import RULES
from rules.games.odd_and_even.state import CARDS, resume, start, view

from rules.contract.game import Button, Game

GAME = Game(
    name="odd-and-even",
    title="Odd and Even",
    players=(1, 2),
    cards=CARDS,
    is_place=is_place,
    own_buttons=(Button("pass", "p", "a seat has no card to lay"),),
    options=(),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    finish=finish,
    view=view,
    layout=LAYOUT,
    places="play, seat/N/stock",
    deck="plain52",
    sample="!start; 1 3h play; 2 5c play; -2 5c play; 2 4c play; 1 9s play; 2 2d play; 1 7h play",
)
