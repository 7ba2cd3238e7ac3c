"""Decks: what is read, what is refused in one line, and that the drawn files are up to date."""

from dataclasses import replace
from pathlib import Path

import pytest

from models.deck import (
    SHIPPED,
    Deck,
    check_complete,
    load_deck,
    missing_faces,
    shipped_decks,
)
from models.drawing.art.decks import files
from models.drawing.raster import face_picture
from rules.errors import FairdealError

GOOD = """
name = "mine"
game = "suds"
width_mm = 63
height_mm = 88.5

[[faces]]
name = "hat"
count = 9
order = 1
"""


def written(folder: Path, text: str) -> Path:
    (folder / "deck.toml").write_text(text, encoding="utf-8")
    return folder


def test_suds_is_the_pack_of_the_rule_sheet() -> None:
    deck = load_deck("suds")
    assert sum(face.count for face in deck.faces) == 54
    assert deck.face("wild").count == 3
    assert all(face.count in (8, 9) for face in deck.faces if face.name != "wild")
    check_complete(deck, ("hat", "t-shirt", "boxers", "pants", "socks", "sneakers", "wild", "back"))


def test_the_decks_have_the_faces_the_games_are_played_with() -> None:
    suits = [f"{suit}-{rank}" for suit in ("sooty", "sweep") for rank in (*"12345", "joker")]
    ranks = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k", "a")
    needs = [
        "white-plain",
        "white-softener",
        "white-stain",
        "colour-plain",
        "colour-plain2",
        "colour-mesh",
    ]
    garments = [f"p{owner}-{need}" for owner in range(1, 7) for need in needs]
    laundry = [
        "detergent",
        "fabric-softener",
        "stain-remover",
        "mesh-bag",
        "red-sock",
        "special-dye",
        "special-bleach",
        "wash",
        "sort",
        "rinse",
        "repair",
        "wreck",
        "hand-wash",
        "machine",
        "machine-broken",
    ]
    played = {
        "sooty": [*suits, "oofle-dust", "magic-wand"],
        "cat-in-the-hat": [*"abcdefghijklmnopqrstuvwxyz", "voom"],
        "plain52": [rank + suit for rank in ranks for suit in "cdhs"],
        "dirty-laundry": [*garments, *(f"{name}-ruined" for name in garments), *laundry],
    }
    for name, faces in played.items():
        deck = load_deck(name)
        check_complete(deck, faces)
        assert set(deck.names) - set(faces) <= {"repair-wreck"}


def test_sooty_is_the_pack_of_the_rule_sheet() -> None:
    counts = {face.name: face.count for face in load_deck("sooty").faces}
    assert sum(counts.values()) == 54
    for suit in ("sooty", "sweep"):
        assert [counts[f"{suit}-{k}"] for k in range(1, 6)] == [3, 3, 6, 3, 3]
        assert counts[f"{suit}-joker"] == 1
    assert counts["oofle-dust"] == counts["magic-wand"] == 8


@pytest.mark.parametrize("name", shipped_decks())
def test_a_shipped_deck_has_every_picture_and_reads_back_the_same(name: str) -> None:
    deck = load_deck(name)
    assert deck.name == name
    for face in (*deck.names, *(extra.name for extra in deck.extras), deck.back):
        assert deck.art(face).is_file()
    assert (deck.folder / "deck.toml").read_text(encoding="utf-8") == deck.to_toml()


def test_the_drawn_files_are_up_to_date() -> None:
    stale = [
        path
        for path, text in files().items()
        if not (SHIPPED / path).is_file() or (SHIPPED / path).read_text(encoding="utf-8") != text
    ]
    assert stale == [], "draw them anew: python -m models.drawing.art"


def test_no_picture_lies_about_that_no_code_draws() -> None:
    drawn = {SHIPPED / path for path in files()}
    assert set(SHIPPED.glob("*/faces/*")) <= drawn


def test_all_decks_together_are_small() -> None:
    assert sum(path.stat().st_size for path in SHIPPED.rglob("*") if path.is_file()) <= 8_000_000


def test_a_picture_is_upright_opaque_and_has_round_corners() -> None:
    picture = face_picture(load_deck("suds"), "hat", 352)
    assert picture.shape == (352, 252, 4)
    assert picture[0, 0, 3] == 0
    assert picture[176, 126, 3] == 255
    assert not picture.flags.writeable


def test_a_flat_photograph_gets_the_outline_of_its_deck(tmp_path: Path) -> None:
    import cv2
    import numpy as np

    folder = written(tmp_path, GOOD.replace("88.5", '63\noutline = "round"'))
    (folder / "faces").mkdir()
    cv2.imwrite(str(folder / "faces" / "hat.png"), np.full((50, 50, 3), 200, np.uint8))
    picture = face_picture(load_deck(folder), "hat", 101)
    assert picture.shape == (101, 101, 4)
    assert picture[3, 3, 3] == 0 and picture[50, 50].tolist() == [200, 200, 200, 255]


