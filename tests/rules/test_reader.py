"""The line reader: what it reads, and what it refuses in one line."""

import json
import pickle

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rules.contract.game import make_setup
from rules.contract.reader import read_events
from rules.errors import FairdealError
from rules.games import game
from rules.judging.referee import begin, close, step
from rules.table.event import (
    USUAL,
    Alternatives,
    Blind,
    Learned,
    Placed,
    Pressed,
    Removed,
    Sighted,
    Way,
    told,
)

SUDS = game("suds")
GOOD = {"at": 1, "event": "placed", "card": "hat", "place": "pile/1", "seat": 2}
START = b'{"at": 0, "event": "pressed", "button": "start"}'


def read(*lines, name="suds", players=2):
    return list(read_events(lines, game(name), players))


def refusal(line, **keys):
    with pytest.raises(FairdealError) as refused:
        read(START, line, **keys)
    return str(refused.value)


def changed(**keys):
    return json.dumps({k: v for k, v in {**GOOD, **keys}.items() if v != "gone"}).encode()


def test_every_kind_of_event_is_read():
    lines = [
        b'{"at": 0, "event": "pressed", "button": "start", "seat": null}\r\n',
        b'  {"event": "placed", "at": 0.5, "card": "unknown", "place": "pile/12"}\n',
        b'{"at": 0.5, "event": "removed", "card": "back", "place": "pile/1", "seat": 2}',
        b'{"at": 7, "event": "blind"}',
        b'{"at": 7.5, "event": "sighted"}',
    ]
    assert read(*lines) == [
        Pressed(0.0, "start"),
        Placed(0.5, card="unknown", place="pile/12"),
        Removed(0.5, card="back", place="pile/1", seat=2),
        Blind(7.0),
        Sighted(7.5),
    ]


def test_an_event_reads_back_from_its_text():
    event = Placed(1.5, card="oofle-dust", place="seat/2/set/1", seat=1)
    assert read(event.to_json().encode(), name="sooty") == [event]


def test_blank_lines_are_counted_and_skipped():
    with pytest.raises(FairdealError, match=r"^line 4: expected .*, found "):
        read(b"\n", START, b"   \r\n", b"nonsense")


@pytest.mark.parametrize("lines", [(), (b"",), (b"\n", b"  \n")])
def test_no_event_is_refused_without_a_line_number(lines):
    with pytest.raises(FairdealError, match=r"^expected at least one event, found none"):
        read(*lines)


@pytest.mark.parametrize(
    "line",
    [
        b"\xff\xfe{\x00}\x00",
        b'\xef\xbb\xbf{"at": 1, "event": "blind"}',
        b"{",
        b"[1]",
        b"null",
        b'{"at": 1, "event": "blind"} x',
        b'{"at": 1, "event": "blind"}{"at": 2, "event": "blind"}',
        b"[" * 100_000,
        b'{"a":' * 400 + b"1" + b"}" * 400,
        b'{"at": ' + b"9" * 5000 + b', "event": "blind"}',
        changed(event="gone"),
        changed(event="moved"),
        changed(event=None),
        changed(event=["placed"]),
        changed(at="gone"),
        changed(at="1"),
        changed(at=True),
        changed(at=None),
        changed(at=-0.5),
        changed(at=float("nan")),
        changed(at=float("inf")),
        changed(at=10**400),
        changed(card="gone"),
        changed(card="a"),
        changed(card="Hat"),
        changed(card=3),
        changed(card=None),
        changed(card="\ud800"),
        changed(place="gone"),
        changed(place="pile/0"),
        changed(place="pile/01"),
        changed(place="pile/1\n"),
        changed(place="pile/\u0661"),
        changed(place="pile"),
        changed(place=["pile/1"]),
        changed(seat=0),
        changed(seat=3),
        changed(seat=-1),
        changed(seat=1.0),
        changed(seat=True),
        changed(seat="1"),
        changed(on="hat"),
        changed(button="start"),
        changed(extra=1),
        b'{"at": 1, "event": "pressed", "button": "no"}',
        b'{"at": 1, "event": "pressed", "button": null}',
        b'{"at": 1, "event": "pressed"}',
        b'{"at": 1, "event": "blind", "place": "pile/1"}',
    ],
)
def test_what_is_refused_is_refused_in_one_ascii_line(line):
    text = refusal(line)
    assert text.startswith("line 2: expected ") and ", found " in text
    assert text.isascii() and text.isprintable() and len(text) < 300


@pytest.mark.parametrize(
    ("name", "place"),
    [("cat-in-the-hat", "seat/3/left"), ("cat-in-the-hat", "seat/1/middle"), ("soda", "score/x")],
)
def test_a_place_that_the_game_does_not_have_is_refused(name, place):
    card = "a" if name == "cat-in-the-hat" else "2c"
    assert "place" in refusal(changed(card=card, place=place), name=name)


def test_on_is_known_in_sooty_only_and_when_placed():
    line = changed(card="oofle-dust", place="seat/1/set/1", on="sooty-3")
    assert read(line, name="sooty")[0].on == "sooty-3"
    assert "on" in refusal(line.replace(b"sooty-3", b"hat"), name="sooty")
    assert "on" in refusal(line.replace(b"placed", b"removed"), name="sooty")


def test_a_falling_time_is_refused_even_across_blank_lines():
    with pytest.raises(FairdealError, match=r"line 3: expected at of 2\.0 or later"):
        read(b'{"at": 2, "event": "blind"}', b"", b'{"at": 1.9, "event": "sighted"}')


