"""How fast the referees judge: events a second on one core, for each game."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from rules.event import Event, Placed, Pressed, Removed
from rules.game import make_setup
from rules.games import NAMES, game
from rules.reader import read_events
from rules.referee import begin, close, step

GOAL = 50_000
ROUNDS, ROUND_S = 15, 0.04
# A few seconds of each game, legal and with a mistake put right. `seat card place`, `-` removes.
SCRIPTS = {
    "suds": """!start; 1 hat pile/1; 2 t-shirt pile/1; 1 hat pile/2; 2 boxers pile/1;
        1 pants pile/1; 2 t-shirt pile/2; 1 pants pile/2; -1 pants pile/2; 1 socks pile/1;
        2 sneakers pile/1; -2 sneakers pile/1; -2 socks pile/1; -2 pants pile/1;
        -2 boxers pile/1; -2 t-shirt pile/1; -2 hat pile/1; 1 wild pile/2; 2 wild pile/3;
        1 t-shirt pile/3; !draw; 2 pants pile/2; 1 socks pile/2; 2 sneakers pile/2; !end""",
    "sooty": """- sweep-4 discard; !start; 1 sooty-3 seat/1/set/1; 2 sweep-5 seat/2/set/1;
        1 sooty-4 seat/1/set/1; 2 sweep-1 seat/2/set/1; 1 oofle-dust seat/2/set/1;
        -1 sweep-4 discard; 2 magic-wand seat/2/set/1; 1 sooty-2 seat/1/set/1;
        2 sweep-5 seat/2/set/1; 1 sweep-3 seat/1/set/1; -1 sweep-3 seat/1/set/1;
        1 sooty-3 seat/1/set/1; 2 sweep-1 seat/2/set/1; 1 sweep-3 seat/1/set/2;
        2 sooty-5 discard; 1 sweep-3 seat/1/set/2; 2 sooty-1 discard; 1 sweep-3 seat/1/set/2;
        2 sweep-2 seat/2/set/2; 1 sweep-3 seat/1/set/2""",
    "cat-in-the-hat": """!start; 1 d seat/1/left; 2 w seat/2/right; 1 g seat/1/left;
        2 c seat/2/left; 1 x seat/1/right; 2 t seat/2/right; 1 f seat/1/left; -1 f seat/1/left;
        1 m seat/1/left; 2 z discard; -1 z discard; 1 voom seat/1/right; 2 h seat/2/left;
        1 z seat/1/left; 2 n seat/2/right; 1 e seat/2/left; -1 e seat/2/left; 1 e discard;
        2 voom seat/2/left; !deck-empty; 1 r seat/1/right; 2 r seat/2/left; !end""",
    "soda": """- 2c score/c; - 3c score/c; - 4c score/c; !start; 2 4h play; 1 6d play; 2 6c play;
        1 3c play; -1 3c play; 1 7d play; !no 2; -1 4h play; -1 6d play; -1 6c play; -1 7d play;
        - 2c score/c; 1 2c seat/1/won; 2 5h play; 1 ad play; - 3h seat/2/hand;
        - 3h seat/2/hand; 1 3c seat/1/won; 2 9s play; 1 10s play; !end""",
    "dirty-laundry": """- machine machine/1; - machine machine/2; - machine machine/3;
        - p1-white-plain seat/1/garments; - p1-white-softener seat/1/garments;
        - p1-white-stain seat/1/garments; - p1-colour-plain seat/1/garments;
        - p1-colour-plain2 seat/1/garments; - p1-colour-mesh seat/1/garments;
        - p2-white-plain seat/2/garments; - p2-white-softener seat/2/garments;
        - p2-white-stain seat/2/garments; - p2-colour-plain seat/2/garments;
        - p2-colour-plain2 seat/2/garments; - p2-colour-mesh seat/2/garments; !start;
        -1 p1-white-plain seat/1/garments; 1 p1-white-plain machine/1/garments;
        1 back machine/1/items; !done 1; 2 back machine/2/items;
        2 red-sock machine/2/items; -2 red-sock machine/2/items; 2 back machine/2/items; !done 2;
        1 wash actions; -1 back machine/1/items; 1 detergent machine/1/items;
        -1 p1-white-plain machine/1/garments; 1 p1-white-plain clothesline;
        -1 detergent machine/1/items; 1 back machine/3/items; !done 1""",
}


@dataclass(frozen=True, slots=True)
class Speed:
    """Events a second of one core's own time: `judging` alone, and `replaying`, the lines read
    and the calls written too. Medians of the rounds, and the best round of each."""

    game: str
    judging: float
    replaying: float
    best_judging: float
    best_replaying: float


def scripted(name: str) -> tuple[Event, ...]:
    """A game's script as events, half a second apart."""
    events: list[Event] = []
    for number, text in enumerate(SCRIPTS[name].split(";")):
        words = text.split()
        at = number / 2
        if words[0].startswith("!"):
            seat = int(words[1]) if len(words) > 1 else None
            events.append(Pressed(at, words[0][1:], seat))
            continue
        kind = Removed if words[0][0] == "-" and words[0] != "-" else Placed
        seat = int(words[0].strip("-")) if words[0] != "-" else None
        events.append(kind(at, words[1], words[2], seat))
    return tuple(events)


def measure(name: str, rounds: int = ROUNDS) -> Speed:
    """Plays the script of a game again and again, `rounds` of `ROUND_S` each way, by turns."""
    the_game, events = game(name), scripted(name)
    lines = [event.to_json().encode() for event in events]
    setup = make_setup(the_game, 2)

    def judge() -> None:
        session = begin(the_game, setup)
        for event in events:
            session, _ = step(session, event)
        close(session)

    def replay() -> None:
        session = begin(the_game, setup)
        for event in read_events(lines, the_game, 2):
            session, calls = step(session, event)
            for call in calls:
                call.to_json()
        close(session)

    judged, replayed = [], []
    for _ in range(rounds):
        judged.append(len(events) * _plays_a_second(judge))
        replayed.append(len(events) * _plays_a_second(replay))
    return Speed(name, median(judged), median(replayed), max(judged), max(replayed))


def _plays_a_second(play: Callable[[], None]) -> float:
    """How often `play` runs in a second of the process's own time: what else the core does in that
    second is left out, but not that it does it in the same caches."""
    begun, plays = time.process_time_ns(), 0
    while (spent := time.process_time_ns() - begun) < ROUND_S * 1e9:
        play()
        plays += 1
    return plays * 1e9 / spent


def report() -> Iterator[str]:
    """Lines for people, one a game, as they are measured."""
    yield (
        f"rules: events a second of one core's own time (CPU time), median of {ROUNDS} rounds and "
        f"the best one (goal: {GOAL:,} judged)"
    )
    for name in NAMES:
        speed = measure(name)
        verdict = "ok" if speed.judging >= GOAL else "below the goal"
        yield (
            f"  {name:15} judged {speed.judging:>8,.0f} (best {speed.best_judging:,.0f})   read, "
            f"judged, written {speed.replaying:>7,.0f} (best {speed.best_replaying:,.0f})   "
            f"{verdict}"
        )
