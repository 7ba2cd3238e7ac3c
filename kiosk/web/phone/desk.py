"""A phone as the camera, as one server holds it: who films, where pictures go, https."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from kiosk.serving.lines import Lines
from kiosk.web.camera import CameraChoice
from kiosk.web.phone.door import SecureDoor
from kiosk.web.phone.filming import Filming
from kiosk.web.phone.outlet import Outlet
from rules.errors import FairdealError

TICK_S = 0.5


class PhoneDesk:
    """`fault`: why no phone can film on this machine, or nothing."""

    def __init__(
        self,
        choice: CameraChoice,
        door: SecureDoor | None = None,
        on_change: Callable[[dict[str, Any] | None], None] = lambda _: None,
    ) -> None:
        self.outlet = Outlet()
        self.filming = Filming(self.outlet, on_change)
        self.choice, self.door, self.fault = choice, door, ""

    async def open_door(self) -> int:
        """The port of https. Raises FairdealError where there is none."""
        if self.door is None:
            raise FairdealError("a page that serves https", "one that does not")
        return await self.door.open()


@asynccontextmanager
async def open_desk(desk: PhoneDesk | None, address: str, lines: Lines) -> AsyncIterator[None]:
    """Takes a phone's pictures meanwhile. `address`: of the local socket where they leave.

    A phone that filmed before comes back by itself, so https is served from the start then.
    """
    if desk is None:
        yield
        return
    try:
        await desk.outlet.open(address)
    except FairdealError as error:  # the page goes on without phones
        desk.fault = str(error)
        lines.say("phone", f"no phone can film: {error}")
    ticking = asyncio.create_task(_tick(desk))
    try:
        if desk.door is not None and (desk.choice.is_phone or desk.door.was_used):
            try:
                await desk.open_door()
            except FairdealError as error:
                lines.say("phone", f"no https: {error}")
        yield
    finally:
        ticking.cancel()
        await desk.outlet.close()
        if desk.door is not None:
            await desk.door.close()


async def _tick(desk: PhoneDesk) -> None:
    while True:
        await asyncio.sleep(TICK_S)
        desk.filming.tick(time.monotonic())
