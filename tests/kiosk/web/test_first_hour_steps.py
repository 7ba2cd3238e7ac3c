"""The steps of the first hour behind the page: measured, stored, marked, left and come back to."""

import numpy as np
import pytest
from filmed_bench import SIZE, Clock, checked

from calibration import saved_setup, store
from calibration.controls.controls import FakeControls
from calibration.lens.board import Board
from device.settings import DeviceSettings
from kiosk.tablecheck.acts import Act
from kiosk.web.first_hour import camera_step, deck_step, lamps_step, table_step
from kiosk.web.first_hour.bench import Bench
from kiosk.web.first_hour.desk import ORDERS, Desk, Order
from kiosk.web.first_hour.pictures import teaching_folder
from kiosk.web.first_hour.record import FILE, load_steps, open_steps
from kiosk.web.first_hour.resting import RestingFinder
from kiosk.web.first_hour.steps import CheckShown, Mark, Standing, Step, Work
from kiosk.web.first_hour.worker import WORK, work
from lab.cameras import synthetic
from lab.cameras.table_trial import TrialTable
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sightings import Located
from vision.sources.source import Lost, Source


def test_an_activity_takes_its_own_orders_and_is_called_away_by_any_other(desk):
    desk.put(Order("lamp", {"call": "win"}))
    own = frozenset({"lamp"})
    assert not desk.is_called_away(own) and desk.is_called_away()
    assert desk.take(own).values == {"call": "win"}
    desk.put(Order("go"))
    assert desk.take(own) is None and desk.is_called_away(own)
    assert desk.take().name == "go" and not desk.is_called_away()
    assert [desk.put(Order("go")) for _ in range(ORDERS + 1)][-2:] == [True, False]


def test_what_passed_or_was_skipped_is_known_after_a_restart(desk):
    desk.mark(Step.CAMERA, Mark.PASSED, "locked")
    desk.mark(Step.LAMPS, Mark.SKIPPED)
    steps = Desk(desk.folder).state.steps
    assert steps[Step.CAMERA] == Standing(Mark.PASSED, "locked", "2026-11-23T12:00:00+00:00")
    assert open_steps(steps) == (Step.TABLE, Step.DECK, Step.LAMPS, Step.TRIAL, Step.CHECK)


@pytest.mark.parametrize(
    "text", ["", "[]", '{"camera": 3}', '{"camera": {"mark": "x"}}', "[" * 9999]
)
def test_a_damaged_record_is_no_record(desk, text):
    desk.folder.mkdir(parents=True)
    (desk.folder / FILE).write_text(text)
    assert load_steps(desk.folder) == {}


def test_a_recording_waits_for_its_time_and_leaves_little_out_where_it_is_late(bench_of):
    bench, film = bench_of([checked()] * 4, recorded=True)
    bench.frame()
    bench._clock.at = 0.15  # the second frame is of 0.1 s after the first
    bench.frame()
    assert film.skipped_to == [0.25]
    bench._clock.at = 5.0  # far behind: a fifth of a second goes, then the film is slow
    bench.frame()
    assert film.skipped_to == [0.25, 0.5]


def test_a_camera_without_pictures_says_why_and_the_next_frame_ends_that(bench_of, desk):
    bench, _ = bench_of([Lost(1.0, "unplugged"), checked()])
    assert bench.frame() is None and desk.state.lost == "unplugged"
    assert bench.frame() is not None and desk.state.lost == ""
    assert desk.state.size == SIZE


def test_the_meter_knows_blur_from_focus_and_dark_from_light():
    sharp = camera_step.read_meter(checked())
    blurred = np.repeat(np.linspace(60, 200, SIZE[0])[None, :, None], SIZE[1], 0)
    soft = camera_step.read_meter(np.repeat(blurred, 3, 2).astype(np.uint8), sharp.focus)
    assert sharp.focus > sharp.focus_least > soft.focus
    assert soft.focus_best == sharp.focus
    assert camera_step.read_meter(checked(30)).light < sharp.light_least < sharp.light


def test_a_good_picture_locks_the_camera_as_the_command_does(bench_of, desk, monkeypatch):
    bench, _ = bench_of([checked()] * 40)
    controls = FakeControls({"gain": 4.0})
    monkeypatch.setattr(camera_step, "open_controls", lambda *_: controls)
    camera_step.check(Order("check-camera"), bench)
    assert not controls.is_automatic
    assert desk.state.steps[Step.CAMERA].mark is Mark.PASSED
    stored = store.load(store.path_for(bench.folder, "film", *SIZE))
    assert stored.light.controls == (("gain", 4.0),)


