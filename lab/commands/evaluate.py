"""`fairdeal evaluate SET`: recognition and calls against known truth."""

import argparse
from pathlib import Path
from typing import Any

from calibration.arguments import threads

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared"
# Set → where its pictures lie, unless --from says, and what it is.
SETS = {
    "stills": (SHARED / "scenes/stills/suds-a", "Photograph-like pictures with exact truth, the "
               "deck taught by one picture a face."),
    "photos": (SHARED / "photos/edje", "Real photographs of pinochle cards (six ranks), the truth "
               "boxes, those of hidden cards mostly of what can be seen of them, all counted; "
               "taught by up to six of its own pictures a rank, which are left out."),
    "drawn": (None, "Decks drawn with a seed that training does not use, taught from flat art."),
    "kinds": (None, "Decks drawn by kind of art and border, in piles and fans on hard tables, with "
              "a seed that training does not use, taught from art as careless photographs show "
              "it."),
    "grids": (None, "Drawn decks whose backs repeat a pattern, face down beside each other in rows "
              "and columns, taught from art as careless photographs show it."),
    "decks": (None, "The shipped decks on drawn tables, each taught by drawn photographs, one a "
              "face."),
    "teaching": (None, "Drawn teaching pictures, good and bad."),
    "rows": (None, "Drawn photographs of several cards in rows, to be taught."),
    "learning": (None, "Drawn decks that learn at one table and play at another."),
    "clips": (SHARED / "scenes/clips", "Filmed games."),
    "blind": (SHARED / "scenes/clips", "Filmed games of Suds, seen by eyes that miss a face."),
    "field": (None, "Labelled recordings of real tables, in DIR."),
    "games": (None, "Whole random games on the simulated table."),
    "doubt": (None, "Random games told with doubt: caps against weighed alternatives, no pixels."),
    "faults": (None, "Kills, floods, failing cameras, power cuts, full disks, damaged files."),
    "club-kills": (None, "A club's broker is killed while games are played."),
    "club-scale": (None, "Clubs of 1 to 1,000 tables at a real broker."),
}  # fmt: skip
SEED = 9001
# Named here for --help, which must not load the drawing; a test compares them.
MANNERS = (
    "hold, push, square, peek, look, raise, forearm, elbow, child, hover, toss, two, things, drop, "
    "fans-backs, fans-faces, sleeves"
)
CAMERAS = "sun, head, flicker, drift, knock, blur, tint, exposure, dark, rate, stream"


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `evaluate SET`."""
    parser = subparsers.add_parser("evaluate", help="measure eyes and referee against known truth")
    add = parser.add_argument
    add("set", metavar="SET", help=", ".join(SETS))
    add("place", nargs="?", type=Path, metavar="DIR|NAME", help="the recordings of "
        "`field`; with `photos --from DIR`: a public set, poker, memory or schnapsen")  # fmt: skip
    add("--from", dest="folder", type=Path, metavar="DIR", help="the set's folder (default: "
        "beside the project, in ../shared); `faults` cuts and resumes its first clip")  # fmt: skip
    add("--deck", metavar="D", help="a taught deck for `stills` (default: taught from teach/)")
    add("--pictures", type=Path, metavar="DIR", help="write the worst pictures, drawn upon, there")
    add("--seed", type=int, default=SEED, help="of what is drawn")
    add("--threads", type=threads, default=2, metavar="T", help="of the networks (default 2)")
    field = parser.add_argument_group("field", "options of `field`")
    field.add_argument("--html", type=Path, metavar="FILE", help="write a page with figures and "
        "short films of the worst moments; the figures beside it as .json")  # fmt: skip
    field.add_argument("--against", type=Path, metavar="OLD.json", help="figures of an earlier "
        "--html: the page shows the change")  # fmt: skip
    _add_games(parser)
    trials = parser.add_argument_group("faults", "options of `faults`")
    trials.add_argument("--kills", type=int, default=200, metavar="N", help="SIGKILLs (200)")
    trials.add_argument("--copies", type=int, default=300, metavar="N",
                        help="damaged copies of each kind of file (300)")  # fmt: skip
    trials.add_argument(
        "--part", metavar="P,…", help="only kills, floods, cameras, capture, power, restart, "
        "resumes, disk, page, crowd, clock, serial, hours or files"
    )  # fmt: skip
    club = parser.add_argument_group("club", "options of `club-kills` and `club-scale`")
    club.add_argument("--club-games", type=int, default=100, metavar="N", help="games (100)")
    club.add_argument("--club-tables", default="1,10,100,1000", metavar="N,…", help="sizes")
    club.add_argument("--club-seconds", type=int, default=60, metavar="S", help="of each size (60)")
    add = parser.add_argument
    add("--write", action="store_true", help="put the result into models/REPORT.md")
    parser.set_defaults(run=run)


def _add_games(parser: argparse.ArgumentParser) -> None:
    games = parser.add_argument_group("games", "options of `games` and `doubt`")
    add = games.add_argument
    add("--games", type=int, default=3, metavar="N", help="random games of each game and pace")
    add("--game", default="suds,sooty,cat-in-the-hat,soda,dirty-laundry", metavar="G,…")
    add("--pace", default="1.5,0.9,0.6", metavar="S,…", help="seconds between two acts")
    add("--events", type=int, default=60, metavar="N", help="a game is cut off after so many")
    add("--jobs", type=int, default=1, metavar="N", help="games at once (default 1)")
    add("--plain", action="store_true", help="a camera straight above wood or felt, no extras")
    add("--drawn-decks", action="store_true", help="with decks that are drawn for each game")
    add("--keep", type=Path, metavar="DIR", help="keep scripts, faults and the worst film there; "
        "with --from: each film's result as NAME.json")  # fmt: skip
    add("--manners", default="none", metavar="all|none|M,…", help="table manners: " + MANNERS)
    add("--cameras", default="none", metavar="all|none|C,…", help="what cameras do: " + CAMERAS)
    add("--films", type=Path, metavar="DIR", help="only draw the games as films with their truth; "
        "`--from DIR` referees them")  # fmt: skip


def run(args: argparse.Namespace) -> int:
    """Prints the set's section. Returns 0; FairdealError for what the user can mend."""
    from lab.evaluation.report import put_section
    from rules.errors import FairdealError
    from rules.files import check_folder

    if args.set not in SETS:
        raise FairdealError(f"one of {', '.join(SETS)}", ascii(args.set), "name a set")
    for place in (args.pictures, args.keep):
        if place is not None:
            check_folder(place, "a folder to write into")
    usual, about = SETS[args.set]
    folder = args.folder or args.place or usual
    if folder is not None and not folder.is_dir():
        raise FairdealError(
            f"the folder of {args.set}", f"no folder {folder}", "name it with --from"
        )
    command, section = f"fairdeal evaluate {args.set}", args.set
    if _is_public(args):
        command, section = f"{command} {args.place} --from DIR", f"{section} {args.place}"
    elif folder is not None and folder != usual:
        command += f" --from {_beside(folder)}"
        section += f" {folder.name}"
    text = _measured(args, folder, command, about)
    print(text, end="")
    if args.write:
        put_section(ROOT / "models" / "REPORT.md", section, text)
    return 0


