"""Doubts that join two events: in which order cards came, and one that may have come unseen."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from rules.table.event import Alternatives, CardEvent, Event, Learned, Placed, Removed, Sighted, Way
from vision.scene.awaited import AwaitedCards, Seen
from vision.scene.doubts import Awaited, InVisit, Order, Unordered, at_time
from vision.scene.events import by_act

MOST_UNSEEN = 2  # acts that may have happened unseen before an event
SETTLED_S = 0.5  # s after which a card that rested before others and is seen no more was none
OPEN_S = 6.0  # s for which one that rests is waited for
# How likely it is that none comes, under each way of the choice: one comes after the cards that
# were told, before the first of them, or after the first but before the others.
NONE = (1.0, 0.003, 0.003)
SEEN = (0.05, 1.0, 1.0)  # the same of one that comes,
EITHER = (1.0, 1.0, 1.0)  # after all of them
NOTHING = 0.02  # how likely a hand leaves all as it was though it laid a card
VISITED_S = 4.0  # s for which it is waited for what a hand leaves


@dataclass(frozen=True, slots=True, eq=False)
class Postponed:
    """Acts that were told since `since` (s), and perhaps came after one that is not told yet.
    `prior`: the chances of the three ways; `others`: how many ways more are about the first act
    alone; `times`: how often all are there, alone and after what may have come unseen."""

    events: tuple[CardEvent, ...]
    choice: int
    since: float
    open_at: float
    prior: tuple[float, float, float] = (1.0, 0.0, 0.0)
    others: int = 0
    times: int = 1

    def likely(self, three: Sequence[float]) -> tuple[float, ...]:
        """How likely something is under all ways, by how likely it is under the `three`. It tells
        nothing about the first act but its order."""
        return (*three, *(three[0],) * self.others) * self.times

    def ways(self, courses: Sequence[tuple[CardEvent, ...]], awaits: bool = True) -> Alternatives:
        """The choice with these courses of events, whose chances come from what was told."""
        share = 1.0 / (len(courses) * self.times)
        return Alternatives(
            tuple(Way(share, course) for course in courses) * self.times, self.choice, awaits
        )


class Weighing:
    """Adds what may have happened instead to events that hang together."""

    def __init__(self) -> None:
        self._choice = 0
        self._postponed: Postponed | None = None
        self._unseen: tuple[Way, ...] = ()
        self._awaited = AwaitedCards()
        self._visits: dict[str, Learned] = {}

    @property
    def is_waiting(self) -> bool:
        """Whether acts that were told wait for one that rests and is not told yet."""
        return self._postponed is not None

    def suspect(self, unseen: Sequence[Way]) -> None:
        """These acts may have happened before the next event, each with its chance. The likeliest
        ones are kept."""
        likeliest = sorted((*self._unseen, *unseen), key=lambda way: -way.chance)[:MOST_UNSEEN]
        self._unseen = tuple(way for way in (*self._unseen, *unseen) if way in likeliest)

    def brought_nothing(self, sides: Sequence[str], at: float) -> tuple[Event, ...]:
        """Hands, by their side, left all as it was that seemed to have laid a card unseen."""
        found = [self._visits.pop(side, None) for side in sides]
        return tuple(replace(learned, at=at) for learned in found if learned is not None)

    def returned(self, lifts: Sequence[Way], at: float) -> tuple[Event, ...]:
        """Cards were lifted before acts that were told, and are put back at `at` (s), which may be
        two acts, each with its chance. Returns what that tells of the order."""
        open_ = self._postponed
        if open_ is None or not lifts:
            self.suspect(lifts)
            return ()
        self._postponed, lift = None, lifts[0]
        self.suspect(lifts[1:])
        acts = tuple(replace(each, at=at, sure=1.0, ways=None) for each in lift.events)
        after = tuple(replace(later, at=at) for later in open_.events)
        part = lift.chance / min(len(after), 2)
        chances = (1.0 - lift.chance, part, part if len(after) > 1 else 0.0)
        courses = ((), (*acts, *after), (*acts, *after[1:]))
        count = (3 + open_.others) * open_.times
        others = (Way(1.0 / count, ()),) * open_.others
        ways = tuple(
            Way(3 * chance / count, course) for chance, course in zip(chances, courses, strict=True)
        )
        told = Alternatives((*ways, *others) * open_.times, open_.choice, awaits=True)
        odds = tuple(c / p for c, p in zip(chances, open_.prior, strict=True))
        learned = Learned(at, open_.choice, open_.likely([each / max(odds) for each in odds]))
        return replace(acts[0], sure=lift.chance, ways=told), learned

    def weigh(
        self, events: Sequence[Event], at: float, *, is_open: bool,
        seen: Callable[[int], Seen | None],
    ) -> tuple[Event, ...]:  # fmt: skip
        """The events of a frame at `at` (s), with evidence about earlier ones. `is_open`: whether
        a card still rests that may have come before others; `seen`: what is seen by now of a
        lying card, by its number, None if the card is gone."""
        told: list[Event] = []
        for taken, event in by_act(events):
            if isinstance(event, Placed) and taken is not None:
                told += self._before(event, taken)
            else:
                told += self._weighed(event)
        told += self._awaited.evidence(at, seen)
        told += self._given_up(at)
        open_ = self._postponed
        if open_ is None:
            return tuple(told)
        if is_open and at - open_.since < OPEN_S:
            self._postponed = replace(open_, open_at=max(at, open_.open_at))
        elif at - open_.open_at > SETTLED_S:
            self._postponed = None
            told += [] if is_open else [Learned(at, open_.choice, open_.likely(NONE))]
        return tuple(told)

    def _weighed(self, event: Event) -> list[Event]:
        if isinstance(event, Sighted):
            self._unseen, self._postponed = (), None
            self._awaited.forget()
            self._visits.clear()
        if not isinstance(event, Placed | Removed):
            return [event]
        if isinstance(event.ways, Unordered):
            if event.ways.order is Order.LATER:
                return [self._postpone(event, event.ways)]
            return self._before(event)
        if isinstance(event.ways, Awaited):
            return [self._await_card(event, event.ways)]
        if self._unseen and (event.ways is None or _is_plain(event.ways)):
            return [self._after_unseen(event)]
        return [event]

    def _after_unseen(self, event: CardEvent) -> CardEvent:
        """The event, which comes alone or after what may have happened unseen."""
        usual = (Way(1.0, (replace(event, sure=1.0, ways=None),)),)
        ways = self._perhaps_after(event.ways.ways if event.ways is not None else usual)
        ordered = tuple(sorted(ways, key=lambda way: -way.chance))
        is_visit = any(isinstance(way, InVisit) for way in self._unseen)
        choice = self._next(event.at) if is_visit else None
        if choice is not None:
            self._await(event.at, choice, ordered)
        alone = self._alone()
        sure = alone if event.ways is None else event.sure * alone
        told = Alternatives(ordered, choice, awaits=is_visit)
        return at_time(replace(event, sure=sure, ways=told), event.at)

    def _await(self, at: float, choice: int, ways: Sequence[Way]) -> None:
        """Evidence may come about visits in which something may have happened unseen before."""
        for visit in self._unseen:
            if isinstance(visit, InVisit):
                acts = [replace(each, sure=1.0, ways=None) for each in visit.events]
                is_without = (not any(act in way.events for act in acts) for way in ways)
                likely = tuple(1.0 if is_so else NOTHING for is_so in is_without)
                self._visits[visit.side] = Learned(at, choice, likely)

    def _given_up(self, at: float) -> list[Event]:
        """Of hands that stay no evidence comes any more."""
        late = [side for side, learned in self._visits.items() if at - learned.at >= VISITED_S]
        found = [self._visits.pop(side) for side in late]
        return [replace(each, at=at, likely=(1.0,) * len(each.likely)) for each in found]

    def _perhaps_after(self, ways: tuple[Way, ...]) -> tuple[Way, ...]:
        """The ways as they are, then after each choice of what may have happened unseen before."""
        for unseen in reversed(self._unseen):
            acts = tuple(replace(each, sure=1.0, ways=None) for each in unseen.events)
            without = (Way(way.chance * (1.0 - unseen.chance), way.events) for way in ways)
            after = (Way(way.chance * unseen.chance, (*acts, *way.events)) for way in ways)
            ways = (*without, *after)
        return ways

    def _alone(self) -> float:
        """How likely nothing happened unseen before; what may have is forgotten."""
        alone = math.prod(1.0 - way.chance for way in self._unseen)
        self._unseen = ()
        return alone

    def _await_card(self, event: CardEvent, ways: Awaited) -> CardEvent:
        found, times, choice = ways.ways, 1, self._next(event.at)
        if self._unseen:
            found, times = self._perhaps_after(ways.ways), 2 ** len(self._unseen)
            self._await(event.at, choice, found)
            event = replace(event, sure=event.sure * self._alone())
        self._awaited.told(ways, choice, event.at, times)
        return at_time(replace(event, ways=Alternatives(found, choice, awaits=True)), event.at)

    def _next(self, at: float) -> int:
        """The number of a choice; by the time: a game that goes on after a restart uses no number
        again."""
        self._choice = max(self._choice + 1, round(1000 * at))
        return self._choice

    def _postpone(self, event: CardEvent, open_ways: Unordered) -> CardEvent:
        """The event, which happened as it is told, or comes after the card that still rests. The
        choice has three ways: that card comes last, first, or after the first that is told. The
        first has its `own` ways too: whatever its order, something else may have happened."""
        itself = replace(event, sure=1.0, ways=None)
        open_ = self._postponed or Postponed((), self._next(event.at), event.at, event.at)
        chance = open_ways.ways[1].chance
        last = 1.0 - 2.0 * chance
        if not open_.events:
            return self._postpone_first(event, open_ways, open_, (last, chance, chance))
        self._postponed = replace(open_, events=(*open_.events, itself), open_at=event.at)
        part = 1.0 / open_.times
        three = Way(last * part, (itself,)), Way(chance * part, ()), Way(chance * part, ())
        ways = (*three, *(Way(part, (itself,)),) * open_.others) * open_.times
        told = Alternatives(_of_one(ways), open_.choice, awaits=True)
        return at_time(replace(event, sure=last, ways=told), event.at)

    def _postpone_first(
        self, event: CardEvent, open_ways: Unordered, open_: Postponed,
        prior: tuple[float, float, float],
    ) -> CardEvent:  # fmt: skip
        itself, own = (replace(event, sure=1.0, ways=None),), open_ways.own
        others = () if own is None else own.ways[1:]
        right = 1.0 if own is None else own.ways[0].chance
        three = zip(prior, (itself, (), itself), strict=True)
        each = (*(Way(right * share, acts) for share, acts in three), *others)
        times = 2 ** len(self._unseen)
        ways = self._perhaps_after(each) if self._unseen else each
        sure = self._alone() * right * (prior[0] + prior[2])
        self._postponed = replace(
            open_, events=itself, open_at=event.at, times=times, prior=prior, others=len(others)
        )
        if isinstance(own, Awaited):
            held, misnamed = (None if k is None else k + 2 for k in (own.held, own.misnamed))
            awaited = replace(own, ways=each, held=held, misnamed=misnamed)
            self._awaited.told(awaited, open_.choice, event.at, times)
        told = Alternatives(ways, open_.choice, awaits=True)
        return at_time(replace(event, sure=sure, ways=told), event.at)

    def _before(self, event: CardEvent, taken: CardEvent | None = None) -> list[Event]:
        """A card that comes now, or came before acts that are postponed. Acts told before it can
        have come stay before it; it comes before all others, or after the first of them. `taken`:
        its removal elsewhere, of the same act."""
        open_, self._postponed = self._postponed, None
        assert isinstance(event.ways, Unordered)
        first = [] if taken is None else [replace(taken, ways=None)]
        if event.ways.ways:  # what it is is in doubt too: the order stays as likely as it was
            return [*first, replace(event, ways=Alternatives(event.ways.ways))]
        if open_ is None:
            return [*first, replace(event, ways=None)]
        is_open = event.ways.order is Order.OPEN  # its coming tells nothing about the order
        itself = tuple(replace(each, sure=1.0, ways=None) for each in (*first, event))
        acts = tuple(replace(later, at=event.at) for later in open_.events)
        known = sum(later.at <= event.ways.since for later in open_.events)  # came before it
        after = acts[known:]
        now, sooner = itself[-1:], itself[:-1]
        courses = (
            now,
            (*acts[:known], *itself, *after),
            (*acts[1 : known + 1], *itself, *after[1:]),
            *(now,) * open_.others,
        )
        told: list[Event] = [
            replace(each, ways=open_.ways((sooner, (), (), *(sooner,) * open_.others)))
            for each in first
        ]
        told.append(replace(event, ways=open_.ways(courses, awaits=not is_open)))
        if is_open:
            return told
        # If one act follows, the third way is the last one; if none does, all three are.
        likely = (SEEN, (*SEEN[:2], SEEN[0]), EITHER)[max(2 - len(after), 0)]
        # Evidence comes last: a claim is not taken back before the event that makes it again.
        return [*told, Learned(event.at, open_.choice, open_.likely(likely))]


def _of_one(ways: Sequence[Way]) -> tuple[Way, ...]:
    """The ways with chances that sum to 1."""
    whole = sum(way.chance for way in ways)
    return tuple(replace(way, chance=way.chance / whole) for way in ways)


def _is_plain(ways: Alternatives) -> bool:
    """Whether these alternatives stand for themselves: no evidence about them is to come."""
    return bool(ways.ways) and ways.choice is None
