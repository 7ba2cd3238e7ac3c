"""A card of which there is one lies at one place at a time, also where it was never named."""

from dataclasses import dataclass

import pytest
from detections import TrueCard
from plain_layouts import Areas
from tabletop import card_quad
from test_watcher import Play

from rules.table.layout import Area

LEFT = Area("seat/1/row", ((0.0, 0.0), (0.5, 0.0), (0.5, 1.0), (0.0, 1.0)))
RIGHT = Area("machine", ((0.5, 0.0), (1.0, 0.0), (1.0, 1.0), (0.5, 1.0)))


@dataclass(frozen=True, slots=True, eq=False)
class Running(Areas):
    """Areas of a game that runs."""

    def is_playing(self):
        """What lies at first was laid before."""
        return True


def play_with(homes):
    """A table on which 'socks' lies at its row from the start; there is one of each face."""
    layout = Running((LEFT, RIGHT), lone_faces=frozenset(("hat", "socks", "boxers")), homes=homes)
    play = Play(layout, 5, dropout=0.0, false_boxes=0.0)
    play.cards.append(TrueCard("socks", card_quad((150, 180)), -1.0, place="seat/1/row"))
    play.look(20)
    play.seen.clear()
    return play


def play_with_a_stack():
    """A stack from which cards are only taken; 'socks' is its top card."""
    layout = Running((LEFT, RIGHT), only_taken=("seat/1",))
    play = Play(layout, 5, dropout=0.0, false_boxes=0.0)
    play.cards.append(TrueCard("socks", card_quad((150, 180)), -1.0, place="seat/1/row"))
    play.look(20)
    return play


def lay_there(play):
    """A hand from the left lays 'hat' at the machine, which nobody has seen before."""
    card = TrueCard("hat", card_quad((470, 180)), -1.0, place="machine")
    play.reach("left", (470, 180), lambda: play.cards.append(card))
    return play.seen


def test_a_card_that_was_too_hidden_for_a_name_leaves_its_home():
    seen = lay_there(play_with({"hat": "seat/1/row"}))
    assert seen == [("removed", "hat", "seat/1/row", 2), ("placed", "hat", "machine", 2)]


@pytest.mark.parametrize("homes", [{}, {"hat": "seat/2/row"}, {"hat": "machine"}])
def test_without_cards_at_its_home_it_came_from_a_hand(homes):
    assert lay_there(play_with(homes)) == [("placed", "hat", "machine", 2)]


def test_it_leaves_its_home_once():
    play = play_with({"hat": "seat/1/row"})
    lay_there(play)
    play.take([card for card in play.cards if card.face == "hat"], "left")
    play.look(30)
    play.seen.clear()
    assert lay_there(play) == [("placed", "hat", "machine", 2)]


def test_a_known_card_went_from_where_it_lay():
    play = play_with({"socks": "seat/1/row"})
    there = TrueCard("socks", card_quad((470, 180)), -1.0, place="machine")

    def move():
        play.cards = [there]

    play.reach("left", (470, 180), move)
    play.look(20)
    assert sorted(play.seen) == [
        ("placed", "socks", "machine", 2), ("removed", "socks", "seat/1/row", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("is_there", [True, False])
def test_a_like_card_went_from_the_stack_where_the_hand_was(is_there):
    """The next card of the stack looks the same: only the hand tells."""
    play = play_with_a_stack()
    play.seen.clear()
    if is_there:
        play.look(3, arm=("left", (160, 180)))
    card = TrueCard("socks", card_quad((470, 300)), -1.0, place="machine")
    play.reach("left", (470, 300), lambda: play.cards.append(card))
    went = ("removed", "socks", "seat/1/row", 2)
    assert (went in play.seen) == is_there
    assert ("placed", "socks", "machine", 2) in play.seen


def test_the_hand_that_lays_a_known_card_has_taken_it_though_another_was_last_there():
    play = play_with({"socks": "seat/1/row"})
    there = TrueCard("socks", card_quad((470, 180)), -1.0, place="machine")

    def move():
        play.cards = [there]
        for _ in range(3):
            play.look(arm=("top", (150, 180)))

    play.reach("left", (470, 180), move)
    play.look(20)
    assert ("removed", "socks", "seat/1/row", 2) in play.seen


@pytest.mark.parametrize("is_back", [False, True])
def test_the_next_card_of_a_stack_is_laid_bare_though_it_lies_askew(is_back):
    """One that was taken elsewhere and comes there was laid."""
    play = play_with_a_stack()
    if is_back:
        play.lay("hat", (470, 180), "left", "machine")
        play.take(play.cards[1:], "left")
    play.seen.clear()
    below = TrueCard("hat", card_quad((158, 184), degrees=6), -1.0, place="seat/1/row")

    def act():
        play.cards = [*play.cards, below] if is_back else [below]

    play.reach("left", (150, 180), act)
    play.look(20)
    assert ("placed", "hat") in {told[:2] for told in play.seen}
    is_bared = ("removed", "socks") in {told[:2] for told in play.seen}
    assert is_bared != is_back


def test_the_table_that_a_known_card_laid_bare_beside_the_border_is_no_hand():
    """It came to light as a hand went there, and reaches in from the border. What lay below the
    card is not known: another one lay beside it in the first picture."""
    layout = Running((LEFT, RIGHT), lone_faces=frozenset(("hat", "socks")))
    play = Play(layout, 5, dropout=0.0, false_boxes=0.0)
    play.cards.append(TrueCard("socks", card_quad((30, 180)), -1.0, place="seat/1/row"))
    play.cards.append(TrueCard("hat", card_quad((75, 180)), -1.0, place="seat/1/row"))
    play.look(20)
    play.reach("left", (30, 180), lambda: play.cards.pop(0))
    there = TrueCard("socks", card_quad((470, 180)), -1.0, place="machine")
    play.reach("bottom", (470, 180), lambda: play.cards.append(there))
    observed = play.look(10)
    assert ("removed", "socks", "seat/1/row", 1) in play.seen
    assert not observed.cover.mask.any()
