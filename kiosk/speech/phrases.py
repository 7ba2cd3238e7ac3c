"""What is said of a call. In English it is the call's own sentence; else the catalogue's.

The page chooses its written words in the same way (`static/js/words.js`).
"""

from __future__ import annotations

from collections.abc import Iterable

from kiosk.speech.catalogue import spoken
from rules.contract.game import PlaceView
from rules.table.call import Call

OWN = "en"  # the language of the calls themselves


def phrase(call: Call, language: str) -> str:
    """The sentence for a call; the call's own one where the catalogue has none that fits."""
    if language == OWN:
        return call.message
    values = {
        "place": place_words(call.place, language),
        "seat": "" if call.seat is None else str(call.seat),
        "card": face_words(call.card, language),
        "due": due_words(call.expected or (), language),
    }
    names = (f"call-{call.game}-{call.rule}-{call.call}", f"call-{call.call}-due",
        f"call-{call.call}-card", f"call-{call.call}-seat")  # fmt: skip
    found = (spoken(language, name, values) for name in names)
    return next((text for text in found if text is not None), call.message)


def due_phrase(place: PlaceView, language: str) -> str:
    """What a place needs now: "Pile 1 needs boxers"."""
    own = f"{place.label} {place.text}"
    if language == OWN:
        return own
    values = {
        "place": place_words(place.place, language), "due": due_words(place.faces, language)
    }  # fmt: skip
    return spoken(language, "place-needs", values) or own


def place_words(place: str | None, language: str) -> str:
    """A place by name: `seat/2/set/1` is the message `place-seat-set` with its numbers."""
    if place is None:
        return ""
    parts = place.split("/")
    numbers = [part for part in parts if part.isdecimal()]
    name = "-".join(["place", *(part for part in parts if not part.isdecimal())])
    values = dict(zip(("number", "other"), numbers, strict=False))
    return spoken(language, name, values) or place.replace("/", " ")


def face_words(face: str | None, language: str) -> str:
    """A face by name; its own name where the catalogue has none."""
    if face is None:
        return ""
    return spoken(language, f"face-{face}", {}) or face.replace("-", " ")


def due_words(faces: Iterable[str], language: str) -> str:
    """Two faces at most, as they are said in a sentence; more are too many to listen to."""
    named = [face_words(face, language) for face in faces]
    return f" {messages_or(language)} ".join(named) if 0 < len(named) <= 2 else ""


def messages_or(language: str) -> str:
    """The word between two choices."""
    return spoken(language, "or", {}) or "or"
