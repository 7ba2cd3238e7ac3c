"""A phone that films: a real browser whose camera is a drawn film, at the kiosk's https address."""

from __future__ import annotations

import http.client
import json
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patience import PATIENCE_S
from real_browser import wait_for
from touch import tap_button

from lab.page.browser import browser
from lab.page.phone import camera_flags

STRANGER = "127.0.0.2"
GOOD = "document.querySelector('.film-fate.is-good') !== null"
SCREEN = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}


@dataclass(frozen=True)
class Kiosk:
    """A running kiosk, asked as the table's own screen asks it."""

    address: str

    def ask(self, path: str, body: Any = None, method: str | None = None) -> Any:
        """The answer's JSON, of refusals too."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.address}{path}", data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as refusal:
            return json.load(refusal)

    def state(self) -> Any:
        """The state of the table."""
        return self.ask("api/state")

    def status_for_stranger(self, path: str, body: Any) -> tuple[int, str]:
        """What a device is answered that is not paired."""
        port = int(self.address.rstrip("/").rsplit(":", 1)[1])
        link = http.client.HTTPConnection("127.0.0.1", port, source_address=(STRANGER, 0))
        link.request("POST", f"/{path}", json.dumps(body), {"Host": "localhost"})
        answer = link.getresponse()
        return answer.status, json.loads(answer.read())["message"]


@contextmanager
def phone(film: Path):
    """The phone's browser: one of its own, for a camera is the whole browser's."""
    with browser(*camera_flags(film)) as driver:
        as_phone(driver)
        yield driver


def as_phone(driver):
    """Gives the window that is shown a phone's screen."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SCREEN)
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})


def pair(driver, offer, name):
    """Pairs by the digits of the table's screen; the page that films is open then."""
    secure = offer["address"].removesuffix("/phone")
    driver.get(f"{secure}/pair#{offer['digits']}")
    wait_for(driver, "document.getElementById('digits')?.value.length === 6")
    driver.execute_script("document.getElementById('name').value = arguments[0]", name)
    tap_button(driver, "Pair", ".pane")
    wait_for(driver, "location.pathname === '/'")
    driver.get(offer["address"])


def films(driver):
    """Taps until the phone films."""
    tap_button(driver, "Use this phone as the camera", ".film-panel")
    wait_for(driver, GOOD)
