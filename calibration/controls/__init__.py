"""The controls of cameras: exposure, gain, white balance, focus."""
