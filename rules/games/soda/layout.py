"""Where Soda's scoring cards, its played cards and the seats' cards lie.

Before `start` the cards of 2 to 10 are laid into four stacks, one a suit. Afterwards cards in the
middle are played, and a scoring card that comes before a seat is won.
"""

from rules.contract.game import seats
from rules.games.soda.state import ACE, SUITS, TEN, VALUES
from rules.table.layout import LandedCard, Layout, Spot, Tabletop
from rules.table.placing import (
    LIMITS,
    Near,
    apart,
    joined,
    nearest,
    nowhere,
    seat_of,
    seats_cost,
    share,
    where_it_was,
)
from rules.values import replace

PLACES_TEXT = "play, discard, score/c to score/s, seat/N/won, seat/N/hand"
# A card joins a stack of scoring cards if it covers this part of one.
_STACK_SHARE = 0.3
_COVERS = 0.3  # part of a card
# Played cards are swept at least so far, in card lengths; nearer ones are played.
_SWEPT = 1.2
# Depth of a seat's part of the table for a scoring card, which is not played.
_WON_DEEP = 0.95
_PLAYED = 20.0  # cards that are played to one that is laid before a seat, without an Ace
_GUESS = 0.7  # sure; a card before a seat that is no scoring card and not shown after an Ace
# After an Ace the losers show cards, so most cards before them are shown, beside their won pile
# too; but one apart from the row that a seat shows already is of the won pile.
_SHOWN = 0.9  # sure; a card beside a won pile, from no stack
_FIRST_SHOWN = 0.99  # sure; a scoring card before a seat that shows none yet
_NOT_SHOWN = 0.9  # sure; a scoring card apart from the row: one of the row may have been missed
_TOO_HIGH = 0.6  # sure; a first scoring card before a seat that should have been discarded is shown
_MAY_SHOW = 0.8  # sure; a scoring card that may be from its stack, before a loser, is won
_WINNERS = 0.8  # sure; a scoring card before the seat that laid the Ace is won


def is_place(place: str, players: int) -> bool:
    """Whether a game of so many players has this place."""
    if place in ("play", "discard", *(f"score/{suit}" for suit in SUITS)):
        return True
    part = place.split("/")
    return (
        len(part) == 3
        and part[0] == "seat"
        and part[1] in seats(players)
        and (part[2] in ("won", "hand"))
    )


def find(tabletop: Tabletop, card: LandedCard) -> Spot:
    """The stack or the row that the card joins; else its place by where it lands."""
    if card.face == "back":
        return nowhere()
    if not tabletop.is_playing:
        if is_score(card.face):
            return Spot(_stack(card))
        return Spot("play", _GUESS)
    if is_score(card.face) and (_lay_there(tabletop, card) or _is_on_its_stack(tabletop, card)):
        return Spot(_stack(card))
    width = min(tabletop.card_mm)
    is_won = _is_won(tabletop, card)
    near = [n for n in nearest(tabletop, card) if _joins(n, card, is_won, width)]
    played = [other.face for other in tabletop.cards if other.place == "play"]
    after_ace = any(VALUES.get(face) == ACE for face in played)  # it ends the hand
    if near:
        spot = joined(near, LIMITS.chain_gap, width)
        is_beside = near[0].gap > -_COVERS * width
        return _perhaps_shown(tabletop, spot) if after_ace and is_beside and not is_won else spot
    seat, sure = seat_of(tabletop, card)
    if card.came_from == "play" and not (after_ace and seat is not None):
        return _from_play(tabletop, card, seat)
    again = where_it_was(tabletop, card, ("play", "discard"))
    if again is not None:
        return Spot(*again)
    if is_won:
        return _won(tabletop, card, after_ace)
    if after_ace:
        return _after_an_ace(tabletop, card, seat, sure)
    if seat is None:
        is_thing = card.face == "unknown" and _swept(tabletop, card) == "discard"
        return nowhere() if is_thing else Spot("play", _by_odds(sure))
    if is_score(card.face):  # without an Ace nobody shows cards
        won, in_play = f"seat/{seat}/won", _by_odds(1.0 - sure)
        is_played = in_play > 0.5
        return Spot("play", in_play, other=won) if is_played else Spot(won, sure, other="play")
    return Spot(f"seat/{seat}/hand", sure * _GUESS, other=f"seat/{seat}/won")


