"""Shares: nobody takes what others need, and the table's own always has some left."""

import random

import pytest

from kiosk.serving.shares import Shares, owner_of


def test_one_owner_takes_its_share_and_all_strangers_leave_the_reserve():
    shares = Shares(most=10, each=4, reserved=3)
    assert [shares.take("a") for _ in range(6)] == [True] * 4 + [False] * 2
    assert [shares.take("b") for _ in range(6)] == [True] * 3 + [False] * 3
    assert not shares.take("c")
    assert [shares.take("own", is_own=True) for _ in range(4)] == [True] * 3 + [False]
    shares.give_back("a")
    assert shares.take("own", is_own=True) and not shares.take("a")


def test_what_is_given_back_can_be_taken_and_nothing_is_remembered():
    shares, rng, held = Shares(most=20, each=5, reserved=4), random.Random(31), []
    for _ in range(5000):
        if held and rng.random() < 0.5:
            shares.give_back(held.pop(rng.randrange(len(held))))
        else:
            owner = rng.choice("abcdefgh")
            if shares.take(owner, is_own=owner == "a"):
                held.append(owner)
        assert shares.total == len(held) <= 20
        assert all(held.count(owner) <= 5 for owner in "bcdefgh")
    for owner in held:
        shares.give_back(owner)
    assert shares.total == 0 and not shares._held


@pytest.mark.parametrize(
    ("host", "owner"),
    [
        ("192.0.2.9", "192.0.2.9"), ("::ffff:192.0.2.9", "192.0.2.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("fe80::1%eth0", "fe80::1"),
        ("::1", "::1"), ("", ""), ("testclient", "testclient"),
    ],
)  # fmt: skip
def test_an_owner_is_an_address_or_the_network_that_one_device_has(host, owner):
    assert owner_of(host) == owner
