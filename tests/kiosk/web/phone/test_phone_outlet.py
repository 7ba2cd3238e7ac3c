"""Pictures leave the server by a socket of one server; a slow reader holds up nobody."""

import asyncio
import os
import socket
import uuid

import pytest

from kiosk.web.phone import outlet as outlets
from kiosk.web.phone.outlet import MOST_READERS, Outlet
from rules.errors import FairdealError
from vision.sources.phone_wire import HEADER, NO_PICTURE, is_own


@pytest.fixture
def address():
    return f"\0fairdeal-test-{uuid.uuid4()}"


async def message(reader):
    """The next time and bytes that the outlet sends."""
    at, size = HEADER.unpack(await reader.readexactly(HEADER.size))
    return at, await reader.readexactly(size)


def served(address, work):
    """Runs `work` with an outlet that listens at the address."""

    async def run():
        outlet = Outlet()
        await outlet.open(address)
        try:
            await work(outlet)
        finally:
            await outlet.close()

    asyncio.run(run())


def test_a_reader_hears_why_there_is_nothing_and_then_each_picture(address):
    async def work(outlet):
        reader, writer = await asyncio.open_unix_connection(address)
        assert await message(reader) == (NO_PICTURE, b"none")
        assert outlet.is_read
        outlet.give(5.5, b"first")
        assert await message(reader) == (5.5, b"first")
        late, later = await asyncio.open_unix_connection(address)
        assert await message(late) == (5.5, b"first")  # the newest, at once
        outlet.tell("it stopped")
        for each in (reader, late):
            assert await message(each) == (NO_PICTURE, b"it stopped")
        for each in (writer, later):
            each.close()
            await each.wait_closed()
        while outlet.is_read:
            await asyncio.sleep(0)

    served(address, work)


def test_a_reader_that_takes_nothing_costs_bounded_memory_and_others_nothing(address):
    async def work(outlet):
        slow = socket.socket(socket.AF_UNIX)
        slow.connect(address)
        reader, writer = await asyncio.open_unix_connection(address, limit=1 << 21)
        await message(reader)
        picture = bytes(500_000)
        for number in range(50):
            outlet.give(float(number), picture)
            assert (await message(reader))[0] == float(number)
        waiting = [each.transport.get_write_buffer_size() for each in outlet._readers]
        assert max(waiting) <= len(picture) + HEADER.size
        slow.close()
        writer.close()

    served(address, work)


def test_one_reader_too_many_is_closed(address):
    async def work(outlet):
        links = [await asyncio.open_unix_connection(address) for _ in range(MOST_READERS)]
        for reader, _ in links:
            await message(reader)
        reader, writer = await asyncio.open_unix_connection(address)
        assert await reader.read() == b""
        for _, each in (*links, (reader, writer)):
            each.close()

    served(address, work)


def test_a_second_server_is_refused(address):
    async def work(outlet):
        with pytest.raises(FairdealError, match="found another one; end the other one"):
            await Outlet().open(address)
        assert not outlet.is_read

    served(address, work)
    served(address, work)  # nothing is left of it


def test_another_user_gets_nothing(address, monkeypatch):
    async def work(outlet):
        monkeypatch.setattr(outlets, "is_own", lambda connection: False)
        reader, writer = await asyncio.open_unix_connection(address)
        assert await reader.read() == b"" and not outlet.is_read
        writer.close()

    served(address, work)


def test_who_is_at_the_other_end_is_known(monkeypatch):
    here, there = socket.socketpair()
    with here, there:
        assert is_own(here)
        user = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: user + 1)
        assert is_own(here) == (user == 0)  # root may look
