# Names of rules that their ids do not say well; the others are shown as their ids, in words.
rule-starts-with-hat = a pile starts with a hat
rule-third-move = a third move
rule-too-low = card too low
rule-cannot-reach-12 = 12 out of reach
rule-no-draw = no card is drawn here
rule-deck-count = more cards than the deck has
