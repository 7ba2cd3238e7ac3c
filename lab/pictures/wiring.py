"""Draws the wiring pictures of docs/wiring.md from the pins that the code uses.

`python -m lab.pictures.wiring` writes docs/pictures/wiring-*.svg. A test compares them with the
settings and with the pin lists of the firmware.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from device.settings import BoardSettings, PinSettings
from device.signals import LAMPS, SIGNALS
from lab.pictures import shapes
from lab.pictures.shapes import FAINT, GROUND, INK, PLUS

ROOT = Path(__file__).parents[2]
PICTURES = ROOT / "docs/pictures"
SKETCH = ROOT / "device/firmware/fairdeal_board/fairdeal_board.ino"

# The Pi's 40-pin header, pin 1 to 40 (the same on every Pi since the Model B+).
_HEADER = """
3V3 5V 2 5V 3 GND 4 14 GND 15 17 18 27 GND 22 23 3V3 24 10 GND
9 25 11 8 GND 7 0 1 5 GND 6 12 13 GND 19 16 26 20 GND 21
"""
HEADER = tuple(_HEADER.split())
UNO_RIGHT = ("AREF", "GND", *(str(pin) for pin in range(13, -1, -1)))
UNO_LEFT = ("RESET", "3V3", "5V", "GND", "VIN", "", "A0", "A1", "A2", "A3", "A4", "A5")

HUES = {"mistake": "#d62839", "complete": "#2a9d4a", "turn": "#7c8fa6", "unsure": "#e09f1f"}
WIRES = ("#2f6fb5", "#b5562f", "#2f9c8f", "#8a4fb0", "#a08a1c", "#c04a86", "#4f7d2b")
ROW, PIN = 58, 22


@dataclass(frozen=True, slots=True)
class Part:
    """Something to wire: its pin's label, its kind (lamp, buzzer, button, strip), words, hue."""

    pin: str
    kind: str
    label: str
    hue: str = "#e8eef4"


def _part(part: Part, x: float, y: float, way: int, rail: float, wire: str) -> str:
    """A part at a row: its wire from x, its ground to the rail; `way` is 1 to the right."""
    middle = x + 105 * way
    drawn = shapes.line([(x, y), (middle, y)], wire) + shapes.line([(middle, y), (rail, y)], GROUND)
    drawn += shapes.dot(rail, y, GROUND)
    if part.kind == "lamp":
        drawn += shapes.resistor(x + 48 * way, y, "330 Ω") + shapes.lamp(middle, y, way, part.hue)
    elif part.kind == "buzzer":
        drawn += shapes.buzzer(middle, y)
    else:
        drawn += shapes.button(middle, y)
    anchor = "start" if way > 0 else "end"
    return drawn + shapes.text(rail + 14 * way, y + 5, part.label, 14, text_anchor=anchor)


def _lanes(pins: Sequence[float], rows: Sequence[float]) -> list[int]:
    """Lane numbers, 0 next to the header, with which the wires do not cross."""
    lanes = [0] * len(pins)
    up = [i for i in range(len(pins)) if rows[i] < pins[i]]
    down = [i for i in range(len(pins)) if rows[i] >= pins[i]][::-1]
    for group in (up, down):
        for lane, index in enumerate(group):
            lanes[index] = lane
    return lanes


def _side(
    parts: Sequence[Part],
    pins: dict[str, float],
    ground_y: float,
    edge: float,
    way: int,
    top: float,
) -> str:
    """All parts at one side of the header or board, with their ground rail."""
    ordered = sorted(parts, key=lambda part: pins[part.pin])
    rows = [top + ROW * index for index in range(len(ordered))]
    lanes = _lanes([pins[part.pin] for part in ordered], rows)
    start, rail = edge + 130 * way, edge + 300 * way
    drawn = ""
    for index, part in enumerate(ordered):
        y, lane, wire = pins[part.pin], edge + (24 + 12 * lanes[index]) * way, WIRES[index % 7]
        row = rows[index]
        drawn += shapes.line([(edge, y), (lane, y), (lane, row), (start, row)], wire)
        drawn += _part(part, start, rows[index], way, rail, wire)
    foot = min(top - ROW * 0.7, ground_y)
    over = edge + 12 * way
    drawn += shapes.line(
        [(edge, ground_y), (over, ground_y), (over, foot), (rail, foot), (rail, rows[-1])], GROUND
    )
    words = shapes.text(rail + 14 * way, foot + 5, "ground", 12, fill=FAINT)
    return drawn + (words if way > 0 else words.replace('"start"', '"end"'))


