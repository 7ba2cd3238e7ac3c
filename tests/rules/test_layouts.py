"""Where places lie: sides, areas, and the grammars on arrangements as families make them."""

import json
import random
from math import degrees
from pathlib import Path

import pytest
from arrangements import ARRANGEMENTS, Table, table
from poses import before_seat, in_middle, shifted

from models.drawing.happening import truth
from models.drawing.script import read_script
from rules.games import NAMES, game
from rules.table.event import Pressed, Removed
from rules.table.layout import (
    SIDES,
    Extent,
    LandedCard,
    Layout,
    Pose,
    Side,
    Tabletop,
    area_at,
    default_sides,
)
from vision.plane import Plane

GAMES = range(12)
SHARED = Path(__file__).parents[3] / "shared"


def right_and_sure(name, players):
    """(right, wrong, wrong and sure) over random arrangements."""
    right, wrong, sure = 0, [], 0
    for seed in GAMES:
        at = table(name, random.Random(f"{name}/{players}/{seed}"), players)
        for due, spot in ARRANGEMENTS[name](at):
            if spot.place == due:
                right += 1
            else:
                wrong.append((seed, due, spot))
                sure += spot.sure >= 0.98
    return right, wrong, sure


@pytest.mark.parametrize("name", NAMES)
def test_cards_laid_as_families_do_are_at_their_places(name):
    least, most = game(name).players
    for players in range(least, most + 1):
        right, wrong, sure = right_and_sure(name, players)
        assert right >= 0.99 * (right + len(wrong)), (players, wrong[:5])
        assert sure <= 0.005 * right, (players, wrong[:5])


def scripted(name):
    """(due, spot) of every card of the shipped script; its spots are parts of the picture."""
    script = read_script(name)
    scale = 88.0 / script.look.card_px
    extent = Extent(0, 0, 1280 * scale, 720 * scale)
    sides = default_sides(script.players)
    at = Table(name, random.Random(1), sides, extent)
    lifted = {}
    for event in truth(script):
        if isinstance(event, Pressed):
            continue
        if isinstance(event, Removed):
            at.take(event.place)
            lifted[event.card] = event.place
            continue
        at.is_playing = event.at > 0
        spot, covers = script.spots[event.place], {"oofle-dust", "magic-wand"}
        lying = sum(c.place == event.place and c.face not in covers for c in at.cards)
        owner = int(event.place.split("/")[1]) if event.place.startswith("seat/") else event.seat
        side = sides[owner - 1] if owner else Side.BOTTOM
        x, y = (spot.x + lying * spot.dx) * extent.width, (spot.y + lying * spot.dy) * extent.height
        if event.on is not None:
            covered = [c for c in at.cards if c.place == event.place and c.face == event.on][-1]
            x, y = covered.pose.x + 5, covered.pose.y + 25
        hand = sides[event.seat - 1] if event.seat else None
        pose = Pose(x, y, side.degrees)
        yield (*at.lay(event.card, pose, event.place, hand, lifted.pop(event.card, None)), event)


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_scripts_lie_at_their_places(name):
    for due, spot, event in scripted(name):
        assert spot.place == due, event
        if event.on is not None:
            assert spot.on == event.on


def test_a_card_face_down_apart_from_all_piles_is_none_of_suds():
    at = table("suds", random.Random(3), 2)
    first = in_middle(at)
    at.lay("hat", first, "pile/1")
    assert at.lay("back", shifted(first, 10, 5), "pile/1")[1].place == "pile/1"
    assert at.lay("back", shifted(first, 300, 0), None)[1].place is None


def test_a_wrong_card_is_seen_where_it_lies():
    at = table("sooty", random.Random(4), 2)
    first = before_seat(at, 1, -80, 60)
    for k in range(4):
        at.lay("sooty-3", shifted(first, 20 * k, 0), "seat/1/set/1")
    # A fifth card in the row of a full set, and a card of another seat in it.
    assert at.lay("sooty-1", shifted(first, 80, 0), None)[1].place == "seat/1/set/1"
    assert at.lay("sweep-1", shifted(first, 80, 0), None, Side.LEFT)[1].place == "seat/1/set/1"
    cats = table("cat-in-the-hat", random.Random(4), 2)
    pile = before_seat(cats, 1, -60, 60)
    cats.lay("m", pile, "seat/1/left")
    assert cats.lay("a", shifted(pile, 3, 2), None, Side.BOTTOM)[1].place == "seat/1/left"
    assert cats.lay("z", shifted(pile, 3, 2), None, Side.LEFT)[1].place == "seat/1/left"


def test_piles_that_may_be_the_other_one_are_not_sure_until_both_lie():
    at = table("cat-in-the-hat", random.Random(5), 2)
    left, right = (before_seat(at, 1, x, 60) for x in (-12, 90))
    place, spot = at.lay("c", left, "seat/1/left")
    assert spot.place == place and spot.sure < 0.98
    assert at.lay("d", left, "seat/1/left")[1].sure < 0.98
    at.lay("w", right, "seat/1/right")
    assert at.lay("e", left, "seat/1/left")[1].sure >= 0.98


@pytest.mark.parametrize(("first", "second"), [(-12, -110), (12, 110)])
def test_the_second_pile_of_a_seat_may_tell_that_the_first_has_the_wrong_name(first, second):
    at = table("cat-in-the-hat", random.Random(5), 2)
    told = at.lay("m", before_seat(at, 1, first, 60), None)[1].place
    at.lay("m", before_seat(at, 1, first, 60), told)
    spot = at.lay("c", before_seat(at, 1, second, 60), None)[1]
    names = {"seat/1/left", "seat/1/right"}
    assert spot.place == told == ("seat/1/left" if first < 0 else "seat/1/right")
    assert spot.renames == (told, *(names - {told}))


