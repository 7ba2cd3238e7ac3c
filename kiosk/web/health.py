"""The health view: every part with its state, its reason and its remedy; the steps still open."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from calibration import store
from calibration.finding import Finding, Verdict
from calibration.machine import machine_findings
from device.machine import read_machine
from kiosk.serving.answers import Json
from kiosk.web.first_hour.record import load_steps, open_steps

MACHINE = ("disk", "temperature", "power", "speed", "clock")  # read here, with or without a game


def health_routes() -> list[Route]:
    """The route of the health view."""
    return [Route("/api/health", _health)]


async def _health(request: Request) -> Response:
    state = request.app.state
    hub, table, hour = state.hub, state.table, state.hour
    snapshot = hub.snapshot()
    own = await run_in_threadpool(machine_health, state.settings.folder)
    phone = state.phone.filming.finding(time.monotonic()) if state.phone is not None else None
    parts = [*game_health(snapshot), *([phone] if phone is not None else []), *own]
    steps = await run_in_threadpool(load_steps, state.settings.folder)
    said = [*(table.said if table is not None else ()), *(hour.said if hour is not None else ())]
    return Json({
        "parts": [asdict(part) for part in parts],
        "open_steps": [step.value for step in open_steps(steps)] if hour is not None else [],
        "errors": snapshot["health"].get("errors", []),
        "said": said[-10:],
        "figures": {
            name: snapshot["health"].get(name)
            for name in ("frames_per_s", "work_ms", "latency_ms", "drops", "viewers")
        },
    })  # fmt: skip


def machine_health(folder: Path) -> tuple[Finding, ...]:
    """Disk, temperature, power and the stored calibrations. Reads files."""
    from calibration.doctor import calibrations  # not needed to serve a page

    return (*machine_findings(read_machine(folder)), *calibrations(store.default_folder()))


def game_health(snapshot: dict[str, Any]) -> tuple[Finding, ...]:
    """The referee, and what it says of camera, journal and lamps."""
    referee, hour = snapshot["referee"] or {}, snapshot["first_hour"]
    if hour is not None:
        lost = str(hour.get("lost") or "")
        return (Finding("camera", Verdict.BAD, lost, "check its cable") if lost
                else Finding("camera", Verdict.GOOD, "used by the set-up"),)  # fmt: skip
    found = [] if referee == {} else [_referee(referee, bool(snapshot["is_connected"]))]
    if not snapshot["is_connected"]:
        return tuple(found)
    lost = str(snapshot["lost"])
    parts = list(_reported(snapshot["health"].get("parts", ())))
    if lost and all(part.state is Verdict.GOOD for part in parts if part.name == "camera"):
        parts = [part for part in parts if part.name != "camera"]
        parts.insert(0, Finding("camera", Verdict.BAD, lost, "look at camera and table"))
    return (*found, *parts)


def _referee(referee: dict[str, Any], is_connected: bool) -> Finding:
    pause, why = referee.get("pause_s"), str(referee.get("why") or "")
    if pause is not None:
        words = f"stopped: {why}; starts again within {pause:g} s"
        return Finding("referee", Verdict.BAD, words, "mend that, or stop this game")
    if referee.get("is_running"):
        words = f"runs; it stopped before: {why}" if why else "runs"
        return Finding("referee", Verdict.WARN if why else Verdict.GOOD, words)
    words = "runs" if is_connected else "no game is running"
    return Finding("referee", Verdict.GOOD, words)


def _reported(parts: Iterable[Any]) -> Iterable[Finding]:
    """The findings that the referee sent; what the server reads by itself is left out."""
    for part in parts:
        try:
            found = Finding(
                str(part["name"]), Verdict(part["state"]), str(part["words"]), str(part["todo"])
            )
        except (TypeError, KeyError, ValueError):
            continue
        if found.name not in MACHINE:
            yield found
