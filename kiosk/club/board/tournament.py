"""A tournament: players, rounds, pairings at tables, results, standings. Frozen values, no I/O."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import combinations
from typing import Annotated

from msgspec import Meta

from kiosk.club.board import pairing
from kiosk.club.states import Outcome
from kiosk.serving import schema
from rules.errors import FairdealError

MOST_PLAYERS, MOST_ROUNDS, MOST_SEATS = 200, 60, 8
MOST_NAME = 40


class Kind(StrEnum):
    """How rounds are paired."""

    ROUND_ROBIN = "round-robin"
    SWISS = "swiss"


@dataclass(frozen=True, slots=True)
class Result:
    """Who won a pairing: players by number. `session`: of the game; empty where a person said it.

    A tie has no winner: all share the point.
    """

    winners: tuple[int, ...]
    is_tie: bool = False
    session: str = ""


@dataclass(frozen=True, slots=True)
class Pairing:
    """Players at a table, in the order of its seats."""

    table: str
    players: tuple[int, ...]
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class Round:
    """Pairings, and who has a bye. `after`: sessions that had begun before and do not count."""

    pairings: tuple[Pairing, ...]
    byes: tuple[int, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        """Whether every result is in."""
        return all(each.result is not None for each in self.pairings)


@dataclass(frozen=True, slots=True)
class Tournament:
    """Players are numbered from 0. `seats`: players at a table; `planned`: how many rounds."""

    name: str
    kind: Kind
    players: tuple[str, ...]
    tables: tuple[str, ...]
    seats: int
    planned: int
    rounds: tuple[Round, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place. `opposition`: the points of all whom they met (Buchholz)."""

    rank: int
    player: int
    points: float
    opposition: float
    games: int


@dataclass(slots=True)
class _Tally:
    points: float = 0.0
    games: int = 0
    met: list[int] = field(default_factory=list)


class Wish(schema.Message, frozen=True):
    """A tournament as people ask for it. `rounds` 0: as many as are usual."""

    kind: Kind
    players: Annotated[list[schema.Text], Meta(max_length=MOST_PLAYERS)]
    tables: Annotated[list[schema.Word], Meta(min_length=1, max_length=MOST_PLAYERS)]
    name: schema.Text = ""
    seats: Annotated[int, Meta(ge=2, le=MOST_SEATS)] = 2
    rounds: Annotated[int, Meta(ge=0, le=MOST_ROUNDS)] = 0


def make(wish: Wish) -> Tournament:
    """A tournament as people ask for it, checked. Raises FairdealError."""
    players = tuple(_name(each) for each in wish.players)
    if len(set(players)) != len(players):
        raise FairdealError("players of different names", "one name twice", "add an initial")
    if len(players) < wish.seats:
        raise FairdealError(f"at least {wish.seats} players", str(len(players)), "add players")
    name = _name(wish.name or "Tournament")
    usual = pairing.usual_rounds(len(players), wish.seats, wish.kind is Kind.SWISS)
    is_all = wish.kind is Kind.ROUND_ROBIN and wish.seats == 2
    return Tournament(
        name, wish.kind, players, tuple(wish.tables), wish.seats,
        usual if is_all else wish.rounds or usual,
    )  # fmt: skip


def next_round(tournament: Tournament, begun: Sequence[str]) -> Tournament:
    """Pairs the next round. `begun`: sessions that have begun. Raises FairdealError."""
    rounds = tournament.rounds
    if rounds and not rounds[-1].is_over:
        raise FairdealError("all results of this round", "open ones", "enter them first")
    if len(rounds) >= tournament.planned:
        raise FairdealError(f"at most {tournament.planned} rounds", "one more")
    number, seats = len(tournament.players), tournament.seats
    tallies = _tallies(tournament)
    ranks = [standing.player for standing in standings(tournament)]
    field_ = pairing.Field(
        tuple(ranks),
        {p: tally.points for p, tally in tallies.items()},
        _met(rounds),
        frozenset(p for each in rounds for p in each.byes),
    )
    if seats > 2:
        groups = pairing.grouped(field_, seats, is_swiss=tournament.kind is Kind.SWISS)
        byes: tuple[int, ...] = ()
    elif tournament.kind is Kind.SWISS:
        groups, byes = pairing.swiss(field_)
    else:
        groups, byes = pairing.round_robin(number, len(rounds))
    tables = tournament.tables
    pairings = tuple(Pairing(tables[k % len(tables)], group) for k, group in enumerate(groups))
    return replace(tournament, rounds=(*rounds, Round(pairings, byes, tuple(begun))))


