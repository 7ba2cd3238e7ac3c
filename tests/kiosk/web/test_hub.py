"""Where the page's server listens for the referee."""

import asyncio

import pytest

from kiosk.web.hub import Hub
from rules.errors import FairdealError


def test_a_socket_in_a_folder_with_a_long_path_is_refused_in_one_line(tmp_path):
    path = tmp_path / ("long" * 30) / "link"
    with pytest.raises(FairdealError, match="set TMPDIR to a folder with a shorter path"):
        asyncio.run(Hub().listen(path))
    assert not path.parent.exists()
