"""What the machine's state means for a table: findings with their remedies."""

from __future__ import annotations

from calibration.finding import Finding, Verdict
from device.machine import Machine

LOW_GIB, EMPTY_GIB = 1.0, 0.2  # free disk space: warning, fault
HOT_C, BURNING_C = 70.0, 80.0  # processor temperature: warning, fault
ROOM = "delete old games (`fairdeal games delete`), or sudo apt clean"
SUPPLY = "use the Pi's own power supply and a short cable"


def machine_findings(machine: Machine) -> tuple[Finding, ...]:
    """A finding for each part of the state that this machine tells."""
    found = (_disk(machine), _heat(machine), _power(machine), _speed(machine), _clock(machine))
    return tuple(finding for finding in found if finding is not None)


def _disk(machine: Machine) -> Finding | None:
    if machine.disk_free is None:
        return None
    free = machine.disk_free / 2**30
    words = f"{free:.1f} GiB free"
    if free < EMPTY_GIB:
        return Finding("disk", Verdict.BAD, words, ROOM)
    if free < LOW_GIB:
        return Finding("disk", Verdict.WARN, words, ROOM)
    return Finding("disk", Verdict.GOOD, words)


def _heat(machine: Machine) -> Finding | None:
    if machine.celsius is None:
        return None
    words, todo = f"{machine.celsius:.0f} °C", "fit a fan or a heat sink, open the case"
    if machine.celsius >= BURNING_C:
        return Finding("temperature", Verdict.BAD, words, todo)
    if machine.celsius >= HOT_C:
        return Finding("temperature", Verdict.WARN, words, todo)
    return Finding("temperature", Verdict.GOOD, words)


def _power(machine: Machine) -> Finding | None:
    if machine.under_voltage is None:
        return None
    if machine.under_voltage:
        return Finding("power", Verdict.BAD, "under-voltage now", SUPPLY)
    if machine.under_voltage_before:
        return Finding("power", Verdict.WARN, "under-voltage since boot", SUPPLY)
    return Finding("power", Verdict.GOOD, "no under-voltage")


def _speed(machine: Machine) -> Finding | None:
    if not machine.throttled:
        return None
    return Finding("speed", Verdict.WARN, "throttled now", "improve cooling and power supply")


def _clock(machine: Machine) -> Finding | None:
    if machine.clock_synchronised is None:
        return None
    if machine.clock_synchronised:
        return Finding("clock", Verdict.GOOD, "synchronised")
    words = "not synchronised: times of day may be wrong; play is not affected"
    return Finding("clock", Verdict.GOOD, words)
