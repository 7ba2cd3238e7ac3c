"""Settings: one check for all packages."""

from pathlib import Path

import pytest

from rules.errors import FairdealError
from rules.settings import checked, parsed_toml, read_toml, refuse_unknown, table

BOUNDS = {"low": 1, "high": 5, "unit": "s"}


@pytest.mark.parametrize(
    ("value", "default"), [(3, 2), (3, 2.0), (2.5, 2.0), (True, False), ("x", "")]
)
def test_a_right_value_is_given_back(value: object, default: object) -> None:
    assert checked(value, default, BOUNDS, "here") == value


@pytest.mark.parametrize(
    ("value", "default", "words"),
    [
        (6, 2, "expected a whole number from 1 to 5 s, found 6"),
        (2.5, 2, "a whole number"),
        (True, 2, "found True"),
        (float("nan"), 2.0, "a number from 1 to 5 s, found nan"),
        ("3", 2.0, "found '3'"),
        (1, False, "true or false"),
        (1, "", "text"),
    ],
)
def test_a_wrong_value_is_refused(value: object, default: object, words: str) -> None:
    with pytest.raises(FairdealError, match=words):
        checked(value, default, BOUNDS, "here")


def test_a_word_must_be_one_of_the_choices() -> None:
    with pytest.raises(FairdealError, match="here: expected one of a, b, found 'c'"):
        checked("c", "a", {"choices": ("a", "b")}, "here")


def test_an_unknown_key_and_a_value_that_is_no_table() -> None:
    with pytest.raises(FairdealError, match="one of a, b, found 'c'; mend or remove it"):
        refuse_unknown({"a": 1, "c": 2}, {"b", "a"}, "here")
    with pytest.raises(FairdealError, match=r"a table, found 3; write \[vision\]"):
        table(3, "file.toml, vision")


def test_toml_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    with pytest.raises(FairdealError, match="expected a settings file, found No such file"):
        read_toml(path, "a settings file")
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(FairdealError, match="TOML in UTF-8"):
        read_toml(path, "a settings file")
    with pytest.raises(FairdealError, match="line 1, column"):
        parsed_toml("a = b", "x")


def test_toml_nested_past_the_recursion_limit_is_one_line() -> None:
    with pytest.raises(FairdealError, match="nested too deeply"):
        parsed_toml("a = " + "[" * 100_000, "x")
