"""Measurements kept in a file, so that a long run that was cut off goes on."""

import json
from collections.abc import Callable
from pathlib import Path


class Kept:
    """What was measured, one JSON line each, so that a run that was cut off goes on."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        lines = path.read_text("utf-8").splitlines() if path and path.is_file() else []
        self._found = dict(json.loads(line) for line in lines)
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)

    def get(self, key: str, measure: Callable[[], object]) -> object:
        """The value kept under `key`; measured and kept if there is none."""
        if key not in self._found:
            self._found[key] = measure()
            if self._path:
                with self._path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps([key, self._found[key]]) + "\n")
        return self._found[key]