def test_what_is_allowed_is_listed_where_it_is_little():
    assert "(draw, end, out, start, undo)" in refusal(
        b'{"at": 1, "event": "pressed", "button": "no"}'
    )
    assert "(back, boxers, hat, " in refusal(changed(card="shirt"))
    card = {"at": 1, "event": "placed", "card": "11h", "place": "play"}
    assert "a card of soda, found" in refusal(json.dumps(card).encode(), name="soda")


def test_the_events_before_a_bad_line_are_given_out_first():
    events = read_events(iter([START, b"bad"]), SUDS, 2)
    assert next(events).button == "start"
    with pytest.raises(FairdealError, match="line 2"):
        next(events)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (1, {}),
        (5, {}),
        (3, {"variant": "cycle"}),
        (2, {"variant": "other"}),
        (2, {"dealer": "3"}),
        (2, {"speed": "1"}),
    ],
)
def test_a_wrong_setup_is_refused_without_a_line_number(players, options):
    with pytest.raises(FairdealError, match=r"^expected "):
        make_setup(SUDS, players, options)


def judged(name, data):
    """The number of calls, or the line that refuses the bytes."""
    the_game = game(name)
    session = begin(the_game, make_setup(the_game, 2))
    count = 0
    try:
        for event in read_events(data.split(b"\n"), the_game, 2):
            session, calls = step(session, event)
            count += len(calls)
    except FairdealError as error:
        return str(error)
    return count + len(close(session))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=4,
)
KEYS = st.sampled_from(["at", "event", "card", "place", "seat", "button", "on", "x"])
WORDS = st.sampled_from(["placed", "removed", "pressed", "blind", "hat", "wild", "pile/1", "start"])
LINES = st.dictionaries(KEYS, VALUES | WORDS | st.integers(0, 3), max_size=7).map(
    lambda found: json.dumps(found).encode()
)


@given(st.binary(max_size=200) | st.lists(LINES | st.binary(max_size=40)).map(b"\n".join))
@example(b"")
@settings(max_examples=300)
def test_any_bytes_give_calls_or_one_line(data):
    result = judged("suds", data)
    assert isinstance(result, int) or (result.isprintable() and "expected" in result)


def test_an_error_crosses_from_one_process_to_another_whole():
    error = FairdealError("a card", "a sock", "look again", where="line 3")
    copy = pickle.loads(pickle.dumps(error))
    assert str(copy) == str(error) and copy.todo == "look again"


SWAPPED = (
    Way(0.7, (Placed(3.0, "hat", "pile/1", 1), Placed(3.1, "hat", "pile/2", 2))),
    Way(0.3, (Placed(3.1, "hat", "pile/2", 2), Placed(3.0, "hat", "pile/1", 1))),
)


@pytest.mark.parametrize(
    "event",
    [
        told(SWAPPED, choice=7),
        told((Way(0.6, ()), Way(0.4, (Removed(1.0, "hat", "pile/1"),)))),
        Placed(1.0, "hat", "pile/1", 2, sure=0.9, ways=USUAL),
        Placed(1.0, "unknown", "pile/1", ways=Alternatives((), 3)),
        Placed(1.0, "hat", "pile/1", ways=Alternatives(SWAPPED, 3, awaits=True)),
        Learned(4.0, 7, (0.05, 1.0)),
    ],
)
def test_what_may_have_happened_reads_back_from_its_text(event):
    assert read(event.to_json().encode()) == [event]


def test_a_choice_is_told_by_the_first_event_of_its_likeliest_way():
    event = told((Way(0.5, ()), Way(0.3, SWAPPED[0].events), Way(0.2, SWAPPED[1].events)))
    assert (event.card, event.place, event.seat, event.sure) == ("hat", "pile/1", 1, 0.3)
    assert [way.chance for way in event.ways.ways] == [0.5, 0.3, 0.2]
    with pytest.raises(ValueError, match="expected a way with an event"):
        told((Way(1.0, ()),))


HAT = {"at": 1, "event": "placed", "card": "hat", "place": "pile/1"}


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ({"ways": 3}, "ways: a list"),
        ({"ways": [0.5]}, "ways: a list"),
        ({"ways": [["a", []]]}, "a chance: a number from 0 to 1"),
        ({"ways": [[0.5, []], [0.4, [HAT]]]}, "ways whose chances sum to 1"),
        ({"ways": [[1, [{"at": 2, "event": "blind"}]]]}, "placed or removed"),
        ({"ways": [[1, [{**HAT, "sure": 0.9}]]]}, "placed or removed, without sure"),
        ({"ways": [[1, [{**HAT, "card": "king"}]]]}, "a card of suds"),
        ({"ways": [[1, [{**HAT, "seat": 9}]]]}, "a seat from 1 to 2"),
        ({"ways": [[1, [7]]]}, "an event in a way"),
        ({"ways": [], "choice": -1}, "choice: a whole number"),
        ({"choice": 1}, "ways beside a choice"),
        ({"awaits": True}, "ways beside a choice"),
        ({"ways": [], "awaits": True}, "awaits: true beside a choice"),
        ({"ways": [], "choice": 1, "awaits": 1}, "awaits: true beside a choice"),
        ({"event": "learned"}, "the key choice in a learned event"),
    ],
)
def test_what_are_no_alternatives_is_refused_in_one_line(keys, expected):
    assert refusal(changed(**keys)).startswith(f"line 2: expected {expected}")


@pytest.mark.parametrize("likely", [[], [2], 0.5, None])
def test_evidence_without_a_number_for_each_way_is_refused(likely):
    line = json.dumps({"at": 1, "event": "learned", "choice": 1, "likely": likely}).encode()
    assert refusal(line).startswith("line 2: expected likely: a number from 0 to 1")
