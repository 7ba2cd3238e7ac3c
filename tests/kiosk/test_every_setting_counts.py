"""Every setting of a settings file changes what a table does. Those of vision have a test apart."""

from __future__ import annotations

import json
import tempfile
from dataclasses import fields, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

import vision.networks.engine
from calibration import engines
from calibration.settings import TABLES, Settings, load_settings
from device import outputs
from device.gpio.pins import Pins
from device.machine import MachineSettings
from device.outputs import open_outputs
from device.performer import Performer
from device.recording import RecordingSettings
from device.rendering import Cue, Lights, Rest, cue_of, lights
from device.settings import BoardSettings, PinSettings
from device.signals import LAMPS, LOST, SEATS, SIGNALS, Signal, SignalSettings
from device.speech import SpeechSettings
from kiosk.assembly import Company, read_request, run_game
from kiosk.cli import build_parser
from kiosk.commands.referee import _learning, request_of
from kiosk.field.about import ABOUT, FILM
from kiosk.field.space import Space, recordings_in
from kiosk.field.writing import jpeg_encoder
from kiosk.game.reboot import EARLIEST_S, RebootWatch
from kiosk.game.room import MEGABYTE, RoomKeeper, Stores
from kiosk.journal.entries import EndEntry, GameHead
from kiosk.journal.file import JournalFile
from lab.chaos.table import Clock, NoCards
from models.deck import load_deck
from rules.errors import FairdealError
from rules.table.call import Call
from vision.networks.embedder import Embedder
from vision.networks.locator import Locator
from vision.settings import EngineSettings

DAY_S = 86_400.0
TIMES_S = [k * 0.05 for k in range(100)]

# Each setting with another value, as TOML; others that have to be set for it to count.
CHANGES = {
    "signals": {
        "muted": "true", "night": "true", "night_level": "0.5", "mistake_stays": '"blink"',
        "lost_stays": '"double"', "turn_level": "0.9",
    },
    "pins": {
        **dict.fromkeys((*LAMPS, "buzzer"), "4"), "buzzer_kind": '"plain"',
        "rgb": "[5, 6, 13]", "seats": "[12, 16]", "common_anode": "true", "debounce_s": "0.1",
        "buttons": '{ start = 7, "out/2" = 8 }',
    },
    "board": {"port": '"/dev/nothing"', "buttons": '["undo", "out/2"]'},
    "engines": {"locator": '"onnxruntime-int8"', "namer": '"ncnn"', "reason": '"measured"'},
    "machine": {"keep_free_mb": "5000", "history_days": "30", "reboot_after_s": "60",
                "incomplete_decks": "true", "learn": "true"},
    "speech": {"language": '"de"'},
    "recording": {"most_mb": "50", "jpeg_quality": "95"},
}  # fmt: skip
BESIDES = {"night_level": "night = true\n", "common_anode": "rgb = [5, 6, 13]\n",
           "reason": 'locator = "onnxruntime-int8"\n'}  # fmt: skip
GROUPS = {
    "signals": SignalSettings, "pins": PinSettings, "board": BoardSettings,
    "engines": EngineSettings, "machine": MachineSettings, "speech": SpeechSettings,
    "recording": RecordingSettings,
}  # fmt: skip


def shown(settings, tmp_path, monkeypatch):
    """The lights of each kind of call over its time, and those of each resting state."""
    signals = settings.device.signals
    with Performer([], signals) as performer:
        rest = performer.rest
    cues = [cue_of(Call(kind, "r", "m", seat=2), signals) for kind in signals.table if kind != LOST]
    cues.append(Cue(LOST, signals.table[LOST]))
    rests = (rest, Rest(1, night=rest.night), Rest(lost=True), Rest(turn=1, night=rest.night))
    resting = [lights(each, None, 0.0, at, signals) for each in rests for at in TIMES_S]
    return resting + [lights(rest, cue, at, at, signals) for cue in cues for at in TIMES_S]


def wired(settings, tmp_path, monkeypatch):
    """The state of all 28 pins when everything is lit, and what the buttons say."""
    factory, heard = MockFactory(pin_class=MockPWMPin), []
    pins = Pins(settings.device.pins, lambda *press: heard.append(press), factory)
    pins.show(Lights((1.0,) * len(LAMPS), (1.0,) * SEATS, (1.0, 0.5, 0.0), 440, 1.0))
    taken = {info.number: pin for info, pin in factory.pins.items()}
    seen = {n: (pin.function, pin.state, pin.frequency, pin.bounce) for n, pin in taken.items()}
    for number, pin in taken.items():
        if pin.function == "input":
            pin.drive_low()
            pin.drive_high()
            heard.append(number)
    pins.close()
    factory.close()
    return seen, heard


def connected(settings, tmp_path, monkeypatch):
    """The port that is opened for `--signals board`, and what its buttons are."""
    opened = []

    class FakeBoard:
        def __init__(self, port, settings, on_press, say):
            opened.append((port, settings.buttons))

        def close(self):
            """Nothing to give back."""

    monkeypatch.setattr("device.serial.board.Board", FakeBoard)
    open_outputs("board", settings.device)
    return opened


def run_by(settings, tmp_path, monkeypatch):
    """The files that the networks are opened with, and what `doctor` says of them."""
    opened = []
    monkeypatch.setattr(vision.networks.engine, "_open", lambda *words: opened.append(words[:2]))
    chosen = settings.engines
    Locator(engine=chosen.locator)
    Embedder(1, chosen)
    monkeypatch.setattr(engines, "load_settings", lambda path: settings)
    return opened, engines.engines_in_use()


