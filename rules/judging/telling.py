"""What is told: calls that enough of the weight makes, one question, and what is taken back.

A mistake is told when `sure_enough` of the weight makes it, other calls when half of it does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.contract.game import UNJUDGED_CARDS
from rules.contract.mistakes import Mistake, OpenedBy, corrected
from rules.judging.claims import key_of, without_claims
from rules.judging.doubt import UNKNOWN, asked
from rules.judging.explain import apart, reason
from rules.judging.hypothesis import History, Hypothesis, Key
from rules.judging.missed import is_missed
from rules.judging.referee import ordered
from rules.judging.said import Said, Shares, Spoken, Told, is_open_as, open_weights, shares_of
from rules.table.call import Call, CallKind
from rules.table.event import Act, Placed, Pressed, Removed
from rules.values import replace

HALF = 0.5
CERTAIN = 0.9995  # of the weight: nothing that is open bears on it
ASK_FROM = 0.2  # of the weight, from which on a mistake that is not told is asked about
MOST_AGE = 48  # events after which a claim that nobody shares is decided as it stands
LATEST_S = 2.0  # s after its act, until which later acts alone may decide a mistake
_LATE = (CallKind.MISTAKE, CallKind.COMPLETE, CallKind.WIN, CallKind.TIE)


def tell(
    hypotheses: tuple[Hypothesis, ...],
    spoken: Spoken,
    number: int,
    at: float,
    fresh: frozenset[Key],
    events: Mapping[int, Act],
    sure_enough: float,
    *,
    may_ask: bool = True,
    is_evidence: bool = False,
) -> tuple[tuple[Hypothesis, ...], Spoken, Told]:
    """Decides the claims after event `number` at `at` (s).

    `fresh`: those made by it somewhere; `events`: the latest ones, by number; `may_ask`: whether a
    question may be told; `is_evidence`: whether evidence about an earlier event decides.
    """
    latest_at = float("-inf") if is_evidence else at - LATEST_S
    teller = _Teller(hypotheses, spoken, number, fresh, events, sure_enough, latest_at)
    for key in teller.keys:
        teller.withdraw(key)
    due = [said for key in teller.keys for said in teller.due(key)]
    due += teller.put_right()
    question = teller.question() if may_ask else None
    if question is not None:
        due.append(question)
    teller.forget_questions()
    game = hypotheses[0].session.game
    numbers = sorted({said.event for said in due})
    told = [
        (each, call)
        for each in numbers
        for call in ordered(game, at, [said.call for said in due if said.event == each])
    ]
    reasons = tuple(
        reason(hypotheses, number, call, _about(call, teller.asked)) for _, call in told
    )
    about = tuple(each for each, _ in told) if numbers not in ([], [number]) else ()
    found = Told(tuple(call for _, call in told), about, tuple(teller.withdrawn), reasons)
    return *teller.settle(), found


def _about(call: Call, asked: Mapping[Key, Said]) -> Key:
    """The claim that a call is about; a question's is the mistake that may have been made."""
    key = key_of(call)
    for mistake, said in asked.items():
        if key_of(said.call) == key:
            return mistake
    return key


