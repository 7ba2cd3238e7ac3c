"""A deck from elsewhere: names and art must not reach outside its folder."""

from pathlib import Path

import pytest

from kiosk.printing.decks import print_deck
from models.deck import load_deck, shipped_decks
from models.drawing.raster import DEEPEST, face_picture
from rules.errors import FairdealError

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'viewBox="0 0 63 88">'
)
PLAIN = HEAD + '<rect width="63" height="88" fill="#ffffff"/></svg>'


def deck_with(folder: Path, back: str = "back", name: str = "own", art: str = PLAIN) -> Path:
    (folder / "faces").mkdir(parents=True)
    (folder / "deck.toml").write_text(
        f'name = "{name}"\nwidth_mm = 63\nheight_mm = 88\nback = "{back}"\n'
        '[[faces]]\nname = "hat"\n'
    )
    (folder / "faces" / "hat.svg").write_text(art)
    (folder / "faces" / "back.svg").write_text(PLAIN)
    return folder


@pytest.mark.parametrize("back", ["../../secret", "/etc/passwd", "Back", "a b", ""])
def test_a_back_outside_the_folder_is_refused(tmp_path: Path, back: str) -> None:
    with pytest.raises(FairdealError, match="a name in back of small letters"):
        load_deck(deck_with(tmp_path / "deck", back=back))


def test_a_name_with_control_characters_is_refused_and_not_printed_raw(tmp_path: Path) -> None:
    with pytest.raises(FairdealError, match="printable text") as refused:
        load_deck(deck_with(tmp_path / "deck", name=r"\u001b[31mred"))
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "body",
    [
        '<image href="/etc/secret.png" width="9" height="9"/>',
        '<image xlink:href="../../secret.png" width="9" height="9"/>',
        '<image href="file:///secret.png" width="9" height="9"/>',
        '<image href="data:image/svg+xml;base64,AAAA" width="9" height="9"/>',
        "<image href='https://example.org/a.png' width='9' height='9'/>",
        '<rect width="9" height="9" style="fill:url(other.svg#a)"/>',
    ],
)
def test_art_that_refers_to_other_files_is_refused(tmp_path: Path, body: str) -> None:
    deck = deck_with(tmp_path / "deck", art=HEAD + body + "</svg>")
    with pytest.raises(FairdealError, match="an SVG picture on its own"):
        face_picture(load_deck(deck), "hat", 88)
    with pytest.raises(FairdealError, match="an SVG picture on its own"):
        print_deck(deck, tmp_path / "out.pdf")
    assert not (tmp_path / "out.pdf").exists()


def test_art_may_refer_to_its_own_parts(tmp_path: Path) -> None:
    art = HEAD + '<defs><rect id="a" width="9" height="9"/></defs><use href="#a"/></svg>'
    assert face_picture(load_deck(deck_with(tmp_path / "deck", art=art)), "hat", 88).size


@pytest.mark.parametrize("depth", [DEEPEST + 1, 50_000])
def test_art_nested_too_deeply_is_one_line(tmp_path: Path, depth: int) -> None:
    art = HEAD + "<g>" * depth + "</g>" * depth + "</svg>"
    with pytest.raises(FairdealError, match="nested at most"):
        print_deck(deck_with(tmp_path / "deck", art=art), tmp_path / "out.pdf")


def test_a_deck_file_nested_past_the_recursion_limit_is_one_line(tmp_path: Path) -> None:
    folder = deck_with(tmp_path / "deck")
    (folder / "deck.toml").write_text("name = " + "[" * 100_000)
    with pytest.raises(FairdealError, match="nested too deeply"):
        load_deck(folder)


def test_the_shipped_art_is_on_its_own() -> None:
    for name in shipped_decks():
        deck = load_deck(name)
        assert face_picture(deck, deck.back, 20).size
