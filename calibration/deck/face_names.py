"""Which faces a game knows, and which face a file name means."""

import re
from difflib import get_close_matches
from pathlib import Path

from models.deck import Deck, Face, load_deck, shipped_decks
from models.gallery import BACK
from rules.errors import FairdealError

NEAR = 0.6  # similarity of two names, 0..1, from which one is proposed for the other
NAMES_SHOWN = 12
# What cameras and scanners call their pictures: `IMG_1234.jpg`, `20261125_101500.jpg`.
_CAMERA = re.compile(r"(dsc[nf]?|foto|image|img|photo|pxl|scan|signal|whatsapp-image)?-?\d.*")
_DIGITS = 4  # of such a name without a word: `10` and `2c` are faces
_FILLERS = frozenset({"of", "the", ""})
_SUITS = {
    name: letter
    for letter, names in {
        "c": "c club clubs", "d": "d diamond diamonds", "h": "h heart hearts", "s": "s spade spades"
    }.items()
    for name in names.split()
}  # fmt: skip
_RANKS = {
    "ace": "a", "jack": "j", "knave": "j", "queen": "q", "king": "k", "two": "2", "three": "3",
    "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
}  # fmt: skip


def games() -> list[str]:
    """The games that have a shipped deck."""
    return sorted({load_deck(name).game for name in shipped_decks()})


def shipped_deck(game: str) -> Deck | None:
    """The shipped deck of a game, or None."""
    decks = (load_deck(name) for name in shipped_decks())
    return next((deck for deck in decks if game and deck.game == game), None)


def faces_of(game: str) -> set[str]:
    """The faces of a game: those of its shipped deck, else all that its rules know."""
    deck = shipped_deck(game)
    return set(deck.names) if deck else cards_of(game)


def cards_of(game: str) -> set[str]:
    """All faces that the rules of a game know; empty without a game. FairdealError if unknown."""
    if not game:
        return set()
    from rules.games import game as game_named

    return set(game_named(game).cards)


def game_of_folder(folder: Path) -> str:
    """The game of the deck that is already in the folder, or ""."""
    return load_deck(folder).game if (folder / "deck.toml").is_file() else ""


def game_of_faces(names: set[str]) -> str:
    """The first game all of whose faces are among the names, or ""."""
    return next((game for game in games() if names >= faces_of(game)), "")


def face_of_file(path: Path) -> str:
    """The face that a file is named after: `T_Shirt.2.JPG` → `t-shirt`."""
    return re.sub(r"[\s_]+", "-", path.name.split(".")[0].strip().lower())


def is_camera_name(path: Path) -> bool:
    """Whether a camera named the picture, and no person after its face."""
    name = face_of_file(path)
    found = _CAMERA.fullmatch(name)
    if found is None:
        return False
    return found[1] is not None or sum(c.isdigit() for c in name) >= _DIGITS


def is_name(face: str) -> bool:
    """Whether a face may have that name: small letters, digits and hyphens."""
    return face.replace("-", "").isalnum() and face.isascii() and face == face.lower()


def check_name(face: str, path: Path, known: set[str]) -> None:
    """Raises FairdealError for a file name that is not a known face."""
    if not is_name(face):
        raise FairdealError(
            "a face of small letters, digits and hyphens", ascii(face),
            "name the file after its face", str(path),
        )  # fmt: skip
    if known and face not in known | {BACK}:
        raise FairdealError(
            f"a face of the game ({_listed(known)})", f"'{face}'", _advice(face, known), str(path)
        )


def nearest_name(face: str, known: set[str]) -> str | None:
    """The known face nearest to a wrong name (`jack-clubs` → `jc`), or None."""
    words = [word for word in face.split("-") if word not in _FILLERS]
    ranks = [_RANKS.get(word, word) for word in words if word not in _SUITS]
    suits = [_SUITS[word] for word in words if word in _SUITS]
    spelt = "".join(ranks + suits)
    if spelt in known:
        return spelt
    found = get_close_matches(face, sorted(known | {BACK}), 1, NEAR)
    return found[0] if found else None


def _advice(face: str, known: set[str]) -> str:
    near = nearest_name(face, known)
    return f"perhaps {near}?" if near else "name the file after its face"


def _listed(names: set[str]) -> str:
    shown = sorted(names)[:NAMES_SHOWN]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def taught_face(shipped: Face | None, name: str, names: list[str]) -> Face:
    """A face with the shipped face's count and attributes; `reverse` only if it is in `names`."""
    if shipped is None:
        return Face(name)
    attributes = dict(shipped.attributes)
    if attributes.get("reverse", name) not in names:
        del attributes["reverse"]
    return Face(name, shipped.count, attributes)
