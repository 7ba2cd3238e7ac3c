"""A deck learns from cards that play showed clearly; a wrong name in play cannot spoil it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.deck import history
from calibration.deck.deck_files import write_deck
from calibration.deck.learning import LIMITS, Lessons, Seen, learn
from calibration.deck.teach import TeachingPicture, build_gallery, picture_of_art
from kiosk.cli import main
from models.deck import load_deck
from models.drawing.raster import face_picture
from models.drawing.scene import Laid, Light, expose, lay
from models.gallery import load_gallery
from models.learned import Learned, Origin, load_learned
from rules.errors import FairdealError
from vision.recognition.eyes import Eyes
from vision.recognition.namer import Namer

FACES = ("hat", "socks", "boxers", "pants")
ORIGIN = Origin(1_700_000_000.0, "suds", 7, 3, "pile-1", 2, 0.99, 120.0)
LAMP = Light(gain=0.62, tint=(0.75, 1.0, 1.2), slope=(0.3, 0.1), noise=3.0, blur_px=0.8)


def face(name):
    return face_picture(load_deck("suds"), name, 352)


def seen(name, shown=None, at=0.0, light=LAMP, angle=0.0, seed=1):
    """A card of the face `shown` that play named `name`, under a lamp."""
    rng = np.random.default_rng(seed)
    scene = np.full((240, 200, 3), (60, 90, 110), np.float32)
    c, s = np.cos(angle), np.sin(angle)
    half = np.array([[-43, -60], [43, -60], [43, 60], [-43, 60]], np.float32)
    quad = (half @ np.array([[c, s], [-s, c]], np.float32) + (100, 120)).astype(np.float32)
    lay(scene, Laid(face(shown or name), quad), light)
    return Seen(name, expose(scene, light, rng), quad, replace(ORIGIN, at=ORIGIN.at + at))


@pytest.fixture(scope="module")
def taught(tmp_path_factory, embedder):
    """A deck of four faces and a back, each taught by its art."""
    folder = tmp_path_factory.mktemp("learning") / "mine"
    suds = load_deck("suds")
    kept = tuple(one for one in suds.faces if one.name in FACES)
    deck = replace(suds, name="mine", faces=kept, folder=folder, extras=())
    pictures = [picture_of_art(name, face(name)) for name in FACES]
    pictures.append(picture_of_art("back", face_picture(suds, "back", 352)))
    write_deck(deck, build_gallery(pictures, embedder))
    return deck


@pytest.fixture
def deck(taught, tmp_path, embedder):
    own = replace(taught, folder=tmp_path / "mine")
    write_deck(own, load_gallery(taught.taught, embedder.checksum))
    return own


@pytest.fixture
def lessons(deck, embedder):
    return Lessons(deck, load_gallery(deck.taught, embedder.checksum), embedder)


def test_what_play_showed_clearly_joins_the_deck_with_its_origin(deck, embedder):
    lesson = learn(deck, [seen("hat"), seen("socks")], embedder)
    assert lesson.new == {"hat": 1, "socks": 1} and not lesson.refused
    learned = load_learned(deck.learned, embedder.checksum)
    assert sorted(learned.gallery.faces) == ["hat", "socks"]
    assert set(learned.origins) == {ORIGIN}
    again = learn(deck, [seen("hat")], embedder)
    assert not again.new, "the same picture says nothing new"


def test_a_face_learns_a_few_pictures_the_newest_that_differ(lessons):
    lights = [replace(LAMP, gain=gain, tint=tint, blur_px=blur) for gain, tint, blur in (
        (0.4, (1.3, 1.0, 0.7), 0.0), (0.6, (0.8, 1.0, 1.2), 2.0), (1.2, (0.7, 1.0, 1.3), 0.5),
    )]  # fmt: skip
    many = [seen("hat", at=k, light=light, angle=k / 3) for k, light in enumerate(lights)]
    chosen = lessons.chosen(many, None)
    assert 1 <= len(chosen.gallery.faces) <= LIMITS.per_face
    assert max(one.at for one in chosen.origins) == ORIGIN.at + 2


@pytest.mark.parametrize(
    ("name", "shown"), [(a, b) for a in FACES for b in (*FACES, "back") if a != b]
)
def test_a_wrong_name_never_enters(lessons, name, shown):
    poisoned = replace(seen(name, shown), origin=replace(ORIGIN, sure=1.0))
    assert lessons.chosen([poisoned], None) is None
    assert lessons.refused.total() == 1


def test_faces_with_a_near_twin_learn_nothing(deck, embedder):
    twin = face("hat").copy()
    twin[20:50, 20:50, :3] = 0
    pictures = [picture_of_art("hat", face("hat")), picture_of_art("boxers", twin)]
    pictures.append(picture_of_art("socks", face("socks")))
    lessons = Lessons(deck, build_gallery(pictures, embedder), embedder)
    chosen = lessons.chosen([seen("hat"), seen("boxers", "hat"), seen("socks")], None)
    assert chosen.gallery.faces == ("socks",)
    assert lessons.refused == {"a near twin": 2}


def test_blurred_and_half_covered_cards_are_refused(lessons):
    soft = seen("hat")
    soft = replace(soft, picture=cv2.GaussianBlur(soft.picture, (0, 0), 14))
    covered = seen("socks")
    covered.picture[100:190] = (60, 90, 110)
    assert lessons.chosen([soft, covered], None) is None
    assert lessons.refused.total() == 2


def test_a_poisoned_file_would_change_no_name(deck, embedder, lessons):
    """Even a wrong picture that got in by some way makes no other face's card wear its name."""
    taught = load_gallery(deck.taught, embedder.checksum)
    wrong = replace(lessons.chosen([seen("hat")], None).gallery, faces=("socks",))
    Learned(wrong, (ORIGIN,)).save(deck.learned)
    card = seen("hat")
    aspect = deck.height_mm / deck.width_mm
    for eyes in (Eyes.open(deck), Namer(taught, deck.outline, aspect, embedder, learned=wrong)):
        assert eyes.name(card.picture, card.quad[None]).faces == ("hat",)


