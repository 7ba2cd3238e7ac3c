"""What needs a browser has a target of its own: `make test-pages`."""

import re

from needed_tools import ROOT

NEEDS = re.compile(r"^ +require_browser\(\)$", re.MULTILINE)
MARKED = re.compile(r"pytest\.mark\.(pages|shared)")


def test_each_file_that_needs_a_browser_is_marked():
    files = [
        path for path in (ROOT / "tests").rglob("test_*.py") if path.name != "test_browser_marks.py"
    ]
    need = [path for path in files if "require_browser()" in path.read_text("utf-8")]
    marks = ("pytest.mark.pages", "pytest.mark.shared")
    unmarked = [path.name for path in need if not any(m in path.read_text("utf-8") for m in marks)]
    assert need and unmarked == []
