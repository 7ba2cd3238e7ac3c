"""The table check on simulated tables: a good one is found good, each fault is named."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from calibration import store
from calibration.controls.controls import FakeControls
from calibration.controls.pi_controls import PiControls
from calibration.finding import Verdict
from kiosk.cli import main
from kiosk.speech.catalogue import messages
from kiosk.tablecheck import judging
from kiosk.tablecheck.acts import MOST_S, Act, End
from kiosk.tablecheck.checker import Checker, Networks, locked_finding, locker, refused
from kiosk.tablecheck.command import overall, watch
from kiosk.tablecheck.course import Course
from kiosk.tablecheck.evidence import Evidence
from kiosk.tablecheck.view import look
from kiosk.tablecheck.words import LANGUAGES, asked, finding_json, said
from lab.cameras.table_trial import FAULTS, SIZE, TrialTable
from rules.errors import FairdealError
from vision.frame import Frame
from vision.sightings import Located
from vision.sources.fake_picamera2 import Sensor, module
from vision.sources.live import LiveSource
from vision.sources.picamera import PiCamera

# How much of the film each fault needs: the bare table, the card in the corner, or all.
BARE_S, CORNER_S, ALL_S = 4.0, 8.0, 42.5
NEEDS = dict.fromkeys(("dark", "flicker", "glare", "rate", "shake"), BARE_S) | dict.fromkeys(
    ("high", "soft", "gingham", "white", "tint"), CORNER_S
)


@pytest.fixture(scope="module")
def networks():
    return Networks(threads=1)


def checked(networks, fault, until=ALL_S, lock=None):
    """The check of a simulated table, with what it said."""
    heard = []
    checker = Checker(networks, lock=lock)
    watch(checker, TrialTable(fault, until), "en", heard.append, None)
    return checker, checker.findings(), heard


def test_a_good_table_is_found_good_and_every_act_is_seen(networks):
    checker, findings, heard = checked(networks, "")
    assert {each.state for each in findings} == {Verdict.GOOD}
    assert checker.unseen == () and overall(findings, ()) == "good"
    assert [line.split("  ")[0] for line in heard] == [f"{k}/7" for k in range(1, 8)]
    topics = {each.topic for each in findings}
    assert topics >= {"light", "glare", "flicker", "cloth", "height", "focus", "colour", "pile",
                      "fan", "exposure", "back", "lamp", "mat", "rate"}  # fmt: skip


SLOW = ("lamp", "mat")  # they need all acts, as "exposure" does


@pytest.mark.parametrize(
    "fault",
    [pytest.param(f, marks=pytest.mark.slow) if f in SLOW else f for f in FAULTS],
)
def test_each_fault_is_named(networks, fault):
    checker, findings, _ = checked(networks, fault, NEEDS.get(fault, ALL_S))
    named = {each.topic for each in findings if each.state is not Verdict.GOOD}
    assert FAULTS[fault] in named
    assert overall(findings, checker.unseen) in ("warn", "bad")


def test_two_minutes_in_all():
    assert sum(MOST_S.values()) == 120 and set(MOST_S) == set(Act)


def test_a_step_ends_by_its_time_or_by_a_tap(networks):
    checker = Checker(networks)
    source = TrialTable("", 60.0)
    while checker.course.asked is not Act.CORNER:
        checker.take(source.read())
    checker.course.skip()
    assert checker.course.asked is Act.PILE and checker.course.left_s == MOST_S[Act.PILE]
    source.skip_to(50.0)  # nobody did anything: the film's time is over
    checker.take(source.read())
    assert checker.course.asked is Act.FAN
    findings = checker.findings()
    ends = checker.course.evidence.ends
    assert (ends[Act.CORNER], ends[Act.PILE], ends[Act.FAN]) == (End.SKIPPED, End.LATE, End.CUT)
    assert checker.unseen == tuple(Act)[1:]
    # What was skipped is no fault of the table, and nothing is said of it.
    assert not {"corner", "height", "pile"} & {each.topic for each in findings}
    assert overall(findings, checker.unseen) == "part"


def test_a_card_that_was_asked_for_and_not_found_is_a_fault():
    late = Evidence(ends={Act.CORNER: End.LATE})
    assert [each.topic for each in judging.judge(late) if each.state is Verdict.BAD] == ["corner"]
    film = Evidence(is_asked=False, ends={Act.CORNER: End.LATE})
    assert judging.judge(film) == ()


def test_a_card_that_never_lies_still_tells_of_a_stand_that_shakes():
    quad = np.array([[900, 500], [980, 500], [980, 620], [900, 620]], np.float32)
    course, before = Course((Act.CORNER,)), None
    bare = Frame(np.full((720, 1280, 3), 90, np.uint8), 0.0, 0)
    for k in range(110):
        swing = 12 * np.array([np.sin(k * 1.9), 0], np.float32)
        located = Located(quad[None] + swing, np.ones(1, np.float32)) if k else Located.empty()
        before = look(Frame(bare.bgr, k * 0.2, k), located, before)
        course.see(before)
    found = judging.judge(course.finish())
    assert [(each.topic, each.case) for each in found] == [("shake", "card")]
    assert found[0].measured > found[0].needed


def test_the_camera_is_locked_once_its_light_is_good_and_stored(networks, tmp_path):
    controls = FakeControls({"exposure_absolute": 150.0, "white_balance_temperature": 4600.0})
    _, findings, _ = checked(networks, "", BARE_S, locker(controls, tmp_path, "0"))
    lock = findings[-1]
    assert (lock.topic, lock.case, lock.where) == ("lock", "some", ("focus",))
    assert not controls.is_automatic
    stored = store.load_or_new(tmp_path, "0", *SIZE).light
    assert stored is not None and dict(stored.controls) == controls.values


def test_what_cannot_be_locked_is_said(networks, tmp_path):
    assert locker(None, tmp_path, "0")(TrialTable().read().bgr).case == "none"
    error = FairdealError("v4l2-ctl", "none", "sudo apt install v4l-utils")
    assert "sudo apt install v4l-utils" in said(refused(error), "en").words
    assert locked_finding({"gain": 1.0}).case == "none"
    names = ("auto_exposure", "white_balance_automatic", "focus_automatic_continuous")
    assert locked_finding(dict.fromkeys(names, 1.0)).case == "good"


def test_a_pi_camera_is_locked_while_it_films(monkeypatch, tmp_path):
    fake = module(Sensor())
    monkeypatch.setattr("vision.sources.picamera.load_picamera2", lambda: fake)
    monkeypatch.setattr("vision.sources.picamera.WARM_UP_S", 0.0)
    with LiveSource(PiCamera(0, (320, 180))) as source:
        controls = PiControls(source.steered)
        controls.automatic()
        frame = source.read()
        assert locker(controls, tmp_path, "picamera")(frame.bgr).case == "good"


def cases():
    """All (topic, case) that the judge may find, by its own text."""
    code = Path(judging.__file__).read_text(encoding="utf-8")
    found = set(re.findall(r'TableFinding\(\s*"(\w+)", "([\w-]+)"', code))
    for topic in re.findall(r'_(?:least|most)\("(\w+)"', code):
        found |= {(topic, "good"), (topic, "bad")}
    lock = ("good", "some", "none", "light", "refused")
    return found | {("glare", "good"), ("glare", "bad")} | {("lock", case) for case in lock}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_finding_and_every_request_has_its_words(language):
    texts = messages(language, "check")
    assert len(cases()) > 40
    for topic, case in cases():
        name = f"check-{topic}-{case}"
        assert name in texts and f"check-topic-{topic}" in texts
        is_good = case.endswith("good") or (topic, case) in {("lamp", "none"), ("cloth", "plain")}
        assert is_good or f"{name}-todo" in texts
    for act in Act:
        assert asked(act, language) == texts[f"check-ask-{act}"] and f"check-name-{act}" in texts
    for result in ("good", "part", "warn", "bad", "none"):
        assert f"check-result-{result}" in texts
    assert set(texts) == set(messages("en", "check"))


def test_figures_are_in_the_readers_language():
    finding = judging.TableFinding("flicker", "bad", Verdict.BAD, 0.0456, 0.02)
    assert "4.6 %" in said(finding, "en").words and "4,6 %" in said(finding, "de").words
    assert finding_json(finding)["measured"] == 4.6


def test_the_command_judges_a_saved_film(tmp_path, capsys):
    script = tmp_path / "film.txt"
    script.write_text("game suds\nplayers 2\ntable felt\ncard 60\nend 7\nspot far 0.8 0.8\n"
                      "4.0 seat=1 place hat far\n")  # fmt: skip
    code = main(
        ["doctor", "--table", "--source", f"simulated:{script}", "--json", "--threads", "1"]
    )
    told = capsys.readouterr()
    found = json.loads(told.out)
    height = next(each for each in found["findings"] if each["topic"] == "height")
    assert height["state"] == "warn" and 55 < height["measured"] < 65 < height["needed"]
    assert code == (found["bad"] > 0) == any(e["state"] == "bad" for e in found["findings"])
    assert "lamp-off" in found["unseen"] and "pile" in found["unseen"]
    assert "film" in told.err.lower()


def test_the_command_needs_a_source(capsys):
    assert main(["doctor", "--table"]) == 2
    assert "name it with --source" in capsys.readouterr().err
