"""Decks that learn, in prepared moments: their history, its undoing, what a game taught them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from busy_tables import busy_table
from staged_start import CAMERAS, idle_state, on_offer
from staged_views import HISTORY, LONG_LINE, ME, View

from kiosk.web.faces import face_jpeg
from rules.games import game

NAME = "my-dirty-laundry-of-the-long-evening-1"
GAME = {"title": "Dirty Laundry", "number": 2}
FACES = sorted(game("dirty-laundry").cards, key=lambda face: (len(face), face))
REFUSED = {"/api/decks/revert": {"ok": False, "message": LONG_LINE}}
OPEN, UNDO, DO = ".deck-history", ".deck-undo button", ".deck-undo .main"
WHY, DONE = ".deck-undo .bad:not(:empty)", "dialog [role=status]:not(.deck-undo *)"


def state(number: int, what: str, *faces: str, learned: int = 0) -> dict[str, Any]:
    """A state of the deck, as the server tells it."""
    games = [GAME, {**GAME, "number": 123456789}] if what == "learned" else []
    return {
        "number": number, "what": what, "at": 1_790_000_000 + 5000 * (number or 9),
        "faces": 40, "pictures": 53 if number in (0, 3) else 41, "learned": learned,
        "new": dict.fromkeys(faces, 2), "games": games,
    }  # fmt: skip


def past(*states: dict[str, Any], learned: int = 0) -> dict[str, Any]:
    """The history of a deck with so many pictures from games."""
    pictures = [
        {"k": k, "face": FACES[-1 - k % 6], "at": 1_790_000_000, "game": GAME}
        for k in range(learned)
    ]
    return {"/api/decks/history": {"deck": NAME, "states": list(states), "learned": pictures}}


FIRST = state(1, "taught")
LEARNED = past(
    state(0, "learned", *FACES[-3:], learned=6), state(4, "reverted"),
    state(3, "added", *FACES[-12:]), state(2, "taught"), FIRST, learned=6,
)  # fmt: skip


def deck_views() -> list[View]:
    """The history from the start screen, and what stands after a game."""
    last = on_offer("dirty-laundry", 4)
    last["last"]["deck"] = "/x/1"
    start = {**ME, "/api/setup": last, **CAMERAS}
    over = deepcopy(busy_table("dirty-laundry", 4).state)
    over |= {"phase": "over", "is_connected": False}
    over["game"] |= {"number": GAME["number"]}
    over["referee"] |= {"is_running": False, "pause_s": None, "why": ""}
    damaged = {"/api/decks/history": {"ok": False, "message": LONG_LINE}}
    many = past(state(0, "learned", *FACES), FIRST, learned=80)
    moments: tuple[tuple[str, str, dict[str, Any], tuple[str, ...]], ...] = (
        ("history", ".games li", LEARNED, (OPEN,)),
        ("undo", DO, LEARNED, (OPEN, UNDO)),
        ("undo-refused", WHY, {**LEARNED, **REFUSED}, (OPEN, UNDO, DO)),
        ("undone", DONE, LEARNED, (OPEN, UNDO, DO)),
        ("many", "summary", many, (OPEN,)),
        ("new", "dialog p", past(FIRST), (OPEN,)),
        ("damaged", "dialog .bad", damaged, (OPEN,)),
    )
    card = face_jpeg("dirty-laundry", FACES[-1])
    learned = {**start, **HISTORY, **LEARNED}
    return [
        View("deck-learned", over, ".after-game .deck-learned", answers=learned),
        *(
            View(f"deck-{name}", idle_state(), there, card, taps, {**start, **answers})
            for name, there, answers, taps in moments
        ),
    ]
