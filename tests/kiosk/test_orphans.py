"""A helper process does not outlive a parent that was killed."""

import os
import subprocess
import sys

CHILD = (
    "import signal; from kiosk.orphans import die_with_parent; die_with_parent();"
    "print('up', flush=True); signal.pause()"
)
PARENT = (
    "import signal, subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]]);"
    "signal.pause()"
)


def test_a_child_ends_when_its_parent_is_killed():
    read, write = os.pipe()
    with subprocess.Popen([sys.executable, "-c", PARENT, CHILD], stdout=write) as parent:
        os.close(write)
        with os.fdopen(read, "rb") as said:
            assert said.readline() == b"up\n"
            parent.kill()
            # The pipe ends when nobody has it open any more: parent and child are both gone.
            assert said.read() == b""