def _perhaps_shown(tabletop: Tabletop, spot: Spot) -> Spot:
    """The spot of a card beside others, after an Ace: a loser shows it beside the won pile."""
    owner, _, part = (spot.place or "").rpartition("/")
    if part != "won" or f"{owner}/hand" == spot.other or _has_won(tabletop, int(owner[5:])):
        return spot
    return Spot(f"{owner}/hand", _SHOWN, other=spot.place)


def _has_won(tabletop: Tabletop, seat: int) -> bool:
    """Whether this seat is known to have laid the last card that was played."""
    side = tabletop.laid_from.get("play")
    return [k for k, at in enumerate(tabletop.sides, 1) if at == side] == [seat]


def _after_an_ace(tabletop: Tabletop, card: LandedCard, seat: int | None, sure: float) -> Spot:
    """The others discard, away from the cards that were played, and show the rest. Whoever laid
    the Ace has won, and shows none."""
    if seat is None:
        costs = seats_cost(tabletop, card)
        nearest_seat = min(costs, key=lambda each: costs[each])
        discarded = _by_odds(sure) if _is_above(tabletop, card) else sure
        return Spot(_swept(tabletop, card), discarded, other=f"seat/{nearest_seat}/hand")
    hand, won = f"seat/{seat}/hand", f"seat/{seat}/won"
    has_won = is_score(card.face) and _has_won(tabletop, seat)
    is_winners = has_won and card.side == tabletop.laid_from.get("play")  # who discards nothing
    if _is_above(tabletop, card) and not is_winners:  # who shows it all the same keeps it too high
        discarded = _by_odds(1.0 - sure)
        if discarded > 0.5:
            return Spot(_swept(tabletop, card), discarded, other=hand)
        if not is_score(card.face):
            return Spot(hand, 1.0 - discarded, other=_swept(tabletop, card))
        return _before_seat(tabletop, seat, sure, _TOO_HIGH)
    if has_won:
        return Spot(won, min(sure, _WINNERS), other=hand)
    if is_score(card.face):
        return _before_seat(tabletop, seat, sure, _FIRST_SHOWN)
    return Spot(hand, sure, other=_swept(tabletop, card))


def _before_seat(tabletop: Tabletop, seat: int, sure: float, shown: float) -> Spot:
    """A scoring card before a seat that did not win: the first one is so likely `shown`, one apart
    from the row that the seat shows is of its won pile."""
    hand, won = f"seat/{seat}/hand", f"seat/{seat}/won"
    if any(other.place == hand for other in tabletop.cards):
        return Spot(won, min(sure, _NOT_SHOWN), other=hand)
    return Spot(hand, min(sure, shown), other=won)


def _is_above(tabletop: Tabletop, card: LandedCard) -> bool:
    """Whether an Ace was laid on a card that this one is above: it is discarded."""
    played = [VALUES.get(other.face) for other in tabletop.cards if other.place == "play"]
    value, under = VALUES.get(card.face), played[-2] if len(played) > 1 else None
    return value is not None and under is not None and played[-1] == ACE and value > under


def _by_odds(sure: float) -> float:
    """How sure it is that a card was played which is so sure to lie in the middle: without an Ace
    hardly any other card comes from a hand."""
    return _PLAYED * sure / (_PLAYED * sure + 1.0 - sure)


def _stack(card: LandedCard) -> str:
    return f"score/{card.face[-1]}"


def _lay_there(tabletop: Tabletop, card: LandedCard) -> bool:
    """Whether a scoring card lay there when the table was first seen, though it was named later: no
    hand has laid it, and its stack is new."""
    return card.side is None and _stack(card) not in tabletop.known


