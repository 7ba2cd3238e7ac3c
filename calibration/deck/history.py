"""What a deck was before it was taught again: states in its folder, to look at and to go back to.

`history/0001/` holds the first state's `deck.toml` and `taught.npz`, and `learned.npz` if it had
learned at the table; and so on. The newest state is the deck itself.
"""

import os
import shutil
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from calibration.deck.deck_files import make_folder, numbered, write_pictures
from models.gallery import BACK, load_gallery
from models.learned import FILE as LEARNED
from models.learned import Origin, load_learned
from rules.errors import FairdealError
from rules.files import read_bytes, write_file

FOLDER, FILES = "history", ("deck.toml", "taught.npz")
MOST = 20  # states that are kept; the oldest goes
LARGEST = 256 << 20  # bytes of a state's file
NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True)
class State:
    """A deck as it was taught. number: 1 is the first; 0 the deck as it is now; at: seconds since
    the epoch; pictures: how many each face has; learned: the pictures from the table; until: when
    the next state took its place, 0 for the deck as it is."""

    number: int
    folder: Path
    at: float
    pictures: Counter[str]
    learned: tuple[tuple[str, Origin], ...] = ()
    until: float = 0.0

    @property
    def faces(self) -> Counter[str]:
        """How many pictures each face learned at the table."""
        return Counter(face for face, _ in self.learned)


def keep_state(deck: Path) -> None:
    """Keeps the deck of a folder, before it is written again. FairdealError if it cannot be."""
    _keep(deck)
    _drop_oldest(deck)


def _keep(deck: Path) -> None:
    if not all((deck / name).is_file() for name in FILES):
        return
    kept = _kept(deck)
    if kept and _is_same(kept[-1], deck, (*FILES, LEARNED)):
        return
    place = deck / FOLDER / f"{int(kept[-1].name) + 1 if kept else 1:04d}"
    make_folder(place)
    for name in (*FILES, LEARNED):
        if (deck / name).is_file():
            _copy(deck / name, place / name)


def _drop_oldest(deck: Path) -> None:
    kept = _kept(deck)
    while len(kept) > MOST:
        shutil.rmtree(kept.pop(_least_missed(kept)), ignore_errors=True)


def states(deck: Path, namer: str) -> list[State]:
    """The states of a deck's folder, oldest first; the last one is the deck as it is. `namer`: the
    network's checksum; states that are damaged, or taught with another one, are left out.
    FairdealError if there is no deck."""
    known = []
    for kept in _kept(deck):
        with suppress(FairdealError):
            known.append(_state(int(kept.name), kept, namer))
    return [*known, _state(0, deck, namer)]


def revert(deck: Path, namer: str, number: int | None = None) -> State:
    """Makes the deck what it was: its state of that number, else the last one before. The
    present deck is kept as a state, so that it can be undone. FairdealError without a state."""
    known = states(deck, namer)
    before, now = known[:-1], known[-1]
    if not before:
        raise FairdealError("an earlier state", f"none in {deck / FOLDER}",
                            "teach with --add, and there is one")  # fmt: skip
    found = [one for one in before if number in (None, one.number)]
    if not found:
        numbers = ", ".join(str(one.number) for one in before)
        raise FairdealError(f"a state of {numbers}", str(number), "see its history")
    _keep(deck)  # no state goes before the deck is what it was: it might be that one
    gallery = load_gallery(found[-1].folder / FILES[1], namer)
    for name in set(numbered(now.pictures.elements())) - set(numbered(gallery.faces)):
        (deck / "faces" / f"{name}.png").unlink(missing_ok=True)
    write_pictures(deck, gallery)
    for name in FILES:
        _copy(found[-1].folder / name, deck / name)
    if found[-1].learned:
        _copy(found[-1].folder / LEARNED, deck / LEARNED)
    else:
        (deck / LEARNED).unlink(missing_ok=True)
    _drop_oldest(deck)
    return found[-1]


