"""Every rule id of the rulings is in its game, in order, with the right call."""

import re
from pathlib import Path

import pytest

from rules.contract.game import SHARED_RULES
from rules.games import NAMES, game

SHEET = Path(__file__).parents[3] / "shared" / "rulings.md"

RULINGS = {
    "suds": """false-start mistake, pile-finished mistake, too-late mistake,
        starts-with-hat mistake, out-of-sequence mistake, sequence complete, swept-early mistake,
        taken-back notice, taken-below unsure, stuck notice, still-holding mistake,
        out-of-cards win, fewest-cards win / tie / unsure""",
    "sooty": """out-of-turn mistake, not-your-set mistake, set-full mistake, set-oofled mistake,
        mixed-suits mistake, wrong-sum mistake, set complete, cannot-reach-12 notice,
        oofle-own mistake, oofle-complete mistake, already-oofled mistake, no-oofle mistake,
        wand-not-own mistake, draw-one notice, joker-mismatch mistake, not-your-card mistake,
        set-stays mistake, no-draw mistake, deck-count unsure, two-sets win, who-took-it unsure""",
    "cat-in-the-hat": """out-of-turn mistake, not-your-pile mistake, not-after mistake,
        not-before mistake, cards-stay mistake, voom notice, last-cards notice,
        most-spots win / tie""",
    "soda": """out-of-turn mistake, must-lead mistake, too-low mistake, pair notice,
        triple notice, quadruple notice, hand complete, discard-above notice,
        kept-too-high mistake, wrong-winner mistake, wrong-score-card mistake,
        cards-stay mistake, deal notice, round notice, highest-score win / tie""",
    "dirty-laundry": """out-of-turn mistake, third-move mistake, must-move-twice mistake,
        machine-broken mistake, mixed-load mistake, no-hand-wash mistake, hand-wash-full mistake,
        ruined-in-hand-wash mistake, not-your-hand-wash mistake, items-face-down mistake,
        outcome notice, overdose notice, wash complete, not-clean mistake,
        should-be-clean mistake, should-be-ruined mistake, should-be-restored mistake,
        should-be-dirty mistake, wrong-owner mistake, no-repair mistake, no-wreck mistake,
        no-rinse mistake, no-sort mistake, sort-not-yours mistake, machines-broken tie,
        all-clean win""",
}


@pytest.mark.parametrize("name", RULINGS)
def test_the_rules_of_a_game_are_those_of_the_rulings(name):
    due = [tuple(row.split(maxsplit=1)) for row in RULINGS[name].split(",")]
    assert [(rule.id, rule.call) for rule in game(name).rules] == due


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_has_a_sentence_and_an_example(name):
    for rule in game(name).rules:
        assert len(rule.sentence) > 10 and len(rule.example) > 10, rule.id
        assert rule.sentence[-1] in ".!?”" and rule.example[-1] in ".!?”", rule.id


@pytest.mark.shared
@pytest.mark.parametrize("name", RULINGS)
def test_every_id_of_the_rulings_themselves_is_there(name):
    """The rows of the game's table, "`a` / `b` | call", and rules named in its text."""
    if not SHEET.is_file():
        pytest.skip("the rulings are not here")
    sections = re.split(r"^## ", SHEET.read_text(encoding="utf-8"), flags=re.MULTILINE)
    text = next(section for section in sections if section.split("\n")[0] == name)
    rows = re.findall(r"^\| ((?:`[a-z0-9-]+`(?: / )?)+) \| ([a-z/ ]+) \|", text, re.MULTILINE)
    due = [(rule, call) for ids, call in rows for rule in re.findall(r"[a-z0-9-]+", ids)]
    found = [(rule.id, rule.call) for rule in game(name).rules]
    assert len(due) > 7 and found[: len(due)] == due
    named = {*re.findall(r"\(rule `([a-z-]+)`\)", sections[0] + sections[1] + text)}
    assert named <= {rule.id for rule in (*game(name).rules, *SHARED_RULES)}
