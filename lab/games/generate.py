"""Random scripts for the simulated table, by seed: a game, its places, its table and its pace."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from lab.games.acts import Group, random_game
from lab.games.handling import Hands
from lab.games.manners import Habits, drawn
from lab.games.places import Piles, family_places
from lab.games.room import Room
from lab.games.timing import Timing, Untimed
from lab.players.players import PLAYERS
from models.deck import load_deck
from models.drawing.cameras import CAMERAS
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
    `drawn_deck`: with a deck that is drawn for this game, not with the shipped one. `manners`,
    `cameras`: what to draw from; all of them means a random choice.
    """

    game: str
    seed: int
    pace: float
    events: int = 60
    plain: bool = False
    players: int | None = None
    drawn_deck: bool = False
    manners: tuple[str, ...] = ()
    cameras: tuple[str, ...] = ()

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
    hands, by_chance = Hands(), Random(f"{wish.game}/{wish.seed}/manners")
    for face, place in game.lying:
        hands.lay(face, place)
    if wish.game == "suds":
        spots, steps = _on_piles(rng, look, hands, game.groups)
    else:
        spots = family_places(wish.game, rng, sides, look.card_px / 720)
        steps = list(_untimed(hands, game.groups))
    manners = drawn(wish.manners, by_chance)
    if wish.game == "suds" and look.tilt:
        # A tilted camera sees a dropped card whole: on a table without places, that is a pile.
        manners = tuple(name for name in manners if name != "drop")
    habits = None
    if manners:
        room = Room(by_chance, spots, sides, look.card_px / 720)
        habits = Habits(manners, by_chance, room, players)
    timing = Timing(rng, wish.pace, not wish.plain, habits)
    timed = timing.timed(steps)
    script = Script(
        wish.name, wish.game, players, look, wish.seed, round(timed[-1].at + _END_S, 2),
        spots, game.lying, tuple(timed), timing.tempo, cameras=_cameras(wish.cameras, by_chance),
    )  # fmt: skip
    if habits:
        script = _with_manners(script, habits)
    return Generated(wish, script, game.options, sides)


def _with_manners(script: Script, habits: Habits) -> Script:
    """The script with what its players hold, wear and have lying about."""
    names = load_deck("plain52" if script.game == "soda" else script.game).names
    sleeves = script.seed if "sleeves" in habits.names else 0
    return replace(
        script, look=replace(script.look, sleeves=sleeves), spots=script.spots | habits.spots,
        lying=(*script.lying, *habits.lying), fans=habits.fans(script.steps, tuple(names)),
    )  # fmt: skip


def _cameras(names: Sequence[str], rng: Random) -> tuple[str, ...]:
    """The faults of one game's camera: of all, none to two; of those named, one."""
    if set(names) != set(CAMERAS):
        return (rng.choice(sorted(names)),) if names else ()
    return tuple(rng.sample(CAMERAS, rng.choice((0, 1, 1, 2))))


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
