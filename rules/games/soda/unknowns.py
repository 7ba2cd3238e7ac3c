"""Soda's cards that cannot be named: laid, taken up, and laid again with their name."""

from rules.contract.mistakes import OpenedBy, opened
from rules.games.soda.hands import lay_right, play, wrong_card
from rules.games.soda.score import Judged
from rules.games.soda.state import ACE, HANDS, VALUES, Laid, State, hand_over_unseen, without_one
from rules.table.call import unknown_card
from rules.table.event import CardEvent, Placed, Removed
from rules.values import replace


def lay_unknown(state: State, event: Placed) -> Judged:
    """It is not judged. At `play` it belongs to the hand; it may even be the Ace that ends it."""
    state = replace(state, unknown=(*state.unknown, event.place), naming=None)
    if event.place == "play":
        state = led(state, ACE)
    if not state.started:
        return state, ()
    state = replace(state, turn=None)
    if event.place == "play" and state.running and state.hands < HANDS:
        hand = (*state.hand, Laid("unknown", event.seat))
        state = replace(state, hand=hand, limit=None, doubtful=True, fresh=True)
    return state, (unknown_card(event),)


def open_turn(state: State) -> State:
    """After an act that nobody saw: a card of this hand, perhaps the Ace that ended it."""
    if not state.running or state.hands == HANDS:
        return replace(state, turn=None)
    state = led(state, ACE)
    hand = (*state.hand, Laid("unknown", None))
    return replace(state, turn=None, hand=hand, limit=None, doubtful=True)


def take_unknown(state: State, event: Removed) -> Judged:
    """It may be laid again with its name, or be cleared away with its hand."""
    state = replace(state, unknown=without_one(state.unknown, event.place))
    if event.place != "play" or not state.running:
        laid = tuple(laid for laid in state.hand if laid.card != "unknown")
        return (state if state.running else replace(state, hand=laid)), ()
    at = max((i for i, laid in enumerate(state.hand) if laid.card == "unknown"), default=None)
    if at is None:
        return replace(state, old=without_one(state.old, "unknown"), naming=(-1, None)), ()
    left = state.hand[:at] + state.hand[at + 1 :]
    return replace(state, hand=left, naming=(at, state.hand[at].seat)), ()


def without_naming(state: State, event: CardEvent) -> State:
    """The state before an event that names no card: one just taken from the hand is gone."""
    naming = state.naming
    if event.card == "unknown" or _may_name(state, event):
        return state
    state = replace(state, naming=None, fresh=False)
    return hand_over_unseen(state) if naming and naming[0] >= 0 and not state.hand else state


def _may_name(state: State, event: CardEvent) -> bool:
    """Whether this may be the card just taken up to be named: not if the seat in turn lays it, or
    another one than laid it."""
    if not isinstance(event, Placed) or event.place != "play":
        return False
    if state.naming is None or event.seat is None:
        return True
    at, seat = state.naming
    return at < 0 or (event.seat != state.turn and event.seat == (seat or event.seat))


def kept_in_hand(state: State) -> State:
    """The state with a card in the hand that was just taken up to be named; a button cannot wait
    for its name."""
    if state.naming is None or state.naming[0] < 0:
        return state
    at, seat = state.naming
    hand = (*state.hand[:at], Laid("unknown", seat), *state.hand[at:])
    return replace(state, hand=hand, naming=(-1, None))


def name(state: State, event: Placed) -> Judged:
    """The name of a card that lay here already: no second play, and no turn."""
    assert state.naming
    (at, seat), turn, fresh = state.naming, state.turn, state.fresh
    state = replace(state, naming=None, fresh=False)
    if at < 0:
        return _name_old(state, event)
    doubtful = any(laid.card == "unknown" for laid in state.hand)
    state = replace(state, doubtful=doubtful)
    seat = event.seat if event.seat is not None else seat
    if at < len(state.hand):
        return _name_below(state, event, at, seat), ()
    wrong = None if "play" in state.unknown else wrong_card(replace(state, turn=None), event, seat)
    if wrong:
        return replace(state, mistakes=opened(state.mistakes, wrong, OpenedBy.PLACING)), (wrong,)
    state, calls = lay_right(state, event, seat)
    # What was done since it was laid tells whose turn it is, if anything was.
    return (state if fresh else replace(state, turn=turn)), calls


def _name_old(state: State, event: Placed) -> Judged:
    """After a card of a hand that is over: its name, or the first card of the next hand."""
    card = event.card
    if event.seat is not None and event.seat == state.turn:
        return play(state, event)
    if state.old:
        return replace(state, old=(*state.old, card)), ()
    # Nobody can tell; the next card or No will.
    if not state.hand:
        return replace(state, maybe=Laid(card, event.seat), turn=None), ()
    if wrong_card(replace(state, turn=None), event, event.seat):
        return replace(state, old=(card,)), ()
    hand = (*state.hand, Laid(card, event.seat))
    return replace(state, hand=hand, turn=None, doubtful=True), ()


def led(state: State, value: int) -> State:
    """The state before a card of this value, or a No: it tells whether `maybe` has led the hand."""
    maybe = state.maybe
    if maybe is None:
        return state
    state = replace(state, maybe=None)
    if VALUES[maybe.card] > value:
        return replace(state, old=(*state.old, maybe.card))
    return replace(state, hand=(maybe,), doubtful=True)


def _name_below(state: State, event: Placed, at: int, seat: int | None) -> State:
    """Others were laid on it meanwhile. An Ace has ended its hand, and they are the next one's."""
    below, above = state.hand[:at], state.hand[at:]
    if VALUES[event.card] != ACE:
        return replace(state, hand=(*below, Laid(event.card, seat), *above))
    over = hand_over_unseen(replace(state, hand=(*below, Laid(event.card, seat))))
    due = (*over.due[:-1], replace(over.due[-1], seat=seat))
    return replace(over, hand=above, due=due, turn=state.turn, doubtful=state.doubtful)
