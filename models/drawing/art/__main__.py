"""`python -m models.drawing.art`: draws every shipped deck, SVGs and deck.toml.

`--sheet FILE.png DECK…` writes a picture of all the cards of these decks instead.
"""

import argparse
from pathlib import Path

from models.deck import SHIPPED, load_deck
from models.drawing.art.decks import files


def main() -> None:
    """Writes the files, or a contact sheet of existing decks."""
    parser = argparse.ArgumentParser(prog="python -m models.drawing.art", description=__doc__)
    parser.add_argument("--sheet", type=Path, metavar="FILE", help="the picture to write")
    parser.add_argument("--columns", type=int, default=9, help="cards in a row of the picture")
    parser.add_argument("--height", type=int, default=300, help="a card's height, px")
    parser.add_argument("decks", nargs="*", help="decks for the picture")
    args = parser.parse_args()
    if args.sheet:
        write_sheet(args.sheet, args.decks, args.columns, args.height)
        return
    written = files()
    for path, content in written.items():
        target = SHIPPED / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    print(f"{len(written)} files drawn")


def write_sheet(out: Path, decks: list[str], columns: int, height_px: int) -> None:
    """A picture of every face, extra and back of these decks; `deck:face` picks single cards."""
    import cv2

    from models.drawing.art.contact import contact_sheet

    cards = []
    for spec in decks:
        name, _, face = spec.partition(":")
        deck = load_deck(name)
        extras = (extra.name for extra in deck.extras)
        cards += [(deck, one) for one in ([face] if face else (*deck.names, *extras, deck.back))]
    quality = [cv2.IMWRITE_JPEG_QUALITY, 82] if out.suffix in (".jpg", ".jpeg") else []
    cv2.imwrite(str(out), contact_sheet(cards, columns, height_px), quality)


if __name__ == "__main__":
    main()
