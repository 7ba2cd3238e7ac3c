"""Sooty's Magic Card Game: two sets of four cards that make 12."""

from rules.contract.game import Game, Option, seats
from rules.games.sooty.judge import finish, judge, start
from rules.games.sooty.layout import LAYOUT, PLACES_TEXT, is_place
from rules.games.sooty.resume import resume
from rules.games.sooty.sample import SAMPLE
from rules.games.sooty.sheet import RULES
from rules.games.sooty.state import FACES, open_turn, say
from rules.games.sooty.view import view

GAME = Game(
    name="sooty",
    title="Sooty's Magic Card Game",
    players=(2, 4),
    cards=frozenset(FACES),
    is_place=is_place,
    own_buttons=(),
    options=(Option("dealer", seats, "1", "the seat that deals and has the first turn"),),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    finish=finish,
    view=view,
    uses_on=True,
    places=PLACES_TEXT,
    say=say,
    deck="sooty",
    layout=LAYOUT,
    sample=SAMPLE,
    open_turn=open_turn,
)