def with_result(
    tournament: Tournament, table: str, number: int, result: Result | None
) -> Tournament:
    """Sets or clears the result of pairing `number` (from 0) of the last round at that table.

    Raises FairdealError.
    """
    here = _at(tournament, table)
    if not 0 <= number < len(here):
        raise FairdealError(f"a pairing of this round at {table}", "none")
    wanted = here[number]
    if result is not None and not set(result.winners) <= set(wanted.players):
        raise FairdealError("winners among those at the table", "another player")
    if result is not None and not result.winners and not result.is_tie:
        raise FairdealError("a winner or a tie", "neither")
    last = tournament.rounds[-1]
    pairings = tuple(
        replace(each, result=result) if each is wanted else each for each in last.pairings
    )
    return replace(tournament, rounds=(*tournament.rounds[:-1], replace(last, pairings=pairings)))


def hear_result(
    tournament: Tournament, table: str, session: str, found: Outcome | None
) -> Tournament:
    """A game's result, by seats; None where it has none (any more: an undo, an overruling).

    The first open pairing at the table is the one that is played. What a person entered stays.
    """
    if not tournament.rounds or session in tournament.rounds[-1].after:
        return tournament
    here = _at(tournament, table)
    for number, each in enumerate(here):
        taken = each.result.session if each.result is not None else None
        if taken == session:
            new = _by_seats(each, found, session)
            return tournament if new == each.result else with_result(tournament, table, number, new)
        if taken is None:
            new = _by_seats(each, found, session)
            return tournament if new is None else with_result(tournament, table, number, new)
    return tournament


def seated(tournament: Tournament | None, table: str, session: str) -> list[str]:
    """The names of those who play at a table now, by seat; empty where nobody is paired there."""
    if tournament is None or not tournament.rounds:
        return []
    here = _at(tournament, table)
    playing = [e for e in here if e.result is not None and e.result.session == session]
    waiting = [e for e in here if e.result is None]
    chosen = (playing or waiting or here[-1:])[:1]
    return [tournament.players[p] for each in chosen for p in each.players]


def standings(tournament: Tournament) -> list[Standing]:
    """All players, best first: points, then the points of whom they met, then as entered."""
    tallies = _tallies(tournament)
    opposition = {
        p: sum(tallies[other].points for other in tally.met) for p, tally in tallies.items()
    }
    order = sorted(tallies, key=lambda p: (-tallies[p].points, -opposition[p], p))
    found: list[Standing] = []
    for k, player in enumerate(order):
        tally = tallies[player]
        row = Standing(k + 1, player, tally.points, opposition[player], tally.games)
        before = found[-1] if found else None
        is_level = before is not None and (before.points, before.opposition) == (
            row.points, row.opposition,
        )  # fmt: skip
        found.append(replace(row, rank=before.rank) if is_level and before else row)
    return found


def from_json(text: bytes) -> Tournament:
    """A tournament from its kept form, `asdict` of it. Raises FairdealError for another form."""
    try:
        return schema.read(Tournament, text)
    except FairdealError as error:
        raise FairdealError("a tournament", "a damaged one", "begin a new one") from error


def _at(tournament: Tournament, table: str) -> list[Pairing]:
    last = tournament.rounds[-1].pairings if tournament.rounds else ()
    return [each for each in last if each.table == table]


def _by_seats(each: Pairing, found: Outcome | None, session: str) -> Result | None:
    if found is None:
        return None
    winners = tuple(each.players[s - 1] for s in found.winners if s <= len(each.players))
    if not winners and not found.tie:
        return None
    return Result(winners, not winners, session)


def _tallies(tournament: Tournament) -> dict[int, _Tally]:
    tallies = {player: _Tally() for player in range(len(tournament.players))}
    for one in tournament.rounds:
        for each in one.pairings:
            if each.result is None:
                continue
            shared = each.result.winners or each.players
            for player in each.players:
                tallies[player].games += 1
                tallies[player].met += [p for p in each.players if p != player]
                tallies[player].points += 1 / len(shared) if player in shared else 0.0
        if tournament.kind is Kind.SWISS:
            for player in one.byes:
                tallies[player].points += 1.0
    return tallies


def _met(rounds: Sequence[Round]) -> dict[tuple[int, int], int]:
    met: dict[tuple[int, int], int] = {}
    for one in rounds:
        for each in one.pairings:
            for pair in combinations(sorted(each.players), 2):
                met[pair] = met.get(pair, 0) + 1
    return met


def _name(text: str) -> str:
    shown = "".join(c for c in text if c.isprintable()).strip()[:MOST_NAME]
    if not shown:
        raise FairdealError("a name", "an empty one")
    return shown
