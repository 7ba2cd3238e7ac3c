"""`python -m models.drawing.art`: draws every shipped deck anew, SVGs and deck.toml."""

from models.deck import SHIPPED
from models.drawing.art.decks import files

if __name__ == "__main__":
    for path, content in files().items():
        target = SHIPPED / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    print(f"{len(files())} files in {SHIPPED}")
