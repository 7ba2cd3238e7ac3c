"""Simulated games as films with their truth: drawn once, refereed as often as one likes.

`python -m lab.games.films WISH FOLDER` draws the game of a wish (JSON). `python -m lab.games.films
overlay CLIP.json OUT.avi DECK [backs|faces [SEATS]]` lays held fans over a filmed game, whose truth
stays as it is.
"""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from pathlib import Path

import cv2
import numpy as np

from lab.games.decks import drawn_deck
from lab.games.generate import Wish, generate
from lab.games.truth import FilmTruth, from_json, to_json, truth_of_script
from models.deck import load_deck
from models.drawing.arms import dress_of
from models.drawing.cameras import Camera
from models.drawing.fans import HeldFan
from models.drawing.raster import face_picture
from models.drawing.script import script_text
from models.drawing.steps import Fan
from rules.errors import FairdealError
from rules.table.layout import SIDES
from vision.sources import open_source
from vision.sources.simulated import SIZE, SimulatedSource

# Every frame on its own, nearly as the camera gives it: another scene sees the same pixels.
SUFFIX, _QUALITY = ".avi", 92
_CARD_PX = 150.0  # a card on the table of a clip, 720 px high


def write_film(wish: Wish, folder: Path) -> Path:
    """Draws the wish's game: NAME.avi, NAME.json (its truth), NAME.txt (its script) in `folder`.

    A film that is there already, whole, is kept. Returns the truth's path.
    """
    game = generate(wish)
    script, base = game.script, folder / wish.name
    truth_file = folder / f"{wish.name}.json"
    if truth_file.is_file() and truth_file.with_suffix(SUFFIX).is_file():
        return truth_file
    folder.mkdir(parents=True, exist_ok=True)
    if wish.drawn_deck:
        own = "plain52" if wish.game == "soda" else wish.game
        deck = drawn_deck(own, wish.seed, base.with_name(f"{wish.name}-deck"))
        script = replace(script, deck=str(deck.folder.resolve()))
    (folder / f"{wish.name}.txt").write_text(script_text(script), encoding="utf-8")
    truth = truth_of_script(script, game.options, game.sides, wish.pace)
    with SimulatedSource(script, SIZE, game.sides) as source:

        def read() -> np.ndarray | None:
            frame = source.read()
            return None if frame is None else frame.bgr

        _write(folder / f"{wish.name}{SUFFIX}", read, truth.fps, SIZE)
    truth_file.write_text(to_json(truth, SIZE), encoding="utf-8")
    return truth_file


def _write(
    path: Path, read: Callable[[], np.ndarray | None], fps: float, size: tuple[int, int]
) -> None:
    """Writes pictures until there are none; the file has its name once it is whole."""
    half = path.with_name(f"half-{path.name}")
    writer = cv2.VideoWriter(
        str(half), cv2.CAP_OPENCV_MJPEG, cv2.VideoWriter.fourcc(*"MJPG"), fps, size,
        [cv2.VIDEOWRITER_PROP_QUALITY, _QUALITY],
    )  # fmt: skip
    if not writer.isOpened():
        raise FairdealError("a folder to write films to", str(path.parent), "name another")
    while (picture := read()) is not None:
        writer.write(picture)
    writer.release()
    half.replace(path)


def truths_in(folder: Path) -> list[tuple[Path, Path]]:
    """The truth and the film of every game in a folder. Raises FairdealError."""
    found = []
    for truth in sorted(folder.glob("*.json")):
        films = [truth.with_suffix(suffix) for suffix in (SUFFIX, ".mp4")]
        film = next((path for path in films if path.is_file()), None)
        if film is not None:
            found.append((truth, film))
    if not found:
        raise FairdealError(
            "films with their truth, NAME.avi and NAME.json", f"none in {folder}",
            "make them with --films",
        )  # fmt: skip
    return found


def read_truth(path: Path) -> FilmTruth:
    """A film's truth. Raises FairdealError for a file that is none."""
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FairdealError(
            "a film's truth", f"{path.name}: {type(error).__name__} {error}", "make the film anew"
        ) from error


def overlay(
    clip: Path, out: Path, deck: str, fans: tuple[Fan, ...], cameras: tuple[str, ...] = (),
    seed: int = 1,
) -> None:  # fmt: skip
    """Lays fans and a camera's faults over a clip (its truth file); the truth is copied.

    `deck`: whose cards are held. Raises FairdealError.
    """
    truth, cards = read_truth(clip), load_deck(deck)
    names = {cards.back} | {name for fan in fans for name in fan.cards if fan.shows_faces}
    with open_source(str(clip.with_suffix(".mp4"))) as source:
        first = source.read()
        assert first is not None  # an empty film is refused when it is opened
        size = (first.bgr.shape[1], first.bgr.shape[0])
        length = _CARD_PX * size[1] / 720
        pictures = {name: face_picture(cards, name, round(length * 1.4)) for name in sorted(names)}
        held = [
            HeldFan(
                fan, truth.sides[fan.seat - 1], dress_of(fan.seat), pictures, cards.back,
                (length * cards.width_mm / cards.height_mm, length), size, truth.seconds, seed,
                np.ones(3, np.float32),
            )
            for fan in fans
        ]  # fmt: skip
        camera = Camera(cameras, seed, size)
        frames = iter([first])

        def read() -> np.ndarray | None:
            frame = next(frames, None) or source.read()
            if frame is None:
                return None
            picture = frame.bgr.copy()
            for fan in held:
                fan.fall_on(picture, frame.at)
            return camera.film(picture, frame.at)

        _write(out, read, truth.fps, size)
    shutil.copyfile(clip, out.with_suffix(".json"))


def _overlay_main(words: list[str]) -> int:
    """`CLIP.json OUT.avi DECK [backs|faces [SEATS]]`: the first seats hold seven cards each."""
    clip, out, deck = Path(words[0]), Path(words[1]), words[2]
    shows_faces = words[3:4] == ["faces"]
    names = tuple(load_deck(deck).names)
    sides = read_truth(clip).sides
    count = min(len(sides), int(words[4]) if len(words) > 4 else 2)
    fans = tuple(
        Fan(seat, 0.3 if sides[seat - 1] in SIDES[:2] else 0.7, 0.5, shows_faces, seat == 1,
            (names * 7)[seat : seat + 7])
        for seat in range(1, count + 1)
    )  # fmt: skip
    overlay(clip, out, deck, fans)
    return 0


def wish_text(wish: Wish) -> str:
    """The wish as JSON, which `wish_from` reads back the same."""
    return json.dumps(asdict(wish))


def wish_from(text: str) -> Wish:
    """A wish from its JSON."""
    words = json.loads(text)
    names = {field.name for field in fields(Wish)}
    lists = {key: tuple(value) for key, value in words.items() if isinstance(value, list)}
    return Wish(**{key: value for key, value in (words | lists).items() if key in names})


def main(words: list[str]) -> int:
    """The command line."""
    if words[0] == "overlay":
        return _overlay_main(words[1:])
    write_film(wish_from(words[0]), Path(words[1]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