def _column(labels: Sequence[str], x: float, top: float, used: set[str], way: int) -> str:
    """One column of pins with their labels inside the board."""
    drawn = ""
    for index, label in enumerate(labels):
        y = top + PIN * index
        if not label:
            continue
        fill = {"GND": GROUND, "5V": PLUS, "3V3": "#d98c1f"}.get(label, "#d8b64c")
        drawn += f'<rect x="{x - 6:g}" y="{y - 6:g}" width="12" height="12" fill="{fill}"/>'
        bold = "700" if label in used else "400"
        colour = "#ffffff" if label in used else "#b9d3c2"
        named = f"GPIO{label}" if label.isdigit() and len(labels) == 20 else label
        anchor = "end" if way > 0 else "start"
        drawn += shapes.text(
            x - 12 * way, y + 4, named, 11, text_anchor=anchor, fill=colour, font_weight=bold
        )
    return drawn


def pi_picture(settings: PinSettings) -> str:
    """Lamps, buzzer and buttons on the Pi's header, as the settings have them."""
    top, left_x, right_x = 110.0, 478.0, 622.0
    pins = {
        label: top + PIN * (index // 2) for index, label in enumerate(HEADER) if label.isdigit()
    }
    parts = [
        Part(
            str(getattr(settings, lamp)),
            "lamp",
            _named(lamp),
            HUES[lamp],
        )
        for lamp in LAMPS
    ]
    parts.append(Part(str(settings.buzzer), "buzzer", "buzzer (passive piezo)"))
    parts += [Part(str(pin), "button", f"{name} button") for name, pin in settings.buttons.items()]
    odd, even = set(HEADER[::2]), set(HEADER[1::2])
    used = {part.pin for part in parts}
    body = shapes.box(left_x - 6, top - 34, right_x - left_x + 12, PIN * 20 + 40, "#1e6b45")
    body += shapes.text(550, top - 16, "Raspberry Pi", 13, text_anchor="middle", fill="#ffffff")
    body += _side([p for p in parts if p.pin in odd], pins, top + PIN * 4, left_x, -1, top + 130)
    body += _side([p for p in parts if p.pin in even], pins, top + PIN * 2, right_x, 1, top + 130)
    body += _column(HEADER[::2], left_x, top, used, -1) + _column(
        HEADER[1::2], right_x, top, used, 1
    )
    body += shapes.text(
        550,
        575,
        "Pin 1 is at the top left, next to the board's corner.",
        12,
        text_anchor="middle",
        fill=FAINT,
    )
    return shapes.svg(1100, 600, "Lamps, buzzer and buttons on a Raspberry Pi", body)


def _named(lamp: str) -> str:
    """A lamp with the colour of its call."""
    return f"{lamp} ({SIGNALS[{'turn': 'notice'}.get(lamp, lamp)].colour})"


def sketch_pins() -> dict[str, list[str]]:
    """The pin lists as the firmware's source has them: LAMP, SEAT, BUTTON, BUZZER."""
    source = SKETCH.read_text(encoding="utf-8")
    lists = re.findall(r"(\w+)_PINS\[\] = \{([^}]*)\}", source)
    pins = {name: [pin.strip() for pin in body.split(",")] for name, body in lists}
    pins |= {n: [pin] for n, pin in re.findall(r"(BUZZER)_PIN = (\w+);", source)}
    return pins


def uno_picture(settings: BoardSettings) -> str:
    """Everything that the firmware drives on an Uno; a Nano has the same names on its pins."""
    pins = sketch_pins()
    top, left_x, right_x = 190.0, 478.0, 622.0
    right = [
        Part(pin, "lamp", lamp, HUES[lamp]) for lamp, pin in zip(LAMPS, pins["LAMP"], strict=True)
    ]
    right.append(Part(pins["BUZZER"][0], "buzzer", "buzzer (passive piezo)"))
    right += [
        Part(pin, "button", f"button {number}: {name}")
        for number, (pin, name) in enumerate(zip(pins["BUTTON"], settings.buttons, strict=True), 1)
    ]
    left = [Part(pin, "lamp", f"seat {n}", "#4f86c6") for n, pin in enumerate(pins["SEAT"], 1)]
    right_y = {label: top + PIN * index for index, label in enumerate(UNO_RIGHT)}
    left_y = {label: top + PIN * (index + 3) for index, label in enumerate(UNO_LEFT)}
    used = {part.pin for part in (*left, *right)}
    body = shapes.box(left_x - 6, top - 70, right_x - left_x + 12, PIN * 16 + 110, "#10707f")
    body += shapes.box(515, top - 92, 70, 46, "#c9ced3") + shapes.text(
        550, top - 64, "USB", 13, text_anchor="middle"
    )
    body += shapes.text(550, top - 30, "Arduino Uno", 13, text_anchor="middle", fill="#ffffff")
    body += _side(right, right_y, right_y["GND"], right_x, 1, 130)
    body += _side(left, left_y, left_y["GND"], left_x, -1, 330)
    body += _column(UNO_RIGHT, right_x, top, used, 1)
    body += _column(UNO_LEFT, left_x, top + PIN * 3, used, -1)
    return shapes.svg(1130, 770, "The serial signal board: an Arduino Uno or Nano", body)


def strip_picture() -> str:
    """One seat's strip of light through a transistor."""
    body = shapes.box(40, 90, 130, 200, "#1e6b45") + shapes.text(
        105, 115, "Raspberry Pi", 13, text_anchor="middle", fill="#ffffff"
    )
    body += shapes.text(160, 170, "the seat's GPIO", 11, text_anchor="end", fill="#ffffff")
    body += shapes.text(160, 265, "GND", 11, text_anchor="end", fill="#ffffff")
    body += shapes.line([(170, 166), (400, 166)], WIRES[0]) + shapes.resistor(240, 166, "100 Ω")
    body += shapes.line([(320, 166), (320, 261)], WIRES[0]) + shapes.dot(320, 166, WIRES[0])
    body += '<g transform="rotate(90 320 214)">' + shapes.box(293, 207, 54, 14, "#ecd9b0") + "</g>"
    body += shapes.text(334, 218, "10 kΩ", 11, fill=FAINT)
    body += shapes.box(400, 136, 90, 60, "#2b2f33") + shapes.text(
        434, 162, "IRLZ44N", 11, text_anchor="middle", fill="#ffffff"
    )
    body += shapes.text(408, 186, "G", 11, fill="#ffffff")
    body += shapes.text(440, 186, "S", 11, fill="#ffffff")
    body += shapes.text(477, 154, "D", 11, fill="#ffffff")
    body += shapes.line([(445, 196), (445, 261)], GROUND)
    body += shapes.dot(445, 261, GROUND) + shapes.dot(320, 261, GROUND)
    body += shapes.line([(170, 261), (860, 261)], GROUND)
    body += shapes.line([(490, 150), (560, 150)], INK) + shapes.box(560, 100, 200, 60, "#f4f4ea")
    body += "".join(shapes.dot(590 + 35 * i, 130, "#e8c84a", 9) for i in range(5))
    body += shapes.text(660, 90, "the seat's strip of light, one colour", 12, text_anchor="middle")
    body += shapes.text(566, 154, "–", 14) + shapes.text(566, 118, "+", 14)
    around = [(560, 112), (530, 112), (530, 60), (810, 60), (810, 150), (860, 150)]
    body += shapes.line(around, PLUS)
    body += shapes.box(860, 120, 120, 170, "#e8eef4") + shapes.text(
        920, 210, "5 V supply", 13, text_anchor="middle"
    )
    body += shapes.text(868, 155, "+", 14) + shapes.text(868, 266, "–", 14)
    return shapes.svg(1020, 320, "A strip of light at each seat", body)


def rgb_picture() -> str:
    """One RGB lamp with a common cathode."""
    body = shapes.box(40, 80, 130, 220, "#1e6b45") + shapes.text(
        105, 105, "Raspberry Pi", 13, text_anchor="middle", fill="#ffffff"
    )
    for row, (words, hue) in enumerate(
        (("red", "#d62839"), ("green", "#2a9d4a"), ("blue", "#2f6fb5"))
    ):
        y = 140 + 45 * row
        body += shapes.text(160, y + 4, f"rgb[{row}]", 11, text_anchor="end", fill="#ffffff")
        body += shapes.line([(170, y), (430, y)], hue) + shapes.resistor(270, y, "330 Ω")
        body += shapes.text(330, y - 6, words, 12)
    body += shapes.text(160, 279, "GND", 11, text_anchor="end", fill="#ffffff")
    body += shapes.line([(170, 275), (540, 275), (540, 185), (500, 185)], GROUND)
    body += shapes.box(420, 122, 30, 126, "#ffffff") + shapes.box(450, 122, 50, 126, "#f2f2f2")
    body += '<circle cx="475" cy="185" r="19" fill="#fff" stroke="#8a97a3" stroke-width="2"/>'
    body += shapes.text(560, 180, "the longest leg is the common one:") + shapes.text(
        560, 200, "to ground (cathode), or to 3V3"
    )
    body += shapes.text(560, 220, "with common_anode = true")
    return shapes.svg(860, 330, "One RGB lamp for all calls", body)


def pictures() -> dict[str, str]:
    """File name -> SVG."""
    return {
        "wiring-pi.svg": pi_picture(PinSettings()),
        "wiring-board.svg": uno_picture(BoardSettings()),
        "wiring-strips.svg": strip_picture(),
        "wiring-rgb.svg": rgb_picture(),
    }


def main() -> None:
    """Write the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name, svg in pictures().items():
        (PICTURES / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