def test_a_pile_of_which_the_name_is_sure_is_not_renamed():
    at = table("cat-in-the-hat", random.Random(5), 2)
    at.lay("m", before_seat(at, 1, -150, 60), "seat/1/left")
    spot = at.lay("c", before_seat(at, 1, -240, 60), None)[1]
    assert spot.renames is None


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2), (2, 0, 1)])
def test_machines_are_numbered_from_left_to_right_in_whatever_order_they_are_seen(order):
    at = table("dirty-laundry", random.Random(9), 2)
    for k in order:
        spot = at.lay("machine", in_middle(at, (k - 1) * 108.0), f"machine/{k + 1}")[1]
        assert spot.place == f"machine/{k + 1}"


def test_a_garment_between_two_machines_rows_may_be_in_either():
    at = table("dirty-laundry", random.Random(9), 2)
    for k in range(3):
        at.lay("machine", in_middle(at, (k - 1) * 75.0), f"machine/{k + 1}")
    for k, face in enumerate(("p1-white-plain", "p1-white-stain")):
        at.lay(face, in_middle(at, -75 + 22 * k, 110), "machine/1/garments")
    at.lay("p2-white-plain", in_middle(at, 12, 110), "machine/2/garments")
    _, spot = at.lay("p1-colour-mesh", in_middle(at, -27, 110), "machine/1/garments")
    assert {spot.place, spot.other} == {"machine/1/garments", "machine/2/garments"}
    assert spot.sure < 0.98


def test_a_back_is_at_no_place_where_backs_mean_nothing():
    for name in ("sooty", "cat-in-the-hat", "soda"):
        at = table(name, random.Random(6), 2)
        assert at.lay("back", in_middle(at), None)[1].place is None


def test_a_game_without_a_grammar_takes_its_areas():
    layout = Layout(strips={"stock": (0.0, 1.0)}, middles={"play": (0.0, 0.0, 1.0, 1.0)})
    at = table("soda", random.Random(7), 2)
    top = Tabletop((), at.sides, (63, 88), at.extent)
    assert layout.find(top, LandedCard("2c", in_middle(at))).place == "play"
    assert layout.find(top, LandedCard("2c", before_seat(at, 2, 0, 20))).place == "seat/2/stock"


@pytest.mark.parametrize("players", range(1, 7))
def test_sides_go_clockwise_and_are_shared_from_five_on(players):
    sides = default_sides(players)
    assert len(sides) == players and list(sides) == sorted(sides, key=SIDES.index)
    assert [side.degrees for side in SIDES] == [0, 90, 180, 270]


@pytest.mark.parametrize("name", NAMES)
def test_every_place_of_the_areas_is_one_of_the_game(name):
    the_game = game(name)
    for players in range(the_game.players[0], the_game.players[1] + 1):
        areas = the_game.layout.areas(default_sides(players))
        assert all(the_game.is_place(area.place, players) for area in areas)
        for area in areas:
            x, y = (sum(corner[k] for corner in area.polygon) / 4 for k in (0, 1))
            assert area_at(areas, x, y) == area.place
    assert area_at((), 0.5, 0.5) is None


@pytest.mark.shared
def test_the_places_of_a_filmed_game_are_found():
    """Truth: `places_px`; the homography is that of the clip's camera."""
    clip = json.loads((SHARED / "scenes/clips/clip8.json").read_text())
    right = total = 0
    for due, spot in filmed(clip):
        total += 1
        right += spot.place == due
    assert total >= 15 and right == total


def filmed(clip):
    """(due, spot) of every card laid in a clip, on the plane of its camera."""
    plane = plane_of(clip)
    seats = [SIDES[seat - 1] for seat in clip["seats"]]
    view = plane.to_mm([[0, 0], [1280, 0], [1280, 720], [0, 720]])
    extent = Extent(*view.min(0), *view.max(0))
    at = Table(clip["game"], random.Random(1), tuple(seats), extent)
    quads = [event for event in clip["events"] if "quad" in event]
    for event in sorted(clip["events_truth"], key=lambda event: event["at"]):
        if event["event"] == "removed":
            at.take(event["place"])
        if event["event"] != "placed":
            continue
        seen = [
            q
            for q in quads
            if q["face"] == event["card"]
            and abs(q["t_settled"] - event["at"]) < 0.3
            and q["place"] == event["place"]
        ]
        if not seen:
            continue
        x, y, direction = plane.poses_mm([seen[0]["quad"]])[0]
        pose = Pose(float(x), float(y), degrees(float(direction)) % 360)
        yield at.lay(event["card"], pose, event["place"], seats[event["seat"] - 1])


def plane_of(clip):
    quads = [event["quad"] for event in clip["events"] if "quad" in event]
    return Plane.from_cards(quads, (63.0, 88.0), (clip["width"], clip["height"]))


def test_an_unnamed_card_in_the_middle_is_of_the_nearest_shared_row():
    at = table("dirty-laundry", random.Random(9), 2)
    at.lay("sort", in_middle(at, -230), "actions")
    assert at.lay("unknown", in_middle(at, 150), None, Side.LEFT)[1].place == "actions"
    hung = in_middle(at, 230)
    at.lay("p1-white-plain", hung, "clothesline")
    assert at.lay("unknown", shifted(hung, 0, 120), None, Side.LEFT)[1].place == "clothesline"
