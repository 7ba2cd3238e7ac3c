"""All tables of a club: messages in; changed tables, questions and lines for people out.

Pure but for its own state: time is an argument, and nothing here knows the broker or the disk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from kiosk.club import payloads
from kiosk.club.board.table import CLOCK_OFF_S, Gap, Numbers, Rival, TableSeen
from kiosk.club.payloads import AskWho, Available, SentCall
from kiosk.club.states import Sessions, TableState
from kiosk.club.topics import Heard, TableTopics, read_topic
from rules.errors import FairdealError

MOST_TABLES = 5000
MOST_QUESTIONS = 4  # to one table at once; it answers ten a second
GRACE_S = 2.0  # a call may be on its way for so long before it is asked for
LONGEST_PAUSE_S = 60.0  # between two questions for the same calls
RIVAL_S = 3.0  # who asks for a taken name is refused within this time
RIVAL_LASTS_S = 90.0


@dataclass(slots=True)
class Effects:
    """What is to be done after messages: emptied by the listener."""

    changed: set[str] = field(default_factory=set)
    calls: list[tuple[str, SentCall]] = field(default_factory=list)
    questions: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)  # each with its kind


Recall = Callable[[str, str], tuple[list[SentCall], dict[int, str]]]
"""The calls of a table's session that came before, and what people decided of them."""


