"""Compares the sightings of two processors: `compare_sightings.py EXPECTED FOUND` (JSON Lines).

The same cards with the same names must be seen, within half a pixel and 0.02 of confidence:
processors add in another order, and 8-bit pictures round. What has no name must be there too; the
locator's doubt about it is told and not judged, since it depends on where the crops begin.
"""

import json
import math
import sys
from pathlib import Path

MOST_PX, MOST_SURE = 0.5, 0.02


def read(path: str) -> dict[str, list[dict]]:
    """Sightings by picture."""
    lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return {Path(line["image"]).name: line["sightings"] for line in lines}


def distance(a: dict, b: dict) -> float:
    """The longest way between equal corners, px."""
    return max(math.dist(p, q) for p, q in zip(a["quad"], b["quad"], strict=True))


def main(expected_path: str, found_path: str) -> int:
    """0 where all is the same, with the largest differences; 1 with the first that is not."""
    expected, found = read(expected_path), read(found_path)
    if not found or set(found) != set(expected):
        print(f"expected the pictures {sorted(expected)}, found {sorted(found)}")
        return 1
    far = unsure = doubt = 0.0
    cards = nameless = 0
    for name, sightings in expected.items():
        rest = list(found[name])
        for one in sightings:
            same = [other for other in rest if other["face"] == one["face"]]
            near = min(same, key=lambda other: distance(one, other), default=None)
            if near is None or distance(one, near) > MOST_PX:
                print(f"{name}: {one['face']} at {one['quad'][0]} is not seen as on x86-64")
                return 1
            rest.remove(near)
            far = max(far, distance(one, near))
            apart = abs(one["confidence"] - near["confidence"])
            if one["face"] == "unknown":
                doubt, nameless = max(doubt, apart), nameless + 1
            else:
                unsure, cards = max(unsure, apart), cards + 1
        if rest:
            print(f"{name}: {rest[0]['face']} at {rest[0]['quad'][0]} is not there on x86-64")
            return 1
    words = f"{cards} named cards on {len(found)} pictures, confidence {unsure:.4f} apart"
    if nameless:
        words += f"; {nameless} without a name, {doubt:.2f} apart"
    print(f"{words}; corners {far:.3f} px apart")
    return int(unsure > MOST_SURE)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
