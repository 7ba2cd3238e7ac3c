"""Asks systemd to restart the machine when a camera's driver hangs for good, if that is allowed."""

from __future__ import annotations

import time
from collections.abc import Callable

from device.machine import Run, run_command

COMMAND = ["systemctl", "--no-ask-password", "reboot"]
EARLIEST_S = 600.0  # after the machine's start: one that hangs at once must not restart for ever


class RebootWatch:
    """Told regularly whether the driver hangs. `after_s`: 0 for never; `uptime`: of the machine.

    An unplugged camera is no reason: a restart does not plug it in.
    """

    def __init__(
        self,
        after_s: float,
        say: Callable[[str], None],
        run: Run = run_command,
        uptime: Callable[[], float] = lambda: time.clock_gettime(time.CLOCK_BOOTTIME),
    ) -> None:
        self._after_s, self._say, self._run, self._uptime = after_s, say, run, uptime
        self._since: float | None = None
        self._is_asked = False

    def see(self, *, is_stuck: bool) -> None:
        """Restarts the machine once the driver has hung for long enough."""
        now = self._uptime()
        if not is_stuck or not self._after_s:
            self._since = None
            return
        if self._since is None:
            self._since = now
            return
        is_due = now - self._since >= self._after_s and now >= EARLIEST_S
        if not is_due or self._is_asked:
            return
        self._is_asked = True
        self._say(f"the camera's driver hangs for {self._after_s:.0f} s: the machine restarts")
        if self._run(COMMAND) is None:
            self._say("systemd did not restart the machine: switch it off and on")
