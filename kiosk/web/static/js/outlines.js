// The cards outlined on the picture: a line for each, and a shape where something is wrong.

/** @typedef {import("./connection.js").Card} Card */
/** @typedef {import("./connection.js").State} State */

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 1000; // of the drawing; its height follows the picture
const INWARDS = 0.3; // of the way from a corner to the middle: beside the index of a card
const SHAPES = { mistake: "✕", unknown: "?" };

/**
 * An element of a drawing.
 * @param {string} tag
 * @param {Record<string, string|number>} attributes
 * @param {...(Node|string)} children
 * @returns {SVGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return /** @type {SVGElement} */ (element);
}

/** A region that moves and has no name may be a hand. @param {Card} card */
export function isShown(card) {
  return card.state !== "covered" && !(card.state === "coming" && card.face === "unknown");
}

/** What a card is outlined as. @param {Card} card @param {State} state */
export function kindOf(card, state) {
  const isWrong = state.mistakes.some((m) => m.place === card.place && m.card === card.face);
  if (isWrong) return "mistake";
  return card.face === "unknown" ? "unknown" : card.state;
}

/**
 * Draws the outlines of all cards that are in view.
 * @param {SVGElement} drawing
 * @param {State} state
 */
export function outlineCards(drawing, state) {
  const { width, height, cards } = state.table;
  const tall = width ? Math.round((WIDE * height) / width) : WIDE;
  drawing.setAttribute("viewBox", `0 0 ${WIDE} ${tall}`);
  drawing.replaceChildren(...cards.filter(isShown).flatMap((card) => {
    const kind = kindOf(card, state);
    const at = card.quad.map(([x, y]) => [x * WIDE, y * tall]);
    const line = svg("polygon", { points: at.map((point) => point.join(",")).join(" "), class: kind });
    const shape = kind === "mistake" || kind === "unknown" ? SHAPES[kind] : "";
    if (!shape) return [line];
    const corner = at.reduce((far, point) => (point[0] - point[1] > far[0] - far[1] ? point : far));
    const [x, y] = [0, 1].map((axis) => {
      const middle = at.reduce((sum, point) => sum + point[axis], 0) / 4;
      return corner[axis] + (middle - corner[axis]) * INWARDS;
    });
    return [line, svg("circle", { cx: x, cy: y, r: 26, class: `badge ${kind}` }),
      svg("text", { x, y: y + 13, class: "shape" }, shape)];
  }));
}
