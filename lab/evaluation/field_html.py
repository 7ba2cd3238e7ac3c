"""`evaluate field --html`: the figures before and after a change, and the worst moments as films.

The page is one file that needs nothing else: films are small WebM files within it.
"""

from __future__ import annotations

import base64
import html
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import msgspec
import numpy as np

from host.scratch import scratch_folder
from kiosk.field.film import decoded, jpegs
from kiosk.field.recording import Recording
from kiosk.serving.schema import Message, read_file
from kiosk.web.film import FilmSettings, write_film
from rules.files import write_file
from vision.frame import Image

AROUND_S = 3.0  # of a worst moment's film
MOST_WORST = 5  # of a recording
FILM_PX, FILM_FPS = 640, 10.0
COUNTS = ("recordings", "events", "told rightly", "calls due", "right", "false", "questions")
LATENCIES = ("latency p50", "latency p95")
MORE_IS_BETTER = frozenset({"told rightly", "right"})
FEWER_IS_BETTER = frozenset({"false", "questions", *LATENCIES})
Row = dict[str, float | None]
Rows = Annotated[dict[str, Row], msgspec.Meta(max_length=10_000)]


class Figures(Message, frozen=True):
    """The figures of an evaluation, by what they are of: `all`, `game: suds`, …"""

    command: str
    rows: Rows


@dataclass(frozen=True, slots=True)
class Moment:
    """A bad moment of a recording, `at` s of its game: what was wrong, and its film (WebM)."""

    recording: str
    at: float
    faults: tuple[str, ...]
    film: bytes


def worst_moments(
    name: str, recording: Recording, faults: Sequence[tuple[float, str]]
) -> Iterator[Moment]:
    """The moments with the most faults, each with its film."""
    left = list(faults)
    for _ in range(MOST_WORST):
        if not left:
            return
        at = max(left, key=lambda one: sum(abs(one[0] - each[0]) <= AROUND_S for each in left))[0]
        here = tuple(what for when, what in left if abs(when - at) <= AROUND_S)
        left = [each for each in left if abs(each[0] - at) > AROUND_S]
        yield Moment(name, at, here, _film(recording, at))


def _film(recording: Recording, at: float) -> bytes:
    """The pictures around a moment, FILM_FPS a second."""
    shown: list[Image] = []
    due = -np.inf
    for segment in recording.segments:
        if segment.began.at > at + AROUND_S or segment.until < at - AROUND_S:
            continue
        for line, jpeg in jpegs(segment):
            if abs(line.at - at) > AROUND_S or line.at < due:
                continue
            due = max(due, line.at - 1 / FILM_FPS) + 1 / FILM_FPS
            bgr = decoded(jpeg, str(segment.film))
            height = round(bgr.shape[0] * FILM_PX / bgr.shape[1] / 2) * 2
            small = cv2.resize(bgr, (FILM_PX, height), interpolation=cv2.INTER_AREA)
            shown.append(np.asarray(small, np.uint8))
    if not shown:
        return b""
    settings = FilmSettings(width=FILM_PX, height=shown[0].shape[0], fps=FILM_FPS)
    with scratch_folder() as folder:
        path = folder / "moment.webm"
        write_film(path, iter(shown), settings)
        return path.read_bytes()


def read_figures(path: Path) -> Figures:
    """The figures of an earlier evaluation. Raises FairdealError."""
    return read_file(Figures, path, "figures of `evaluate field --html`")


def write_report(
    path: Path, figures: Figures, before: Figures | None, moments: Sequence[Moment]
) -> None:
    """Writes the page, and its figures beside it with the ending .json. Raises FairdealError."""
    write_file(path, _page(figures, before, moments).encode(), "a page to write")
    data = msgspec.json.format(msgspec.json.encode(figures))
    write_file(path.with_suffix(".json"), data, "a file for the figures")


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem;
  padding: 0 1rem; color: #1b1d20; background: #fff; }
.wide { overflow-x: auto; } table { border-collapse: collapse; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #d6d9dd; }
th:first-child { text-align: left; } .better { color: #00603f; } .worse { color: #a3260a; }
figure { margin: 1.5rem 0; } video { width: 640px; max-width: 100%; background: #000; }
@media (prefers-color-scheme: dark) { body { color: #f1f3f5; background: #101418; }
  .better { color: #4fdca9; } .worse { color: #ff9a6b; } th, td { border-color: #3a4149; } }
"""


def _page(figures: Figures, before: Figures | None, moments: Sequence[Moment]) -> str:
    titles = (*COUNTS, *(f"{head} (s)" for head in LATENCIES))
    heads = "".join(f"<th scope='col'>{html.escape(title)}</th>" for title in titles)
    rows = "".join(_row(name, row, before) for name, row in figures.rows.items())
    against = "" if before is None else "<p>In brackets: the change since the earlier figures.</p>"
    films = "".join(_figure(each) for each in moments) or "<p>No fault was found.</p>"
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'>"
        "<meta name='viewport' content='width=device-width'><title>Recordings of real tables"
        f"</title><style>{_STYLE}</style><main><h1>Recordings of real tables</h1>"
        f"<p><code>{html.escape(figures.command)}</code></p>{against}"
        f"<div class='wide' tabindex='0'><table><thead><tr><td></td>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
        f"<h2>The worst moments</h2>{films}</main></html>\n"
    )


def _row(name: str, row: Row, before: Figures | None) -> str:
    old: Mapping[str, float | None] = {} if before is None else before.rows.get(name, {})
    cells = "".join(_cell(head, row.get(head), old.get(head)) for head in (*COUNTS, *LATENCIES))
    return f"<tr><th scope='row'>{html.escape(name)}</th>{cells}</tr>"


def _cell(head: str, now: float | None, before: float | None) -> str:
    if now is None:
        return "<td>–</td>"
    shown = f"{now:.2f}" if head in LATENCIES else f"{now:.0f}"
    change = 0.0 if before is None else round(now - before, 2)
    if not change:
        return f"<td>{shown}</td>"
    is_better = (change > 0) == (head in MORE_IS_BETTER)
    kind = (
        "" if head not in MORE_IS_BETTER | FEWER_IS_BETTER else "better" if is_better else "worse"
    )
    return f"<td class='{kind}'>{shown} ({change:+g})</td>"


def _figure(moment: Moment) -> str:
    faults = "".join(f"<li>{html.escape(in_words(what))}</li>" for what in moment.faults)
    name = html.escape(f"{moment.recording}, {moment.at:.1f} s")
    coded = base64.b64encode(moment.film).decode()
    film = (
        f"<video controls loop muted preload='metadata' aria-label='{name}' "
        f"src='data:video/webm;base64,{coded}'></video>" if moment.film else ""
    )  # fmt: skip
    return f"<figure><figcaption><b>{name}</b><ul>{faults}</ul></figcaption>{film}</figure>"


def in_words(fault: str) -> str:
    """A fault for people: an event's JSON becomes its card, place and seat."""
    kind, _, text = fault.partition(": ")
    try:
        event = msgspec.json.decode(text.encode())
        words = f"{event['event']} {event['card']} at {event['place']}"
    except (msgspec.DecodeError, KeyError, TypeError):
        return fault
    seat = event.get("seat")
    return f"{kind}: {words}{'' if seat is None else f' by seat {seat}'}, {event['at']:.1f} s"
