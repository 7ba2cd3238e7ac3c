"""Dirty Laundry: garments and items in three machines, two moves a turn."""

from rules.contract.game import Button, Game, Option, seats
from rules.games.dirty_laundry.cards import CARDS, PLACES_TEXT, cards_of, is_place, say
from rules.games.dirty_laundry.judge import finish, judge, start
from rules.games.dirty_laundry.layout import LAYOUT
from rules.games.dirty_laundry.resume import resume
from rules.games.dirty_laundry.sample import SAMPLE
from rules.games.dirty_laundry.sheet import RULES
from rules.games.dirty_laundry.turns import open_turn
from rules.games.dirty_laundry.view import view

GAME = Game(
    name="dirty-laundry",
    title="Dirty Laundry",
    players=(2, 6),
    cards=CARDS,
    is_place=is_place,
    own_buttons=(Button("done", "t", "the turn is over"),),
    options=(Option("first", seats, "1", "the seat that has the first turn"),),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    finish=finish,
    view=view,
    places=PLACES_TEXT,
    cards_of=cards_of,
    say=say,
    deck="dirty-laundry",
    layout=LAYOUT,
    sample=SAMPLE,
    open_turn=open_turn,
)
