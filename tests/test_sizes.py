"""Files and functions stay small enough to hold in mind: 300 and 40 lines at most."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
FILE_LINES, FUNCTION_LINES = 300, 40
PACKAGES = ("rules", "host", "vision", "device", "calibration", "models", "kiosk", "lab", "tests")


def sources() -> list[Path]:
    """Every Python file of the project."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def functions(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Name and number of lines of every function, from `def` to its last line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, (node.end_lineno or node.lineno) - node.lineno + 1


def test_no_file_is_longer_than_300_lines() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in sources()}
    long = {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > FILE_LINES}
    assert len(lengths) > 200 and long == {}


def test_no_function_is_longer_than_40_lines() -> None:
    long = {
        f"{path.relative_to(ROOT)}: {name}": lines
        for path in sources()
        for name, lines in functions(ast.parse(path.read_text(encoding="utf-8")))
        if lines > FUNCTION_LINES
    }
    assert long == {}