def _is_on_its_stack(tabletop: Tabletop, card: LandedCard) -> bool:
    """Whether a scoring card lies on the stack of its suit, or where that one was."""
    stack = _stack(card)
    size = tabletop.card_mm
    if any(
        other.place == stack and share(card.pose, other.pose, size) >= _STACK_SHARE
        for other in tabletop.cards
    ):
        return True
    return where_it_was(tabletop, card, (stack,)) is not None


def _is_won(tabletop: Tabletop, card: LandedCard) -> bool:
    """Whether it is a scoring card on its way, from its stack or from another seat.

    Where nobody saw it go: the card that is missing on top of its stack, and lies nowhere else.
    """
    if card.came_from is not None:
        return card.came_from.startswith("score/") or card.came_from.endswith("/won")
    if not is_score(card.face) or any(
        other.face == card.face and other.place is not None and other.place.endswith("/won")
        for other in tabletop.cards
    ):
        return False
    stack = _stack(card)
    lying = [VALUES.get(other.face, ACE) for other in tabletop.cards if other.place == stack]
    return stack in tabletop.known and VALUES[card.face] == min(lying, default=TEN + 1) - 1


def is_score(face: str) -> bool:
    """Whether a face is one of the scoring cards, 2 to 10."""
    return VALUES.get(face, ACE) <= TEN


def _won(tabletop: Tabletop, card: LandedCard, after_ace: bool) -> Spot:
    """The seat before which a scoring card lies, whoever has put it there. After an Ace a loser may
    show the other pack's card of its face, unless the one from the stack is on its way."""
    seat, sure = seat_of(tabletop, replace(card, side=None), _WON_DEEP)
    if seat is None:
        return Spot("play", sure)
    won, is_taken = f"seat/{seat}/won", (card.came_from or "").startswith("score/")
    if after_ace and not is_taken and not _has_won(tabletop, seat):
        return Spot(won, min(sure, _MAY_SHOW), other=f"seat/{seat}/hand")
    return Spot(won, sure)


def _joins(near: Near, card: LandedCard, is_won: bool, width: float) -> bool:
    """Whether a card joins a row or pile. One that was swept or won joins others only if it
    covers them."""
    if near.place.startswith("score/"):
        return False
    if card.came_from == "play" and near.place not in ("play", "discard"):
        return near.gap <= -_COVERS * width
    if is_won and card.came_from and not near.place.endswith("/won"):
        return near.gap <= -_COVERS * width
    limit = LIMITS.pile_gap if near.place == "discard" else LIMITS.chain_gap
    return near.gap <= limit * width


def _from_play(tabletop: Tabletop, card: LandedCard, seat: int | None) -> Spot:
    """Where a card lies that was played before: with the discarded ones, or played again. There are
    two of each scoring card: one where a seat laid such cards before is laid there too."""
    swept = _swept(tabletop, card)
    if seat is not None and is_score(card.face):
        won = where_it_was(tabletop, card, (f"seat/{seat}/won",))
        if won is not None:
            return Spot(*won, other=swept)
    return Spot(swept)


def _swept(tabletop: Tabletop, card: LandedCard) -> str:
    played = tabletop.known.get("play")
    if played is None or apart(card.pose, played) >= _SWEPT * max(tabletop.card_mm):
        return "discard"
    return "play"


LAYOUT = Layout(
    strips={"won": (0.0, 0.4), "hand": (0.4, 1.0)},
    middles={
        **{f"score/{suit}": (k / 4, 0.0, (k + 1) / 4, 0.5) for k, suit in enumerate(SUITS)},
        "play": (0.3, 0.5, 1.0, 1.0),
        "discard": (0.0, 0.5, 0.3, 1.0),
    },
    grammar=find,
    only_taken=("score/",),
    # There are two packs: one is played, the other one's 2 to 10 are won.
    lone_faces=frozenset(face for face, value in VALUES.items() if value > TEN),
    decided_at={"/won": "play"},
    owned=("/won", "/hand"),
)
