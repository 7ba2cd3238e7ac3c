"""The view guard over random games: cards laid on cards are no moved camera."""

import pytest

from kiosk.game.view_guard import ViewGuard, ViewState
from lab.games.generate import Wish, generate
from models.deck import load_deck
from models.drawing.play import Play
from vision.frame import Frame

RATE = 15


@pytest.mark.slow
@pytest.mark.parametrize("seed", [9001, 9002])
def test_a_race_on_a_plain_table_is_no_moved_camera(seed):
    game = generate(Wish("suds", seed, 0.6, 40, plain=True))
    play, guard = Play(game.script, load_deck("suds"), sides=game.sides), ViewGuard()
    for number in range(round(12.0 * RATE)):
        report = guard.see(Frame(play.picture(number / RATE), number / RATE, number))
        assert report.state is not ViewState.MOVED, f"{number / RATE:.1f} s: {report.why}"
