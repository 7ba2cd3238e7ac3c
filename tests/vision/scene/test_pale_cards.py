"""Cards that are nearly white: laid on each other, they change little."""

from plain_layouts import Piles
from tabletop import Tabletop
from test_watcher import Play


def test_a_pale_card_on_pale_cards_is_told():
    play = Play(Piles(), seed=4, dropout=0.0)
    play.drawn = Tabletop(4, pale=True)
    play.look(5)
    middle = (320, 180)
    play.lay("hat", middle, "left", "pile/1", 45)
    play.lay("boxers", middle, "left", "pile/1", -40)
    play.lay("pants", middle, "left", "pile/1", 4)
    play.lay("socks", (320, 168), "left", "pile/1", -12)
    assert play.seen == play.expected
