"""Python compiles each module once, for the tests and for the programs that they start."""

import subprocess
import sys


def test_bytecode_is_kept():
    code = "import sys; print(sys.dont_write_bytecode)"
    child = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not sys.dont_write_bytecode and child.stdout == "False\n"
