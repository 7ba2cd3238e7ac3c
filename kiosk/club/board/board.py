"""The board at work: the broker's messages into the room, the store and the feeds; commands out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from msgspec import to_builtins

from host.patience import patient
from host.saying import to_stderr
from kiosk.club import payloads
from kiosk.club.board import tournament as contest
from kiosk.club.board.exhibits import Exhibits
from kiosk.club.board.feed import Delayed, Feed
from kiosk.club.board.room import Room
from kiosk.club.board.store import Store
from kiosk.club.commands import make_command
from kiosk.club.homeassistant import newest_topic
from kiosk.club.mqtt import Broker, Message
from kiosk.club.payloads import AnswerBody, SentCall
from kiosk.club.settings import ClubFile
from kiosk.club.topics import ROOT, Heard, TableTopics, read_topic
from kiosk.serving.lines import Lines, bug_line
from kiosk.web.shown_tries import ShownTries
from rules.errors import FairdealError

MOST_RECEIVED = 200_000  # messages that wait for the event loop; calls beyond are asked for again
BATCH = 50  # messages until pages and disk have their turn
TICK_S = 0.5
ANSWER_S = 5.0  # a table answers a command within this time


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """`delay_s`: how far an audience is behind. `say` prints a line for people."""

    club: ClubFile
    delay_s: float = 0.0
    software: str = ""
    say: Callable[[str], None] = to_stderr
    clock: Callable[[], float] = time.time


class Board:
    """Lives on one event loop, but for the broker's thread, which only leaves messages."""

    def __init__(self, settings: BoardSettings, store: Store) -> None:
        """Raises FairdealError for certificates that cannot be used, or a disk that fails."""
        club = settings.club
        self.settings, self._store = settings, store
        self.lines = Lines("board", settings.say)
        self.room, self.exhibits = Room(club.club, club.tokens, self._recall), Exhibits()
        self.live, self.late = Feed(), Delayed(settings.delay_s)
        self.tournament: contest.Tournament | None = None
        self._answers: dict[str, asyncio.Future[dict[str, Any]]] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._wake, self._is_woken = asyncio.Event(), False
        self._newest, self._connections = "", 0
        kept = store.kept("tournament")
        if kept is not None:
            try:
                self.tournament = contest.from_json(kept)
            except FairdealError as error:
                self.lines.say("tournament", str(error))
        for (table, session), numbers in store.numbers().items():
            self.room.known.setdefault(table, {})[session] = numbers
        self._broker = Broker(
            club.broker, f"fairdeal-board-{secrets.token_hex(8)}", self._woken, settings.say,
            most_received=MOST_RECEIVED,
        )  # fmt: skip
        self.room.open()
        self.tries = ShownTries(self._put_tries)  # wrong digits at pairing
        self._put_tries()
        self._put_tournament()
        self._settle()
        self.late.catch_up()  # what was there before the doors opened is no secret

    async def run(self) -> None:
        """Works until it is cancelled."""
        self._loop = asyncio.get_running_loop()
        base = f"{ROOT}/{self.settings.club.club}/+"
        self._broker.start((
            f"{ROOT}/+/+/available", f"{base}/state", f"{base}/sessions", f"{base}/call/+",
            f"{base}/ask", f"{base}/answer/+", f"{base}/evidence/+/+",
        ))  # fmt: skip
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), TICK_S)
                self._wake.clear()
                self._is_woken = False
                while self._broker.received:
                    self._surely(self._take_batch)
                    await asyncio.sleep(0)
                self._surely(self._tick)
        finally:
            self._broker.stop()

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there."""
        return self._broker.is_connected

    # -- acts -------------------------------------------------------------------------------

    async def command(self, table: str, wish: Mapping[str, Any]) -> dict[str, Any]:
        """Has a table do something; its answer, or why there is none."""
        club, seen = self.settings.club, self.room.knows(table)
        token = club.tokens.get(table)
        if token is None:
            return _no(f"expected the token of {table} in the board's club file, found none")
        if not self.is_connected or seen.who is None or not seen.who.is_online:
            return _no(f"{table} is not there now; try again when it is")
        now = self.settings.clock() + seen.clock_off_s  # by the table's clock
        body = make_command(seen.session, now, token, club.club, table, wish)
        answer: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
        self._answers[body["id"]] = answer
        topic = TableTopics(club.club, table).of("cmd")
        try:
            self._broker.publish(Message(topic, json.dumps(body).encode()))
            return await asyncio.wait_for(answer, patient(ANSWER_S))
        except TimeoutError:
            return _no(f"{table} did not answer; try again")
        finally:
            self._answers.pop(body["id"], None)

    def decide(self, table: str, session: str, n: int, verdict: str) -> None:
        """Keeps what a person decided of a call."""
        seen = self.room.knows(table)
        self._store.decide(table, session, n, verdict, self.settings.clock())
        if seen.session == session:
            seen.decided[n] = verdict
        self.put_table(table)

    async def evidence(self, table: str, session: str, n: int) -> dict[str, Any] | None:
        """The evidence of a call, asked of its table; None where there is none."""
        self.room.knows(table)
        if self.exhibits.expect(table, session, n):
            self._publish(
                TableTopics(self.settings.club.club, table).of("ask"),
                {"ask": "evidence", "session": session, "call": n},
            )
        return await self.exhibits.wait(table, session, n)

    def log(self, table: str) -> list[dict[str, Any]]:
        """The newest calls of a table, over all its games."""
        self.room.knows(table)
        return self._store.log(table)

    def set_tournament(self, new: contest.Tournament | None) -> None:
        """Keeps and shows a tournament; None ends it."""
        self._store.keep("tournament", None if new is None else asdict(new))
        self.tournament = new
        self._put_tournament()
        for name in self.room.tables:
            self.put_table(name)

    def begun(self) -> list[str]:
        """The sessions that have a result already: they do not count for a new round."""
        tables = self.room.tables.values()
        return [t.session for t in tables if t.state is not None and t.state.result is not None]

    def put_table(self, name: str) -> None:
        """Shows a table as it is now."""
        table = self.room.tables[name]
        seats = contest.seated(self.tournament, name, table.session)
        self._put(f"table/{name}", table.to_json(seats))

    def _recall(self, table: str, session: str) -> tuple[list[SentCall], dict[int, str]]:
        return self._store.calls(table, session), self._store.decided(table, session)

    # -- what comes in ----------------------------------------------------------------------

    def _woken(self) -> None:
        """On the broker's thread."""
        if self._loop is not None and not self._is_woken:
            self._is_woken = True
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._wake.set)

    def _take_batch(self) -> None:
        now = self.settings.clock()
        for _ in range(min(len(self._broker.received), BATCH)):
            message = self._broker.received.popleft()
            self._surely(self.take, message, now)
        self._settle()

    def _surely(self, step: Callable[..., None], *values: object) -> None:
        """Whatever a message does, the board and the other tables go on."""
        try:
            step(*values)
        except FairdealError as error:
            self.lines.say(error.expected, str(error))
        except Exception as error:
            line = bug_line(error)
            self.lines.say(f"bug:{line}", line)

    def take(self, message: Message, now: float) -> None:
        """A message of the broker; `now`: s since 1970."""
        heard = read_topic(message.topic)
        if heard is not None and heard.leaf[0] in ("answer", "evidence"):
            with contextlib.suppress(FairdealError):
                self._take_reply(heard, message)
        else:
            self.room.take(message.topic, message.payload, message.is_kept, now)

    def _take_reply(self, heard: Heard, message: Message) -> None:
        if heard.leaf[0] == "evidence":
            self.exhibits.take(heard, message.payload)
            return
        answer = self._answers.get("/".join(heard.leaf[1:]))
        if answer is not None and not answer.done():
            answer.set_result(to_builtins(payloads.read(AnswerBody, message.payload)))

    def _settle(self) -> None:
        """Effects of messages: to the disk, to the pages, to the broker, to people."""
        effects, self.room.effects = self.room.effects, type(self.room.effects)()
        if effects.calls:
            self._surely(self._store.add, effects.calls, self.settings.clock())
        for name in effects.changed:
            self._surely(self._hear_result, name)
            self.put_table(name)
        for topic, question in effects.questions:
            self._publish(topic, question)
        for kind, line in effects.lines:
            self.lines.say(kind, line)

    def _hear_result(self, name: str) -> None:
        table, running = self.room.tables[name], self.tournament
        if running is None or table.state is None:
            return
        after = contest.hear_result(running, name, table.session, table.state.result)
        if after != running:
            self.set_tournament(after)

    def _tick(self) -> None:
        now = self.settings.clock()
        self.room.tick(now)
        self._settle()
        about = json.dumps({
            "name": self.settings.club.club, "is_connected": self.is_connected,
            "delay_s": self.settings.delay_s, "rubbish": self.room.rubbish,
        })  # fmt: skip
        for feed in (self.live, self.late.feed):
            feed.put("club", about)
        self.late.tick(time.monotonic())
        newest = max(self.room.newest_software(), self.settings.software)
        is_fresh = self._connections != self._broker.connections
        if self.is_connected and newest and (newest != self._newest or is_fresh):
            self._newest, self._connections = newest, self._broker.connections
            message = payloads.text_of({"software": newest})
            self._broker.publish(Message(newest_topic(self.settings.club.club), message, 1, True))

    def _publish(self, topic: str, body: Mapping[str, Any]) -> None:
        if self.is_connected:
            self._broker.publish(Message(topic, payloads.text_of(body)))

    # -- what goes out ----------------------------------------------------------------------

    def _put_tries(self) -> None:
        """For those who act; an audience has nothing to do with it."""
        self.live.put("pairing", json.dumps(self.tries.body))

    def _put_tournament(self) -> None:
        self._put("tournament", shown(self.tournament))

    def _put(self, key: str, value: Any) -> None:
        text = json.dumps(value, separators=(",", ":"))
        if self.live.values.get(key) == text:
            return
        self.live.put(key, text)
        self.late.put(key, text, time.monotonic())


def shown(running: contest.Tournament | None) -> dict[str, Any] | None:
    """A tournament as the page shows it, with its standings."""
    if running is None:
        return None
    rounds = [replace(each, after=()) for each in running.rounds]
    return {
        **asdict(replace(running, rounds=tuple(rounds))),
        "standings": [asdict(row) for row in contest.standings(running)],
    }


def _no(message: str) -> dict[str, Any]:
    return {"ok": False, "message": message}
