"""Waits between programs grow where the environment says so."""

import pytest

from host.patience import MOST, NAME, patient


@pytest.mark.parametrize(
    ("word", "seconds"),
    [("1", 3.0), ("2.5", 7.5), ("0.1", 3.0), ("-4", 3.0), ("1e9", 3.0 * MOST)]
    + [(word, 3.0) for word in ("", "soon", "nan", "inf")],
)
def test_only_a_number_above_one_makes_waits_longer(monkeypatch, word, seconds):
    monkeypatch.setenv(NAME, word)
    assert patient(3.0) == seconds


def test_without_a_word_waits_are_as_they_are(monkeypatch):
    monkeypatch.delenv(NAME)
    assert patient(3.0) == 3.0