class _Teller:
    """One decision. `told`, `asked` and so on are what is known of each claim while it goes on."""

    def __init__(
        self,
        hypotheses: tuple[Hypothesis, ...],
        spoken: Spoken,
        number: int,
        fresh: frozenset[Key],
        events: Mapping[int, Act],
        sure_enough: float,
        latest_at: float,
    ) -> None:
        self._hypotheses, self._number, self._events = hypotheses, number, events
        self._fresh, self._sure, self._latest_at = fresh, sure_enough, latest_at
        self.told, self.asked = dict(spoken.told), dict(spoken.asked)
        self._since, self._accused = dict(spoken.since), list(spoken.accused)
        self._leant_on = spoken.leant_on
        self._doubted, self._late = list(spoken.doubted), list(spoken.late)
        self.withdrawn: list[Said] = []
        histories = [h for each in hypotheses for h in each.histories]
        self._histories: Sequence[History] = histories
        found = {key: None for h in histories for key in h.claims}
        self.keys = [*found, *(key for key in self.told if key not in found)]
        self._open = open_weights(hypotheses)

    def withdraw(self, key: Key) -> None:
        """Takes calls back that most of the weight does not make any more."""
        said = self.told.get(key, ())
        while said and shares_of(self._histories, key, len(said)).weight < HALF:
            if said[-1].is_heard:
                self.withdrawn.append(said[-1])
            if key[0] is CallKind.MISTAKE and key[1:4] in self._accused:
                self._accused.remove(key[1:4])
            said = said[:-1]
        self._put(key, said)

    def due(self, key: Key) -> list[Said]:
        """The calls of a claim that are to be told now."""
        due = []
        kind, said = key[0], self.told.get(key, ())
        while (call := self._decided(key, len(said) + 1)) is not None:
            event = self._event_of(call)
            is_past = event != self._number and self._is_put_right(key)
            is_heard = (key in self._fresh and not is_past) or self._is_worth_late(key, call)
            if kind is CallKind.CORRECTED:
                is_heard &= key[1:4] in self._accused
            each = Said(event, call, is_heard)
            if is_heard:
                due.append(each)
                if key[1] == "unknown-card":
                    self._doubt(event)
                if kind is CallKind.MISTAKE:
                    self._accused.append(key[1:4])
                    self._late += [each] if self._is_unjudged(key) else []
                elif kind is CallKind.CORRECTED:
                    self._accused.remove(key[1:4])
            said = (*said, each)
        self._put(key, said)
        return due[-1:] if kind is CallKind.UNSURE else due  # one about several cards of a place

    def put_right(self) -> list[Said]:
        """Cards of mistakes that were told late, and that lie there no more."""
        due = []
        for said in list(self._late):
            call = said.call
            key = call.rule, call.place, call.card
            if key not in self._accused:
                self._late.remove(said)
            elif self._open.get(is_open_as(key), 0.0) < HALF:
                self._late.remove(said)
                self._accused.remove(key)
                wrong = Mistake(call.rule, OpenedBy.PLACING, call.place, call.card, call.seat)
                due.append(Said(self._number, corrected(wrong)))
        return due

    def _is_unjudged(self, key: Key) -> bool:
        """Whether the card of a mistake lies unjudged in the likeliest game."""
        stands = self._hypotheses[0].session.doubts.stands
        return any((stand.place, stand.card) == key[2:4] for stand in stands)

    def question(self) -> Said | None:
        """The one question about a mistake that may have been made, if its answer matters.

        It is about the event that leaves it open, and each event is asked about once.
        """
        found = []
        for key in self.keys:
            if key[0] is not CallKind.MISTAKE or key not in self._fresh or key[3] == UNKNOWN:
                continue
            if key in self.asked or key in self.told:
                continue
            weight = shares_of(self._histories, key, 1).weight
            if weight >= ASK_FROM and self._open.get(is_open_as(key[1:4]), 0.0) >= ASK_FROM:
                found.append((weight, key))
        for _, key in sorted(found, key=lambda each: -each[0]):
            said = self._asked_about(key)
            if said is not None:
                self.asked[key] = said
                self._doubt(said.event)
                return said
        return None

    def _asked_about(self, key: Key) -> Said | None:
        open_by = apart([(h, key in h.claims) for h in self._histories])
        if not open_by:
            return None
        number = self._number
        if number not in open_by:
            number = max(open_by, key=lambda each: open_by[each])
        if number in self._doubted:
            return None
        call = max(shares_of(self._histories, key, 1).calls.values(), key=lambda each: each[0])[1]
        event = self._events.get(number)
        if number != self._number:
            if not isinstance(event, (Placed, Removed)) or event.card in UNJUDGED_CARDS:
                return None
            call = replace(call, place=event.place, card=event.card, seat=event.seat, expected=None)
        return Said(number, asked(self._hypotheses[0].session.game, call, call.seat))

    def _event_of(self, call: Call) -> int:
        """The number of the event that a call is about; one that is told late names its time."""
        at_once = [n for n, event in self._events.items() if event.at == call.at]
        exact = [n for n in at_once if _names(self._events[n], call)]
        return (exact or at_once or [self._number])[-1]

    def _doubt(self, event: int) -> None:
        self._doubted = [*self._doubted, event][-MOST_AGE:]

    def forget_questions(self) -> None:
        """Withdraws the questions whose answer does not matter any more."""
        for key, said in list(self.asked.items()):
            weight = shares_of(self._histories, key, 1).weight
            if (
                key in self.told
                or min(weight, self._open.get(is_open_as(key[1:4]), 0.0)) < ASK_FROM
            ):
                del self.asked[key]
                self.withdrawn.append(said)

    def settle(self) -> tuple[tuple[Hypothesis, ...], Spoken]:
        """What is left undecided: claims that all share, or that are old, are none any more."""
        gone: dict[Key, int] = {}
        since = {}
        for key in self.keys:
            made = self._since.get(key, self._number)
            counts = [len(h.claims.get(key, ())) for h in self._histories]
            is_old = self._number - made > MOST_AGE and key not in self.asked
            gone[key] = max(counts, default=0) if is_old else min(counts, default=0)
            gone[key] = gone[key] if is_old else min(gone[key], len(self.told.get(key, ())))
            self._put(key, self.told.get(key, ())[gone[key] :])
            if max(counts, default=0) > gone[key]:
                since[key] = made
        spoken = Spoken(
            self.told, self.asked, since, tuple(self._accused), tuple(self._late),
            tuple(self._doubted), self._leant_on,
        )  # fmt: skip
        if not any(gone.values()):
            return self._hypotheses, spoken
        return tuple(without_claims(each, gone) for each in self._hypotheses), spoken

    def _put(self, key: Key, said: tuple[Said, ...]) -> None:
        if said:
            self.told[key] = said
        else:
            self.told.pop(key, None)

    def _decided(self, key: Key, nth: int) -> Call | None:
        """The call, if enough of the weight makes it; without a seat where only that is open."""
        shares = shares_of(self._histories, key, nth)
        if key[0] is not CallKind.MISTAKE:
            if shares.weight < HALF:
                return None
            return max(shares.calls.values(), key=lambda each: each[0])[1]
        if not shares.suffice(self._sure) or key[3] == UNKNOWN or self._leans_again(key, shares):
            return None
        by_seat: dict[int | None, float] = {}
        for (seat, _), (share, _) in shares.calls.items():
            by_seat[seat] = by_seat.get(seat, 0.0) + share
        seat, share = max(by_seat.items(), key=lambda each: each[1])
        fitting = [each for (by, _), each in shares.calls.items() if by == seat]
        call = max(fitting, key=lambda each: each[0])[1]
        if share >= self._sure * shares.weight:
            return call
        is_about_seat = len({words for _, words in shares.calls}) > 1
        return None if is_about_seat else replace(call, seat=None)

    def _leans_again(self, key: Key, shares: Shares) -> bool:
        """Whether a mistake rests on a choice that one which was told rests on already.

        Where that choice is the other one, everything that follows looks wrong: it accuses once.
        """
        if shares.weight >= CERTAIN:
            return False
        histories = [(h, key in h.claims) for h in self._histories if not is_missed(h)]
        open_by = apart(histories)
        if any(event in self._leant_on for event in open_by):
            return True
        self._leant_on = (*self._leant_on, *open_by)[-MOST_AGE:]
        return False

    def _is_put_right(self, key: Key) -> bool:
        """Whether a mistake was put right before enough of the weight made it."""
        mended = shares_of(self._histories, (CallKind.CORRECTED, *key[1:]), 1).weight
        return mended >= HALF and self._open.get(is_open_as(key[1:4]), 0.0) < HALF

    def _is_worth_late(self, key: Key, call: Call) -> bool:
        """Whether a call is still worth telling some events after it was made. Acts that follow
        long after a mistake rather tell that the game was followed wrongly."""
        if key[0] is CallKind.MISTAKE:
            is_open = self._open.get(is_open_as(key[1:4]), 0.0) >= self._sure
            return is_open and call.at >= self._latest_at
        return key[0] in _LATE


def _names(event: Act, call: Call) -> bool:
    if isinstance(event, Pressed):
        return call.place is None
    return (event.place, event.card) == (call.place, call.card)
