"""Between a new watcher's table and the game's: hidden cards, sweeps, what comes to light."""

from __future__ import annotations

from kiosk.game.table_link import TableLink, lying
from rules.contract.game import make_setup
from rules.games import game
from rules.judging.doubt import SURE_ENOUGH
from rules.judging.referee import begin, step
from rules.table.event import Blind, Placed, Removed, Sighted

KNOWN = {"pile/3": ("hat", "t-shirt", "boxers"), "discard": ("wild",)}
SEEN = (Placed(0.0, "boxers", "pile/1"), Placed(0.0, "wild", "discard"))


def linked(known=KNOWN, seen=SEEN):
    """A link after its comparison, and the events of that."""
    link = TableLink()
    link.begin(0.0)
    for event in seen:
        assert link.take(event, (0.5, 0.5), is_lost=False) == ()
    return link, link.finish(known, {"pile/1": (0.5, 0.5)}, 2.5, is_lost=False)


def told(link, event, *, is_lost=False):
    return link.take(event, None, is_lost=is_lost)


def test_before_a_comparison_everything_passes():
    link = TableLink()
    event = Placed(1.0, "hat", "pile/1")
    assert link.take(event, (0.1, 0.2), is_lost=False) == (event,)
    assert link.spot("pile/1") == (0.1, 0.2) and link.expire(99.0) == ()


def test_the_same_table_brings_no_event_and_views_are_never_held_back():
    link, events = linked()
    assert events == () and link.spot("pile/3") == (0.5, 0.5)
    link.begin(3.0)
    assert told(link, Blind(4.0)) == (Blind(4.0),)


def test_a_place_that_stays_bare_was_swept():
    link, _ = linked()
    top = Removed(3.0, "boxers", "pile/1", 2)
    assert told(link, top) == (Removed(3.0, "boxers", "pile/3", 2),)
    assert link.expire(3.9) == ()
    assert link.expire(4.0) == (
        Removed(4.0, "t-shirt", "pile/3", 2), Removed(4.0, "hat", "pile/3", 2),
    )  # fmt: skip
    assert link.expire(9.0) == ()


def test_another_card_on_a_bare_place_means_that_it_was_swept_before():
    link, _ = linked()
    told(link, Removed(3.0, "boxers", "pile/1"))
    assert told(link, Placed(3.2, "socks", "pile/1", 1)) == (
        Removed(3.2, "t-shirt", "pile/3"), Removed(3.2, "hat", "pile/3"),
        Placed(3.2, "socks", "pile/3", 1),
    )  # fmt: skip


def test_a_hidden_card_that_comes_to_light_is_known_already():
    link, _ = linked()
    told(link, Removed(3.0, "boxers", "pile/1"))
    assert told(link, Placed(3.0, "t-shirt", "pile/1")) == ()
    assert link.expire(9.0) == ()
    assert told(link, Removed(9.0, "t-shirt", "pile/1")) == (Removed(9.0, "t-shirt", "pile/3"),)
    assert told(link, Placed(9.1, "hat", "pile/1")) == ()


def test_cards_above_the_one_that_comes_to_light_are_gone():
    link, _ = linked()
    told(link, Removed(3.0, "boxers", "pile/1", 1))
    assert told(link, Placed(3.0, "hat", "pile/1")) == (Removed(3.0, "t-shirt", "pile/3", 1),)


def test_a_hidden_card_that_is_read_late_is_no_play():
    link, _ = linked()
    told(link, Removed(3.0, "boxers", "pile/1"))
    assert told(link, Placed(3.0, "unknown", "pile/1")) == ()
    assert told(link, Removed(3.5, "unknown", "pile/1")) == ()
    assert told(link, Placed(3.5, "t-shirt", "pile/1")) == ()
    assert told(link, Removed(5.0, "t-shirt", "pile/1")) == (Removed(5.0, "t-shirt", "pile/3"),)


def test_play_on_top_of_hidden_cards_passes():
    link, _ = linked()
    assert told(link, Placed(3.0, "pants", "pile/1", 1)) == (Placed(3.0, "pants", "pile/3", 1),)
    assert told(link, Removed(4.0, "pants", "pile/1", 1)) == (Removed(4.0, "pants", "pile/3", 1),)
    assert link.expire(9.0) == ()


def test_only_what_differs_is_taken_as_it_lies():
    link, events = linked(seen=(Placed(0.0, "socks", "pile/1"), SEEN[1]))
    assert events[0] == Blind(2.5) and events[-1] == Sighted(2.5)
    assert [e.card for e in events[1:-1]] == ["boxers", "t-shirt", "hat", "socks"]
    assert told(link, Removed(3.0, "socks", "pile/1")) != ()


