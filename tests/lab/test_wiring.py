"""The wiring pictures and recipes say what the code does."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from device.settings import BoardSettings, PinSettings, read_settings
from device.signals import LAMPS, SEATS
from lab.pictures.wiring import HEADER, PICTURES, pictures, sketch_pins

RECIPES = (Path(__file__).parents[2] / "docs/wiring.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", pictures())
def test_the_pictures_are_those_that_the_code_draws(name):
    svg = pictures()[name]
    assert (PICTURES / name).read_text(encoding="utf-8") == svg, "python -m lab.pictures.wiring"
    ElementTree.fromstring(svg)
    assert f"pictures/{name}" in RECIPES


def test_the_header_has_every_pin_once():
    numbers = [int(label) for label in HEADER if label.isdigit()]
    assert sorted(numbers) == list(range(28)) and len(HEADER) == 40
    # Three that every tutorial agrees on: GPIO17 is pin 11, GPIO18 pin 12, GPIO21 pin 40.
    assert (HEADER[10], HEADER[11], HEADER[39]) == ("17", "18", "21")


def test_the_recipes_name_the_pins_of_the_settings():
    pins = PinSettings()
    for lamp in LAMPS:
        assert re.search(rf"{lamp} lamp: GPIO{getattr(pins, lamp)}\b", RECIPES, re.IGNORECASE)
    for button, pin in pins.buttons.items():
        assert re.search(rf"{button} button: GPIO{pin}\b", RECIPES, re.IGNORECASE)
    assert f"passive piezo): GPIO{pins.buzzer} " in RECIPES


def test_the_recipes_name_the_pins_of_the_firmware():
    pins = sketch_pins()
    lamps = ", ".join(f"{pin} {lamp}" for pin, lamp in zip(pins["LAMP"], LAMPS, strict=True))
    assert lamps in RECIPES
    assert f"pins {', '.join(pins['BUTTON'])} and ground" in RECIPES
    assert len(pins["SEAT"]) == SEATS and len(pins["BUTTON"]) == len(BoardSettings().buttons)


def test_every_setting_in_the_recipes_is_one():
    table = {
        "signals": {"turn_level": 0.3, "night": True, "night_level": 0.15, "muted": True},
        "pins": {"rgb": [5, 6, 13], "common_anode": True, "seats": [12, 16, 19, 20],
                 "buzzer_kind": "plain", "buttons": {"start": 24, "out/2": 26}},
    }  # fmt: skip
    read_settings(table)
    for room in table.values():
        for key in room:
            assert key in RECIPES
    buttons = ", ".join(f'"{name}"' for name in BoardSettings().buttons)
    assert f"buttons = [{buttons}]" in RECIPES