def test_a_dark_picture_is_refused_with_its_remedy(bench_of, desk):
    bench, _ = bench_of([checked(24)] * 40)
    camera_step.check(Order("check-camera"), bench)
    assert Step.CAMERA not in desk.state.steps
    assert desk.state.is_bad and "too dark" in desk.state.message
    assert "more light" in desk.state.message


def test_four_corners_are_stored_as_the_command_stores_them(bench_of, desk):
    bench, _ = bench_of([checked()] * 10)
    corners = [[0.1, 0.1], [0.9, 0.1], [0.9, 0.9], [0.1, 0.9]]
    values = {"corners": corners, "width_mm": 640, "height_mm": 360}
    table_step.by_corners(Order("corners", values), bench)
    path = store.path_for(bench.folder, "film", *SIZE)
    table = store.load(path).table
    assert (table.width_mm, table.height_mm, table.method) == (640, 360, "corners")
    assert path.with_name(path.stem + "-reference.png").is_file()
    assert (desk.pictures / "table.jpg").is_file()
    assert desk.state.steps[Step.TABLE].mark is Mark.PASSED


def test_the_lens_is_measured_by_views_of_the_board_and_opens_the_table_again(bench_of, desk):
    truth = synthetic.random_lens(np.random.default_rng(5))
    pictures = synthetic.board_views(Board(), truth, np.random.default_rng(6), count=11)
    bench, _ = bench_of([np.repeat(each[..., None], 3, axis=2) for each in pictures])
    desk.mark(Step.TABLE, Mark.PASSED)
    desk.put(Order("lens"))
    work(bench)
    assert not desk.state.is_bad and "mean reprojection error" in desk.state.words[0]
    height, width = pictures[0].shape[:2]
    lens = store.load(store.path_for(bench.folder, "film", width, height)).intrinsics
    assert abs(lens.fx / truth.fx - 1) < 0.005
    assert desk.state.steps[Step.TABLE].mark is Mark.OPEN


def test_a_lens_that_is_left_stores_nothing(bench_of, desk):
    bench, _ = bench_of([checked()] * 3)
    desk.put(Order("lens"))
    desk.put(Order("look"))
    work(bench)
    assert not bench.folder.exists()


@pytest.mark.parametrize(
    "corners", [None, [], [[0, 0]] * 4, [[0, 0], [1, 0], [1, 1], [0, float("nan")]], [[2, 2]] * 4,
                "abcd", [[0.9, 0.1], [0.1, 0.1], [0.1, 0.9], [0.9, 0.9]]],
)  # fmt: skip
def test_corners_that_are_none_are_refused_in_one_line(bench_of, desk, corners):
    bench, _ = bench_of([checked()] * 10)
    desk.put(Order("corners", {"corners": corners, "width_mm": 640, "height_mm": 360}))
    work(bench)
    assert desk.state.is_bad and "corners" in desk.state.message
    assert Step.TABLE not in desk.state.steps


def test_a_table_without_the_mat_in_view_says_so(bench_of, desk):
    bench, _ = bench_of([checked()] * 10)
    desk.put(Order("mat"))
    work(bench)
    assert desk.state.is_bad and "mat" in desk.state.message


def test_a_step_that_was_passed_is_not_skipped_and_the_next_one_opens(bench_of, desk):
    bench, _ = bench_of([])
    desk.mark(Step.CAMERA, Mark.PASSED)
    WORK["skip"](Order("skip", {"step": "camera"}), bench)
    assert desk.state.steps[Step.CAMERA].mark is Mark.PASSED and desk.state.step is Step.TABLE
    WORK["skip"](Order("skip", {"step": "check"}), bench)
    assert desk.state.steps[Step.CHECK].mark is Mark.SKIPPED and desk.state.step is Step.CHECK
    with pytest.raises(FairdealError, match="camera, table, deck"):
        WORK["go"](Order("go", {"step": "roof"}), bench)


def test_signals_play_one_after_the_other_and_all_must_be_played(desk, monkeypatch):
    played = []
    monkeypatch.setattr(lamps_step.signals, "begin", lambda _, call, signal: played.append(call))
    monkeypatch.setattr(lamps_step.signals, "end", lambda _: played.append("end"))
    clock, settings = Clock(), DeviceSettings()
    player = lamps_step.Player(None, settings, clock)
    player.play(["win", "tie"])
    player.step()
    player.step()
    assert player.playing == "win"
    clock.at = settings.signals.table["win"].seconds
    player.step()
    assert played == ["win", "end", "tie"]
    with pytest.raises(FairdealError, match="mistake"):
        player.play(["applause"])
    desk.change(lamps=lamps_step.shown(settings, ("mock",)))
    lamps_step._obey(Order("lamps-came"), desk, player)
    assert Step.LAMPS not in desk.state.steps and "every signal" in desk.state.message


