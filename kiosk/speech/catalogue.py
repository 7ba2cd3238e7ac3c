"""The page's text catalogues (Fluent, `kiosk/web/static/texts`): what is spoken or printed.

The page reads them with Fluent's own library. Spoken messages are single lines with variables
only, so Fluent's plurals and terms are not needed here. The terminal takes the same words.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "web" / "static" / "texts"
_MESSAGE = re.compile(r"^([a-z][a-z0-9-]*) = (.+)$", re.MULTILINE)
_VARIABLE = re.compile(r"\{ \$([a-z]+) \}")


@lru_cache(maxsize=8)
def messages(language: str, part: str = "") -> Mapping[str, str]:
    """The single-line messages of a language; empty where there is no catalogue.

    `part`: the folder of a part's catalogue, as `set-up`.
    """
    try:
        text = (FOLDER / part / f"{language}.ftl").read_text(encoding="utf-8")
    except OSError:
        return {}
    return dict(_MESSAGE.findall(text))


def spoken(language: str, name: str, values: Mapping[str, str]) -> str | None:
    """The message `name` with its variables filled in; None where one of them is missing."""
    message = messages(language).get(name)
    if message is None or any(not values.get(key) for key in _VARIABLE.findall(message)):
        return None
    return _VARIABLE.sub(lambda match: values[match[1]], message)
