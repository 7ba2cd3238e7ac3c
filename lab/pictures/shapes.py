"""The symbols of the wiring pictures, as pieces of SVG; lengths in the picture's own units."""

from __future__ import annotations

from collections.abc import Sequence

INK, FAINT, GROUND, PLUS = "#22303c", "#8a97a3", "#3b3b3b", "#b3261e"


def text(x: float, y: float, words: str, size: int = 13, **style: str) -> str:
    """Words; style names are those of SVG with underscores."""
    look = {"fill": INK, "text-anchor": "start"} | {
        k.replace("_", "-"): v for k, v in style.items()
    }
    attributes = " ".join(f'{k}="{v}"' for k, v in look.items())
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" {attributes}>{words}</text>'


def line(points: Sequence[tuple[float, float]], colour: str, width: float = 2.5) -> str:
    """A wire through points."""
    path = " ".join(f"{x:g},{y:g}" for x, y in points)
    return (
        f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linejoin="round" stroke-linecap="round"/>'
    )


def box(x: float, y: float, wide: float, high: float, fill: str, edge: str = INK) -> str:
    """A rounded box."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}" rx="4" fill="{fill}" '
        f'stroke="{edge}" stroke-width="1.5"/>'
    )


def dot(x: float, y: float, colour: str, size: float = 4) -> str:
    """A joint."""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{size:g}" fill="{colour}"/>'


def resistor(x: float, y: float, words: str) -> str:
    """54 wide, centred on x; its value beside it."""
    hues = {"330": ("#e07b1f", "#e07b1f", "#7a4a21"), "100": ("#7a4a21", "#222222", "#7a4a21")}
    bands = "".join(
        f'<rect x="{x + dx:g}" y="{y - 6:g}" width="4" height="12" fill="{hue}"/>'
        for dx, hue in zip((-16, -5, 6), hues[words.split()[0]], strict=True)
    )
    return (
        box(x - 27, y - 7, 54, 14, "#ecd9b0")
        + bands
        + text(x, y - 11, words, 11, text_anchor="middle", fill=FAINT)
    )


def lamp(x: float, y: float, way: int, hue: str) -> str:
    """A light-emitting diode whose long leg is on the pin's side."""
    tip, base = x + 11 * way, x - 11 * way
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="19" fill="{hue}" fill-opacity="0.25" stroke="{hue}" '
        'stroke-width="1.5"/>'
        f'<polygon points="{base:g},{y - 11:g} {base:g},{y + 11:g} {tip:g},{y:g}" fill="{hue}" '
        f'stroke="{INK}" stroke-width="1.5"/>'
        + line([(tip, y - 11), (tip, y + 11)], INK)
        + text(base - 14 * way, y - 9, "+", 14, text_anchor="middle")
    )


def buzzer(x: float, y: float) -> str:
    """A piezo buzzer, 36 wide."""
    return (
        f'<circle cx="{x:g}" cy="{y:g}" r="18" fill="{INK}"/>'
        f'<circle cx="{x:g}" cy="{y:g}" r="5" fill="#fff"/>'
    )


def button(x: float, y: float) -> str:
    """A push button, 40 wide."""
    return (
        box(x - 20, y - 17, 40, 34, "#eef2f5")
        + f'<circle cx="{x:g}" cy="{y:g}" r="10" fill="#c9d3dc" stroke="{INK}" stroke-width="1.5"/>'
    )


def svg(wide: int, high: int, title: str, body: str) -> str:
    """The whole picture, on its own ground so that it reads on a dark page too."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" '
        f'height="{high}" font-family="DejaVu Sans, Verdana, sans-serif" role="img">'
        f"<title>{title}</title>"
        f'<rect width="{wide}" height="{high}" rx="12" fill="#fdfcf8"/>'
        + text(24, 36, title, 20, font_weight="700")
        + body
        + "</svg>\n"
    )
