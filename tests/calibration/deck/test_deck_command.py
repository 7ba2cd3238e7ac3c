"""`calibrate deck --from`, as it is typed: where the deck goes, and what cannot be written."""

import cv2
import pytest

from kiosk.cli import main
from models.deck import load_deck
from models.drawing.raster import face_picture


@pytest.fixture
def art(tmp_path):
    """Flat art of two faces of the shipped deck."""
    folder = tmp_path / "art"
    folder.mkdir()
    for face in ("hat", "socks"):
        cv2.imwrite(str(folder / f"{face}.png"), face_picture(load_deck("suds"), face, 352))
    return folder


def run(*words):
    return main(["calibrate", "deck", *map(str, words)])


def test_a_deck_named_by_its_path_has_the_last_part_for_a_name(art, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("decks/mine", "--from", art) == 0
    deck = load_deck(tmp_path / "decks" / "mine")
    assert deck.name == "mine" and set(deck.names) == {"hat", "socks"}


def test_a_place_that_cannot_be_written_is_one_line(art, tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    assert run("mine", "--from", art, "--out", tmp_path / "file" / "deck") == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and "expected a file that can be written" in said
    assert (tmp_path / "file").read_text() == "in the way"


def test_neither_pictures_nor_a_deck(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("mine") == 2
    assert "give --from DIR or --source S" in capsys.readouterr().err
