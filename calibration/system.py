"""Whether OpenCV can be loaded: its wheel needs libraries that a system without a desktop lacks.

`python -m calibration.system` says so in one line; `make setup` runs it.
"""

import importlib
import re
import sys

# Library → Debian's package.
PACKAGES = {
    "libxcb.so.1": "libxcb1", "libGL.so.1": "libgl1", "libgthread-2.0.so.0": "libglib2.0-0",
    "libglib-2.0.so.0": "libglib2.0-0",
}  # fmt: skip
ALL = "libxcb1 libgl1 libglib2.0-0"


def library_fault(error: ImportError) -> str:
    """The shared library that an import lacks, with its remedy; empty for any other error."""
    match = re.search(r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object", str(error))
    if match is None:
        return ""
    known = match[1] in PACKAGES
    package = ALL if known else f"the package that holds {match[1]}"
    return f"expected the system's {match[1]}, found none; sudo apt install {package}"


def opencv_fault() -> str:
    """Why OpenCV cannot be loaded, in one line with the remedy; empty if it can."""
    try:
        importlib.import_module("cv2")
    except ImportError as error:
        return library_fault(error) or f"expected OpenCV, found {error}; run `make setup`"
    return ""


def main() -> int:
    """Prints the fault and returns 2, or returns 0."""
    fault = opencv_fault()
    if fault:
        print(f"fairdeal: {fault}", file=sys.stderr)
    return 2 if fault else 0


if __name__ == "__main__":
    sys.exit(main())
