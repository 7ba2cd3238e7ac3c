"""How long programs of fairdeal wait for each other's answers and ends.

`FAIRDEAL_PATIENCE=10` in the environment makes these times ten times as long: for a machine that is
busy with other work, such as one that runs the tests.
"""

from __future__ import annotations

import math
import os

NAME = "FAIRDEAL_PATIENCE"
MOST = 100.0


def patient(seconds: float) -> float:
    """The time (s) to wait where `seconds` are enough on a machine that has nothing else to do."""
    try:
        factor = float(os.environ.get(NAME, "1"))
    except ValueError:
        return seconds
    return seconds * min(max(factor, 1.0), MOST) if math.isfinite(factor) else seconds
