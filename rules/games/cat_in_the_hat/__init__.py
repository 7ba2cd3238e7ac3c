"""The Cat in the Hat Comes Back: letters go up on the left pile, down on the right pile."""

from rules.contract.game import Button, Game, Option, seats
from rules.games.cat_in_the_hat.judge import finish, judge
from rules.games.cat_in_the_hat.layout import LAYOUT, PLACES_TEXT, is_place
from rules.games.cat_in_the_hat.resume import resume
from rules.games.cat_in_the_hat.sample import SAMPLE
from rules.games.cat_in_the_hat.sheet import RULES
from rules.games.cat_in_the_hat.state import LETTERS, VOOM, open_turn, say, start
from rules.games.cat_in_the_hat.view import view

GAME = Game(
    name="cat-in-the-hat",
    title="The Cat in the Hat Comes Back",
    players=(2, 6),
    cards=frozenset({*LETTERS, VOOM}),
    is_place=is_place,
    own_buttons=(Button("deck-empty", "x", "the last card is drawn"),),
    options=(Option("first", seats, "1", "the seat that plays first"),),
    rules=RULES,
    start=start,
    judge=judge,
    resume=resume,
    finish=finish,
    view=view,
    places=PLACES_TEXT,
    say=say,
    deck="cat-in-the-hat",
    layout=LAYOUT,
    sample=SAMPLE,
    open_turn=open_turn,
)
