"""Files that take long are run first, and are there."""

from long_first import LONG, rank_of
from needed_tools import ROOT


def test_each_file_is_there_and_named_once():
    assert [name for name in LONG if not (ROOT / name).is_file()] == []
    assert len(set(LONG)) == len(LONG)


def test_long_files_come_before_all_others():
    names = ["tests/test_sizes.py::test_a[x::y]", f"{LONG[1]}::test_b", f"{LONG[0]}::test_c"]
    assert sorted(names, key=rank_of) == [names[2], names[1], names[0]]
