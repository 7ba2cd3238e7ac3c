"""What `fairdeal calibrate deck` says: what is taught, asked, missing and not used."""

import shlex
import sys
from collections import Counter
from collections.abc import Iterable
from typing import TextIO

from calibration.deck.contact_sheet import write_alike
from calibration.deck.ends import Asked
from calibration.deck.teach import near_twins
from calibration.deck.teaching import Teaching, Wish, listed
from models.deck import Deck
from models.gallery import BACK, Gallery
from rules.errors import FairdealError, plain
from vision.networks.embedder import Embedder

TWINS_SHOWN = 12


def report(wish: Wish, teaching: Teaching, embedder: Embedder, seconds: float) -> None:
    """Prints what came of a wish."""
    say_taught(teaching.deck, teaching.gallery, seconds)
    say_refused(teaching.refused, sys.stdout)
    say_asked(wish, teaching.asked, sys.stdout)
    if not teaching.asked:
        print(f"All outlines: {teaching.sheet[0]} and {teaching.sheet[1]}")
    if teaching.missing:
        again = command_of(wish, "--add", "--from", "DIR")
        print(f"Missing faces: {', '.join(teaching.missing)}. Add them with `{again}`, or play "
              "without them: `fairdeal referee --incomplete`.")  # fmt: skip
    twins = shown_twins(teaching.gallery, embedder)
    for line in twin_words(twins):
        print(line)
    if twins:
        templates = dict(zip(teaching.gallery.faces, teaching.gallery.templates, strict=True))
        pairs = [(a, b) for a, b, *_ in twins]
        print(f"Side by side: {write_alike(teaching.deck.folder, pairs, templates)}")


def say_taught(deck: Deck, gallery: Gallery, seconds: float) -> None:
    """How many faces and pictures the deck has."""
    faces = [f for f in dict.fromkeys(gallery.faces) if f != BACK]
    pictures = f"{len(gallery.faces)} pictures"
    print(
        f"Taught {len(faces)} faces of {deck.name} ({pictures}) in {seconds:.1f} s: {deck.folder}"
    )
    several = [f"{count} of {face}" for face, count in Counter(gallery.faces).items() if count > 1]
    if several:
        print(f"More than one picture: {listed(several)}. All are used.")
    if BACK not in gallery.faces:
        print("No picture of the back (back.jpg): a card that lies face down will be `unknown`.")


def say_refused(refused: Iterable[FairdealError], stream: TextIO) -> None:
    """One line for each picture that is not used."""
    for error in refused:
        print(f"Not used: {error}", file=stream)


def say_asked(wish: Wish, asked: tuple[Asked, ...], stream: TextIO) -> None:
    """One line for each question, and the commands that settle them."""
    if not asked:
        return
    for one in asked:
        print(f"Asked: is this the card of {one.name}? {one.reason}", file=stream)
    names = ",".join(one.name for one in asked)
    corners = f"{asked[0].name}=x,y,x,y,x,y,x,y"
    print(f"Look at {wish.out / 'sheet.html'} (or sheet.png). Outlines that are right: "
          f"`{command_of(wish, '--accept', names)}`. Others: "
          f"`{command_of(wish, '--corners', corners)}` with the card's corners in px, clockwise "
          "from its upper left, or another picture.", file=stream)  # fmt: skip


Twins = list[tuple[str, str, float, bool]]


def shown_twins(gallery: Gallery, embedder: Embedder) -> Twins:
    """The pairs of faces that look most alike: names, cosine, whether only a turn tells them."""
    return near_twins(gallery, embedder)[:TWINS_SHOWN]


def twin_words(twins: Twins) -> list[str]:
    """A line for each pair of faces that look alike."""
    words = []
    for a, b, likeness, turned in twins:
        how = (
            "the same but for a turn: mark one of them"
            if turned
            else "near twins: template matching tells them apart"
        )
        words.append(f"{a} and {b} look alike ({likeness:.0%}), {how}.")
    return words


def command_of(wish: Wish, *words: str) -> str:
    """The command that goes on with the deck of a wish."""
    return plain(shlex.join(["fairdeal", "calibrate", "deck", wish.name, "--out", str(wish.out),
                             *words]))  # fmt: skip
