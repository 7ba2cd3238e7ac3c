"""The host that a QR code names leads a phone in the house to this machine."""

import pytest

from kiosk.serving import reachable
from kiosk.serving.reachable import is_at_home, own_addresses, own_names, reached_at


@pytest.fixture
def home(monkeypatch):
    monkeypatch.setattr(reachable, "own_addresses", lambda: ("192.168.7.9", "10.0.0.2"))


@pytest.mark.parametrize(
    ("host", "asked", "reached"),
    [
        ("0.0.0.0", "localhost", "192.168.7.9"),
        ("::", "127.0.0.1", "192.168.7.9"),
        ("0.0.0.0", "table.local", "table.local"),  # it reached us by that name
        ("192.168.7.9", "192.168.7.9", "192.168.7.9"),
        ("127.0.0.1", "localhost", "localhost"),  # nobody else reaches it
    ],
)
def test_which_host_leads_here(home, host, asked, reached):
    assert reached_at(host, asked) == reached


def test_without_a_network_the_name_is_left(monkeypatch):
    monkeypatch.setattr(reachable, "own_addresses", lambda: ())
    monkeypatch.setattr(reachable.socket, "gethostname", lambda: "Hall.Example")
    assert reached_at("0.0.0.0", "localhost") == "hall"
    assert own_names() == ("hall", "hall.local")


def test_homes_are_private_networks():
    homes = ("10.1.2.3", "172.20.0.1", "192.168.1.1", "169.254.3.4", "127.0.0.1")
    assert all(map(is_at_home, homes))
    assert not any(map(is_at_home, ("8.8.8.8", "172.32.0.1", "192.0.2.2", "100.64.0.1")))
    assert not any(each.startswith("127.") for each in own_addresses())
