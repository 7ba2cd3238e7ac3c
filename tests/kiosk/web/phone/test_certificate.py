"""The machine's own certificate: whom it vouches for, who can read it, when it is made anew."""

import os
import shutil
import ssl
import stat
import subprocess

import pytest

from kiosk.serving import openssl as by_openssl
from kiosk.serving.openssl import new_certificate
from kiosk.web.phone import certificate as made
from kiosk.web.phone.certificate import FILES, certificate, wanted_names
from rules.errors import FairdealError

NAMES = ("DNS:localhost", "DNS:table.local", "IP:127.0.0.1", "IP:192.168.7.9")

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl")


@pytest.fixture
def own(monkeypatch):
    monkeypatch.setattr(made, "own_names", lambda: ("table", "table.local"))


@pytest.fixture
def found(tmp_path, own):
    return certificate(tmp_path / "certificate", NAMES)


def shaken_hands(found, name, authority=None):
    """The handshake of a client that trusts the authority alone, and asks for a host."""
    client = ssl.create_default_context(cafile=str(authority or found.authority))
    here, there = ssl.MemoryBIO(), ssl.MemoryBIO()
    asking = client.wrap_bio(here, there, server_hostname=name)
    answering = found.context().wrap_bio(there, here, server_side=True)
    for _ in range(4):
        for end in (asking, answering):
            try:
                end.do_handshake()
            except ssl.SSLWantReadError:
                continue
    return asking.getpeercert()


def test_a_client_that_trusts_the_authority_trusts_every_name_and_address(found):
    for name in ("localhost", "table.local", "127.0.0.1", "192.168.7.9"):
        assert shaken_hands(found, name)
    with pytest.raises(ssl.SSLCertVerificationError):
        shaken_hands(found, "other.local")


def test_only_the_owner_can_read_what_was_made(found):
    assert stat.S_IMODE(found.folder.stat().st_mode) == 0o700
    assert sorted(os.listdir(found.folder)) == sorted(FILES)
    assert {stat.S_IMODE((found.folder / each).stat().st_mode) for each in FILES} == {0o600}


def test_the_authority_vouches_for_nothing_beyond_a_home(found):
    names = ["subjectAltName=DNS:bank.example,IP:8.8.8.8", "extendedKeyUsage=serverAuth"]
    new_certificate(found.folder, "page", "evil", 90, names)
    for name in ("bank.example", "8.8.8.8"):
        with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree"):
            shaken_hands(found, name)


def test_what_holds_is_not_made_again(found):
    before = {each: (found.folder / each).read_bytes() for each in FILES}
    certificate(found.folder, NAMES)
    assert {each: (found.folder / each).read_bytes() for each in FILES} == before


@pytest.mark.parametrize("why", ["address", "end", "damaged", "cut", "key"])
def test_it_is_made_anew_by_the_same_authority(found, monkeypatch, why):
    authority = found.authority.read_bytes()
    page, key = found.folder / "page.pem", found.folder / "page.key"
    before, names = page.read_bytes(), NAMES
    if why == "address":
        names = (*NAMES[:-1], "IP:192.168.7.10")
    elif why == "end":
        monkeypatch.setattr(made, "YEAR_DAYS", made.ANEW_DAYS - 1)
        page.unlink()
        before = certificate(found.folder, NAMES).folder.joinpath("page.pem").read_bytes()
        monkeypatch.undo()
        monkeypatch.setattr(made, "own_names", lambda: ("table", "table.local"))
    elif why == "damaged":
        page.write_text("no certificate")
    elif why == "cut":
        key.unlink()
    else:
        shutil.copy(found.folder / "ca.key", key)
    again = certificate(found.folder, names)
    assert page.read_bytes() != before and found.authority.read_bytes() == authority
    assert shaken_hands(again, names[-1].removeprefix("IP:"))


@pytest.mark.parametrize("why", ["name", "damaged", "end"])
def test_an_authority_that_cannot_vouch_any_more_is_made_anew(found, monkeypatch, why):
    before, names = found.authority.read_bytes(), NAMES
    if why == "name":
        monkeypatch.setattr(made, "own_names", lambda: ("hall", "hall.example"))
        names = (*NAMES, "DNS:hall.example")
    elif why == "damaged":
        found.authority.write_text("no certificate")
    else:
        monkeypatch.setattr(made, "AUTHORITY_DAYS", made.YEAR_DAYS - 1)
        for each in FILES:
            (found.folder / each).unlink()
        certificate(found.folder, NAMES)
        before = found.authority.read_bytes()
        monkeypatch.setattr(made, "AUTHORITY_DAYS", 3650)
        names = (*NAMES, "IP:10.0.0.7")
    again = certificate(found.folder, names)
    assert again.authority.read_bytes() != before
    assert shaken_hands(again, names[-1].partition(":")[2])


def test_this_machine_s_own_names_are_vouched_for(tmp_path):
    found = certificate(tmp_path / "certificate")
    for each in wanted_names():
        assert shaken_hands(found, each.partition(":")[2])


def test_no_openssl_and_no_room_are_one_line(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    with pytest.raises(FairdealError, match="a folder for a certificate"):
        certificate(tmp_path / "file" / "certificate", NAMES)
    monkeypatch.setattr(by_openssl.shutil, "which", lambda _: None)
    with pytest.raises(FairdealError, match="apt install openssl"):
        certificate(tmp_path / "certificate", NAMES)


def test_openssl_shows_what_a_phone_asks_for(found):
    words = ["openssl", "x509", "-in", "page.pem", "-noout", "-text"]
    text = subprocess.run(words, cwd=found.folder, capture_output=True, text=True).stdout
    assert "TLS Web Server Authentication" in text and "CA:FALSE" in text and "P-256" in text
