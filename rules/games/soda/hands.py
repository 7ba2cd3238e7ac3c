"""Soda's hands: cards played in turn, bonus cards, Aces and No."""

from rules.contract.game import next_seat
from rules.contract.mistakes import (
    OpenedBy,
    close_by_placing,
    close_rule,
    corrected,
    opened,
    wrong_cards,
)
from rules.games.soda.score import Judged
from rules.games.soda.state import (
    ACE,
    HANDS,
    VALUES,
    Laid,
    State,
    a_rank,
    card_name,
    hand_over_unseen,
    rank_name,
    score_card,
    seat_name,
    without_one,
)
from rules.table.call import Call, complete, mistake, notice
from rules.table.event import Act, Placed, Pressed, Removed
from rules.values import replace

_BONUS = {2: "pair", 3: "triple", 4: "quadruple"}


def play(state: State, event: Placed) -> Judged:
    """ "Each player, in turn, plays a card from their hand that has a value that's equal to or
    greater than the last played card." """
    if not state.running:
        return replace(state, hand=(*state.hand, Laid(event.card, event.seat))), ()
    mistakes, calls = close_by_placing(state.mistakes, event)
    if calls:
        return replace(state, mistakes=mistakes), calls
    if state.hands == HANDS:
        # The round's last hand is over, and its 10 is not collected yet: nothing is played.
        return replace(state, old=(*state.old, event.card)), ()
    late = [m for m in state.mistakes if m.by is OpenedBy.LATE and m.card == event.card]
    if late:
        left = tuple(m for m in state.mistakes if m not in late)
        state, calls = replace(state, mistakes=left), tuple(corrected(m) for m in late)
    seat = event.seat if event.seat is not None else state.turn
    wrong = None if "play" in state.unknown else wrong_card(state, event, seat)
    if wrong:
        return replace(state, mistakes=opened(state.mistakes, wrong, OpenedBy.PLACING)), (
            *calls,
            wrong,
        )
    state, closed = _close_buttons(state, ("out-of-turn", "must-lead"))
    state, made = lay_right(state, event, seat)
    return state, (*calls, *closed, *made)


def wrong_card(state: State, event: Placed, seat: int | None) -> Call | None:
    """The first row of the table that a card at `play` breaks, or None when it is right."""
    if not state.unknown and state.turn is not None and seat != state.turn:
        text = (
            f"It is seat {state.turn}'s turn, not seat {seat}'s. "
            f"Seat {seat}, take your {card_name(event.card)} back."
        )
        return mistake(event, "out-of-turn", text, seat)
    last = VALUES.get(state.hand[-1].card, 0) if state.hand else 0
    if VALUES[event.card] >= last:
        return None
    text = (
        f"The {card_name(event.card)} is too low: {a_rank(last)} or higher is due. "
        "Take it back, and play a higher card or say No."
    )
    return mistake(event, "too-low", text, seat)


def lay_right(state: State, event: Placed, seat: int | None) -> Judged:
    """A right card is played: the next seat's turn, a bonus, or an Ace that ends the hand."""
    hand = (*state.hand, Laid(event.card, seat))
    limit = None if not state.hand else state.limit
    turn = next_seat(seat, state.players) if seat is not None else None
    after = replace(state, hand=hand, turn=turn, limit=limit)
    if VALUES[event.card] == ACE:
        return _ace(after, event, seat)
    # "If a card is played that has the same value as the last played card (a pair) - the player
    # immediately collects 1 bonus card from the draw pile."
    same = 1
    for laid in reversed(state.hand):
        if VALUES.get(laid.card) != VALUES[event.card]:
            break
        same += 1
    if same == 1:
        return after, ()
    rule = _BONUS[min(same, 4)]
    bonus = min(same, 4) - 1
    cards = "card" if bonus == 1 else "cards"
    who = f"Seat {seat}" if seat is not None else "Whoever laid it"
    text = f"A {rule}! {who} draws {bonus} bonus {cards}."
    return after, (notice(event, rule, text, seat),)


def _ace(state: State, event: Placed, seat: int | None) -> Judged:
    """ "If a player plays an Ace, they immediately win the hand." """
    below = state.hand[-2].card if len(state.hand) > 1 else None
    state, calls = _end_of_hand(state, event, seat, leader=state.turn)
    if below is None:
        # "Because the Ace wasn't played after another card, no players discard anything."
        return state, calls
    if below not in VALUES:
        text = "An Ace! All others discard every card above the card under it and show the rest."
        return state, (*calls, notice(event, "discard-above", text))
    value = VALUES[below]
    text = (
        f"An Ace on {a_rank(value)}! All others discard every card above the "
        f"{rank_name(value)} and show the rest."
    )
    return replace(state, limit=(value, seat)), (*calls, notice(event, "discard-above", text))


