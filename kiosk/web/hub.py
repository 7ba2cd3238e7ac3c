"""The server's end of the link: the latest state and picture, and everybody who follows them."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from host.patience import patient
from kiosk.serving.listening import checked_path
from kiosk.serving.schema import Message
from kiosk.serving.shares import Shares
from kiosk.web import wire
from kiosk.web.access import Client, Role
from kiosk.web.messages import Overrule
from kiosk.web.shown_tries import ShownTries
from kiosk.web.state import PageState
from kiosk.web.wire import HEADER_BYTES, WireError, decode, encode, lengths

ANSWER_S = 3.0  # how long an act may take until the page says that the referee is silent
OVERRULED_S = 10.0  # an overruling: the game is judged again, after those that came before
# Pages that follow: in all, of one paired device, and kept for the table's own screen.
MOST_FOLLOWERS, EACH_FOLLOWERS, OWN_FOLLOWERS = 200, 8, 20
OWN = Client(Role.TABLE, "table")
AWAY = "the referee is not running"


@dataclass(slots=True, eq=False)
class Follower:
    """One page that follows: an event that is set on every change."""

    changed: asyncio.Event = field(default_factory=asyncio.Event)
    has_pictures: bool = False


class Hub:
    """Everything lives on the server's event loop; nothing here waits for a slow page."""

    def __init__(self) -> None:
        self.state: dict[str, Any] = PageState().to_json()
        self.seq = 0
        self.picture = b""
        self.picture_number = 0
        self.is_connected = False
        self.hour: dict[str, Any] | None = None  # the set-up, while it runs
        self.referee: dict[str, Any] | None = None  # the process, where the page starts games
        self.tries = ShownTries(self._changed)  # wrong digits at pairing
        self.phone: dict[str, Any] | None = None  # the phone that films
        self._followers: set[Follower] = set()
        self._shares = Shares(MOST_FOLLOWERS, EACH_FOLLOWERS, OWN_FOLLOWERS)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._ids = itertools.count(1)
        self._writer: asyncio.StreamWriter | None = None

    @property
    def followers(self) -> int:
        """How many pages follow now."""
        return len(self._followers)

    async def listen(self, path: Path) -> asyncio.Server:
        """Takes the referee's connection on a Unix socket that only its owner can open.

        Raises FairdealError.
        """
        checked_path(path)
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.unlink(missing_ok=True)
        server = await asyncio.start_unix_server(self._serve, str(path))
        os.chmod(path, 0o600)
        return server

    def snapshot(self) -> dict[str, Any]:
        """The whole state with its sequence number."""
        health = {**self.state["health"], "viewers": self.followers}
        game = self.state["game"]
        if game is not None:
            game = {**game, "names": list((self.referee or {}).get("names", ()))}
        return {
            **self.state, "game": game, "seq": self.seq, "is_connected": self.is_connected,
            "picture": self.picture_number, "health": health, "first_hour": self.hour,
            "referee": self.referee, "phone": self.phone, "pairing": self.tries.body,
        }  # fmt: skip

    def has_room(self, client: Client) -> bool:
        """Whether one more page of this client may follow."""
        return self._shares.has_room(client.name, is_own=client.role is Role.TABLE)

    async def follow(
        self, has_pictures: bool = False, client: Client = OWN
    ) -> AsyncIterator[dict[str, Any] | None]:
        """Snapshots, one at once and one for each change; None when nothing changed for 15 s."""
        if not self._shares.take(client.name, is_own=client.role is Role.TABLE):
            return
        follower = Follower(has_pictures=has_pictures)
        self._followers.add(follower)
        self._want()
        try:
            yield self.snapshot()
            while True:
                try:
                    await asyncio.wait_for(follower.changed.wait(), 15.0)
                except TimeoutError:
                    yield None
                    continue
                follower.changed.clear()
                yield self.snapshot()
        finally:
            self._followers.discard(follower)
            self._shares.give_back(client.name)
            self._want()

    async def act(self, wish: Message) -> dict[str, Any]:
        """Has the referee, or the set-up, do something; its answer, or why there is none."""
        if self._writer is None:
            return {"ok": False, "message": AWAY}
        number = next(self._ids)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        try:
            self._send(wire.Message("act", {"id": number, "wish": msgspec.to_builtins(wish)}))
            patience_s = OVERRULED_S if isinstance(wish, Overrule) else ANSWER_S
            return await asyncio.wait_for(answer, patient(patience_s))
        except TimeoutError:
            return {"ok": False, "message": "the referee did not answer; try again"}
        finally:
            self._answers.pop(number, None)

    def show_referee(self, referee: dict[str, Any]) -> None:
        """How the referee's process is."""
        if referee != self.referee:
            self.referee = referee
            self._changed()

    def show_phone(self, phone: dict[str, Any] | None) -> None:
        """Which phone films, if one does."""
        if phone != self.phone:
            self.phone = phone
            self._changed()

    def drop(self) -> None:
        """Closes the referee's connection; it comes again by itself."""
        if self._writer is not None:
            self._writer.close()

    # -- the referee's connection -----------------------------------------------------------

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.drop()  # a newer referee takes the place of one that hangs
        # Referee or set-up? Its first message tells.
        self._writer, self.is_connected, self.hour = writer, False, None
        self._want()
        try:
            while True:
                text, blob = lengths(await reader.readexactly(HEADER_BYTES))
                data = await reader.readexactly(text + blob)
                self._take(decode(data[:text], data[text:]))
        except (asyncio.IncompleteReadError, ConnectionError, WireError):
            pass
        finally:
            writer.close()
            if self._writer is writer:
                self._writer, self.is_connected, self.hour = None, False, None
                self._changed()

    def _take(self, message: wire.Message) -> None:
        if message.kind == "state":
            if message.body != self.state or not self.is_connected:
                self.state, self.is_connected = message.body, True
                self._changed()
        elif message.kind == "hour":
            hour = message.body.get("hour")
            if isinstance(hour, dict) and hour != self.hour:
                self.hour = hour
                self._changed()
        elif message.kind == "picture":
            self.picture, self.picture_number = message.blob, self.picture_number + 1
            self._changed()
        elif message.kind == "answer":
            answer = self._answers.get(message.body.get("id", -1))
            if answer is not None and not answer.done():
                answer.set_result(message.body)

    def _changed(self) -> None:
        self.seq += 1
        for follower in self._followers:
            follower.changed.set()

    def _want(self) -> None:
        """The referee draws pictures only while somebody looks at them."""
        wants = any(follower.has_pictures for follower in self._followers)
        self._send(wire.Message("want", {"pictures": wants}))

    def _send(self, message: wire.Message) -> None:
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(encode(message))
