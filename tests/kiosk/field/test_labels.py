"""Labels become a truth in the form of the filmed games: events by people, calls by the rules."""

from __future__ import annotations

import msgspec
import pytest
from recorded import RecordedGame, recording_in

from kiosk.field.labels import Label, Labels, items_of, truth_of
from kiosk.field.recording import read_recording
from kiosk.field.report import Wish, write_report
from kiosk.field.truth import Happened, find_truth, read_truth, truth_path, write_truth
from kiosk.game.overruling import CardIs, NoMistake
from lab.evaluation.clip_truth import happened
from lab.evaluation.field import _shifted, labelled
from rules.errors import FairdealError

SIZE = (96, 64)


def played(folder, ruling=None, before=False):
    with RecordedGame(folder) as game:
        game.inbox.recording.turn(on=not before)
        game.play()
        if ruling is not None:
            game.session.overrule(ruling)
        game.inbox.recording.turn(on=True)
        game.film(1)
    return read_recording(recording_in(folder))


def right(recording):
    return [Label(item=item.n, verdict="right") for item in items_of(recording)]


def test_all_right_is_what_was_told_and_the_calls_of_the_rules(tmp_path):
    recording = played(tmp_path)
    truth = truth_of(recording, Labels(labels=right(recording), light="a lamp"), SIZE)
    told = [each for each in truth.events_truth if each.event == "placed"]
    assert [each.card for each in told] == ["hat", "t-shirt", "socks"]
    assert [(due.kind, due.face) for due in truth.expected_calls] == [("mistake", "socks")]
    assert truth.light == "a lamp" and truth.seats == [1, 2, 3]


def test_a_corrected_card_changes_what_is_due(tmp_path):
    recording = played(tmp_path)
    socks = next(i for i in items_of(recording) if i.line.get("card") == "socks" and not i.is_call)
    really = Happened(at=socks.line["at"], event="placed", card="boxers", place="pile/1", seat=1)
    labels = [*right(recording)]
    labels[socks.n] = Label(item=socks.n, verdict="wrong", happened=really)
    truth = truth_of(recording, Labels(labels=labels), SIZE)
    assert truth.expected_calls == [] and really in truth.events_truth


def test_what_did_not_happen_goes_and_what_was_missing_comes(tmp_path):
    recording = played(tmp_path)
    labels = right(recording)
    labels[1] = Label(item=1, verdict="wrong")
    missing = Happened(at=7.5, event="placed", card="t-shirt", place="pile/1", seat=2)
    labels.append(Label(verdict="missing", happened=missing))
    truth = truth_of(recording, Labels(labels=labels), SIZE)
    assert [each.at for each in truth.events_truth if each.card == "t-shirt"] == [7.5]


def test_a_call_that_people_refute_is_not_due(tmp_path):
    recording = played(tmp_path)
    call = next(item for item in items_of(recording) if item.is_call)
    labels = [Label(item=call.n, verdict="wrong")]
    assert truth_of(recording, Labels(labels=labels), SIZE).expected_calls == []


@pytest.mark.parametrize("ruling", [CardIs(4, "boxers"), NoMistake(4)])
def test_overrulings_are_labels(tmp_path, ruling):
    recording = played(tmp_path, ruling)
    suggested = [item.suggested for item in items_of(recording) if item.suggested is not None]
    assert len(suggested) == 1 and suggested[0].verdict == "wrong"
    truth = truth_of(recording, Labels(labels=suggested), SIZE)
    assert [due.kind for due in truth.expected_calls if due.kind == "mistake"] == []


def test_only_what_the_film_shows_is_labelled(tmp_path):
    recording = played(tmp_path, before=True)
    assert items_of(recording) == ()
    truth = truth_of(recording, Labels(labels=[]), SIZE)
    assert truth.events_truth == [] and truth.expected_calls == []


def test_an_item_that_is_none_is_refused(tmp_path):
    recording = played(tmp_path)
    with pytest.raises(FairdealError, match="an item below"):
        truth_of(recording, Labels(labels=[Label(item=99, verdict="right")]), SIZE)


def test_the_truth_reads_back_and_is_found_beside_a_file_or_inside(tmp_path):
    recording = played(tmp_path / "recordings")
    truth = truth_of(recording, Labels(labels=right(recording)), SIZE)
    path = truth_path(recording.folder)
    write_truth(path, truth)
    assert read_truth(path) == truth == find_truth(recording.folder, recording.folder)
    out = write_report(recording, Wish(), tmp_path / "game.fairdeal")
    write_truth(truth_path(out), msgspec.structs.replace(truth, light="daylight"))
    found = find_truth(out, recording.folder)
    assert found is not None and found.light == "daylight"
    assert labelled(tmp_path) == [out]
    assert labelled(tmp_path / "recordings") == [recording.folder]


def test_it_has_the_form_of_the_filmed_games(tmp_path):
    recording = played(tmp_path)
    truth = truth_of(recording, Labels(labels=right(recording)), SIZE)
    found = _shifted(truth, 2.0, 8.0)
    assert all(call["t"] >= 6.0 for call in found["expected_calls"])
    assert [event.at for event in happened(found)] == [
        each.at - 2.0 for each in truth.events_truth if each.event != "pressed" and each.at >= 8.0
    ]