def tidied(settings, tmp_path, monkeypatch):
    """What goes from a disk with 1,000 MB left, and when a driver that hangs restarts it."""
    path, now, ran, left = tmp_path / "journal.sqlite", [EARLIEST_S], [], []
    for free_mb in (1000, 0):
        path.unlink(missing_ok=True)
        for days in (400, 100):
            journal = JournalFile(path, clock=lambda days=days: (1000 - days) * DAY_S)
            journal.append(journal.begin(GameHead("suds", 2)), [EndEntry()])
            journal.close()
        keeper = RoomKeeper(
            Stores(path, tmp_path), settings.machine, str, lambda folder, mb=free_mb: mb * MEGABYTE,
            lambda: 1000 * DAY_S,
        )  # fmt: skip
        keeper.keep()
        journal = JournalFile(path)
        left.append([row.number for row in journal.games()])
        journal.close()
    watch = RebootWatch(settings.machine.reboot_after_s, str, ran.append, lambda: now[0])
    for _ in range(100):
        watch.see(is_stuck=True)
        now[0] += 2.0
    learns = who_learns(settings, tmp_path / "own")
    return left, ran, begins_without_a_face(settings, tmp_path / "lacks"), learns


def who_learns(settings, folder):
    """How many of a game's observers the deck learns from."""
    suds = replace(load_deck("suds"), folder=folder)
    request = SimpleNamespace(deck=suds, settings=settings)
    with _learning(False, request) as company:
        return len(company.observers)


def begins_without_a_face(settings, folder):
    """Whether `fairdeal referee` begins with a deck that lacks a face."""
    suds = load_deck("suds")
    folder.mkdir(exist_ok=True)
    (folder / "deck.toml").write_text(replace(suds, faces=suds.faces[1:]).to_toml())
    words = build_parser().parse_args(["referee", "suds", "--source", "0", "--deck", str(folder)])
    try:
        return request_of(words, (), settings).deck.missing
    except FairdealError:
        return None


def spoken(settings, tmp_path, monkeypatch):
    """The language in which a game begins."""
    request = read_request("suds", None, 2, {}, None)
    company = Company(say=str)
    words = {"signals": "none", "start": False, "settings": settings}
    request = type(request)(**{f.name: getattr(request, f.name) for f in fields(request)} | words)
    run_game(request, Clock(0.0), NoCards(), company)
    return company.inbox.sounds.language


def recorded(settings, tmp_path, monkeypatch):
    """How large a picture is kept, and what of 60 MB of film stays."""
    picture = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    folder = Path(tempfile.mkdtemp(dir=tmp_path))
    for k in range(2):
        film = folder / f"{k}" / FILM / "00001.mjpeg"
        film.parent.mkdir(parents=True)
        (folder / f"{k}" / ABOUT).touch()
        with film.open("wb") as file:
            file.truncate(30 * MEGABYTE)
    Space(folder, settings.recording.most_mb, 0, lambda path: 10**12).make(film)
    return len(jpeg_encoder(settings.recording.jpeg_quality)(picture)), len(recordings_in(folder))


OBSERVED = {"signals": shown, "pins": wired, "board": connected, "engines": run_by,
            "machine": tidied, "speech": spoken, "recording": recorded}  # fmt: skip
PAIRS = [(table, name) for table, changes in CHANGES.items() for name in changes]


def read(tmp_path, text):
    path = tmp_path / "settings.toml"
    path.write_text(text)
    return load_settings(path)


def test_every_table_and_setting_is_tried():
    assert (
        {*CHANGES, "vision"}
        == set(TABLES)
        == {each.name for each in fields(Settings)} - {"device"} | {"signals", "pins", "board"}
    )
    for table, group in GROUPS.items():
        assert {f.name for f in fields(group)} - {"table"} == set(CHANGES[table]), table


@pytest.mark.parametrize(("table", "name"), PAIRS)
def test_a_setting_changes_what_the_table_does(tmp_path, monkeypatch, table, name):
    usual = f"[{table}]\n{BESIDES.get(name, '')}"
    changed = f"{usual}{name} = {CHANGES[table][name]}\n"
    observe = OBSERVED[table]
    before = observe(read(tmp_path, usual), tmp_path, monkeypatch)
    assert before == observe(read(tmp_path, usual), tmp_path, monkeypatch)
    assert before != observe(read(tmp_path, changed), tmp_path, monkeypatch)


# Of each field the values to try; the second one where the first is the signal's own.
SIGNAL_CHANGES = {
    "lamp": ("none", "turn"), "colour": ("blue", "red"), "pattern": ("blink", "double"),
    "tone": ("level", "tick"), "seconds": (5.0, 4.5), "seat": (False, True),
}  # fmt: skip


@pytest.mark.parametrize("kind", SIGNALS)
def test_each_signal_can_be_changed_in_every_way(tmp_path, monkeypatch, kind):
    assert {f.name for f in fields(Signal)} == set(SIGNAL_CHANGES)
    usual = shown(Settings(), tmp_path, monkeypatch)
    for name, values in SIGNAL_CHANGES.items():
        value = next(each for each in values if each != getattr(SIGNALS[kind], name))
        text = f"[signals.{kind}]\n{name} = {json.dumps(value)}\n"
        if (kind, name) == (LOST, "seat"):  # a lost view is nobody's
            with pytest.raises(FairdealError, match="found 'seat'"):
                read(tmp_path, text)
            continue
        assert shown(read(tmp_path, text), tmp_path, monkeypatch) != usual, name


def test_the_settings_reach_the_outputs_of_a_game(monkeypatch):
    made = []
    monkeypatch.setattr(outputs, "MockPins", lambda pins, press: made.append(pins))
    settings = Settings()
    open_outputs("mock", settings.device, say=str)
    assert made == [settings.device.pins]
