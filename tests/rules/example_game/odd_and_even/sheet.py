"""The rules, in the order in which they are checked."""

from rules.contract.game import Rule

RULES = (
    Rule("take-turns", "mistake", "Odd on even, even on odd.", "A 3 on a 5: take it back."),
    Rule("pass", "notice", "A seat without a card to lay draws one.", "Seat 2 says pass."),
    Rule("five", "win", "Whoever lays the fifth card wins.", "3 4 9 2 7."),
)