def _measured(args: argparse.Namespace, folder: Path | None, command: str, about: str) -> str:
    """The set's section."""
    place = folder or Path()  # what is drawn needs none
    match args.set:
        case "field":
            return _field(args)
        case "photos" if _is_public(args):
            return _public(args, command)
        case "clips":
            return _clips(args, place, command)
        case "blind":
            return _blind(args, place, command)
        case "teaching" | "rows" | "learning":
            return _teaching(args, command)
        case "games":
            return _games(args, command)
        case "doubt":
            return _doubt(args, command)
        case "faults" | "club-kills" | "club-scale":
            return _trials(args)
        case _:
            return _eyes(args, place, command, about)


def _is_public(args: argparse.Namespace) -> bool:
    return args.set == "photos" and args.place is not None and args.folder is not None


def _beside(folder: Path) -> Path:
    """The folder as the report names it: from the project's, if it lies in `../shared`."""
    full = folder.resolve()
    return Path("../shared", full.relative_to(SHARED)) if full.is_relative_to(SHARED) else folder


def _clips(args: argparse.Namespace, folder: Path, command: str) -> str:
    from lab.evaluation.clips import clips
    from lab.evaluation.report import clips_section

    return clips_section(clips(folder, args.threads), command)


def _field(args: argparse.Namespace) -> str:
    from lab.evaluation.field import figures, measure, say, section
    from lab.evaluation.field_html import read_figures, write_report
    from rules.errors import FairdealError
    from rules.files import check_writable

    folder = args.place or args.folder
    if folder is None:
        raise FairdealError("a folder of recordings", "none", "name it: evaluate field DIR")
    if args.against is not None and args.html is None:
        raise FairdealError("--html FILE with --against", "none", "name the page to write")
    before = None if args.against is None else read_figures(args.against)
    if args.html is not None:
        check_writable(args.html, "a page to write")
    scores = measure(folder, args.threads, say, with_films=args.html is not None)
    found = figures(scores, f"fairdeal evaluate field {folder}")
    if args.html is not None:
        write_report(args.html, found, before, [m for each in scores for m in each.moments])
        say(f"wrote {args.html}, and its figures as {args.html.with_suffix('.json')}")
    return section(scores, found)


