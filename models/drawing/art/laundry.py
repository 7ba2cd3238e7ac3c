"""Dirty Laundry: the whole deck. Garments and machines are two-sided; all others have a back."""

from models.drawing.art import laundry_items as things
from models.drawing.art.garments import KINDS, garment

OWNERS = range(1, 7)
ITEM_COUNTS = {
    "detergent": 14, "fabric-softener": 6, "stain-remover": 6, "mesh-bag": 6, "red-sock": 4,
    "special-dye": 5, "special-bleach": 5,
}  # fmt: skip
ACTION_COUNTS = {"wash": 12, "sort": 5, "rinse": 5, "repair-wreck": 6, "hand-wash": 6}


def draw() -> dict[str, str]:
    """Every picture of the deck: name → SVG text."""
    art: dict[str, str] = {}
    for owner in OWNERS:
        for kind in KINDS:
            art[f"p{owner}-{kind}"] = garment(owner, kind, ruined=False)
            art[f"p{owner}-{kind}-ruined"] = garment(owner, kind, ruined=True)
    art |= {name: things.item(name) for name in things.ITEMS}
    art |= {name: things.action(name) for name in things.ACTIONS}
    art |= {"machine": things.machine_card(False), "machine-broken": things.machine_card(True)}
    return art | {"clothesline": things.clothesline(), "back": things.back()}


def _two_sided(front: str, behind: str, count: int, **more: object) -> list[dict]:
    return [
        {"name": front, "count": count, "reverse": behind, **more},
        {"name": behind, "count": count, "reverse": front, "side": "reverse", **more},
    ]


def deck() -> dict:
    """The contents of deck.toml."""
    faces: list[dict] = []
    for owner in OWNERS:
        for kind in KINDS:
            colour, need = kind.split("-")
            name = f"p{owner}-{kind}"
            faces += _two_sided(
                name, f"{name}-ruined", 1, kind="garment", owner=owner, colour=colour, need=need
            )
    for kind, counts in (("item", ITEM_COUNTS), ("action", ACTION_COUNTS)):
        faces += [{"name": name, "count": count, "kind": kind} for name, count in counts.items()]
    faces += _two_sided("machine", "machine-broken", 3, kind="machine")
    return {
        "name": "dirty-laundry", "title": "Dirty Laundry", "game": "dirty-laundry",
        "faces": faces, "extras": [{"name": "clothesline", "count": 1}],
    }  # fmt: skip
