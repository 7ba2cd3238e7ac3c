"""The system's packages beside the project's environment, a line each; `picamera2`: only that one.

Runs with the environment's Python in the emulated system, as arm64.sh has prepared it.
"""

import subprocess
import sys
from pathlib import Path

import numpy
import simplejpeg

from device.gpio.pins import lgpio_factory
from rules.errors import FairdealError
from vision.sources.picamera import load_picamera2, models_here

SYSTEM = "/usr/lib/python3/dist-packages"
# numpy is the environment's, since it is imported first; simplejpeg is the system's.
FOREIGN = f"import numpy, sys; sys.path.insert(0, '{SYSTEM}'); import simplejpeg"


def round_trip() -> str:
    """A picture through the environment's simplejpeg."""
    for module in (numpy, simplejpeg):
        assert str(module.__file__).startswith(sys.prefix), module.__file__
    picture = numpy.full((16, 16, 3), 90, numpy.uint8)
    back = simplejpeg.decode_jpeg(simplejpeg.encode_jpeg(picture))
    assert abs(int(back.mean()) - 90) <= 2, back.mean()
    return (
        f"ok   numpy {numpy.__version__} and simplejpeg {simplejpeg.__version__} of the environment"
        " win over the system's"
    )


def the_systems_own() -> str:
    """What happens where the environment has no simplejpeg of its own."""
    numpys = [path.name for path in Path(SYSTEM).glob("numpy-*")]
    done = subprocess.run([sys.executable, "-c", FOREIGN], capture_output=True, text=True)
    said = done.stderr.strip().splitlines()[-1] if done.returncode else "loads"
    return f"note the system's simplejpeg, for the system's {numpys}, beside it: {said[:100]}"


def pins() -> str:
    """gpiozero's factory: no chip is here, so its refusal is what can be seen."""
    try:
        lgpio_factory()
    except FairdealError as error:
        version = ".".join(map(str, sys.version_info[:2]))
        return f"ok   pins, Python {version}: expected {error.expected}, found {error.found}"
    return "BAD  pins of a machine without a GPIO chip were opened"


def camera() -> str:
    """The real picamera2, as far as it goes without a camera."""
    module = load_picamera2()
    return f"ok   picamera2 from {module.__file__}: {len(models_here())} cameras"


checks = [camera] if "picamera2" in sys.argv[1:] else [round_trip, the_systems_own, pins]
for check in checks:
    try:
        print(check())
    except Exception as error:
        print(f"BAD  {check.__name__}: {type(error).__name__}: {error}")
