"""`fairdeal evaluate doubt`: what is called of random games that were not seen well.

There are no pixels: doubt is drawn. It is judged in two ways: by the rule "Doubt", with a cap on
each doubtful event, and by weighed alternatives.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random

from lab.evaluation.doubtful_play import DoubtfulGame, acts, play
from lab.evaluation.report import machine
from lab.players.players import PLAYERS
from rules.contract.game import Game, make_setup
from rules.games import game as game_named
from rules.judging import belief, referee
from rules.judging.branches import weighable
from rules.table.call import Call, CallKind

ACTS = 2000  # at least, of each game and share
SHARES = (0.03, 0.1, 0.2)  # of the acts, that are in doubt
EVENTS = 120  # of one game
ENDINGS = (CallKind.COMPLETE, CallKind.WIN, CallKind.TIE)
WAYS = ("caps", "belief")

Told = tuple[list[Call], int]
"""The calls that were told, and how many mistakes among them were withdrawn."""


@dataclass(slots=True)
class Tally:
    """What one way of judging made of all games. `endings`: complete, win and tie."""

    called: int = 0
    false: int = 0
    withdrawn: int = 0
    questions: int = 0
    endings_right: int = 0
    endings_false: int = 0


@dataclass(slots=True)
class DoubtScore:
    """One game at one share of doubtful acts. `tallies`: by the way of judging."""

    game: str
    share: float
    acts: int = 0
    mistakes: int = 0
    endings: int = 0
    tallies: dict[str, Tally] = field(default_factory=lambda: {way: Tally() for way in WAYS})


def doubt(names: Iterable[str], seed: int, say: Callable[[str], None]) -> list[DoubtScore]:
    """Plays each game at each share until there are enough acts."""
    scores = []
    for name in names:
        game = game_named(name)
        for share in SHARES:
            score, rng = DoubtScore(name, share), Random(f"{seed} {name} {share}")
            while score.acts < ACTS:
                add(score, game, play(PLAYERS[name], game, rng, share, EVENTS))
            scores.append(score)
            say(f"{name}, {share:.0%} of the acts in doubt: {score.acts} acts")
    return scores


def add(score: DoubtScore, game: Game, played: DoubtfulGame) -> None:
    """Judges a game in both ways and compares the calls with those of what happened."""
    setup = make_setup(game, played.players, played.options)
    start = referee.begin(game, setup)
    session, due = start, list[Call]()
    for event in played.happened:
        session, made = referee.step(session, event)
        due += made
    mistakes, endings = _keys(due, [CallKind.MISTAKE]), _keys(due, ENDINGS)
    score.acts += acts(played.happened)
    score.mistakes += mistakes.total()
    score.endings += endings.total()
    for way, (calls, withdrawn) in (
        ("caps", _by_caps(start, played)), ("belief", _by_belief(start, played)),
    ):  # fmt: skip
        tally = score.tallies[way]
        told, ended = _keys(calls, [CallKind.MISTAKE]), _keys(calls, ENDINGS)
        tally.called += (told & mistakes).total()
        tally.false += _false(calls, due)
        tally.withdrawn += withdrawn
        tally.questions += sum(call.call is CallKind.UNSURE for call in calls)
        tally.endings_right += (ended & endings).total()
        tally.endings_false += (ended - endings).total()


def _keys(calls: Iterable[Call], kinds: Iterable[CallKind]) -> Counter[tuple[str, str | None]]:
    """What calls are about. A card is left out: it may be misread where the mistake is real."""
    return Counter((call.rule, call.place) for call in calls if call.call in kinds)


def _false(told: Iterable[Call], due: Iterable[Call]) -> int:
    """Mistakes that were told where none was made. One under another rule is none of them."""
    left, others = Counter(_about(due)), list[Call]()
    for call in told:
        if call.call is CallKind.MISTAKE:
            if left[call.rule, call.place] > 0:
                left[call.rule, call.place] -= 1
            else:
                others.append(call)
    missed = Counter(place for (_, place), count in left.items() for _ in range(count))
    return (Counter(call.place for call in others) - missed).total()


def _about(calls: Iterable[Call]) -> Iterator[tuple[str, str | None]]:
    return ((call.rule, call.place) for call in calls if call.call is CallKind.MISTAKE)


def _by_caps(start: referee.Session, played: DoubtfulGame) -> Told:
    session, found = start, list[Call]()
    for step in played.told:
        for event in step.capped:
            session, calls = referee.step(session, event)
            found += calls
    return found, 0


def _by_belief(start: referee.Session, played: DoubtfulGame) -> Told:
    state, found, withdrawn = belief.believe(start), list[Call](), 0
    for step in played.told:
        for event in step.weighed:
            state, told = belief.step(state, weighable(event))
            found += told.calls
            withdrawn += sum(each.call.call is CallKind.MISTAKE for each in told.withdrawn)
    return found, withdrawn


def section(scores: list[DoubtScore], command: str) -> str:
    """The trial's table."""
    return "\n".join(_lines(scores, command)) + "\n"


def _lines(scores: list[DoubtScore], command: str) -> Iterator[str]:
    yield (
        f"Random games with mistakes, told with doubt: `{command}` on {machine()}. Each cell: by "
        'the rule "Doubt", then by weighed alternatives. "False" counts all that were told, '
        "those that were withdrawn too; endings are `complete`, `win` and `tie`."
    )
    yield ""
    yield (
        "| game | acts in doubt | acts | mistakes | called | false mistakes | withdrawn |"
        " questions in 100 acts | endings right | endings false |"
    )
    yield "|" + "---|" * 10
    for score in scores:
        caps, weighed = (score.tallies[way] for way in WAYS)
        hundred = score.acts / 100.0
        yield (
            f"| {score.game} | {score.share:.0%} | {score.acts} | {score.mistakes} "
            f"| {_part(caps.called, score.mistakes)} → {_part(weighed.called, score.mistakes)} "
            f"| {caps.false} → {weighed.false} | {weighed.withdrawn} "
            f"| {caps.questions / hundred:.1f} → {weighed.questions / hundred:.1f} "
            f"| {_part(caps.endings_right, score.endings)} → "
            f"{_part(weighed.endings_right, score.endings)} "
            f"| {caps.endings_false} → {weighed.endings_false} |"
        )


def _part(count: int, of: int) -> str:
    return f"{count / of:.0%}" if of else "–"
