"""Light tables: judged journals replayed in real time to a broker, a connection for each table.

`python -m lab.club.publishers FOLDER --seconds S --seed N` plays at every table whose club file
lies in the folder. Only sockets and payloads are left of a table: no camera, no rules.
"""

from __future__ import annotations

import argparse
import json
import secrets
import selectors
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from paho.mqtt.client import MQTT_ERR_SUCCESS, Client, MQTTv311
from paho.mqtt.enums import CallbackAPIVersion

from calibration import entry
from kiosk.club.payloads import Available, text_of
from kiosk.club.settings import ClubFile, read_club_file
from kiosk.club.telling import Told, told_after
from kiosk.club.topics import TableTopics
from kiosk.game.news import EventJudged, GameBegan
from lab.chaos.random_games import random_game
from lab.players.players import PLAYERS
from rules.contract.game import make_setup
from rules.games import game as game_named
from rules.judging import referee

JOURNALS = 20  # different games; tables share them, each from another moment on
MISC_S = 1.0  # paho looks after keep-alive so often
CONNECTING_PER_S = 200


@dataclass(frozen=True, slots=True)
class Line:
    """What is published at a moment of a game. `body`: without session and time."""

    at: float
    leaf: str
    body: dict[str, object]


def journals(seed: int) -> list[list[Line]]:
    """Random games as timelines: the state and the calls after each event."""
    rng, found = Random(seed), []
    for _ in range(JOURNALS):
        game = game_named(rng.choice(sorted(PLAYERS)))
        found.append(list(_timeline(game.name, rng)))
    return found


def _timeline(name: str, rng: Random) -> Iterator[Line]:
    game, played = game_named(name), random_game(name, rng)
    setup = make_setup(game, played.players, played.options)
    session, told = referee.begin(game, setup), Told()
    sides = ("bottom",) * played.players
    told = told_after(told, GameBegan(game, setup, sides, referee.view(session)))
    for number, event in enumerate(played.events, 1):
        session, calls = referee.step(session, event)
        made = told.page.calls_made
        news = EventJudged(
            event, calls, referee.view(session), referee.open_mistakes(session), number
        )
        told = told_after(told, news)
        for call in told.calls_after(made, "0" * 16, 0.0):
            yield Line(event.at, f"call/{call.n}", call.to_payload())
        yield Line(event.at, "state", told.to_payload())


@dataclass
class LightTable:
    """One table: its connection, and where it is in its journal."""

    club: ClubFile
    lines: list[Line]
    began: float
    client: Client = field(init=False)
    session: str = field(default_factory=lambda: secrets.token_hex(8))
    position: int = 0
    number: int = 0
    sent: int = 0

    def connect(self) -> None:
        """Connects and announces the table."""
        broker = self.club.broker
        self.client = Client(
            CallbackAPIVersion.VERSION2, f"light-{self.session}", clean_session=True,
            protocol=MQTTv311,
        )  # fmt: skip
        self.client.max_inflight_messages_set(100)
        self.client.username_pw_set(broker.user, broker.password)
        self.client.connect(broker.host, broker.port, 60)
        who = Available("online", self.session, time.time(), "127.0.0.1", "light", "0")
        self._publish("available", who.to_payload(), is_kept=True)

    def due(self, now: float) -> None:
        """Publishes what is due; after its last line the game begins again in a new session."""
        while self.began + self.lines[self.position].at <= now:
            line = self.lines[self.position]
            self.number += 1
            body = {**line.body, "session": self.session, "sent": time.time()}
            if line.leaf == "state":
                body["number"] = self.number
            else:
                body["evidence"] = f"{self.session}-{body['n']}"
            self._publish(line.leaf, body, is_kept=line.leaf == "state")
            self.position += 1
            if self.position == len(self.lines):
                self._begin_again(now)

    def _begin_again(self, now: float) -> None:
        self.position, self.began, self.session = 0, now + 1.0, secrets.token_hex(8)
        who = Available("online", self.session, time.time(), "127.0.0.1", "light", "0")
        self._publish("available", who.to_payload(), is_kept=True)

    def _publish(self, leaf: str, body: dict[str, object], *, is_kept: bool = False) -> None:
        topic = TableTopics(self.club.club, self.club.table).of(leaf)
        self.client.publish(topic, text_of(body), 1, is_kept)
        self.sent += 1


def play(tables: list[LightTable], seconds: float, say: Callable[[str], None]) -> int:
    """Serves all connections on one thread for so long; how many messages were published."""
    selector = selectors.DefaultSelector()
    for k, table in enumerate(tables):
        table.connect()
        connection: Any = table.client.socket()
        selector.register(connection, selectors.EVENT_READ, table)
        if k % CONNECTING_PER_S == CONNECTING_PER_S - 1:
            time.sleep(0.5)
    say("ready")
    end, misc_at = time.monotonic() + seconds, 0.0
    while (now := time.monotonic()) < end:
        for key, _ in selector.select(0.005):
            if key.data.client.loop_read() != MQTT_ERR_SUCCESS:
                selector.unregister(key.fileobj)
        for table in tables:
            table.due(now)
            while table.client.want_write():
                if table.client.loop_write() != MQTT_ERR_SUCCESS:
                    break
        if now - misc_at > MISC_S:
            misc_at = now
            for table in tables:
                table.client.loop_misc()
    return sum(table.sent for table in tables)


def build_parser() -> entry.Parser:
    """The arguments of the process."""
    parser = entry.Parser(prog="python -m lab.club.publishers", description="Light tables.")
    parser.add_argument("folder", type=Path, help="club files table-*.toml")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.set_defaults(run=run)
    return parser


def run(args: argparse.Namespace) -> int:
    """Plays, then prints how many messages were published and the CPU time it took (s)."""
    rng, games = Random(args.seed), journals(args.seed)
    now = time.monotonic() + 2.0
    tables = []
    for path in sorted(args.folder.glob("table-*.toml")):
        lines = rng.choice(games)
        # Everybody is somewhere in a game: nothing beats in time.
        skipped = rng.uniform(0.0, lines[-1].at)
        table = LightTable(read_club_file(path, is_table=True), lines, now - skipped)
        while lines[table.position].at < skipped:
            table.position += 1
        table.lines = [replace(line) for line in lines]
        tables.append(table)
    sent = play(tables, args.seconds, lambda line: print(line, flush=True))
    print(json.dumps({"sent": sent, "cpu_s": time.process_time()}), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(entry.run("fairdeal club", build_parser, None))
