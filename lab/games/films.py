"""Simulated games as films with their truth: drawn once, refereed as often as one likes.

`python -m lab.games.films WISH FOLDER` draws the game of a wish (JSON). `python -m lab.games.films
overlay CLIP.json OUT.avi DECK [backs|faces [SEATS]]` lays held fans over a filmed game, whose truth
stays as it is.
"""

import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path

import cv2
import numpy as np

from lab.games.decks import drawn_deck
from lab.games.generate import Wish, generate
from lab.games.places import CARD_WIDTH
from lab.games.truth import FilmTruth, from_json, to_json, truth_of_script
from models.deck import ART_SUFFIXES, load_deck
from models.drawing.arms import dress_of
from models.drawing.cameras import Camera
from models.drawing.fans import HeldFan
from models.drawing.raster import face_picture, outline_mask, rasterise
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
    truths = [path for path in sorted(folder.glob("*.json")) if film_of(path).is_file()]
    if not truths:
        raise FairdealError(
            "films with their truth, NAME.avi or .mp4 and NAME.json", f"none in {folder}",
            "name their folder with --from; --films makes one",
        )  # fmt: skip
    return [(path, film_of(path)) for path in truths]


def film_of(truth: Path) -> Path:
    """The film beside a truth file."""
    drawn = truth.with_suffix(SUFFIX)
    return drawn if drawn.is_file() else truth.with_suffix(".mp4")


def read_truth(path: Path) -> FilmTruth:
    """A film's truth. Raises FairdealError for a file that is none."""
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FairdealError(
            "a film's truth", f"{path.name}: {type(error).__name__} {error}", "make the film anew"
        ) from error


@dataclass(frozen=True, slots=True, eq=False)
class HeldDeck:
    """Whose cards are held: pictures (H, W, 4) BGRA by face and `back`; `aspect`: W / H."""

    pictures: dict[str, np.ndarray]
    back: str
    aspect: float

    @property
    def faces(self) -> tuple[str, ...]:
        """All but the back."""
        return tuple(sorted(self.pictures.keys() - {self.back}))


def held_deck(name: str, height: int) -> HeldDeck:
    """A deck by its name or folder, or a folder of flat pictures with one `back`. FairdealError."""
    folder = Path(name)
    found = {path.stem: path for path in folder.glob("*.*") if path.suffix in ART_SUFFIXES}
    if "back" in found and not (folder / "deck.toml").is_file():
        width = round(height * CARD_WIDTH)
        mask = outline_mask(width, height, "card", 3 / 88)
        pictures = {}
        for face, path in found.items():
            flat = rasterise(path, width, height).copy()
            flat[..., 3] = np.minimum(flat[..., 3], mask)
            pictures[face] = flat
        return HeldDeck(pictures, "back", CARD_WIDTH)
    deck = load_deck(name)
    pictures = {face: face_picture(deck, face, height) for face in (*deck.names, deck.back)}
    return HeldDeck(pictures, deck.back, deck.width_mm / deck.height_mm)


def overlay(
    clip: Path, out: Path, deck: HeldDeck, fans: tuple[Fan, ...], cameras: tuple[str, ...] = (),
    seed: int = 1,
) -> None:  # fmt: skip
    """Lays fans and a camera's faults over a clip (its truth file); the truth is copied.

    Raises FairdealError.
    """
    truth = read_truth(clip)
    with open_source(str(film_of(clip))) as source:
        first = source.read()
        assert first is not None  # an empty film is refused when it is opened
        size = (first.bgr.shape[1], first.bgr.shape[0])
        length = _CARD_PX * size[1] / 720
        held = [
            HeldFan(
                fan, truth.sides[fan.seat - 1], dress_of(fan.seat), deck.pictures, deck.back,
                (length * deck.aspect, length), size, truth.seconds, seed, np.ones(3, np.float32),
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
    clip, out = Path(words[0]), Path(words[1])
    deck = held_deck(words[2], round(_CARD_PX * 1.4))
    shows_faces = words[3:4] == ["faces"]
    sides = read_truth(clip).sides
    count = min(len(sides), int(words[4]) if len(words) > 4 else 2)
    fans = tuple(
        Fan(seat, 0.3 if sides[seat - 1] in SIDES[:2] else 0.7, 0.5, shows_faces, seat == 1,
            (deck.faces * 7)[seat : seat + 7])
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
