"""Which faces a game knows, and which face a file name means."""

from pathlib import Path

from models.deck import Deck, Face, load_deck, shipped_decks
from models.gallery import BACK
from rules.errors import FairdealError


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


def check_name(face: str, path: Path, known: set[str]) -> None:
    """FairdealError if a file's name cannot be a face, or is none of the `known` ones."""
    if not face.replace("-", "").isalnum():
        raise FairdealError(
            "a face of small letters, digits and hyphens",
            f"'{face}'",
            "name the file after its face",
            where=str(path),
        )
    if known and face not in known | {BACK}:
        raise FairdealError(
            "a face of the game", f"'{face}'", "name the file after its face", where=str(path)
        )


def taught_face(shipped: Face | None, name: str, names: list[str]) -> Face:
    """A face with the shipped face's count and attributes; `reverse` only if it is in `names`."""
    if shipped is None:
        return Face(name)
    attributes = dict(shipped.attributes)
    if attributes.get("reverse", name) not in names:
        del attributes["reverse"]
    return Face(name, shipped.count, attributes)
