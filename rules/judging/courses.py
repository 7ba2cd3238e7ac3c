"""What one hypothesis becomes by an event: judged, named, or split by what a card may be."""

from __future__ import annotations

from collections.abc import Sequence

from rules.judging import referee
from rules.judging.claims import beyond, claiming, key_of, unclaiming
from rules.judging.doubt import NO_DOUBTS, UNKNOWN, without_mistakes
from rules.judging.hypothesis import (
    MOST_EXCUSED,
    Hypothesis,
    Key,
    Origin,
    Stand,
    Taken,
    scaled,
    took,
)
from rules.judging.referee import Session
from rules.judging.stands import (
    as_told,
    follow,
    remembering,
    swept_along,
    with_origin,
    without_gone,
)
from rules.table.call import Call, CallKind
from rules.table.event import CardEvent, Event, Learned, Placed, Pressed, Removed
from rules.values import replace

ERRS = 0.1  # how likely an act is a mistake rather than right, where it is open what was done
MOST_FACES = 16  # that are tried for a card that was told as another one


def judged(
    hypothesis: Hypothesis,
    number: int,
    events: Sequence[Event],
    stands: tuple[Stand, ...] = (),
    untold: frozenset[Key] = frozenset(),
) -> Hypothesis:
    """The hypothesis after event `number`, which was `events` here. `stands`: the new ones.

    Players seldom err: a course in which they do weighs less than one in which they do not.

    `untold`: mistakes that nobody will hear of now. Players go on from there: the card counts as
    one that is not judged.
    """
    course = _Course(hypothesis, number, stands, untold)
    for told in events:
        course.take(told)
    session, kept = course.session, (*course.kept, *course.fresh)
    if kept:
        kept = as_told(without_gone(kept, session))
    histories = hypothesis.histories
    if course.made:
        histories = tuple(replace(h, claims=claiming(h.claims, course.made)) for h in histories)
    if session.past is not None:
        session = replace(session, past=None)
    if session.doubts is not NO_DOUBTS and not session.doubts.stands:
        session = replace(session, doubts=NO_DOUBTS)
    is_taken_up = _is_taken_up(hypothesis, events)
    unnamed = replace(hypothesis, unnamed=None) if is_taken_up else None
    taken_at = events[0].at if is_taken_up else -1.0
    after = Hypothesis(session, histories, kept, unnamed, taken_at, course.excused)
    errs = ERRS ** sum(call.call is CallKind.MISTAKE for call in course.made)
    return scaled(after, errs, errs) if errs < 1.0 else after


class _Course:
    """A hypothesis while an event is judged in it. `kept`, `fresh`: stands of before and new ones;
    `made`: calls."""

    def __init__(
        self, of: Hypothesis, number: int, stands: tuple[Stand, ...], untold: frozenset[Key]
    ) -> None:
        self._stands, self._number, self._untold = of.stands, number, untold
        self.session, self.kept, self.fresh = of.session, of.stands, stands
        self.excused = of.excused
        self.made: list[Call] = []

    def take(self, told: Event) -> None:
        """Judges an event as it is here."""
        event, self.kept = follow(self.kept, told)
        if event is None or isinstance(event, Learned):
            return
        before = self.session
        session, calls = referee.step(before, event)
        if self._untold and not self._untold.isdisjoint(map(key_of, calls)):
            session, calls = _unjudged(before, event, calls)
        if isinstance(event, (Placed, Removed)):
            session, calls, self.excused = _excusing(before, session, calls, event, self.excused)
        self.session = session
        self._remember(event, calls)
        if isinstance(event, (Placed, Removed)):
            before = replace(before, past=None)
            self.fresh = with_origin(self.fresh, self._number, before, event, calls)
        if isinstance(event, Removed):
            self.session = _settled(self._stands, self.kept, told, session)
            for away in swept_along((*self.kept, *self.fresh), event, self.session):
                self.session, calls = referee.step(self.session, away)
                self._remember(away, calls)

    def _remember(self, event: Event, calls: tuple[Call, ...]) -> None:
        self.made += calls
        if isinstance(event, (Placed, Removed, Pressed)):
            self.kept = remembering(self.kept, event, calls)
            self.fresh = remembering(self.fresh, event, calls)
        else:  # after a lost view cards lie as they lie
            self.kept = tuple(replace(stand, origin=None, faces=()) for stand in self.kept)


