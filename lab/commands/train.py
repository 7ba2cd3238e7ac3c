"""`fairdeal train PART`: trains a network, or fits the confidence, on drawn pictures."""

import argparse
from importlib.util import find_spec
from pathlib import Path

# What is trained → minutes, the seed and the packages it needs.
PARTS = {
    "locator": (180.0, 1, ("torch", "ultralytics", "onnx")),
    "namer": (120.0, 11, ("torch", "onnx")),
    "corners": (60.0, 5, ("torch", "onnx")),
    "confidence": (60.0, 77, ()),
    "colours": (60.0, 79, ()),
    "presence": (60.0, 78, ()),
}
PICTURES = 20_000
FEWEST = 500
DECKS, FEWEST_DECKS = 192, 24


def add_parser(subparsers: argparse._SubParsersAction) -> None:
    """Adds `train` with its arguments."""
    parser = subparsers.add_parser(
        "train",
        help="train a network from scratch on drawn pictures",
        description="Draws pictures, trains on them and writes the weights with a report beside "
        "them. Called again with the same --runs it goes on where it stopped.",
    )
    add = parser.add_argument
    add("part", metavar="PART", help=", ".join(PARTS))
    usual = ", ".join(f"{name} {minutes:g}" for name, (minutes, _, _) in PARTS.items())
    add("--minutes", type=float, metavar="M", help=f"how long to train (default: {usual})")
    add("--seed", type=int, metavar="S", help="of the drawing and of the network")
    add("--device", default="cpu", choices=("cpu", "cuda"))
    add("--pictures", type=int, default=PICTURES, metavar="N",
        help=f"tables drawn for the locator (default {PICTURES})")  # fmt: skip
    add("--decks", type=int, default=DECKS, metavar="N",
        help=f"decks drawn for the confidence (default {DECKS})")  # fmt: skip
    add("--runs", type=Path, default=Path("runs"), metavar="DIR", help="checkpoints (default runs)")
    add("--out", type=Path, metavar="DIR", help="where the weights go (default: models/weights)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Trains and exports. Returns 0; FairdealError for what the user can mend."""
    from models.weights import LOCATOR
    from rules.files import check_folder

    minutes, seed = check(args)
    if args.out is not None:
        check_folder(args.out, "a folder for the weights")
    if args.part in ("confidence", "colours", "presence"):
        return _confidence(args.part, args.out or LOCATOR.parent, seed, args.decks)
    out = (args.out or LOCATOR.parent) / f"{args.part}.onnx"
    runs = args.runs / args.part
    _make(runs)
    print(f"Training {args.part} for {minutes:g} min on {args.device}, seed {seed}; "
          f"checkpoints in {runs}", flush=True)  # fmt: skip
    if args.part == "locator":
        from models.training.locator import train_locator
        from models.training.locator_export import export_locator

        checkpoint = train_locator(runs, args.pictures, minutes / 60, seed, args.device)
        export_locator(checkpoint, out, (320, 512))
    elif args.part == "namer":
        from models.training.namer import export_namer, train_namer

        checkpoint = train_namer(runs, minutes, seed, device=args.device)
        export_namer(checkpoint, out, minutes, seed)
        print("Decks taught before were taught with other weights: "
              "teach each again with `fairdeal calibrate deck NAME`")  # fmt: skip
    else:
        from models.training.corners import export_corners, train_corners

        checkpoint = train_corners(runs, minutes, seed, device=args.device)
        export_corners(checkpoint, out, minutes, seed)
    print(f"Wrote {out} and {out.with_suffix('.json').name}")
    return 0


def _confidence(part: str, folder: Path, seed: int, decks: int) -> int:
    from lab.fitting.confidence import fit, fit_colours, fit_presence
    from lab.fitting.weights_file import write, write_one

    _make(folder)
    path = folder / "confidence.json"
    if part == "presence":
        fits = [("cards", fit_presence(seed, decks))]
        write_one("presence", fits[0][1], path, seed)
    elif part == "colours":
        fits = [("near twins", fit_colours(seed, decks))]
        write_one("twin", fits[0][1], path, seed)
    else:
        kind, twin, presence = fit(seed, decks)
        fits = [("kinds", kind), ("near twins", twin), ("cards", presence)]
        write(kind, twin, presence, path, seed)
    for what, found in fits:
        for least, (right, kept) in found.kept.items():
            print(f"{what} of {least:.2f} and above: {right:.2%} right, {kept:.1%} of the right")
    return 0


def check(args: argparse.Namespace) -> tuple[float, int]:
    """Minutes and seed of a possible training. Raises FairdealError."""
    from rules.errors import FairdealError

    if args.part not in PARTS:
        raise FairdealError(f"one of {', '.join(PARTS)}", ascii(args.part), "name what to train")
    minutes, seed, packages = PARTS[args.part]
    minutes = minutes if args.minutes is None else args.minutes
    seed = seed if args.seed is None else args.seed
    if not 0 < minutes < 60 * 24 * 30:
        raise FairdealError("minutes above 0, at most a month", f"{minutes:g}", "change --minutes")
    if seed < 0:
        raise FairdealError("a seed of 0 or more", str(seed), "change --seed")
    if args.pictures < FEWEST:
        raise FairdealError(f"{FEWEST} pictures or more", str(args.pictures), "change --pictures")
    if args.decks < FEWEST_DECKS:
        raise FairdealError(f"{FEWEST_DECKS} decks or more", str(args.decks), "change --decks")
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise FairdealError(
            "the packages for training", f"no {' and no '.join(missing)}", "run `make setup-train`"
        )
    if args.device == "cuda":
        import torch

        if not torch.cuda.is_available():
            raise FairdealError("a GPU that torch can use", "none", "train with --device cpu")
    return minutes, seed


def _make(folder: Path) -> None:
    from rules.errors import FairdealError

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FairdealError(
            "a folder that can be written", f"{folder}: {error.strerror}", "name another"
        ) from error
