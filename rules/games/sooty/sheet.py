"""Sooty's rules by their ids, in the order of the rulings, each with its sentence and example."""

from rules.contract.game import Rule

RULES = (
    Rule(
        "out-of-turn",
        "mistake",
        "The Dealer starts play, and he and each player in turn can do ANY ONE thing.",
        "It is seat 1's turn and seat 2 lays a card.",
    ),
    Rule(
        "not-your-set",
        "mistake",
        "A suit card is laid down face upwards in front of the player who lays it.",
        "Seat 2 lays a Sweep 3 on seat 1's set.",
    ),
    Rule(
        "set-full",
        "mistake",
        "A set has four cards.",
        "A fifth card is laid on 3 + 3 + 3 + 3.",
    ),
    Rule(
        "set-oofled",
        "mistake",
        "You cannot go on completing your set so long as any one of its cards is still Oofled.",
        "Oofle Dust lies on the set's 5 and its owner lays a 1.",
    ),
    Rule(
        "mixed-suits",
        "mistake",
        "Each set must have four cards of the same suit.",
        "A Sweep 5 is laid on a Sooty 5.",
    ),
    Rule(
        "wrong-sum",
        "mistake",
        "The numbers in each set add up to the magic number 12.",
        "A 4 is laid on 3 + 3 + 3: that makes 13.",
    ),
    Rule(
        "set",
        "complete",
        "A set of four cards of one suit that add up to 12 is complete.",
        "5 + 3 + 3 + 1 = 12.",
    ),
    Rule(
        "cannot-reach-12",
        "notice",
        "Pick up a card if you can see that you cannot complete a set.",
        "4 + 5 + 4 is 13 already.",
    ),
    Rule(
        "oofle-own",
        "mistake",
        "Oofle Dust is placed on one of the cards of another player.",
        "Seat 1 lays Oofle Dust on its own card.",
    ),
    Rule(
        "oofle-complete",
        "mistake",
        "Once a set has been completed, NO card in it can be Oofled.",
        "Oofle Dust is laid on 5 + 1 + 5 + 1.",
    ),
    Rule(
        "already-oofled",
        "mistake",
        "The second Oofling can only be done after the first has been cleared by a Magic Wand.",
        "A second Oofle Dust is laid on a card before its wand.",
    ),
    Rule(
        "no-oofle",
        "mistake",
        "A Magic Wand is placed on top of an Oofle Dust card.",
        "A Magic Wand is laid on a set without Oofle Dust.",
    ),
    Rule(
        "wand-not-own",
        "mistake",
        "Release any card of his own which has been Oofled.",
        "Seat 3 lays a Magic Wand on seat 1's Oofle Dust.",
    ),
    Rule(
        "draw-one",
        "notice",
        "When you play an Oofle Dust or Magic Wand card you MUST also pick up a card.",
        "Seat 1 oofles seat 2's card: seat 1 picks up a card.",
    ),
    Rule(
        "joker-mismatch",
        "mistake",
        "The Joker is exchanged for the card that the Joker represents.",
        "In 5 + Joker + 4 + 2 the Joker is a 1, and a 3 is laid for it.",
    ),
    Rule(
        "not-your-card",
        "mistake",
        "Pick up one card from one of his own unfinished sets, not from another's.",
        "Seat 2 takes a card from seat 1's set.",
    ),
    Rule(
        "set-stays",
        "mistake",
        "Cards are picked up from unfinished sets only, and Oofles and wands stay on their card.",
        "A card is taken from 3 + 3 + 3 + 3.",
    ),
    Rule(
        "no-draw",
        "mistake",
        "After laying, exchanging or picking up a card you do NOT pick up another card.",
        "Seat 1 lays a Sooty 4 and takes the top of the discard pile.",
    ),
    Rule(
        "deck-count",
        "unsure",
        "In each suit there are six 3s, three each of 1, 2, 4, 5 and one Joker.",
        "A fourth Sooty 5 lies on the table: one of them may be something else.",
    ),
    Rule(
        "two-sets",
        "win",
        "The winner is the one who first lays down the complete TWO sets.",
        "Seat 1 completes its second set.",
    ),
    # Not in the rulings' table but in their text.
    Rule(
        "who-took-it",
        "unsure",
        "Where nobody saw who took a card from a set, nobody is accused.",
        "A hand that nobody saw takes a card from the set of a seat that is not in turn.",
    ),
)