def _unjudged(
    before: Session, event: Event, strict: tuple[Call, ...]
) -> tuple[Session, tuple[Call, ...]]:
    """The game after a card event that is no mistake in it, and what it calls all the same."""
    if not isinstance(event, (Placed, Removed)):
        return referee.step(before, event)
    session, calls = referee.step(before, replace(event, sure=0.0))
    wrong = tuple(call for call in strict if call.call is CallKind.MISTAKE)
    rules = {call.rule for call in wrong}
    kept = tuple(c for c in calls if c.call is not CallKind.UNSURE or c.rule not in rules)
    return session, (*wrong, *kept)


def _excusing(
    before: Session,
    after: Session,
    calls: tuple[Call, ...],
    event: CardEvent,
    excused: tuple[tuple[str, str], ...],
) -> tuple[Session, tuple[Call, ...], tuple[tuple[str, str], ...]]:
    """The game and calls of a card event, where cards lie or lay unnamed.

    A card that counts as right only because one lies unnamed may be taken back. What a card
    decides that was never named (`decided_at`) is open for good, and all else that follows from
    it while cards lie there: `excused` has its place, without a card and as unknown.
    """
    card, decided_at = (event.place, event.card), before.game.layout.decided_at
    deciding = decided_at.values()
    excused = tuple(each for each in excused if each[1] != UNKNOWN or each[0] in before.table)
    is_excused = any(
        ((place, "") in excused and event.place.endswith(end))
        or ((place, UNKNOWN) in excused and event.place != place)
        for end, place in decided_at.items()
    )
    if isinstance(event, Placed):
        if event.card == UNKNOWN and event.place in deciding:
            excused = (*excused, (event.place, ""), (event.place, UNKNOWN))
        elif UNKNOWN in before.table.get(event.place, ()):
            excused = (*excused, card)
        excused = excused[-MOST_EXCUSED:]
    elif card in excused:
        is_excused = True
        excused = tuple(each for each in excused if each != card)
    wrong = tuple(call for call in calls if call.call is CallKind.MISTAKE)
    if not (wrong and is_excused):
        return after, calls, excused
    state = without_mistakes(after.state, wrong)
    return replace(after, state=state), tuple(c for c in calls if c not in wrong), excused


def _settled(
    before: tuple[Stand, ...], after: tuple[Stand, ...], told: Event, session: Session
) -> Session:
    """The game after a removal; where an unnamed card went and it never mattered which one it was,
    the game as it is without that doubt."""
    for stand in before:
        is_it = isinstance(told, Removed) and stand.told == (told.place, told.card)
        if is_it and stand.origin is not None and not any(s.told == stand.told for s in after):
            assert isinstance(told, Removed)
            clean = _as_if_never(stand, told)
            if clean is not None and clean.table == session.table:
                return clean
    return session


def _is_taken_up(hypothesis: Hypothesis, events: Sequence[Event]) -> bool:
    """Whether an unnamed card was taken up: the next event may name it."""
    if len(events) != 1 or not isinstance(events[0], Removed):
        return False
    return _unnamed_at(hypothesis, events[0].place) is not None and events[0].card == UNKNOWN


def _unnamed_at(hypothesis: Hypothesis, place: str) -> Stand | None:
    for stand in reversed(hypothesis.stands):
        if stand.told == (place, UNKNOWN) and stand.origin is not None:
            return stand
    return None


