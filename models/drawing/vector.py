"""SVG art as vectors on a PDF canvas: the small part of SVG that `models/drawing/art` writes.

Other SVG files raise `NotPlain`; whoever prints them falls back on pixels.
"""

import re
from xml.etree import ElementTree

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

SVG = "{http://www.w3.org/2000/svg}"
MOVES = re.compile(r"(translate|rotate|scale)\(([^)]*)\)")
STEPS = re.compile(r"([A-Za-z])|(-?\d*\.?\d+)")
MOST_NUMBER = 1e6
NUMBERS_A_STEP = {"M": 2, "L": 2, "C": 6, "Z": 0}


class NotPlain(ValueError):
    """An SVG that uses more than the shipped art does."""


def size_of(svg: str) -> tuple[float, float]:
    """Width and height of the drawing in its own units (its viewBox, which begins at 0 0)."""
    try:
        root = ElementTree.fromstring(svg)
        left, top, width, height = (_number(part) for part in root.get("viewBox", "").split())
    except (ElementTree.ParseError, ValueError) as error:
        raise NotPlain(f"no plain SVG: {error}") from error
    if root.tag != f"{SVG}svg" or (left, top) != (0, 0) or min(width, height) <= 0:
        raise NotPlain("no viewBox from 0 0")
    return width, height


def ground_of(svg: str) -> str | None:
    """The colour of the card's own paper: the fill of its first rectangle, or None."""
    for element in ElementTree.fromstring(svg):
        if element.tag == f"{SVG}rect":
            return element.get("fill")
    return None


def draw_svg(canvas: Canvas, svg: str, width: float, height: float) -> None:
    """Draw with the lower left corner at the canvas' origin, at a size in points.

    Raises NotPlain before anything that cannot be drawn; what lies below it is drawn already.
    """
    wide, tall = size_of(svg)
    canvas.saveState()
    canvas.translate(0, height)
    canvas.scale(width / wide, -height / tall)
    canvas.setLineCap(1)
    canvas.setLineJoin(1)
    for element in ElementTree.fromstring(svg):
        _draw(canvas, element)
    canvas.restoreState()


def _draw(canvas: Canvas, element: ElementTree.Element) -> None:
    if element.tag == f"{SVG}g":
        canvas.saveState()
        _move(canvas, element.get("transform", ""))
        for child in element:
            _draw(canvas, child)
        canvas.restoreState()
        return
    fill, edge = element.get("fill"), element.get("stroke")
    if fill is None or element.get("style") or element.get("transform"):
        raise NotPlain(f"{element.tag} without a plain fill")
    try:
        if fill != "none":
            canvas.setFillColor(HexColor(fill))
        if edge:
            canvas.setStrokeColor(HexColor(edge))
            canvas.setLineWidth(_number(element.get("stroke-width", "1")))
        _shape(canvas, element, int(fill != "none"), int(edge is not None))
    except (KeyError, ValueError) as error:
        raise NotPlain(f"{element.tag}: {error}") from error


def _shape(canvas: Canvas, element: ElementTree.Element, fill: int, stroke: int) -> None:
    number = {key: _number(value) for key, value in element.items() if key in _NUMBERS}
    paint = {"fill": fill, "stroke": stroke}
    if element.tag == f"{SVG}path":
        _path(canvas, element.attrib["d"], fill, stroke)
    elif element.tag == f"{SVG}circle":
        canvas.circle(number["cx"], number["cy"], number["r"], **paint)
    elif element.tag == f"{SVG}ellipse":
        x, y, rx, ry = (number[key] for key in ("cx", "cy", "rx", "ry"))
        canvas.ellipse(x - rx, y - ry, x + rx, y + ry, **paint)
    elif element.tag == f"{SVG}rect":
        x, y, wide, tall = (number[key] for key in ("x", "y", "width", "height"))
        canvas.roundRect(x, y, wide, tall, min(number.get("rx", 0), wide / 2, tall / 2), **paint)
    else:
        raise NotPlain(f"{element.tag} is not drawn")


_NUMBERS = frozenset({"cx", "cy", "r", "rx", "ry", "x", "y", "width", "height"})


def _move(canvas: Canvas, transform: str) -> None:
    if MOVES.sub("", transform).strip():
        raise NotPlain(f"transform {transform}")
    for name, text in MOVES.findall(transform):
        parts = [_number(part) for part in text.replace(",", " ").split()]
        if name == "translate" and len(parts) == 2:
            canvas.translate(*parts)
        elif name == "rotate" and len(parts) == 1:
            canvas.rotate(parts[0])
        elif name == "scale" and len(parts) == 1:
            canvas.scale(parts[0], parts[0])
        else:
            raise NotPlain(f"transform {transform}")


def _number(text: str) -> float:
    """A number that PDF can hold. NotPlain for what is none."""
    try:
        value = float(text)
    except ValueError as error:
        raise NotPlain(str(error)) from error
    if not abs(value) < MOST_NUMBER:
        raise NotPlain(f"the number {value:g}")
    return value


def _path(canvas: Canvas, d: str, fill: int, stroke: int) -> None:
    path, step, numbers, is_begun = canvas.beginPath(), "", [], False
    for letter, text in STEPS.findall(d):
        if letter:
            step = letter
            if step not in NUMBERS_A_STEP or (step == "Z" and not is_begun):
                raise NotPlain(f"path step {step}")
            if step == "Z":
                path.close()
            continue
        numbers.append(_number(text))
        if len(numbers) == NUMBERS_A_STEP.get(step, 0):
            if step != "M" and not is_begun:
                raise NotPlain("a path that begins nowhere")
            is_begun = True
            add = {"M": path.moveTo, "L": path.lineTo, "C": path.curveTo}[step]
            add(*numbers)
            numbers = []
            # More pairs after a move are lines, as SVG says.
            step = "L" if step == "M" else step
    if numbers:
        raise NotPlain("a path step cut short")
    canvas.drawPath(path, fill=fill, stroke=stroke)
