"""Frames between two processes: a fixed number of slots in shared memory.

The memory has no name, so nothing stays behind when a process is killed. Only pages that were
written take memory: slots times the size of a frame.
"""

from __future__ import annotations

import mmap
import os

import numpy as np

from vision.frame import Image

SLOTS = 3  # one is written, one waits, one is read
SLOT_BYTES = 48 * 2**20  # a frame of 4608x2592 px takes 36 MB


class FrameRing:
    """`SLOTS` slots of one frame each. Who may write which slot is agreed by messages.

    `descriptor`: of a ring that another process made; None makes one.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        self.descriptor = descriptor if descriptor is not None else _made()
        self._memory = mmap.mmap(self.descriptor, SLOTS * SLOT_BYTES)

    def write(self, slot: int, bgr: Image) -> None:
        """Copies a frame (H, W, 3) uint8 into a slot. Raises ValueError: too large for it."""
        if bgr.nbytes > SLOT_BYTES:
            raise ValueError(f"expected at most {SLOT_BYTES} bytes, found {bgr.shape}")
        np.copyto(self._slot(slot, bgr.shape[0], bgr.shape[1]), bgr)

    def read(self, slot: int, height: int, width: int) -> Image:
        """A copy of the frame in a slot. Raises ValueError: no such slot or size."""
        return self._slot(slot, height, width).copy()

    def close(self) -> None:
        """Gives the memory back. Harmless when done twice."""
        if self.descriptor >= 0:
            self._memory.close()
            os.close(self.descriptor)
            self.descriptor = -1

    def _slot(self, slot: int, height: int, width: int) -> Image:
        is_good = 0 <= slot < SLOTS and height > 0 and width > 0
        if not is_good or 3 * height * width > SLOT_BYTES:
            raise ValueError(f"expected a slot and size of the ring, found {slot, height, width}")
        flat = np.frombuffer(self._memory, np.uint8, 3 * height * width, slot * SLOT_BYTES)
        return flat.reshape(height, width, 3)


def _made() -> int:
    descriptor = os.memfd_create("fairdeal-frames", os.MFD_CLOEXEC)
    os.ftruncate(descriptor, SLOTS * SLOT_BYTES)
    return descriptor
