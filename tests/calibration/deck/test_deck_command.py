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
    assert said.count("\n") == 1 and "expected a folder for the new deck, found a file" in said
    assert (tmp_path / "file").read_text() == "in the way"


def test_neither_pictures_nor_a_deck(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("mine") == 2
    assert "give --from DIR or --source S" in capsys.readouterr().err


def said_of(capsys, *words):
    """The last line of a refused command, and all lines before it."""
    assert run(*words) == 2
    *before, last = capsys.readouterr().err.splitlines()
    assert last.startswith("fairdeal: ")
    return last, before


def taught(capsys, *words):
    """What a command says that writes a deck, and that deck."""
    assert run(*words) == 0
    told = capsys.readouterr()
    assert told.err == ""
    return told.out, load_deck(words[words.index("--out") + 1])


def test_a_face_without_a_usable_picture_is_missing_and_the_others_are_taught(
    art, tmp_path, capsys
):
    (art / "socks.png").write_bytes(b"no picture")
    said, deck = taught(capsys, "mine", "--from", art, "--out", tmp_path / "deck")
    assert deck.names == ("hat",)
    assert f"Not used: {art / 'socks.png'}: expected a picture (jpg or png), found a file" in said
    assert "Missing faces: socks. Add them with `fairdeal calibrate deck mine --out" in said


def test_a_missing_face_is_added_later(art, tmp_path, capsys):
    good = (art / "socks.png").read_bytes()
    (art / "socks.png").write_bytes(b"no picture")
    words = ("mine", "--from", art, "--out", tmp_path / "deck")
    taught(capsys, *words)
    (art / "hat.png").unlink()
    (art / "socks.png").write_bytes(good)
    # Without --add the hat would be lost: nothing is written.
    last, _ = said_of(capsys, *words)
    assert "no sure picture of hat" in last and "--add" in last
    assert load_deck(tmp_path / "deck").names == ("hat",)
    said, deck = taught(capsys, *words, "--add")
    assert deck.names == ("hat", "socks") and "Missing" not in said
    assert (tmp_path / "deck" / "sheet.png").is_file()


def test_no_usable_picture_at_all_is_one_line_and_no_deck(art, tmp_path, capsys):
    for name in ("hat.png", "socks.png"):
        (art / name).write_bytes(b"no picture")
    last, before = said_of(capsys, "mine", "--from", art, "--out", tmp_path / "deck")
    assert "at least one usable picture, found none" in last and len(before) == 2
    assert not (tmp_path / "deck" / "deck.toml").exists()


def test_a_game_whose_faces_are_not_all_there(art, tmp_path, capsys):
    words = ("mine", "--game", "suds", "--from", art, "--out", tmp_path / "deck")
    said, deck = taught(capsys, *words)
    assert deck.game == "suds" and "Missing faces: boxers, pants, sneakers, t-shirt, wild" in said


def test_answers_that_answer_nothing(art, tmp_path, capsys):
    words = ("mine", "--from", art, "--out", tmp_path / "deck")
    last, _ = said_of(capsys, *words, "--accept", "shoe")
    assert "expected an asked picture (none), found 'shoe'" in last
    for bad in ("hat=1,2,3", "hat=0,0,0,9,9,9,9,0", "=0,0,9,0,9,9,0,9", "hat=nan,0,9,0,9,9,0,9"):
        last, _ = said_of(capsys, *words, "--corners", bad)
        assert "expected FACE=x,y,x,y,x,y,x,y with --corners" in last
    last, _ = said_of(capsys, *words, "--accept", "hat=0")
    assert "expected FACE or FACE=NUMBER" in last
    last, _ = said_of(capsys, "mine", "--out", tmp_path / "deck", "--yes")
    assert "expected pictures that wait for an answer, found none" in last


def test_a_misnamed_file_is_told_with_the_nearest_name(art, tmp_path, capsys):
    (art / "socks.png").rename(art / "sock.png")
    words = ("mine", "--game", "suds", "--from", art, "--out", tmp_path / "deck")
    said, _ = taught(capsys, *words)
    assert said.count("Not used") == 1 and "found 'sock'; perhaps socks?" in said


def test_one_picture_under_two_names(art, tmp_path, capsys):
    (art / "pants.png").write_bytes((art / "hat.png").read_bytes())
    said, deck = taught(capsys, "mine", "--from", art, "--out", tmp_path / "deck")
    assert deck.names == ("socks",) and "Missing faces: hat, pants" in said
    assert said.count("one picture as hat.png and pants.png") == 2


def test_two_files_of_one_face_are_told(art, tmp_path, capsys):
    cv2.imwrite(str(art / "hat.2.png"), face_picture(load_deck("suds"), "hat", 300))
    assert run("mine", "--from", art, "--out", tmp_path / "deck") == 0
    assert "More than one picture: 2 of hat. All are used." in capsys.readouterr().out


def test_a_heic_file_is_named(art, tmp_path, capsys):
    (art / "back.heic").write_bytes(b"\0\0\0\x18ftypheic")
    assert run("mine", "--from", art, "--out", tmp_path / "deck") == 0
    said = capsys.readouterr().out
    assert "back.heic: expected jpg or png, found HEIC; export it as JPEG" in said


def test_few_pictures_do_not_confirm_the_shape(art, tmp_path, capsys):
    assert run("mine", "--from", art, "--out", tmp_path / "deck") == 0
    assert "Only 2 pictures: the cards' shape" in capsys.readouterr().out
    assert run("mine", "--from", art, "--out", tmp_path / "deck", "--size", "63x88") == 0
    assert "Only" not in capsys.readouterr().out
