"""What several tests look at: the Suds deck, as shipped and taught, and the networks."""

import os
import sys

import pytest
from hypothesis import HealthCheck, settings

import kiosk  # noqa: F401 - before NumPy: one thread of BLAS, as in the program
from models.deck import load_deck
from vision.networks.embedder import Embedder

# Bytecode is kept, whatever the environment says: hundreds of programs are started, and to compile
# what they import takes longer than to run it.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False
# Tests wait for what must come, however busy the machine is; so do the programs that they start.
os.environ.setdefault("FAIRDEAL_PATIENCE", "10")
pytest_plugins = ["told_skips", "long_first"]
# The same examples in each run, however slow the machine is.
settings.register_profile(
    "repeatable", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("repeatable")


@pytest.fixture(scope="session")
def suds():
    return load_deck("suds")


@pytest.fixture(scope="session")
def embedder():
    return Embedder(threads=2)
