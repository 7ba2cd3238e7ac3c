"""Soda's rules by their ids, in the order of the rulings, each with its sentence and example."""

from rules.contract.game import Rule

RULES = (
    Rule(
        "out-of-turn",
        "mistake",
        "Each player, in turn (in a clockwise direction), plays a card from their hand.",
        "Seat 2 is next and seat 3 lays a card, or says No.",
    ),
    Rule(
        "must-lead",
        "mistake",
        "A new hand begins with a card: whoever leads it cannot say No.",
        "The hand has no card yet and its leader says No.",
    ),
    Rule(
        "too-low",
        "mistake",
        "The card has a value that is equal to or greater than the last played card.",
        "A 4 is laid on a 6.",
    ),
    Rule(
        "pair",
        "notice",
        "A card of the same value as the last one brings 1 bonus card from the draw pile.",
        "A 7 is laid on a 7: draw 1.",
    ),
    Rule(
        "triple",
        "notice",
        "The third card of the same value brings 2 bonus cards.",
        "A third 7 is laid: draw 2.",
    ),
    Rule(
        "quadruple",
        "notice",
        "The fourth card of the same value brings 3 bonus cards.",
        "The fourth 7 is laid: draw 3.",
    ),
    Rule(
        "hand",
        "complete",
        "The player who played the last card wins the hand and collects the top scoring card.",
        "Seat 1 lays a 9, seat 2 says No: seat 1 takes the 2 of the round's suit.",
    ),
    Rule(
        "discard-above",
        "notice",
        "After an Ace laid on a card, all others discard every card above that card's value.",
        "An Ace is laid on a 6: everyone else discards every card of 7 or more.",
    ),
    Rule(
        "kept-too-high",
        "mistake",
        "They lay their remaining cards face up to prove that they are not hiding any such cards.",
        "An Ace was laid on a 10 and a Jack is shown.",
    ),
    Rule(
        "wrong-winner",
        "mistake",
        "The scoring card of a hand goes to the hand's winner.",
        "Seat 2 won the 2 of clubs and it is laid at seat 1.",
    ),
    Rule(
        "wrong-score-card",
        "mistake",
        "Winners collect the top scoring card: 2 for the first hand, 3 for the next, up to 10.",
        "The 3 is due and the 4 is taken.",
    ),
    Rule(
        "cards-stay",
        "mistake",
        "The dealer moves the played cards away when the hand is over, not before.",
        "A right card is taken back before anybody has said No.",
    ),
    Rule(
        "deal",
        "notice",
        "The dealer gives one card to each player that has less than 5, until all have 5.",
        "A hand is over: the dealer fills every hand up to 5.",
    ),
    Rule(
        "round",
        "notice",
        "When the 10 has been claimed, the cards go to the next dealer and a new round begins.",
        "The 10 of clubs lies at its winner's: the next dealer deals for diamonds.",
    ),
    Rule(
        "highest-score",
        "win / tie",
        "The player with the highest score wins.",
        "After four rounds seat 3 has 70 points, more than anybody else.",
    ),
)
