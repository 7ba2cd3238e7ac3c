"""Keeps the picture library's own chatter off the terminal: our errors are one line."""

from __future__ import annotations

import os


def quieten() -> None:
    """Must run before the first capture is opened; the user's own settings win."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
    # V4L2 waits 10 s for a silent camera by default; a stall must be noticed sooner.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "2")
    import cv2

    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
