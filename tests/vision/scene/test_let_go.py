"""When the hand that brought a told card has let go of it."""

import numpy as np
import pytest
from test_drawn_out import sure_play

from vision.scene.hand_blobs import Cover
from vision.scene.let_go import has_let_go


@pytest.mark.parametrize(("side", "has"), [("left", True), ("bottom", None)])
def test_a_card_on_which_its_own_hand_laid_another_may_have_been_that_one(side, has):
    """It was misread then, and nobody has let go of it."""
    play = sure_play()
    play.lay("hat", (300, 180), "bottom", "pile/1")
    play.lay("socks", (306, 186), side, "pile/1")
    table = play.watcher._scene
    lower, upper = table.table.cards
    change = table.background.see(table.background.rest, play.at)
    nobody = np.zeros(change.changed.shape, bool)
    cover = Cover(nobody, nobody.astype(np.uint8))
    assert has_let_go(table, lower.number, change, cover) is has
    assert has_let_go(table, upper.number, change, cover) is True
    assert has_let_go(table, 99, change, cover) is None
    hand = Cover(~nobody, cover.side)
    assert has_let_go(table, upper.number, change, hand) is False
