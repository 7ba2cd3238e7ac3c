"""Games of random events: few faces at few places, so that they meet; nearly none is legal."""

import random
from collections.abc import Iterator

from rules.contract.game import UNJUDGED_CARDS, Game
from rules.games import game
from rules.table.event import Blind, Event, Placed, Pressed, Removed, Sighted


def random_games(name: str, games: int, length: int) -> Iterator[tuple[int, list[Event]]]:
    """`games` times the number of players and so many events; the first one presses start."""
    the_game, rng = game(name), random.Random(name)
    for _ in range(games):
        players = rng.randint(*the_game.players)
        faces = sorted(the_game.cards_of(players) if the_game.cards_of else the_game.cards)
        faces = rng.sample(faces, min(rng.choice((2, 5, 12)), len(faces)))
        places = list(places_of(the_game, players))
        places = rng.sample(places, min(rng.choice((1, 2, 4, 40)), len(places)))
        start = Pressed(0.0, "start")
        events = [_event(rng, the_game, players, faces, places, at) for at in range(1, length)]
        yield players, [start, *events]


def places_of(the_game: Game, players: int) -> Iterator[str]:
    """The places of this game; of Suds' piles two."""
    inner = ["left", "right", "won", "hand", "set/1", "set/2", "garments"]
    inner += ["hand-wash", "hand-wash/garments", "hand-wash/items"]
    found = [f"seat/{seat}/{what}" for seat in range(1, players + 1) for what in inner]
    found += [f"machine/{k}{what}" for k in "123" for what in ("", "/garments", "/items")]
    found += [f"score/{suit}" for suit in "cdhs"]
    found += ["pile/1", "pile/2", "play", "discard", "actions", "clothesline"]
    return (place for place in found if the_game.is_place(place, players))


def _event(
    rng: random.Random, the_game: Game, players: int, faces: list[str], places: list[str], at: int
) -> Event:
    seat = rng.choice([None, *range(1, players + 1)])
    chance = rng.random()
    if chance < 0.02:
        return rng.choice([Blind, Sighted])(float(at))
    if chance < 0.1:
        buttons = ["start", "undo", "undo", *sorted(the_game.buttons)]
        button = "end" if rng.random() < 0.02 else rng.choice(buttons)
        return Pressed(float(at), button, seat)
    kind = rng.choice([Placed, Placed, Removed])
    card = rng.choice([*faces, *faces, *sorted(UNJUDGED_CARDS)])
    on = rng.choice([None, *faces]) if the_game.uses_on and kind is Placed else None
    place = rng.choice(places)
    return (
        Removed(float(at), card, place, seat)
        if kind is Removed
        else Placed(float(at), card, place, seat, on)
    )
