"""All shipped decks as files: what `python -m models.drawing.art` writes and the tests compare."""

from pathlib import Path
from types import ModuleType

from models.deck import Deck, Face
from models.drawing.art import laundry, letters, plain52, sooty, suds

DECKS: tuple[ModuleType, ...] = (suds, sooty, letters, plain52, laundry)


def files() -> dict[str, str]:
    """Path below `models/decks` → text, for every file that code draws."""
    written = {}
    for module in DECKS:
        deck = described(module.deck())
        written[f"{deck.name}/deck.toml"] = deck.to_toml()
        for name, svg in module.draw().items():
            written[f"{deck.name}/faces/{name}.svg"] = svg
    return written


def described(fields: dict) -> Deck:
    """A deck from what its art module says, at the size of all shipped decks."""
    return Deck(
        name=fields["name"], game=fields["game"], width_mm=63.0, height_mm=88.0, outline="card",
        faces=_faces(fields["faces"]), back="back", folder=Path(fields["name"]),
        title=fields["title"], extras=_faces(fields.get("extras", [])),
    )  # fmt: skip


def _faces(tables: list[dict]) -> tuple[Face, ...]:
    return tuple(
        Face(
            table["name"],
            table.get("count", 1),
            {key: value for key, value in table.items() if key not in ("name", "count")},
        )
        for table in tables
    )
