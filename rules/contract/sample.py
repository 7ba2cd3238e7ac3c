"""A game as a few words: what benchmarks and first trials play without a camera.

Acts are separated by `;` and come half a second apart: `SEAT CARD PLACE` places a card,
`-SEAT CARD PLACE` removes one, `!BUTTON` or `!BUTTON SEAT` presses one. A seat `-` is not known.
"""

from rules.table.event import Act, Placed, Pressed, Removed

STEP_S = 0.5


def read_sample(text: str) -> tuple[Act, ...]:
    """The acts of a sample. Raises ValueError for an act that is none."""
    return tuple(_act(act.split(), number * STEP_S) for number, act in enumerate(text.split(";")))


def _act(words: list[str], at: float) -> Act:
    if words and words[0].startswith("!") and len(words) <= 2:
        return Pressed(at, words[0][1:], int(words[1]) if len(words) > 1 else None)
    if len(words) != 3:
        raise ValueError(f"expected SEAT CARD PLACE, found {' '.join(words)!r}")
    who, card, place = words
    if who == "-":
        return Placed(at, card, place)
    return (
        Removed(at, card, place, int(who[1:]))
        if who[0] == "-"
        else Placed(at, card, place, int(who))
    )
