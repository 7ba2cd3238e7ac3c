"""Reports: what is in them, and what people are told before they save one."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from kiosk.cli import main
from kiosk.field.film import decoded, jpegs
from kiosk.field.opening import opened_recording
from kiosk.field.recording import read_recording
from kiosk.field.report import Mark, Wish, contents, keep_mark, mark_of, write_report
from rules.errors import FairdealError


def test_a_report_reads_back_as_it_was_recorded(recording, report):
    with opened_recording(report) as folder:
        found = read_recording(folder)
        assert found.lines == recording.lines and found.about == recording.about
        kept = [jpeg for segment in found.segments for _, jpeg in jpegs(segment)]
    assert kept == [jpeg for segment in recording.segments for _, jpeg in jpegs(segment)]


def test_it_holds_the_seconds_around_a_call_and_what_was_before(recording, tmp_path, monkeypatch):
    monkeypatch.setattr("kiosk.field.report.AFTER_S", 2.0)
    wish = Wish(mark=Mark(at=2.0, call="mistake"))
    out = write_report(recording, wish, tmp_path / "part.fairdeal")
    with opened_recording(out) as folder:
        found = read_recording(folder)
    assert found.until < recording.until
    assert contents(recording, wish).pictures == found.pictures
    assert len(found.events()) < len(recording.events())


def test_players_are_seats_unless_their_names_are_wanted(recording, tmp_path):
    for names, expected in (((), []), (("Ada", "Max"), ["Ada", "Max"])):
        out = write_report(recording, Wish(names=names), tmp_path / f"{len(names)}.fairdeal")
        with opened_recording(out) as folder:
            assert read_recording(folder).about.names == expected
    assert "names: none, seats only" in list(contents(recording, Wish()).lines())


def test_outside_the_chosen_part_the_picture_is_black(recording, tmp_path):
    wish = Wish(part=(0.5, 0.0, 0.5, 1.0))
    with opened_recording(write_report(recording, wish, tmp_path / "a.fairdeal")) as folder:
        _, jpeg = next(jpegs(read_recording(folder).segments[0]))
    bgr = decoded(jpeg, "picture")
    width = bgr.shape[1]
    assert bgr[:, : width // 2 - 8].max() < 12 < np.median(bgr[:, width // 2 + 8 :])


@pytest.mark.parametrize(
    "text",
    ["", "1,2,3", "a,b,c,d", "0,0,0,1", "0.5,0,0.6,1", "-0.1,0,0.5,1", "0,0,nan,1", "0,0,1,9"],
)
def test_a_part_that_is_none_is_refused(recording, tmp_path, capsys, text):
    words = ["report", str(recording.folder), "--out", str(tmp_path / "x.fairdeal"), "--yes"]
    assert main([*words, f"--part={text}"]) == 2
    assert capsys.readouterr().err.count("\n") == 1 and not (tmp_path / "x.fairdeal").exists()


def test_the_command_takes_the_part_of_the_picture(recording, tmp_path, capsys):
    out = tmp_path / "p.fairdeal"
    words = ["report", str(recording.folder), "--all", "--out", str(out), "--yes"]
    assert main([*words, "--part", "0.5,0,0.5,1"]) == 0
    with opened_recording(out) as folder:
        bgr = next(read_recording(folder).frames()).bgr
    assert bgr[:, : bgr.shape[1] // 2 - 8].max() < 12
    capsys.readouterr()
    assert main(["open", str(out), "--as-recorded"]) == 0
    assert capsys.readouterr().out.count('"call"') == len(recording.calls)


def test_a_moment_that_was_not_filmed_is_refused(recording, tmp_path):
    with pytest.raises(FairdealError, match="a moment of the film"):
        write_report(recording, Wish(mark=Mark(at=99.0, call="mistake")), tmp_path / "x")


def test_nothing_is_written_over_and_nothing_is_left_of_a_failure(recording, report, monkeypatch):
    with pytest.raises(FairdealError, match="which exists"):
        write_report(recording, Wish(), report)
    monkeypatch.setattr("kiosk.field.report.MOST_BYTES", 10)
    with pytest.raises(FairdealError, match="save the part"):
        write_report(recording, Wish(), report.with_name("other.fairdeal"))
    assert [path.name for path in report.parent.iterdir()] == [report.name]


def test_the_command_shows_what_is_in_it_before_it_saves(recording, tmp_path, capsys):
    keep_mark(recording.folder, mark_of(recording.calls[0]))
    out = tmp_path / "c.fairdeal"
    words = ["report", str(recording.folder), "--out", str(out)]
    assert main(words) == 2  # no terminal to ask at
    shown = capsys.readouterr().out
    assert "film: " in shown and "names: none" in shown and not out.exists()
    assert main([*words, "--yes"]) == 0 and out.is_file()
    assert main(["open", str(out), "--as-recorded"]) == 0
    assert '"call": "mistake"' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("names", "note"),
    [("Jörg,Zoë", "das waren Socken: »grün«"), ("李雷,さくら", "これは違う"), ("Ωμέγα,שרה", "خطأ")],
)
def test_a_report_is_the_same_in_any_language_and_script(recording, tmp_path, names, note):
    """Also where the machine's own language has none of these letters."""
    out = tmp_path / "spiel-ß-局.fairdeal"
    words = ["report", str(recording.folder), "--all", "--yes", "--out", str(out)]
    command = [sys.executable, "-X", "utf8=0", "-m", "kiosk.cli", *words]
    command += ["--names", names, "--note", note]
    machine = {**os.environ, "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    done = subprocess.run(command, env=machine, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    with opened_recording(out) as folder:
        found = read_recording(folder)
        said = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert ",".join(found.about.names) == names and said["note"] == note
    assert found.calls == recording.calls and found.events() == recording.events()
