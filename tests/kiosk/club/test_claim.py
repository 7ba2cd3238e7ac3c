"""Two tables with one name: who keeps it."""

from kiosk.club.claim import Claim, ClaimTimes, Stand
from kiosk.club.payloads import Available

FIRST = Available("online", "a" * 16, 100.0, "10.0.0.1", "one")
SECOND = Available("online", "b" * 16, 200.0, "10.0.0.2", "two")
TIMES = ClaimTimes(listen_s=1.0, again_s=30.0)


def asking(who, at=0.0):
    claim = Claim(who, TIMES)
    claim.connect(who, at)
    return claim


def test_nobody_answers_so_the_name_is_ours():
    claim = asking(FIRST)
    assert claim.tick(0.5) is False and claim.stand is Stand.ASKING
    claim.tick(1.0)
    assert claim.stand is Stand.OURS


def test_a_table_that_is_there_keeps_its_name_whoever_is_older():
    older = asking(FIRST)
    older.hear(SECOND, 0.5, is_live=True)
    assert older.stand is Stand.REFUSED and older.other == SECOND


def test_a_retained_announcement_of_a_dead_table_refuses_nobody():
    claim = asking(SECOND)
    claim.hear(FIRST, 0.5, is_live=False)
    claim.tick(1.0)
    assert claim.stand is Stand.OURS


def test_of_two_that_ask_at_once_the_earlier_one_gets_it():
    one, two = asking(FIRST), asking(SECOND)
    assert not one.contend(SECOND, 0.1) and not two.contend(FIRST, 0.1)
    one.tick(1.0)
    assert one.stand is Stand.OURS and two.stand is Stand.REFUSED


def test_who_has_the_name_says_so_when_it_is_asked_or_written_over():
    claim = asking(FIRST)
    claim.tick(1.0)
    assert claim.contend(SECOND, 2.0)
    assert claim.hear(SECOND.offline, 2.0, is_live=True)
    assert not claim.hear(FIRST, 2.0, is_live=True)


def test_a_refused_table_asks_again():
    claim = asking(SECOND)
    claim.hear(FIRST, 0.5, is_live=True)
    assert not claim.tick(30.0) and claim.tick(30.5)
    claim.tick(31.5)
    assert claim.stand is Stand.OURS