def test_a_folder_is_a_deck(tmp_path: Path) -> None:
    deck = load_deck(written(tmp_path, GOOD))
    assert isinstance(deck, Deck)
    assert (deck.width_mm, deck.height_mm, deck.outline, deck.back) == (63.0, 88.5, "card", "back")
    assert dict(deck.face("hat").attributes) == {"order": 1}
    assert deck.taught == tmp_path.resolve() / "taught.npz"


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('name = "mine"', "name = 3", "name to be printable text"),
        ("width_mm = 63", "width_mm = 2", "width_mm from 20 to 250 mm"),
        ("width_mm = 63", "", "a key 'width_mm'"),
        ('game = "suds"', 'game = "suds"\noutline = "star"', "outline one of"),
        ('game = "suds"', 'game = "suds"\ncolour = 1', "only the keys"),
        ('name = "hat"', 'name = "../hat"', "small letters"),
        ("count = 9", "count = -1", "count of 'hat'"),
        ("count = 9", "count = true", "count of 'hat'"),
        ("order = 1", 'reverse = "rag"', "the reverse of 'hat'"),
        ("order = 1", '[[faces]]\nname = "hat"', "each face once"),
        ("[[faces]]", "[faces]", "as tables"),
        ("count = 9", "count = ", "TOML"),
        ('game = "suds"', 'game = "suds"\nmissing = ["../hat"]', "small letters"),
        ('game = "suds"', 'game = "suds"\nmissing = [1]', "names of faces"),
    ],
)
def test_a_bad_deck_is_refused_in_one_line(tmp_path: Path, old: str, new: str, part: str) -> None:
    assert old in GOOD
    with pytest.raises(FairdealError) as refused:
        load_deck(written(tmp_path, GOOD.replace(old, new)))
    assert part in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("name", ["nothing", "", "../suds", "/nowhere/deck"])
def test_a_deck_that_is_not_there_is_refused(name: str) -> None:
    with pytest.raises(FairdealError, match="suds"):
        load_deck(name)


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    (tmp_path / "deck.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FairdealError, match=r"deck\.toml"):
        load_deck(tmp_path)


def test_a_deck_lacking_a_face_is_refused(tmp_path: Path) -> None:
    deck = load_deck(written(tmp_path, GOOD))
    check_complete(deck, ("hat", "unknown", "back"))
    with pytest.raises(FairdealError, match="none for socks, wild"):
        check_complete(deck, ("hat", "wild", "socks"))


def test_the_faces_that_a_deck_lacks_are_read_back(tmp_path: Path) -> None:
    deck = replace(load_deck(written(tmp_path, GOOD)), missing=("socks", "wild"))
    assert load_deck(written(tmp_path, deck.to_toml())).missing == ("socks", "wild")
    assert missing_faces(deck.names, ("hat", "wild", "socks", "back")) == ["socks", "wild"]


def test_repair_and_wreck_may_be_one_card(tmp_path: Path) -> None:
    needed = ("hat", "repair", "wreck", "repair-wreck")
    one = GOOD + '[[faces]]\nname = "repair-wreck"\n'
    two = GOOD + '[[faces]]\nname = "repair"\n[[faces]]\nname = "wreck"\n'
    check_complete(load_deck(written(tmp_path, one)), needed)
    check_complete(load_deck(written(tmp_path, two)), needed)
    half = GOOD + '[[faces]]\nname = "repair"\n'
    with pytest.raises(FairdealError, match="wreck"):
        check_complete(load_deck(written(tmp_path, half)), needed)


@pytest.mark.parametrize("content", [b"", b"no picture", b"<svg"])
@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_art_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes, suffix: str) -> None:
    folder = written(tmp_path, GOOD)
    with pytest.raises(FairdealError, match="a picture faces/hat"):
        face_picture(load_deck(folder), "hat", 100)
    (folder / "faces").mkdir()
    (folder / "faces" / f"hat{suffix}").write_bytes(content)
    with pytest.raises(FairdealError, match="hat"):
        face_picture(load_deck(folder), "hat", 100)


@pytest.mark.parametrize("name", shipped_decks())
def test_no_two_faces_look_alike_even_turned(name: str) -> None:
    """Nearest of any two faces, 96 px high, upright or on their heads: plain52's 2d and 3d."""
    import numpy as np

    deck = load_deck(name)
    names = [*deck.names, *(extra.name for extra in deck.extras), deck.back]
    pictures = np.stack([face_picture(deck, face, 96)[3:-3, 3:-3, :3] for face in names])
    pictures = pictures.astype(np.float32)
    for number, picture in enumerate(pictures):
        for seen in (picture, picture[::-1, ::-1]):
            apart = np.abs(pictures - seen).mean(axis=(1, 2, 3))
            apart[number] = np.inf
            assert apart.min() > 2.5, (names[number], names[int(apart.argmin())])


def test_the_page_on_decks_tells_the_true_counts() -> None:
    page = (Path(__file__).parents[2] / "docs" / "decks.md").read_text(encoding="utf-8")
    for name in shipped_decks():
        deck = load_deck(name)
        cards = sum(face.count for face in deck.faces if face.attributes.get("side") != "reverse")
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}` |"))
        assert row.split("|")[3].split()[0] == str(cards)
