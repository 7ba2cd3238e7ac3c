"""How a running table is: camera, machine, disk, lamps, journal, last errors. One frozen value.

`health_watch.py` reads it; the loop tells each new `Health` to the observers as `HealthRead`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from calibration.finding import Finding, Verdict
from calibration.machine import machine_findings
from device.machine import Machine

ERRORS_KEPT = 20


@dataclass(frozen=True, slots=True)
class ErrorLine:
    """A line that the program said of something that went wrong, at time of day `when` (s)."""

    when: float
    line: str


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """The frames of the last seconds. `lost`: why there are none, or nothing.

    `fps`: judged a second. `latency_s`: from the picture to its judgement, 95th percentile; None
    for recordings. `work_s`: of that the processor's part. `drops`: frames overtaken by newer ones.
    `is_stuck`: its driver hangs so that only a restart of the machine helps.
    """

    fps: float = 0.0
    latency_s: float | None = None
    work_s: float = 0.0
    drops: int = 0
    lost: str = ""
    is_stuck: bool = False


@dataclass(frozen=True, slots=True)
class Health:
    """The state of the table at time of day `when` (s since 1970).

    `lamps`: (output, fault); an empty fault is a working output. `journal`: why the game is not
    kept any more, or nothing. `errors`: the last ones, newest last.
    """

    when: float
    camera: CameraHealth = field(default_factory=CameraHealth)
    machine: Machine = field(default_factory=Machine)
    lamps: tuple[tuple[str, str], ...] = ()
    journal: str = ""
    errors: tuple[ErrorLine, ...] = ()

    def findings(self) -> tuple[Finding, ...]:
        """One finding for each part, in the form of `fairdeal doctor`."""
        lost = self.camera.lost
        speed = f"{self.camera.fps:.0f} frames a second"
        todo = "restart the machine" if self.camera.is_stuck else "check its cable"
        camera = Finding("camera", Verdict.BAD, lost, todo) if lost else Finding(
            "camera", Verdict.GOOD, speed)  # fmt: skip
        kept = self.journal
        journal = Finding("journal", Verdict.BAD, kept, "free space, then start again with "
            "--resume") if kept else Finding("journal", Verdict.GOOD, "kept")  # fmt: skip
        lamps = tuple(
            Finding(f"lamps {name}", Verdict.BAD, fault, "check its plug")
            if fault else Finding(f"lamps {name}", Verdict.GOOD, "work")
            for name, fault in self.lamps
        )  # fmt: skip
        return (camera, journal, *lamps, *machine_findings(self.machine))
