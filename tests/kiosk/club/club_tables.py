"""A real broker and tables told from a script, for the tests of a club."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from needed_tools import BROKER, need
from patience import PATIENCE_S

from kiosk.club.broker import BrokerProcess
from kiosk.club.claim import ClaimTimes
from kiosk.club.link import ClubLink, LinkTimes
from kiosk.club.mqtt import Broker, Message
from kiosk.club.newclub import BOARD, NewClub, accounts_of, write_club_files
from kiosk.club.settings import BrokerSettings, ClubFile, read_club_file
from kiosk.game.inbox import Inbox
from kiosk.game.observers import Observers
from kiosk.game.session import GameSession
from kiosk.journal.writer import NoJournal
from kiosk.web.page import press_into
from rules.contract.game import make_setup
from rules.games import game
from rules.judging import referee
from rules.table.event import Placed, Pressed

HEARD = threading.Event()  # an ear heard something
SUDS, SETUP = game("suds"), make_setup(game("suds"), 3)
QUICK = LinkTimes(claim=ClaimTimes(listen_s=0.4, again_s=1.0))


def require_broker() -> None:
    """Skips the test where there is no broker."""
    need(BROKER)


def until(is_so: Callable[[], object], what: str) -> object:
    """The first true value; the test fails where it does not come."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        HEARD.clear()
        found = is_so()
        if found:
            return found
        HEARD.wait(0.1)  # whatever an ear hears ends it; so does time, for what makes no noise
    raise AssertionError(f"expected in time: {what}")


@dataclass
class Hall:
    """A club's broker and files; `said` holds the lines that tables and boards printed."""

    folder: Path
    club: NewClub
    broker: BrokerProcess
    said: list[str] = field(default_factory=list)

    def file(self, user: str) -> ClubFile:
        """The club file of a table, or of the board."""
        return read_club_file(self.folder / f"{user}.toml", is_table=user != BOARD)

    @contextmanager
    def table(self, name: str = "table-1", key: str = "") -> Iterator[ClubTable]:
        """A table that plays Suds. `key`: of its folder, where two have one name."""
        inbox = Inbox()
        folder = self.folder / (key or name)
        link = ClubLink(self.file(name), folder, press_into(inbox), self.said.append, QUICK)
        with link:
            session = GameSession(
                referee.begin(SUDS, SETUP), NoJournal(), Observers((link,), self.said.append),
                wait_s=None,
            )  # fmt: skip
            yield ClubTable(link, session, inbox)

    @contextmanager
    def ear(self, *topics: str, user: str = BOARD) -> Iterator[Ear]:
        """Somebody who listens at the broker."""
        account = next(a for a in accounts_of(self.club) if a.user == user)
        settings = BrokerSettings("127.0.0.1", self.broker.port, user, account.password)
        broker = Broker(settings, f"ear-{secrets.token_hex(4)}", HEARD.set, self.said.append)
        broker.start(topics or (f"fairdeal/{self.club.name}/#",))
        until(lambda: broker.is_connected, "a connection")
        try:
            yield Ear(broker)
        finally:
            broker.stop()


@dataclass
class Ear:
    """Everything that was heard, by topic."""

    broker: Broker
    messages: list[Message] = field(default_factory=list)

    def hear(self) -> list[Message]:
        """All messages so far."""
        while self.broker.received:
            self.messages.append(self.broker.received.popleft())
        return self.messages

    def bodies(self, leaf: str) -> list[dict]:
        """The JSON of all messages whose topic ends or goes on so."""
        found = [m for m in self.hear() if f"/{leaf}" in f"{m.topic}/" and m.payload]
        return [json.loads(message.payload) for message in found]

    def say(self, topic: str, payload: bytes | dict, *, is_kept: bool = False) -> None:
        """Publishes."""
        data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        self.broker.publish(Message(topic, data, 1, is_kept))


@dataclass
class ClubTable:
    """A game of Suds for three, told event by event."""

    link: ClubLink
    session: GameSession
    inbox: Inbox
    at: float = 0.0

    def begin(self) -> None:
        self.session.begin(("bottom", "left", "top"))
        self.press("start")

    def press(self, button: str) -> None:
        self.at += 1.0
        self.session.happen(Pressed(self.at, button))

    def place(self, card: str, pile: int, seat: int, sure: float = 1.0) -> None:
        self.at += 1.0
        self.session.happen(Placed(self.at, card, f"pile/{pile}", seat, sure=sure))

    def obey(self) -> None:
        """Takes what was pressed and overruled, as the loop does with each frame."""
        for press in self.inbox.take():
            self.press(press.button)
        for overruling in self.inbox.take_overruled():
            self.session.overrule(overruling)


@contextmanager
def hall(folder: Path, tables: int = 2, *, speaks_ha: bool = False) -> Iterator[Hall]:
    """A broker on a free port with the files of a club."""
    require_broker()
    club = NewClub.make("harbour", tables)
    with BrokerProcess(folder, accounts_of(club)) as broker:
        write_club_files(folder, club, "127.0.0.1", broker.port, speaks_ha=speaks_ha)
        yield Hall(folder, club, broker)
