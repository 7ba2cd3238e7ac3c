"""Suds: piles of laundry from hat to sneakers, everybody at once, no turns."""

from rules.contract.game import Button, Game, Option, seats
from rules.games.suds.judge import finish, judge
from rules.games.suds.layout import LAYOUT, PLACES_TEXT, is_place
from rules.games.suds.resume import resume
from rules.games.suds.sample import SAMPLE
from rules.games.suds.sheet import RULES
from rules.games.suds.state import SEQUENCE, say, start
from rules.games.suds.view import view

GAME = Game(
    name="suds",
    title="Suds",
    players=(2, 4),
    cards=frozenset({*SEQUENCE, "wild"}),
    is_place=is_place,
    own_buttons=(
        Button("draw", "d", "everybody draws one card"),
        Button("out", "o", "a seat says that its cards are gone"),
    ),
    options=(
        Option(
            "variant",
            lambda players: ("classic", "cycle") if players == 2 else ("classic",),
            "classic",
            "classic, or cycle: the alternative play for two",
        ),
        Option("dealer", seats, "1", "the seat that says 1-2-3 go"),
    ),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    finish=finish,
    view=view,
    plays_on=True,
    places=PLACES_TEXT,
    say=say,
    deck="suds",
    layout=LAYOUT,
    sample=SAMPLE,
)
