"""A card may tell that the place of others has another name."""

from dataclasses import dataclass, replace

from plain_layouts import Piles
from test_watcher import Play


@dataclass(frozen=True, slots=True)
class TwoPiles(Piles):
    """The left pile is called `a` until a card on the right one tells that it is `b`."""

    def rename(self, old, new):
        """Nothing else is remembered of the places."""

    def spot(self, quad, table, size, **known):
        """Left and right of the picture's middle."""
        spot = Piles.spot(self, quad, table, size, **known)
        if quad[:, 0].mean() < 320:
            return replace(spot, place="b" if table.at("b") else "a")
        renames = ("a", "b") if table.at("a") and not table.at("b") else None
        return replace(spot, place="a", renames=renames)


def test_the_cards_of_a_renamed_place_stay_and_go_by_its_new_name():
    play = Play(TwoPiles(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (150, 180), "left", "a")
    play.lay("pants", (500, 180), "left", "a")
    assert play.seen == play.expected
    assert [(c.face, c.place) for c in play.watcher._scene.table.cards] == [
        ("hat", "b"), ("pants", "a"),
    ]  # fmt: skip
    play.cards[0] = replace(play.cards[0], place="b")
    play.take(play.cards[:1], "left")
    play.lay("socks", (152, 182), "left", "a")
    assert play.seen[:3] == play.expected[:3]
