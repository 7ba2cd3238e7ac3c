"""Random scripts for the simulated table, by seed: a game, its places, its table and its pace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from lab.games.acts import Group, random_game
from lab.games.handling import Hands
from lab.games.places import Piles, family_places
from lab.games.timing import Timing, Untimed
from lab.players.players import PLAYERS
from models.drawing.steps import Look, Script, Spot
from models.drawing.surroundings import LIGHTS, TABLES
from rules.errors import FairdealError
from rules.table.event import Placed

PLAIN_TABLES = ("wood", "felt")
SIDES = ("bottom", "left", "top", "right")
MOST_PLAYERS = {"dirty-laundry": 3}
# A card's length, px of a picture 720 px high: the least and the most that fits the table.
CARD_PX = {
    "suds": (104, 150), "sooty": (92, 116), "cat-in-the-hat": (100, 140),
    "soda": (92, 120), "dirty-laundry": (84, 96),
}  # fmt: skip
_END_S = 3.5  # after the last act


@dataclass(frozen=True, slots=True)
class Wish:
    """What to generate. `events`: at least so many, unless the game ends before.

    `plain`: a camera straight above a wooden or felt table, and nothing but the game's acts.
    `drawn_deck`: with a deck that is drawn for this game, not with the shipped one.
    """

    game: str
    seed: int
    pace: float
    events: int = 60
    plain: bool = False
    players: int | None = None
    drawn_deck: bool = False

    @property
    def name(self) -> str:
        """For files and reports."""
        return f"{self.game}-{self.pace:g}s-{self.seed}" + ("-drawn" if self.drawn_deck else "")


@dataclass(frozen=True, slots=True)
class Generated:
    """A script, the options of the game that it plays, and where seats 1 to N sit."""

    wish: Wish
    script: Script
    options: dict[str, str]
    sides: tuple[str, ...]


def wishes(games: Sequence[str], paces: Sequence[str], count: int, like: Wish) -> list[Wish]:
    """`count` games of each game and pace, with seeds from `like.seed` on. Raises FairdealError."""
    for name in games:
        if name not in PLAYERS:
            raise FairdealError(f"one of {', '.join(PLAYERS)}", ascii(name), "name it with --game")
    try:
        seconds = [float(pace) for pace in paces]
    except ValueError as error:
        raise FairdealError("seconds, as 1.5,0.6", str(error), "name them with --pace") from error
    if not all(0.3 <= pace <= 10 for pace in seconds) or not 1 <= count <= 1000:
        raise FairdealError(
            "paces of 0.3 to 10 s and 1 to 1000 games", f"{','.join(paces)} and {count}",
            "mend --pace or --games",
        )  # fmt: skip
    return [
        replace(like, game=name, seed=like.seed + number, pace=pace)
        for name in games for pace in seconds for number in range(count)
    ]  # fmt: skip


def generate(wish: Wish) -> Generated:
    """The same wish gives the same script."""
    rng = Random(f"{wish.game}/{wish.seed}")
    players = wish.players or rng.randint(2, MOST_PLAYERS.get(wish.game, 4))
    sides = _sides(rng, wish, players)
    look = _look(rng, wish)
    game = random_game(wish.game, rng, players, wish.events)
    hands, timing = Hands(), Timing(rng, wish.pace, extras=not wish.plain)
    for face, place in game.lying:
        hands.lay(face, place)
    if wish.game == "suds":
        spots, steps = _on_piles(rng, look, hands, game.groups)
    else:
        spots = family_places(wish.game, rng, sides, look.card_px / 720)
        steps = list(_untimed(hands, game.groups))
    timed = timing.timed(steps)
    script = Script(
        wish.name, wish.game, players, look, wish.seed, round(timed[-1].at + _END_S, 2),
        spots, game.lying, tuple(timed), timing.tempo,
    )  # fmt: skip
    return Generated(wish, script, game.options, sides)


def _sides(rng: Random, wish: Wish, players: int) -> tuple[str, ...]:
    """Where seats 1 to N sit, clockwise; Dirty Laundry keeps a side free for its clothesline."""
    if wish.plain or wish.game == "dirty-laundry":
        return SIDES[:players]
    return tuple(sorted(rng.sample(SIDES, players), key=SIDES.index))


def _look(rng: Random, wish: Wish) -> Look:
    card = float(rng.randint(*CARD_PX[wish.game]))
    if wish.plain:
        return Look(rng.choice(PLAIN_TABLES), card)
    tilted = rng.random() < 0.5
    return Look(
        rng.choice(TABLES), card, rng.choice(LIGHTS),
        round(rng.uniform(8, 28), 1) if tilted else 0.0,
        round(rng.uniform(-0.08, 0.04), 3) if tilted else 0.0,
        rng.randint(0, 3), rng.randint(0, 9),
    )  # fmt: skip


def _on_piles(
    rng: Random, look: Look, hands: Hands, groups: Sequence[Group]
) -> tuple[dict[str, Spot], list[Untimed]]:
    """The spots of Suds' piles as they are born, and the steps."""
    piles = Piles(rng, look.card_px / 720)
    steps: list[Untimed] = []
    for group in groups:
        for event in group.events:
            if isinstance(event, Placed) and not hands.at(event.place):
                piles.born(event.place, [place for place in piles.spots if hands.at(place)])
        steps += _untimed(hands, [group])
    return piles.spots, steps


def _untimed(hands: Hands, groups: Sequence[Group]) -> Iterator[Untimed]:
    """The steps of all groups; the first one of an answer waits for the call."""
    for group in groups:
        for number, step in enumerate(hands.steps(group.events)):
            yield Untimed(step, group.is_answer and number == 0)
