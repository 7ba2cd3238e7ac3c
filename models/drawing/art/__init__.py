"""The shipped decks' art, drawn by code: one file a deck, `python -m models.drawing.art`."""
