"""`fairdeal calibrate`: the commands of the calibration package."""

from calibration.cli import add_parser, run

__all__ = ["add_parser", "run"]