def test_learning_is_listed_and_undone(deck, embedder, capsys):
    learn(deck, [seen("hat")], embedder)
    assert main(["calibrate", "deck", str(deck.folder), "--history"]) == 0
    first, now, origin = capsys.readouterr().out.splitlines()
    assert "learned" not in first and now.endswith("1 learned at the table; learned hat")
    assert "hat: 2023-11-1" in origin and "suds 7, event 3 at pile-1 by seat 2" in origin
    assert main(["calibrate", "deck", str(deck.folder), "--revert"]) == 0
    assert not deck.learned.exists()
    assert main(["calibrate", "deck", str(deck.folder), "--revert"]) == 0
    assert load_learned(deck.learned, embedder.checksum).gallery.faces == ("hat",)


def test_games_that_taught_something_push_no_teaching_out(deck, embedder, monkeypatch):
    monkeypatch.setattr(history, "MOST", 3)
    (deck.folder / "deck.toml").write_text(deck.to_toml() + "\n")
    history.keep_state(deck.folder)
    taught = load_gallery(deck.taught, embedder.checksum)
    taught.of([0, 1, 2, 4]).save(deck.taught)
    for at in range(4):
        learned = taught.of([0])
        Learned(learned, (replace(ORIGIN, at=at),)).save(deck.learned)
        history.keep_state(deck.folder)
    states = history.states(deck.folder, embedder.checksum)
    assert states[0].number == 1 and states[0].pictures.total() == 5
    assert len(states) == 4


def test_a_card_that_the_taught_pictures_leave_unnamed_is_compared_with_learned_ones(
    deck, embedder
):
    """A hat that was taught as in a mirror is named by a learned picture of it."""
    taught = load_gallery(deck.taught, embedder.checksum)
    spoilt, fine = taught.templates.copy(), taught.fine.copy()
    spoilt[0], fine[0] = spoilt[0, :, ::-1] // 2 + 60, fine[0, :, ::-1] // 2 + 60
    spoilt_deck = replace(taught, templates=spoilt, fine=fine)
    card, aspect = seen("hat", seed=9), deck.height_mm / deck.width_mm
    other = seen("hat")
    learned = build_gallery([TeachingPicture("hat", other.picture, other.quad)], embedder)
    quads = card.quad[None]
    without = Namer(spoilt_deck, deck.outline, aspect, embedder)
    with_it = Namer(spoilt_deck, deck.outline, aspect, embedder, learned=learned)
    assert without.name(card.picture, quads).faces != ("hat",)
    assert with_it.name(card.picture, quads).faces == ("hat",)
    assert with_it.glance(card.picture, quads).faces != ("hat",), "a quick look costs no more"


def test_decks_that_must_not_learn_say_so(deck, embedder):
    with pytest.raises(FairdealError, match="the shipped deck suds"):
        learn(load_deck("suds"), [], embedder)
    with pytest.raises(FairdealError, match="without wild"):
        learn(replace(deck, missing=("wild",)), [], embedder)


def test_a_damaged_file_is_one_line(deck, embedder, capsys):
    deck.learned.write_bytes(b"no pictures")
    assert main(["calibrate", "deck", str(deck.folder), "--history"]) == 2
    assert "what a deck learned at the table" in capsys.readouterr().err
