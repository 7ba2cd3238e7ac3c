"""Pictures leave the server by a socket of one server; a slow reader holds up nobody."""

import asyncio
import os
import socket
import stat

import pytest

from kiosk.web.phone.outlet import MOST_READERS, Outlet
from rules.errors import FairdealError
from vision.sources.phone_wire import HEADER, NO_PICTURE


async def message(reader):
    """The next time and bytes that the outlet sends."""
    at, size = HEADER.unpack(await reader.readexactly(HEADER.size))
    return at, await reader.readexactly(size)


def served(path, work):
    """Runs `work` with an outlet that listens at the path."""

    async def run():
        outlet = Outlet()
        await outlet.open(path)
        try:
            await work(outlet)
        finally:
            await outlet.close()

    asyncio.run(run())


def test_a_reader_hears_why_there_is_nothing_and_then_each_picture(tmp_path):
    path = tmp_path / "own" / "phone"

    async def work(outlet):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        reader, writer = await asyncio.open_unix_connection(str(path))
        assert await message(reader) == (NO_PICTURE, b"none")
        assert outlet.is_read
        outlet.give(5.5, b"first")
        assert await message(reader) == (5.5, b"first")
        late, later = await asyncio.open_unix_connection(str(path))
        assert await message(late) == (5.5, b"first")  # the newest, at once
        outlet.tell("it stopped")
        for each in (reader, late):
            assert await message(each) == (NO_PICTURE, b"it stopped")
        for each in (writer, later):
            each.close()
            await each.wait_closed()
        while outlet.is_read:
            await asyncio.sleep(0)

    served(path, work)
    assert not path.exists()


def test_a_reader_that_takes_nothing_costs_bounded_memory_and_others_nothing(tmp_path):
    path = tmp_path / "phone"

    async def work(outlet):
        slow = socket.socket(socket.AF_UNIX)
        slow.connect(os.fspath(path))
        reader, writer = await asyncio.open_unix_connection(str(path), limit=1 << 21)
        await message(reader)
        picture = bytes(500_000)
        for number in range(50):
            outlet.give(float(number), picture)
            assert (await message(reader))[0] == float(number)
        waiting = [each.transport.get_write_buffer_size() for each in outlet._readers]
        assert max(waiting) <= len(picture) + HEADER.size
        slow.close()
        writer.close()

    served(path, work)


def test_one_reader_too_many_is_closed(tmp_path):
    path = tmp_path / "phone"

    async def work(outlet):
        links = [await asyncio.open_unix_connection(str(path)) for _ in range(MOST_READERS)]
        for reader, _ in links:
            await message(reader)
        reader, writer = await asyncio.open_unix_connection(str(path))
        assert await reader.read() == b""
        for _, each in (*links, (reader, writer)):
            each.close()

    served(path, work)


def test_a_second_server_is_refused_and_a_dead_one_s_socket_is_taken(tmp_path):
    path = tmp_path / "phone"
    dead = socket.socket(socket.AF_UNIX)
    dead.bind(os.fspath(path))
    dead.close()

    async def work(outlet):
        with pytest.raises(FairdealError, match="found another one; end the other one"):
            await Outlet().open(path)
        assert outlet is not None and path.exists()

    served(path, work)


def test_a_folder_of_somebody_else_and_a_long_path_are_one_line(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(FairdealError, match="belongs to somebody else"):
        served(tmp_path / "link" / "phone", None)
    with pytest.raises(FairdealError, match="at most 103 bytes"):
        served(tmp_path / ("x" * 120), None)