def say_no(state: State, event: Pressed) -> Judged:
    """ "The hand ends when a player can't lay a card, or chooses not to, at which point they
    simply say "No"." """
    if not state.running or state.hands == HANDS:
        return state, ()
    seat = event.seat if event.seat is not None else state.turn
    call = None
    if not state.unknown and state.turn is not None and seat != state.turn:
        text = f"It is seat {state.turn}'s turn to play or say No, not seat {seat}'s. Please wait."
        call = mistake(event, "out-of-turn", text, seat)
    elif not state.hand:
        who = f"Seat {seat}" if seat is not None else "The leader"
        text = f"{who} leads the hand and cannot say No: play any card."
        call = mistake(event, "must-lead", text, seat)
    if call:
        return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.BUTTON)), (call,)
    state, closed = _close_buttons(state, ("out-of-turn",))
    # "The player who played the last card wins the hand."
    winner = state.hand[-1].seat
    state, calls = _end_of_hand(state, event, winner, leader=seat)
    return state, (*closed, *calls)


def _end_of_hand(state: State, event: Act, winner: int | None, leader: int | None) -> Judged:
    """The last card's seat wins the hand; "A new hand now begins, starting with the player who
    couldn't or wouldn't play a card" (after an Ace: the seat after it)."""
    prize = score_card(state)
    away = tuple(m.card for m in state.mistakes if m.by is OpenedBy.REMOVING and m.place == "play")
    left = tuple(laid.card for laid in state.hand)
    for card in away:
        left = without_one(left, card or "")
    shown = winner
    if winner is None and leader is not None and state.hand:
        # Nobody saw who laid the last card; clockwise it was the seat before. Only the call says
        # so: the scoring card may go to anybody.
        shown = (leader - 2) % state.players + 1
    late = tuple(
        replace(m, by=OpenedBy.LATE) if m.by is OpenedBy.REMOVING and m.place == "play" else m
        for m in state.mistakes
    )
    after = replace(
        state,
        hands=state.hands + 1,
        hand=(),
        old=state.old + left + wrong_cards(state.mistakes, "play"),
        turn=leader,
        # With a card that nobody could name there may have been an Ace, and two hands.
        due=(*state.due, Laid(prize, None if state.doubtful else winner)),
        more=state.more or state.doubtful,
        limit=None,
        doubtful=False,
        mistakes=late,
    )
    text = f"{seat_name(shown).capitalize()} wins the hand and takes the {card_name(prize)}."
    calls = [complete(event, "hand", text, shown)]
    if after.hands < HANDS:
        # "The dealer gives one card to each player that has less than 5 cards."
        who = f"Seat {state.dealer} deals: every hand with fewer than 5 cards is filled up to 5."
        calls.append(notice(event, "deal", who, state.dealer))
    return after, tuple(calls)


def _close_buttons(state: State, rules: tuple[str, ...]) -> Judged:
    calls: tuple[Call, ...] = ()
    mistakes = state.mistakes
    for rule in rules if mistakes else ():
        mistakes, closed = close_rule(mistakes, rule, by=OpenedBy.BUTTON)
        calls += closed
    return (replace(state, mistakes=mistakes) if calls else state), calls


def take_from_play(state: State, event: Removed) -> Judged:
    """ "The dealer moves the played cards away, to a discard pile": after the hand, not in it."""
    at = max((i for i, laid in enumerate(state.hand) if laid.card == event.card), default=None)
    if at is None:
        return replace(state, old=without_one(state.old, event.card)), ()
    if not state.running or state.doubtful:
        after = replace(state, hand=state.hand[:at] + state.hand[at + 1 :])
        return (hand_over_unseen(after) if state.running and not after.hand else after), ()
    seat = event.seat if event.seat is not None else state.turn
    text = f"The hand is not over yet. Put the {card_name(event.card)} back."
    call = mistake(event, "cards-stay", text, seat)
    if any(m.by is OpenedBy.REMOVING and m.card == event.card for m in state.mistakes):
        return replace(state, old=without_one(state.old, event.card)), ()
    return replace(state, mistakes=opened(state.mistakes, call, OpenedBy.REMOVING)), (call,)
