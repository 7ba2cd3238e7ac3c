"""A card may tell that the place of others has another name."""

from dataclasses import dataclass, field, replace

import pytest
from plain_layouts import Piles
from test_watcher import FPS, Play


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


@dataclass(frozen=True, slots=True)
class Asked(Piles):
    """Notes from where each card is said to come."""

    came_from: list[str | None] = field(default_factory=list)

    def spot(self, quad, table, size, **known):
        """As piles have it."""
        if known.get("face") == "hat":
            self.came_from.append(known.get("came_from"))
        return Piles.spot(self, quad, table, size, **known)


@pytest.mark.parametrize(("seconds", "place"), [(3, "pile/1"), (10, None)])
def test_a_card_that_went_long_ago_is_another_one(seconds, place):
    """A pack may hold each card twice."""
    play = Play(Asked(), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    play.lay("hat", (150, 180), "left", "pile/1")
    play.take(play.cards[:1], "left")
    play.look(seconds * FPS)
    play.watcher._scene.layout.came_from.clear()
    play.lay("hat", (500, 180), "left", "pile/2")
    assert set(play.watcher._scene.layout.came_from) == {place}
