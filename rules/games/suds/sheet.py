"""The rules of Suds by id, in the order of the rulings, with the sheet's own sentences."""

from rules.contract.game import Rule

RULES = (
    Rule(
        "false-start",
        "mistake",
        "Everyone, including the dealer, waits. The dealer says “1-2-3 go” and players start.",
        "A hat is tossed before the start button: it is taken back, then the game begins.",
    ),
    Rule(
        "pile-finished",
        "mistake",
        "The sequence ends as soon as you toss a sneaker on top of a sock.",
        "A T-shirt lands on a pile that has its sneakers: take it back, the pile is swept.",
    ),
    Rule(
        "too-late",
        "mistake",
        "If someone else adds a card to the pile before you do, you have to take your card back.",
        "Two players toss boxers on the same T-shirt: the second boxers go back.",
    ),
    Rule(
        "starts-with-hat",
        "mistake",
        "A sequence begins as soon as a player throws out a hat card.",
        "Pants are laid on an empty spot: take them back, a new pile begins with a hat.",
    ),
    Rule(
        "out-of-sequence",
        "mistake",
        "Once in a while, a player tosses the wrong card onto the pile. He has to take it back.",
        "Socks land on a T-shirt: the pile needs boxers, the socks go back.",
    ),
    Rule(
        "sequence",
        "complete",
        "When you finish a sequence, sweep the laundry pile onto the floor and into the “wash.”",
        "Sneakers are tossed on the socks, or a wild card in their place: sweep the pile.",
    ),
    Rule(
        "swept-early",
        "mistake",
        "When you finish a sequence, sweep the laundry pile: not before its sneakers lie.",
        "Hat, T-shirt and boxers are swept together: the next right card closes the mistake.",
    ),
    Rule(
        "taken-back",
        "notice",
        "The top right card is taken back: the pile goes back one step.",
        "Boxers are picked up again: the pile needs boxers once more.",
    ),
    Rule(
        "taken-below",
        "unsure",
        "A right card is taken from below the top: nobody can tell why.",
        "The hat is pulled out from under the T-shirt.",
    ),
    Rule(
        "stuck",
        "notice",
        "The dealer says “1-2-3 draw,” each player draws one card from his pile.",
        "Nobody has a right card and the dealer presses draw: everybody draws one.",
    ),
    Rule(
        "still-holding",
        "mistake",
        "The first player to get rid of all his cards wins: not one who still has cards.",
        "Seat 2 says “out” with three cards left: its next right card closes the mistake.",
    ),
    Rule(
        "out-of-cards",
        "win",
        "The first player to get rid of all his cards wins the game.",
        "Seat 3 tosses its last card: 1st. The others may play on for 2nd and 3rd.",
    ),
    Rule(
        "fewest-cards",
        "win / tie / unsure",
        "The player with the fewest cards in his hand wins. If there's a tie, play another game.",
        "The game ends with nobody out: seat 4 has the fewest cards left and wins.",
    ),
)
