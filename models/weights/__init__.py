"""Where the trained networks lie; each `.onnx` has a report beside it, `.json`."""

from pathlib import Path

LOCATOR = Path(__file__).parent / "locator.onnx"
NAMER = Path(__file__).parent / "namer.onnx"
CORNERS = Path(__file__).parent / "corners.onnx"
CONFIDENCE = Path(__file__).parent / "confidence.json"
