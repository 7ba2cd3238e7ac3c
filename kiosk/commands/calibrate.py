"""`fairdeal calibrate`: the door to the calibration room."""

from calibration.cli import add_parser, run

__all__ = ["add_parser", "run"]
