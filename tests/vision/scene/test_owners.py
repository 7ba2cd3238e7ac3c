"""Who laid a card at a place at which hardly anybody but its seat lays cards."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from plain_layouts import Piles
from test_order import HELD, seen
from test_watcher import Play

from rules.games import game
from rules.table.event import Placed
from vision.recent import RecentFrames
from vision.scene.doubts import Act, Doubt, weighed
from vision.scene.hand_blobs import Cover
from vision.scene.landing import Landings


@dataclass(frozen=True)
class Owned(Piles):
    """Piles of which one seat, or nobody, is the owner, in a game that runs."""

    seat: int | None = None

    def owner(self, place):
        return self.seat

    def is_playing(self):
        return True


@pytest.mark.parametrize(("owner", "sure"), [(3, 0.9), (None, 0.5)])
def test_a_card_that_nobody_was_seen_to_lay_is_its_owners(owner, sure):
    play = Play(Owned(in_turn=True, seat=owner), 4, dropout=0.0, false_boxes=0.0)
    play.look(4)
    table = play.watcher._scene
    seen(table, 8.0, HELD.quad)
    change = seen(table, 10.4, HELD.quad)
    nowhere = np.zeros(change.changed.shape, bool)
    card = replace(HELD, number=8, side=None, seen_at=10.4, errors=(("hat", (0.003,)),))
    Landings(table, RecentFrames()).lay(card, change, Cover(nowhere, nowhere.astype(np.uint8)))
    event = weighed(Placed(10.4, "hat", "pile/1", None), table.acts[8])
    assert event.seat == owner and sure < event.sure < 0.98
    others = {way.events[0].seat for way in event.ways.ways if way.events} - {owner}
    assert others == {1, 2, 3, 4} - {owner}


def test_who_else_may_have_laid_it_is_followed_too():
    act = Act(2, 0.997, 1.0, frozenset({Doubt.OWNERS}), (1,))
    event = weighed(Placed(3.0, "q", "seat/2/right", None), act)
    assert event.sure == pytest.approx(0.95)
    assert [way.events[0].seat for way in event.ways.ways] == [2, 1]


@pytest.mark.parametrize(
    ("name", "place", "owner"),
    [
        ("cat-in-the-hat", "seat/2/right", 2),
        ("cat-in-the-hat", "discard", None),
        ("soda", "seat/3/won", 3),
        ("sooty", "seat/1/set/1", None),  # cards are laid on others' sets too
        ("dirty-laundry", "seat/1/garments", None),
        ("suds", None, None),
    ],
)
def test_whose_places_are(name, place, owner):
    assert game(name).layout.owner(place) == owner
