"""The table of Dirty Laundry's rules, in its order, with the sheet's own sentences."""

from rules.contract.game import Rule

RULES = (
    Rule(
        "out-of-turn",
        "mistake",
        "Players take turns: a move is made by the seat in turn, after its two moves by the next.",
        "It is seat 2's turn and seat 1 lays an item.",
    ),
    Rule(
        "third-move",
        "mistake",
        "Players must make 2 moves each turn.",
        "Seat 1 has loaded a garment and laid an item, and lays another item.",
    ),
    Rule(
        "must-move-twice",
        "mistake",
        "Players must make 2 moves each turn and cannot pass or discard a card as a move.",
        "Seat 2 presses done after one move.",
    ),
    Rule(
        "machine-broken",
        "mistake",
        "Items and garments cannot be loaded into a BROKEN WASHING MACHINE.",
        "An item is laid at machine 2, which is turned to its broken side.",
    ),
    Rule(
        "mixed-load",
        "mistake",
        "DIRTY garments and RUINED garments cannot be loaded into the same washing machine.",
        "A ruined white garment is loaded where a dirty one lies.",
    ),
    Rule(
        "no-hand-wash",
        "mistake",
        "It requires 2 moves: place a HAND WASH down, load a garment to that HAND WASH. "
        "Discard after 1 wash.",
        "A garment is laid at seat 1's hand wash, and no hand wash card is down.",
    ),
    Rule(
        "hand-wash-full",
        "mistake",
        "HAND WASH: a private bucket that cleans 1 garment.",
        "A second garment is laid in the same hand wash.",
    ),
    Rule(
        "ruined-in-hand-wash",
        "mistake",
        "RUINED garments can be loaded into an empty washing machine or another washing machine "
        "containing other RUINED garments.",
        "A ruined garment is laid in a hand wash.",
    ),
    Rule(
        "not-your-hand-wash",
        "mistake",
        "Opponents cannot load items into your HAND WASH.",
        "Seat 2 lays an item at seat 1's hand wash.",
    ),
    Rule(
        "items-face-down",
        "mistake",
        "Item cards are played face-down above a washing machine or hand wash.",
        "A detergent is laid face-up at machine 1.",
    ),
    Rule(
        "outcome",
        "notice",
        "Play the WASH card to reveal all item cards in the washing machine.",
        "Red sock and detergent: the colour garment is clean, the white one ruined.",
    ),
    Rule(
        "overdose",
        "notice",
        "If there are 2 or more DETERGENT, flip the washing machine to broken. "
        "Flip all garments to RUINED and return to players.",
        "Two detergents are turned up in machine 2: it breaks.",
    ),
    Rule(
        "wash",
        "complete",
        "If there is only 1 DETERGENT, garments are cleaned.",
        "Detergent and mesh bag: seat 2's colour mesh garment is clean.",
    ),
    Rule(
        "not-clean",
        "mistake",
        "Hang all successfully cleaned garments on the CLOTHESLINE.",
        "A garment that wants softener is hung up after a wash without softener.",
    ),
    Rule(
        "should-be-clean",
        "mistake",
        "Hang all successfully cleaned garments on the CLOTHESLINE.",
        "A cleaned garment is given back to its owner instead.",
    ),
    Rule(
        "should-be-ruined",
        "mistake",
        "Flip DIRTY garments over to indicate they are RUINED.",
        "After a wreck a garment is given back dirty side up.",
    ),
    Rule(
        "should-be-restored",
        "mistake",
        "SPECIAL BLEACH restores RUINED WHITE garments. "
        "SPECIAL DYE restores RUINED COLOUR garments.",
        "After a wash with special dye a ruined colour garment comes back ruined side up.",
    ),
    Rule(
        "should-be-dirty",
        "mistake",
        "Return any dirty garments to players and discard all item cards.",
        "A garment that was not cleaned is given back ruined side up.",
    ),
    Rule(
        "wrong-owner",
        "mistake",
        "Return any dirty garments to players.",
        "Seat 2's garment is given back to seat 3.",
    ),
    Rule(
        "no-repair",
        "mistake",
        "Use the REPAIR card to repair the WASHING MACHINE.",
        "A broken machine is turned back and no repair card was laid.",
    ),
    Rule(
        "no-wreck",
        "mistake",
        "Washing machines can be broken in two ways. Either by using the WRECK card or using too "
        "much DETERGENT (2 or more).",
        "A machine is turned to broken and no wreck card was laid.",
    ),
    Rule(
        "no-rinse",
        "mistake",
        "RINSE: remove all item cards from a selected washing machine or your hand wash.",
        "An item is taken from machine 1 and no rinse card was laid.",
    ),
    Rule(
        "no-sort",
        "mistake",
        "SORT: move your garment or an opponent's garment between washing machines. "
        "Or move one of your garments between a washing machine or your hand wash.",
        "A garment moves from machine 1 to machine 2 and no sort card was laid.",
    ),
    Rule(
        "sort-not-yours",
        "mistake",
        "SORT cannot be used to move other players' garments between their hand wash and washing "
        "machines.",
        "Seat 1 sorts seat 2's garment from seat 2's hand wash to machine 1.",
    ),
    Rule(
        "machines-broken",
        "tie",
        "If all 3 washing machines are BROKEN, everyone loses.",
        "Machine 3 breaks while machines 1 and 2 are broken.",
    ),
    Rule(
        "all-clean",
        "win",
        "The objective is to wash all your dirty laundry first.",
        "Seat 2's sixth garment is hung on the clothesline.",
    ),
)
