"""What several tests look at: the Suds deck, as shipped and taught, and the networks."""

import pytest

import kiosk  # noqa: F401 - before NumPy: one thread of BLAS, as in the program
from models.deck import load_deck
from vision.networks.embedder import Embedder

pytest_plugins = ["told_skips"]


@pytest.fixture(scope="session")
def suds():
    return load_deck("suds")


@pytest.fixture(scope="session")
def embedder():
    return Embedder(threads=2)
