"""A deck that is taught again can be made what it was: `calibrate deck --history`, `--revert`."""

import shutil

import cv2
import pytest

from calibration.deck import history
from kiosk.cli import main
from models.deck import load_deck
from models.drawing.raster import face_picture
from models.gallery import load_gallery
from rules.errors import FairdealError


def run(*words):
    return main(["calibrate", "deck", "mine", *map(str, words)])


@pytest.fixture(scope="module")
def twice(tmp_path_factory):
    """A deck of two faces, to which a third one and a second hat were added."""
    place = tmp_path_factory.mktemp("history")
    for folder, names in (("first", ("hat", "socks")), ("more", ("boxers", "hat"))):
        (place / folder).mkdir()
        for face in names:
            art = face_picture(load_deck("suds"), face, 352)
            cv2.imwrite(str(place / folder / f"{face}.png"), art)
    out = place / "mine"
    assert run("--from", place / "first", "--out", out) == 0
    assert not (out / "history").exists()
    assert run("--from", place / "more", "--out", out, "--add") == 0
    return out


@pytest.fixture
def deck(twice, tmp_path):
    return shutil.copytree(twice, tmp_path / "mine")


def taught(deck, embedder):
    return load_gallery(deck / "taught.npz", embedder.checksum).faces


def lines_of(capsys, *words):
    capsys.readouterr()
    assert run(*words) == 0
    return capsys.readouterr().out.splitlines()


def test_the_history_tells_what_each_teaching_changed(deck, capsys):
    first, now = lines_of(capsys, "--out", deck, "--history")
    assert first.split()[0] == "1" and first.endswith("2 faces, 2 pictures")
    assert now.split()[0] == "now" and now.endswith("3 faces, 4 pictures; +boxers, hat")


def test_a_deck_is_made_what_it_was_and_back(deck, capsys, embedder):
    assert "state 1" in lines_of(capsys, "--out", deck, "--revert")[0]
    assert taught(deck, embedder) == ("hat", "socks")
    assert load_deck(deck).names == ("hat", "socks")
    assert {path.name for path in (deck / "faces").iterdir()} == {"hat.png", "socks.png"}
    *_, now = lines_of(capsys, "--out", deck, "--revert")
    assert now.endswith("+boxers, hat")
    assert taught(deck, embedder) == ("hat", "socks", "boxers", "hat")
    assert (deck / "faces" / "hat.2.png").is_file() and (deck / "faces" / "boxers.png").is_file()


def test_any_state_is_reached_by_its_number(deck, capsys, embedder):
    for _ in range(2):
        history.revert(deck, embedder.checksum)
    assert [one.number for one in history.states(deck, embedder.checksum)] == [1, 2, 3, 0]
    assert "state 1" in lines_of(capsys, "--out", deck, "--revert", "1")[0]
    assert taught(deck, embedder) == ("hat", "socks")


def test_the_time_of_a_state_is_that_of_its_teaching(twice, deck, embedder):
    then = history.states(twice, embedder.checksum)[0].at
    history.revert(deck, embedder.checksum)
    assert history.states(deck, embedder.checksum)[-1].at == then


def test_the_same_deck_is_kept_once_and_the_oldest_states_go(deck, monkeypatch):
    history.keep_state(deck)
    history.keep_state(deck)
    assert sorted(path.name for path in (deck / "history").iterdir()) == ["0001", "0002"]
    monkeypatch.setattr(history, "MOST", 2)
    (deck / "deck.toml").write_text((deck / "deck.toml").read_text() + "\n")
    history.keep_state(deck)
    assert sorted(path.name for path in (deck / "history").iterdir()) == ["0002", "0003"]


def test_a_damaged_state_is_left_out(deck, capsys, embedder):
    (deck / "history" / "0001" / "taught.npz").write_bytes(b"no deck")
    assert len(lines_of(capsys, "--out", deck, "--history")) == 1
    with pytest.raises(FairdealError, match="an earlier state"):
        history.revert(deck, embedder.checksum)


@pytest.mark.parametrize(
    ("words", "found"), [(("--revert", "7"), "a state of 1, found 7"), (("--revert", "0"), "1 to")]
)
def test_a_state_that_is_none_is_one_line(deck, capsys, words, found):
    capsys.readouterr()
    try:
        assert run("--out", deck, *words) == 2
    except SystemExit as end:
        assert end.code == 2
    assert found in capsys.readouterr().err
