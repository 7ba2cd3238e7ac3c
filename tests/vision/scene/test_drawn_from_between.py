"""A card that is drawn out from below another one need not lay a face bare."""

import numpy as np
from plain_layouts import Piles
from test_watcher import BEYOND, Play


def test_what_is_drawn_out_below_a_card_waits_for_no_face_there():
    """The one below it was never seen whole; the next hand comes soon."""
    play = Play(Piles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    for face, x, y in (("hat", 301, 180), ("pants", 300, 180), ("socks", 316, 186)):
        play.lay(face, (x, y), "bottom", "pile/1")
    play.look(4)
    scene = play.watcher._scene
    scene.pictures.forget(scene.table.cards[0].number)
    far = np.array(BEYOND["left"], float)
    for step in (0.7, 0.35, 0.1, 0.0):
        play.look(arm=("left", np.array((280, 180)) + far * step))
    play.cards = [play.cards[0], play.cards[2]]
    for step in (0.1, 0.4, 0.8):
        play.look(arm=("left", np.array((280, 180)) + far * step))
    play.look(4)
    play.look(12, arm=("bottom", np.array((310, 190))))
    assert ("removed", "pants", "pile/1", 2) in play.seen