def history_lines(known: list[State]) -> list[str]:
    """A line for each state: when it was taught, what it holds, and what it changed. Then one for
    each picture that the deck has from the table now: where it comes from."""
    lines, before, learned = [], Counter[str](), Counter[str]()
    for state in known:
        head = f"{state.number:4d}" if state.number else " now"
        at = datetime.fromtimestamp(state.at).strftime("%Y-%m-%d %H:%M")
        faces = len([face for face in state.pictures if face != BACK])
        line = f"{head}  {at}  {faces} faces, {state.pictures.total()} pictures"
        line += f", {len(state.learned)} learned at the table" if state.learned else ""
        changes = [f"{sign}{listed}" for sign, listed in (
            ("+", _listed(state.pictures - before)), ("-", _listed(before - state.pictures)),
            ("learned ", _listed(state.faces - learned)),
            ("forgot ", _listed(learned - state.faces)),
        ) if listed and before]  # fmt: skip
        lines.append("; ".join([line, *changes]))
        before, learned = state.pictures, state.faces
    return lines + [_origin_line(face, origin) for face, origin in known[-1].learned]


def _origin_line(face: str, origin: Origin) -> str:
    at = datetime.fromtimestamp(origin.at).strftime("%Y-%m-%d %H:%M")
    game = f"{origin.game} {origin.number}" if origin.number else origin.game
    seat = f" by seat {origin.seat}" if origin.seat else ""
    return (
        f"      {face}: {at}, {game}, event {origin.event} at {origin.place}{seat}, "
        f"sure {origin.sure:.3f}, light {origin.light:.0f}, confirmed by {origin.confirmed}"
    )


def _listed(pictures: Counter[str]) -> str:
    """`hat, socks (2)`: the faces, and how many pictures of each, if there are several."""
    words = [face if n == 1 else f"{face} ({n})" for face, n in sorted(pictures.items())]
    more = len(words) - NAMES_SHOWN
    return ", ".join(words[:NAMES_SHOWN]) + (f" and {more} more" if more > 0 else "")


def _kept(deck: Path) -> list[Path]:
    """The folders of a deck's states, oldest first."""
    folders = [each for each in (deck / FOLDER).glob("[0-9]*") if each.name.isdecimal()]
    whole = [each for each in folders if all((each / name).is_file() for name in FILES)]
    return sorted(whole, key=lambda each: int(each.name))


def _state(number: int, folder: Path, namer: str) -> State:
    gallery, learned = load_gallery(folder / FILES[1], namer), load_learned(folder / LEARNED, namer)
    at = max(path.stat().st_mtime for path in (folder / FILES[1], folder / LEARNED)
             if path.is_file())  # fmt: skip
    known = tuple(zip(learned.gallery.faces, learned.origins, strict=True)) if learned else ()
    until = folder.stat().st_mtime if number else 0.0
    return State(number, folder, at, Counter(gallery.faces), known, until)


def _least_missed(kept: list[Path]) -> int:
    """Which state goes: the oldest that the next one was taught like, else the oldest. So games
    that a deck learned in never push out what people taught."""
    like_next = (k for k in range(len(kept) - 1) if _is_same(kept[k], kept[k + 1], FILES))
    return next(like_next, 0)


def _is_same(one: Path, other: Path, names: tuple[str, ...]) -> bool:
    return all(
        (one / name).is_file() == (other / name).is_file()
        and (not (one / name).is_file() or _content(one / name) == _content(other / name))
        for name in names
    )


def _content(path: Path) -> bytes:
    return read_bytes(path, "a file of a deck", most=LARGEST)


def _copy(path: Path, to: Path) -> None:
    """Copies a file in one step, with its time."""
    at = path.stat()
    write_file(to, _content(path), "a place for the deck's history")
    os.utime(to, ns=(at.st_atime_ns, at.st_mtime_ns))