class Counted:
    """A finder that counts its searches."""

    def __init__(self):
        self.searches = 0

    def locate(self, bgr, regions=None):
        self.searches += 1
        return Located(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))


def test_cards_are_searched_for_once_in_each_picture_at_rest():
    counted, empty = Counted(), checked()
    finder, card = RestingFinder(counted), empty.copy()
    card[60:120, 100:150] = 255
    frames = [empty] * 8 + [card] * 8 + [empty] * 3
    found = [finder.located(Frame(bgr, k / 10, k)) for k, bgr in enumerate(frames)]
    assert [each is not None for each in found] == [False] * 3 + [True] * 5 + [False] * 3 + [
        True] * 5 + [False] * 3  # fmt: skip
    assert counted.searches == 2


def test_a_deck_is_begun_its_photographs_are_found_and_taken_back(bench_of, desk):
    bench, _ = bench_of([])
    deck_step.begin(Order("deck", {"game": "suds", "name": "my-suds"}), bench)
    assert len(desk.state.deck.faces) == 8 and not any(f.picture for f in desk.state.deck.faces)
    folder = teaching_folder(desk.folder, "my-suds")
    folder.mkdir(parents=True)
    (folder / "hat.jpg").write_bytes(b"\xff\xd8\xff")
    deck_step.refresh(Order("refresh"), bench)
    assert [f.face for f in desk.state.deck.faces if f.picture] == ["hat"]
    deck_step.forget(Order("forget-face", {"face": "hat"}), bench)
    assert not list(folder.iterdir())
    for values in ({"game": "suds", "name": "../x"}, {"game": "chess", "name": "my-chess"}):
        with pytest.raises(FairdealError):
            deck_step.begin(Order("deck", values), bench)


def test_nothing_is_taught_or_made_before_a_deck_is_begun(bench_of, desk):
    bench, _ = bench_of([])
    for order in ("teach", "build-deck"):
        desk.put(Order(order))
        work(bench)
        assert desk.state.is_bad and "choose them first" in desk.state.message
        assert desk.state.work is Work.LOOKING


def test_an_unknown_deck_is_refused(bench_of, desk):
    bench, _ = bench_of([])
    desk.put(Order("use-deck", {"deck": "/etc"}))
    work(bench)
    assert desk.state.is_bad and "a deck that the page lists" in desk.state.message


class Acting(Source):
    """The trial table's film in the place of the bench's camera, each look at its own time."""

    name, recorded = "acting", True

    def __init__(self, table):
        self._table = table

    def read(self):
        frame = self._table.read()
        if frame is not None:
            self._table.skip_to(frame.at + 0.199)
        return frame


def acting(monkeypatch, tmp_path, desk, until):
    monkeypatch.setattr(saved_setup, "open_lit", lambda *_: Acting(TrialTable("", until)))
    bench = Bench("film", tmp_path / "calibration", desk, "mock", clock=Clock())
    monkeypatch.setattr(Bench, "_pace", lambda self, frame: None)
    return bench


def test_the_table_check_asks_tells_and_marks_the_step(desk, tmp_path, monkeypatch):
    asked = []
    change = desk.change

    def heard(**changes):
        if "check" in changes and changes["check"].asked not in ("", *asked[-1:]):
            asked.append(changes["check"].asked)
            if asked[-1] not in ("empty", "corner"):
                desk.put(Order("check-skip"))
        change(**changes)

    monkeypatch.setattr(desk, "change", heard)
    bench = acting(monkeypatch, tmp_path, desk, 12.0)
    desk.put(Order("check"))
    work(bench)
    found = desk.state.check
    assert asked == list(Act) and found.result == "part" and desk.state.work is Work.LOOKING
    assert {each["topic"] for each in found.findings} >= {"light", "height", "focus"}
    assert found.unseen == tuple(Act)[2:]
    assert desk.state.steps[Step.CHECK].mark is Mark.PASSED


def test_a_check_that_is_called_away_says_nothing(desk, tmp_path, monkeypatch):
    bench = acting(monkeypatch, tmp_path, desk, 12.0)
    desk.put(Order("check"))
    desk.put(Order("look"))
    work(bench)
    assert desk.state.check == CheckShown() and Step.CHECK not in desk.state.steps
