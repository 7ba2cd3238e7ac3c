"""The rules of The Cat in the Hat Comes Back by id, in the order of the rulings, with the
sheet's own sentences."""

from rules.contract.game import Rule

RULES = (
    Rule(
        "out-of-turn",
        "mistake",
        "On each turn, a player draws a card from the deck then plays a card or discards a card.",
        "Seat 3 lays an E while seat 2 is in turn: take it back and wait.",
    ),
    Rule(
        "not-your-pile",
        "mistake",
        "Players may only play cards onto their own piles.",
        "Seat 1, in turn, lays a G on seat 2's pile: take it back and lay it on your own.",
    ),
    Rule(
        "not-after",
        "mistake",
        "The left pile: letters that come alphabetically after the top card on the pile.",
        "A left pile shows B: a B or an A is wrong, a C is right.",
    ),
    Rule(
        "not-before",
        "mistake",
        "The right pile: letters that come alphabetically before the top card on the pile.",
        "A right pile shows W: an X or a W is wrong, a V is right.",
    ),
    Rule(
        "cards-stay",
        "mistake",
        "Players count the cards that they've played in both piles: played cards stay there.",
        "Seat 2 picks its P up again: it must be laid back.",
    ),
    Rule(
        "voom",
        "notice",
        "When a VOOM card is played, the player may play a new starting letter on the next turn.",
        "A VOOM lies on the right pile: next turn any letter may follow there.",
    ),
    Rule(
        "last-cards",
        "notice",
        "Once the last card from the deck is drawn, players play any remaining cards.",
        "Somebody draws the last card and presses the button: everybody plays what fits.",
    ),
    Rule(
        "most-spots",
        "win / tie",
        "The player with the most cards played has cleaned up the most spots, and wins the game!",
        "Seat 1 has 12 cards in its two piles, seat 2 has 9: seat 1 wins.",
    ),
)
