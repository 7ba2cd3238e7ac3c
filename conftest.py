"""What several tests look at: the Suds deck, as shipped and taught, and the networks."""

import gc
import os
import shutil
import sys
import tempfile

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

import kiosk  # noqa: F401 - before NumPy: one thread of BLAS, as in the program
from models.deck import load_deck
from vision.networks.embedder import Embedder

# Bytecode is kept, whatever the environment says: hundreds of programs are started, and to compile
# what they import takes longer than to run it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Locks of cameras and devices are kept there: each process of the tests has cameras of its own.
RUNTIME_DIR = os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="fairdeal-tests-")
# Tests wait for what must come, however busy the machine is; so do the programs that they start.
os.environ.setdefault("FAIRDEAL_PATIENCE", "10")
# The processes of `make test` share the cores: a second thread of OpenCV costs time and saves none.
os.environ.setdefault("OPENCV_FOR_THREADS_NUM", "1")
# Tests are collected in a sixth less time without the garbage collector, which then need not look
# again and again at what stays anyway.
gc.disable()
pytest_plugins = ["told_skips", "long_first"]
# The same examples in each run, however slow the machine is.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")
# Hypothesis reads the source of every module that is loaded, for numbers and words to try. In a
# fresh clone each process parses them all, and the examples depend on which modules other tests
# loaded. It has no setting for this.
providers._get_local_constants = lambda: providers._local_constants


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_unconfigure():
    shutil.rmtree(RUNTIME_DIR, ignore_errors=True)


@pytest.fixture(scope="session")
def suds():
    return load_deck("suds")


@pytest.fixture(scope="session")
def embedder():
    return Embedder(threads=2)
