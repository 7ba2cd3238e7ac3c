"""Pairing, tokens and roles; hosts, origins and rates."""

import json
import stat

import pytest

from kiosk.web.access import CODE_LIFE_S, CODE_TRIES, CODE_TRIES_ALL, Access, Role, Tries
from kiosk.web.security import (
    Limits,
    RateLimiter,
    allowed_names,
    host_of,
    is_known_host,
    is_same_origin,
)
from rules.errors import FairdealError


def test_a_paired_device_has_its_role_until_it_is_revoked(tmp_path):
    path = tmp_path / "devices.json"
    access = Access(path)
    code = access.new_code(Role.WATCHER, at=0.0)
    token = access.pair(code.digits, "Anna's phone\x1b[2J", at=1.0)
    again = Access(path)
    assert again.role_of(token, is_local=False) is Role.WATCHER
    assert not Role.WATCHER.may_act
    (device,) = again.devices
    assert device.name == "Anna's phone[2J"
    assert again.revoke(device.number) and not again.revoke(device.number)
    assert Access(path).role_of(token, is_local=False) is Role.NOBODY


def test_the_file_holds_no_token_and_only_its_owner_reads_it(tmp_path):
    path = tmp_path / "devices.json"
    access = Access(path)
    token = access.pair(access.new_code(Role.REFEREE, 0.0).digits, "phone", 0.0)
    assert token not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_code_ends_with_its_time_its_use_or_its_tries(tmp_path):
    access = Access(tmp_path / "devices.json")
    old = access.new_code(Role.REFEREE, 0.0)
    assert access.pair(old.digits, "", CODE_LIFE_S + 0.1) is None
    used = access.new_code(Role.REFEREE, 0.0)
    assert access.pair(used.digits, "", 1.0) and access.pair(used.digits, "", 1.0) is None
    guessed = access.new_code(Role.REFEREE, 0.0)
    for _ in range(CODE_TRIES):
        assert access.pair(wrong_of(guessed), "", 1.0) is None
    assert access.pair(guessed.digits, "", 1.0) is None


def wrong_of(code):
    return "000000" if code.digits != "000000" else "111111"


def test_who_types_wrong_digits_blocks_nobody_else_and_is_told(tmp_path):
    access = Access(tmp_path / "devices.json")
    code = access.new_code(Role.REFEREE, 0.0)
    for _ in range(3 * CODE_TRIES):
        assert access.pair(wrong_of(code), "", 1.0, "192.0.2.66") is None
    assert access.pair(code.digits, "", 1.0, "192.0.2.66") is None
    assert access.tries == Tries(CODE_TRIES, (("192.0.2.66", CODE_TRIES),))
    assert access.pair(code.digits, "phone", 1.0, "192.0.2.7")
    assert access.tries == Tries()


def test_many_addresses_cannot_guess_for_ever(tmp_path):
    access = Access(tmp_path / "devices.json")
    code = access.new_code(Role.REFEREE, 0.0)
    for number in range(3 * CODE_TRIES_ALL):
        access.pair(wrong_of(code), "", 1.0, f"192.0.2.{number % 250}")
    assert access.tries.is_closed and access.tries.wrong == CODE_TRIES_ALL
    assert access.pair(code.digits, "", 1.0, "192.0.2.251") is None
    code = access.new_code(Role.REFEREE, 2.0)
    assert access.pair(code.digits, "", 3.0, "192.0.2.66")


@pytest.mark.parametrize("digits", ["\ud800", "", "\x00", "९" * 6, "1" * 100_000])
def test_digits_that_are_none_are_wrong_and_counted(tmp_path, digits):
    access = Access(tmp_path / "devices.json")
    access.new_code(Role.REFEREE, 0.0)
    assert access.pair(digits, "", 1.0, "a") is None and access.tries.wrong == 1
    assert access.role_of(digits, is_local=False) is Role.NOBODY


def test_the_tables_own_screen_needs_no_token(tmp_path):
    access = Access(tmp_path / "devices.json")
    assert access.role_of(None, is_local=True) is Role.TABLE
    assert access.role_of("made up", is_local=False) is Role.NOBODY


@pytest.mark.parametrize("text", ["{", "[1]", '[{"number": 1}]', "[" * 100000, '{"a": 1}'])
def test_a_damaged_list_of_devices_is_one_line(tmp_path, text):
    path = tmp_path / "devices.json"
    path.write_text(text)
    with pytest.raises(FairdealError, match="delete the file and pair again"):
        Access(path)


def test_a_role_that_does_not_exist_is_refused(tmp_path):
    path = tmp_path / "devices.json"
    device = {"number": 1, "name": "x", "role": "owner", "digest": "0" * 64}
    path.write_text(json.dumps([device]))
    with pytest.raises(FairdealError):
        Access(path)


@pytest.mark.parametrize(
    ("header", "known"),
    [
        ("localhost:8080", True), ("127.0.0.1:8080", True), ("[::1]:8080", True),
        ("evil.example", False), ("127.0.0.1.evil.example:8080", False), ("", False),
        (None, False), ("[", False), ("a" * 300, False),
    ],
)  # fmt: skip
def test_only_names_of_this_machine_are_hosts(header, known):
    assert is_known_host(header, allowed_names("127.0.0.1")) is known


def test_an_address_of_this_machine_is_a_host():
    assert is_known_host("192.0.2.7:8080", allowed_names("0.0.0.0"), ("192.0.2.7",))
    assert host_of("[::1]:80") == "::1"


@pytest.mark.parametrize(
    ("origin", "site", "same"),
    [
        (None, None, True), ("http://localhost:8080", None, True),
        ("http://localhost:8080", "same-origin", True), ("http://evil.example", None, False),
        ("null", None, False), (None, "cross-site", False), ("http://localhost:81", None, False),
        ("http://[", None, False),
    ],
)  # fmt: skip
def test_acts_of_other_sites_are_refused(origin, site, same):
    assert is_same_origin(origin, "localhost:8080", site) is same


def test_the_rate_of_a_client_is_bounded_and_recovers():
    limits = Limits(acts_per_s=2.0, acts_at_once=3, clients=2)
    rates = RateLimiter(limits)
    assert [rates.allows("a", 0.0) for _ in range(4)] == [True, True, True, False]
    assert rates.allows("b", 0.0)
    assert rates.allows("a", 0.5)
    assert not rates.allows("a", 0.5)