def _blind(args: argparse.Namespace, folder: Path, command: str) -> str:
    import sys

    from lab.evaluation.blind import blind_clips, blind_section

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    return blind_section(blind_clips(folder, args.threads, say), command)


def _teaching(args: argparse.Namespace, command: str) -> str:
    from lab.evaluation import learning, rows, teaching

    if args.set == "rows":
        return _with_faults(rows, rows.rows(args.seed, threads=args.threads), args, command)
    if args.set == "learning":
        learnt = learning.learning(args.seed, threads=args.threads)
        return _with_faults(learning, learnt, args, command)
    result = teaching.teaching(args.seed, threads=args.threads)
    return _with_faults(teaching, result, args, command)


def _with_faults(bench: Any, result: Any, args: argparse.Namespace, command: str) -> str:
    """The section of a drawn bench (module), its worst pictures written where asked for."""
    from lab.evaluation.report import machine

    if args.pictures is not None:
        for path in bench.write_faults(result, args.pictures):
            print(f"wrote {path}")
    return str(bench.section(result, f"{command} --seed {args.seed}", machine()))


def _public(args: argparse.Namespace, command: str) -> str:
    from lab.evaluation.eyes import write_worst
    from lab.evaluation.public_sets import public, public_section
    from lab.evaluation.report import machine

    result = public(str(args.place), args.folder, args.seed, args.threads)
    if args.pictures is not None:
        for path in write_worst(result.worst, args.pictures):
            print(f"wrote {path}")
    return public_section(result, str(args.place), f"{command} --seed {args.seed}", machine())


def _trials(args: argparse.Namespace) -> str:
    import sys

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    if args.set == "club-kills":
        from lab.club.kills import kills_section

        return kills_section(args.club_games, args.seed, say)
    if args.set == "club-scale":
        from lab.club.scale import scale_section

        sizes = tuple(int(size) for size in args.club_tables.split(",") if size.isdecimal())
        return scale_section(sizes, args.club_seconds, args.seed, say)
    from lab.chaos.report import faults

    return faults(args.kills, args.copies, args.seed, say, args.part, args.folder) + "\n"


def _games(args: argparse.Namespace, command: str) -> str:
    from lab.evaluation.games_command import run_games

    return run_games(args, command)


def _doubt(args: argparse.Namespace, command: str) -> str:
    import sys

    from lab.evaluation.doubt import doubt, section

    def say(line: str) -> None:
        print(line, file=sys.stderr, flush=True)

    command += f" --game {args.game} --seed {args.seed}"
    return section(doubt(args.game.split(","), args.seed, say), command)


def _eyes(args: argparse.Namespace, folder: Path, command: str, about: str) -> str:
    from lab.evaluation import eyes
    from lab.evaluation.report import pictures_section

    if args.set == "drawn":
        result = eyes.drawn(args.seed, threads=args.threads)
    elif args.set == "kinds":
        result = eyes.kinds(args.seed, threads=args.threads)
    elif args.set == "grids":
        result = eyes.grids(args.seed, threads=args.threads)
    elif args.set == "decks":
        result = eyes.decks(args.seed, threads=args.threads)
    elif args.set == "stills":
        result = eyes.stills(folder, args.deck, args.threads)
    else:
        result = eyes.photos(folder, args.threads)
    if args.pictures is not None:
        for path in eyes.write_worst(result.worst, args.pictures):
            print(f"wrote {path}")
    return pictures_section(result, command, about)