def test_what_lay_under_a_strange_card_comes_to_light_and_accuses_nobody():
    link, _ = linked(known={"pile/1": ("hat", "t-shirt")}, seen=(Placed(0.0, "pants", "pile/1"),))
    told(link, Removed(3.0, "pants", "pile/1"))
    revealed = Placed(3.0, "t-shirt", "pile/1")
    assert told(link, revealed) == (Blind(3.0), revealed, Sighted(3.0))


def test_the_referee_takes_up_the_table_that_is_seen():
    suds = game("suds")
    session = begin(suds, make_setup(suds, 2))
    for event in (Placed(0.0, "hat", "pile/1"), Placed(0.0, "hat", "pile/2")):
        session, _ = step(session, event)
    link = TableLink()
    link.begin(0.0)
    seen = (Placed(0.0, "pants", "pile/1"),)
    for event in seen:
        link.take(event, None, is_lost=False)
    for event in link.finish(session.table, {}, 9.0, is_lost=False):
        session, _ = step(session, event)
    assert dict(session.table) == lying(seen)


def test_where_tables_differed_nothing_makes_a_mistake_for_a_minute():
    """People played unseen: nobody knows whose turn it is, nor what lies below."""
    link, events = linked(seen=(Placed(0.0, "pants", "pile/1"), SEEN[1]))
    assert events[-2].card == "pants"
    early = [Removed(3.0, "pants", "pile/1"), Placed(4.0, "hat", "pile/2"),
             Removed(62.0, "wild", "discard")]  # fmt: skip
    assert [told(link, event)[-1].sure < SURE_ENOUGH for event in early] == [True] * 3
    assert told(link, Placed(63.0, "hat", "pile/4"))[0].sure == 1.0
    same, _ = linked()
    assert told(same, Removed(3.0, "wild", "discard"))[0].sure == 1.0


def test_cards_that_came_on_a_known_pile_before_it_was_compared_lie_on_what_it_had():
    """People play on while the table is compared: what lies below is known all the same."""
    link = TableLink({"pile/3": (0.5, 0.5)})
    link.begin(0.0)
    for face in ("boxers", "pants", "socks"):
        link.take(Placed(1.0, face, "pile/1"), (0.51, 0.5), is_lost=False)
    events = link.finish({"pile/3": KNOWN["pile/3"]}, {"pile/1": (0.51, 0.5)}, 12.0, is_lost=False)
    assert events == (
        Blind(12.0), Placed(12.0, "pants", "pile/3"), Placed(12.0, "socks", "pile/3"),
        Sighted(12.0),
    )  # fmt: skip
    sneakers = Placed(13.0, "sneakers", "pile/1", 2)
    assert told(link, sneakers) == (Placed(13.0, "sneakers", "pile/3", 2, sure=0.9),)
    for face in ("sneakers", "socks", "pants", "boxers"):
        told(link, Removed(14.0, face, "pile/1", 2))
    swept = [event.card for event in link.expire(15.0)]
    assert swept == ["t-shirt", "hat"]


def test_cards_that_went_from_a_known_pile_bare_what_lay_below():
    link = TableLink({"pile/3": (0.5, 0.5)})
    link.begin(0.0)
    link.take(Placed(1.0, "t-shirt", "pile/1"), (0.5, 0.5), is_lost=False)
    events = link.finish({"pile/3": KNOWN["pile/3"]}, {"pile/1": (0.5, 0.5)}, 3.0, is_lost=False)
    assert events == (Blind(3.0), Removed(3.0, "boxers", "pile/3"), Sighted(3.0))
    told(link, Removed(4.0, "t-shirt", "pile/1"))
    assert told(link, Placed(4.0, "hat", "pile/1")) == ()


def test_the_same_cards_elsewhere_are_another_pile():
    link = TableLink({"pile/3": (0.5, 0.5)})
    link.begin(0.0)
    link.take(Placed(1.0, "t-shirt", "pile/1"), (0.8, 0.5), is_lost=False)
    events = link.finish({"pile/3": KNOWN["pile/3"]}, {"pile/1": (0.8, 0.5)}, 3.0, is_lost=False)
    assert [event.card for event in events[1:4]] == ["boxers", "t-shirt", "hat"]


def test_a_strange_card_where_a_pile_lay_is_taken_as_laid_on_it_and_accuses_nobody():
    link = TableLink({"pile/3": (0.5, 0.5)})
    link.begin(0.0)
    link.take(Placed(1.0, "socks", "pile/1"), (0.5, 0.5), is_lost=False)
    events = link.finish({"pile/3": KNOWN["pile/3"]}, {"pile/1": (0.5, 0.5)}, 3.0, is_lost=False)
    assert events == (Blind(3.0), Placed(3.0, "socks", "pile/3"), Sighted(3.0))
    assert told(link, Removed(4.0, "socks", "pile/1"))[0].sure < SURE_ENOUGH
    assert [event.card for event in link.expire(5.0)] == ["boxers", "t-shirt", "hat"]
