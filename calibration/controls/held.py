"""Which of a camera's exposure, white balance and focus its locked controls hold."""

from __future__ import annotations

from collections.abc import Collection

# Each kind, by the beginnings of the names of V4L2's and libcamera's controls.
KINDS = {
    "exposure": ("auto_exposure", "exposure", "AeEnable"),
    "colour": ("white_balance", "AwbEnable"),
    "focus": ("focus", "AfMode"),
}  # fmt: skip


def not_held(controls: Collection[str]) -> tuple[str, ...]:
    """The kinds of which no control is locked. Locking takes all that the driver offers."""
    return tuple(
        kind for kind, names in KINDS.items()
        if not any(name.startswith(begin) for name in controls for begin in names)
    )  # fmt: skip