class Room:
    """The tables of one club. `tokens`: those of the club file, by table."""

    def __init__(
        self, club: str, tokens: Mapping[str, str], recall: Recall = lambda *_: ([], {})
    ) -> None:
        self.club, self._tokens, self._recall = club, tokens, recall
        self.tables: dict[str, TableSeen] = {}
        self.known: dict[str, dict[str, Numbers]] = {}  # table → session → calls from before
        self.effects = Effects()
        self.duplicates = self.rubbish = 0

    def open(self) -> None:
        """Shows the tables that the club file lists, before they have said anything."""
        for name in self._tokens:
            self._seen(name)
            self.effects.changed.add(name)

    def take(self, topic: str, payload: bytes, is_kept: bool, now: float) -> None:
        """A message of the broker. What is wrong with it becomes one line."""
        heard = read_topic(topic)
        try:
            if heard is None:
                raise FairdealError("fairdeal/<club>/<table>/… with names of a-z, 0-9 and -", topic)
            if heard.club != self.club:
                self._take_foreign(heard, payload)
            elif payload:
                self._take(heard, payload, is_kept, now)
        except FairdealError as error:
            self.rubbish += 1
            self._say(_kind(heard), f"{topic if heard is None else _shown(heard)}: {error}")

    def tick(self, now: float) -> None:
        """Asks for calls that are missing; settles who has a name."""
        for name, table in self.tables.items():
            self._settle_rival(table, now)
            lasts = table.lasts()
            for session in list(table.gaps):
                if session not in lasts:
                    del table.gaps[session]
            asked = 0
            for session, last in lasts.items():
                asked += self._mind_gap(name, table, session, last, now)
                if asked >= MOST_QUESTIONS:  # the rest has its turn: a table answers so many
                    break

    def knows(self, name: str) -> TableSeen:
        """A table by its name. Raises FairdealError."""
        found = self.tables.get(name)
        if found is None:
            known = ", ".join(sorted(self.tables)[:10]) or "none yet"
            raise FairdealError(f"a table of {self.club}: {known}", ascii(name)[:60])
        return found

    def newest_software(self) -> str:
        """The highest version among the tables; empty where none is known."""
        versions = {t.who.software for t in self.tables.values() if t.who is not None}
        return max((v for v in versions if v[:1].isdecimal()), key=_version_key, default="")

    # -- messages ---------------------------------------------------------------------------

    def _take(self, heard: Heard, payload: bytes, is_kept: bool, now: float) -> None:
        leaf = heard.leaf[0]
        if leaf not in ("available", "state", "sessions", "call", "ask"):
            return
        if leaf == "ask":
            asked = payloads.read_question(payload)
            if isinstance(asked, AskWho) and heard.table in self.tables:
                self._hear_rival(self.tables[heard.table], asked, now)
        elif leaf == "available":
            self._take_available(heard, payloads.read(Available, payload))
        elif leaf == "sessions":
            earlier = payloads.read(Sessions, payload).calls
            self._seen(heard.table).earlier = earlier
        elif leaf == "state":
            self._take_state(heard, payloads.read(TableState, payload), is_kept, now)
        else:
            self._take_call(heard, payloads.read(SentCall, payload))

    def _take_available(self, heard: Heard, who: Available) -> None:
        table = self._seen(heard.table)
        if not who.is_online and table.who is not None and table.who.session != who.session:
            return  # the last will of a table that was refused
        if who.is_online and self._begin(table, who.session):
            table.rival = None
        if who.is_online:  # it is there (again): what is missing is asked for soon
            table.gaps.clear()
        table.who = who
        self.effects.changed.add(table.name)

    def _take_state(self, heard: Heard, state: TableState, is_kept: bool, now: float) -> None:
        table = self._seen(heard.table)
        is_other = table.who is not None and table.who.is_online
        if is_other and table.session != state.session:
            return  # of an earlier session: a newer table has announced itself
        self._begin(table, state.session)
        if table.state is not None and state.number < table.state.number:
            return
        table.state = state
        if not is_kept:  # a retained one may be old
            was_off = abs(table.clock_off_s) > CLOCK_OFF_S
            table.clock_off_s = state.sent - now
            if abs(table.clock_off_s) > CLOCK_OFF_S and not was_off:
                self._say(
                    f"{table.name}/clock",
                    f"{table.name}: expected its clock within {CLOCK_OFF_S:g} s of this one, "
                    f"found it {_off(table.clock_off_s)}; set both (NTP). Nothing is lost",
                )
        self.effects.changed.add(table.name)

    def _take_call(self, heard: Heard, call: SentCall) -> None:
        if heard.leaf[1:] != (str(call.n),):
            raise FairdealError(f"call {call.n} on call/{call.n}", "/".join(heard.leaf)[:40])
        table = self._seen(heard.table)
        if not table.session:
            self._begin(table, call.session)
        if not table.add(call):
            self.duplicates += 1
            return
        self.effects.calls.append((table.name, call))
        self.effects.changed.add(table.name)

    def _begin(self, table: TableSeen, session: str) -> bool:
        """A session that a board knew before it was restarted goes on as it was."""
        if not table.begin(session):
            return False
        calls, table.decided = self._recall(table.name, session)
        for call in calls:
            table.show(call)
        return True

    def _take_foreign(self, heard: Heard, payload: bytes) -> None:
        if heard.leaf != ("available",) or not payload:
            return
        who = payloads.read(Available, payload)
        if who.is_online:
            self._say(
                f"{heard.club}/{heard.table}",
                f"expected tables of the club {self.club}, found {heard.table} of {heard.club} at "
                f"{who.shown}; mend club.name in its club file, if it is yours",
            )

    # -- two tables with one name -----------------------------------------------------------

    def _hear_rival(self, table: TableSeen, who: Available, now: float) -> None:
        if table.who is None or not table.who.is_online or who.session == table.session:
            return
        if table.rival is None or table.rival.who.session != who.session:
            table.rival = Rival(who, now)
        table.rival.at = table.rival.at if not table.rival.is_told else now

    def _settle_rival(self, table: TableSeen, now: float) -> None:
        rival = table.rival
        if rival is None or table.who is None:
            return
        if now - rival.at > RIVAL_LASTS_S or not table.who.is_online:
            table.rival = None
            self.effects.changed.add(table.name)
        elif not rival.is_told and now - rival.at > RIVAL_S:
            rival.is_told, rival.at = True, now
            self._say(
                f"{table.name}/rival",
                f"expected one table {table.name}, found one at {table.who.shown} and another at "
                f"{rival.who.shown}, which is refused; rename one in its club file",
            )
            self.effects.changed.add(table.name)

    # -- calls that are missing -------------------------------------------------------------

    def _mind_gap(self, name: str, table: TableSeen, session: str, last: int, now: float) -> bool:
        """Asks for the first calls that are missing, where it is time; whether it did."""
        numbers = table.numbers.get(session)
        gap = (1, last) if numbers is None else numbers.missing(last)
        if last == 0 or gap is None:
            if table.gaps.pop(session, None) is not None:
                self.effects.changed.add(name)
            table.earlier.pop(session, None)  # all of it is here
            return False
        known = table.gaps.setdefault(session, Gap(now, now + GRACE_S))
        is_online = table.who is not None and table.who.is_online
        if now < known.ask_at or not is_online:
            return False
        known.ask_at = now + known.pause_s
        known.pause_s = min(2 * known.pause_s, LONGEST_PAUSE_S)
        question = {"ask": "calls", "session": session, "from": gap[0], "to": gap[1]}
        self.effects.questions.append((TableTopics(self.club, name).of("ask"), question))
        self.effects.changed.add(name)
        return True

    def _seen(self, name: str) -> TableSeen:
        table = self.tables.get(name)
        if table is not None:
            return table
        if len(self.tables) >= MOST_TABLES:
            raise FairdealError(f"at most {MOST_TABLES} tables", f"one more, {name}")
        is_listed = not self._tokens or name in self._tokens
        table = TableSeen(name, is_listed, name in self._tokens)
        table.numbers.update(self.known.get(name, {}))
        self.tables[name] = table
        if not is_listed:
            known = ", ".join(sorted(self._tokens)[:10])
            self._say(
                f"{name}/unlisted",
                f"expected one of the tables {known}, found {name}; it is shown, add its token "
                "to [tables] in the board's club file to act there",
            )
        return table

    def _say(self, kind: str, line: str) -> None:
        """A line for people. Rubbish comes in numbers: whoever prints says of each kind few."""
        self.effects.lines.append((kind, line))


def _kind(heard: Heard | None) -> str:
    """What has one line: a topic of a table, all of its calls, all that are nobody's topics."""
    return "" if heard is None else f"{heard.club}/{heard.table}/{heard.leaf[0]}"


def _shown(heard: Heard) -> str:
    return f"{heard.table}/{'/'.join(heard.leaf)}"


def _off(seconds: float) -> str:
    way = "ahead" if seconds > 0 else "behind"
    return f"{abs(seconds) / 60:.0f} min {way}"


def _version_key(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdecimal())
