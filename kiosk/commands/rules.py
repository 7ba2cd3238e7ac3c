"""`fairdeal rules GAME`: every rule's id, sentence and example, from the code."""

import argparse

from rules.games import NAMES


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `rules GAME`."""
    parser = subparsers.add_parser("rules", help="print a game's rules as the referee judges them")
    parser.add_argument("game", metavar="GAME", help=", ".join(NAMES))
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Prints the rules. Raises FairdealError when there is no such game."""
    from rules.contract.game import SHARED_RULES
    from rules.games import game as game_named

    game = game_named(args.game)
    least, most = game.players
    print(f"{game.title} ({game.name}), {least} to {most} players")
    for option in game.options:
        print(f"option {option.name} (default {option.default}): {option.help}")
    for rule in (*game.rules, *SHARED_RULES):
        print(f"\n{rule.id} ({rule.call})\n  {rule.sentence}\n  Example: {rule.example}")
    return 0
