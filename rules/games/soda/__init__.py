"""Soda: hands of rising cards, scoring cards for the winners."""

from itertools import permutations

from rules.contract.game import Button, Game, Option, seats
from rules.games.soda.judge import finish, judge, start
from rules.games.soda.layout import LAYOUT, PLACES_TEXT, is_place
from rules.games.soda.resume import doubt, resume
from rules.games.soda.sample import SAMPLE
from rules.games.soda.sheet import RULES
from rules.games.soda.state import SUITS, VALUES, say
from rules.games.soda.unknowns import open_turn
from rules.games.soda.view import view

GAME = Game(
    name="soda",
    title="Soda",
    players=(2, 6),
    cards=frozenset(VALUES),
    is_place=is_place,
    own_buttons=(Button("no", "n", "a seat says No and the hand is over"),),
    options=(
        Option("dealer", seats, "1", "the seat that deals the first round"),
        Option(
            "suits",
            lambda players: tuple("".join(order) for order in permutations(SUITS)),
            "cdhs",
            "the order of the rounds, four letters",
        ),
    ),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    doubt=doubt,
    finish=finish,
    view=view,
    places=PLACES_TEXT,
    say=say,
    deck="plain52",
    layout=LAYOUT,
    sample=SAMPLE,
    open_turn=open_turn,
)