def taken_up(hypothesis: Hypothesis, event: CardEvent) -> Stand | None:
    """The unnamed card that was taken up from where the event lays one now, at the same time."""
    before = hypothesis.unnamed
    if before is None or event.at != hypothesis.taken_at or not isinstance(event, Placed):
        return None
    stand = _unnamed_at(before, event.place)
    is_gone = stand and _standing(before, stand) > _standing(hypothesis, stand)
    return stand if is_gone else None


def named(hypothesis: Hypothesis, number: int, event: Placed) -> Hypothesis | None:
    """The hypothesis where an unnamed card gets its name by `event`; None where there is none.

    Its weight falls by how likely that face was here.
    """
    before, stand = hypothesis.unnamed, taken_up(hypothesis, event)
    if before is None or stand is None:
        return None
    chance = dict(stand.faces).get(event.card, 1e-6) if stand.faces else 1.0
    chance *= hypothesis.weight / before.weight
    found = _as_face(before, stand, event.card)
    taken = Taken(number, 0)
    histories = tuple(
        took(replace(each, weight=each.weight * chance, share=1.0), taken)
        for each in found.histories
    )
    left = tuple(each for each in found.stands if each.told != stand.told or each.origin is None)
    return replace(found, histories=histories, stands=left)


def _standing(hypothesis: Hypothesis, stand: Stand) -> int:
    return sum(each.told == stand.told for each in hypothesis.stands)


def _as_face(hypothesis: Hypothesis, stand: Stand, face: str) -> Hypothesis:
    """The hypothesis where an unnamed card was `face` from the first: judged again since then."""
    origin = stand.origin
    assert origin is not None and stand.real is not None
    session, made = _judged_again(origin, face)
    # What both courses call may be decided already.
    gone, added = beyond(origin.made, made), beyond(made, origin.made)
    histories = tuple(
        replace(each, claims=claiming(unclaiming(each.claims, gone), added))
        for each in hypothesis.histories
    )
    this = replace(stand, real=(stand.real[0], face), origin=replace(origin, made=made))
    # The others came in a game that is another one now: they are followed no more.
    stands = tuple(
        this if each is stand else replace(each, origin=None, faces=())
        for each in hypothesis.stands
    )
    decided = (stand.real[0], ""), (stand.real[0], UNKNOWN)
    is_last = not any(UNKNOWN in cards for cards in session.table.values())
    excused = tuple(
        each
        for each in hypothesis.excused
        if each not in decided and not (is_last and each[1] not in ("", UNKNOWN))
    )
    return Hypothesis(session, histories, stands, excused=excused)


def _judged_again(origin: Origin, face: str) -> tuple[Session, tuple[Call, ...]]:
    session = origin.before
    made: list[Call] = []
    for act in (replace(origin.placed, card=face), *origin.since):
        session, calls = referee.step(session, act)
        made += calls
    return replace(session, past=None), tuple(made)


def classes(
    session: Session, placed: Placed, faces: tuple[tuple[str, float], ...]
) -> list[tuple[str, float, tuple[str, ...]]]:
    """What a card may be that was told as another one, by what the referee makes of it: of each
    kind one face, the chance of all of them, and their names."""
    step = -(-len(faces) // MOST_FACES)
    tried = faces[::step]
    total = sum(chance for _, chance in tried)
    found: dict[object, list[tuple[str, float]]] = {}
    for face, chance in tried:
        _, calls = referee.step(session, replace(placed, card=face))
        alike = tuple((call.call, call.rule) for call in calls)
        found.setdefault(alike, []).append((face, chance / total))
    return [
        (alike[0][0], sum(chance for _, chance in alike), tuple(face for face, _ in alike))
        for alike in found.values()
    ]


def _as_if_never(stand: Stand, away: Removed) -> Session | None:
    """The game after an unnamed card was taken away, if it is the same whatever card it was."""
    origin, found = stand.origin, None
    assert origin is not None
    for face, _ in stand.faces:
        session, _ = _judged_again(origin, face)
        session, _ = referee.step(session, replace(away, card=face))
        if found is None:
            found = session
        elif session.table != found.table or session.state != found.state:
            return None
    return None if found is None else replace(found, past=None)
