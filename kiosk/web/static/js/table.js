// The table from above: the picture, the cards outlined, and what each place needs beside it.
import { Pictures } from "./connection.js";
import { fill, h } from "./dom.js";
import { t } from "./texts.js";

const SEAT_AT = { bottom: [0.5, 0.95], left: [0.07, 0.5], top: [0.5, 0.05], right: [0.93, 0.5] };
const COLOURS = { mistake: "#ff7a33", unknown: "#f0b63f", lying: "#f4f6f8", coming: "#7cc8f5" };

export class TableView {
  constructor() {
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { role: "img" }));
    this.labels = h("div", {});
    this.frame = h("div", { class: "frame" }, this.canvas, this.labels);
    this.element = h("section", { class: "table" }, h("div", { class: "stage" }, this.frame));
    this.pictures = new Pictures(this.canvas);
  }

  /** @param {import("./connection.js").State} state */
  show(state) {
    const { width, height, cards } = state.table;
    if (width) this.frame.style.aspectRatio = `${width} / ${height}`;
    const lying = cards.filter((card) => card.state !== "covered");
    this.canvas.setAttribute("aria-label", describe(lying));
    this.pictures.show(state.picture, (context, across, down) => {
      for (const card of lying) outline(context, card, state, across, down);
    });
    fill(this.labels, ...placeLabels(state), ...seatLabels(state));
  }
}

/** @param {import("./connection.js").Card[]} cards */
function describe(cards) {
  return cards.map((card) => `${card.face} ${card.place ?? ""}`.trim()).join(", ") || "table";
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {import("./connection.js").Card} card
 * @param {import("./connection.js").State} state
 * @param {number} across
 * @param {number} down
 */
function outline(context, card, state, across, down) {
  const isWrong = state.mistakes.some((m) => m.place === card.place && m.card === card.face);
  const kind = isWrong ? "mistake" : card.face === "unknown" ? "unknown" : card.state;
  context.beginPath();
  card.quad.forEach(([x, y], k) => {
    if (k) context.lineTo(x * across, y * down);
    else context.moveTo(x * across, y * down);
  });
  context.closePath();
  context.lineWidth = across / (isWrong ? 160 : 400);
  context.setLineDash(kind === "unknown" ? [across / 80, across / 120] : []);
  context.strokeStyle = COLOURS[kind] ?? COLOURS.lying;
  context.stroke();
}

/** Words for comparison: "Pile 1" and "pile/1" are the same place. @param {string} text */
const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim();

/** @param {import("./connection.js").State} state */
function placeLabels(state) {
  /** @type {Map<string, import("./connection.js").Card>} */
  const lowest = new Map();
  for (const card of state.table.cards) {
    if (!card.place || card.state === "coming") continue;
    const known = lowest.get(card.place);
    if (!known || bottom(card) > bottom(known)) lowest.set(card.place, card);
  }
  return [...lowest].map(([place, card]) => {
    const line = state.lines.find((each) => plain(each.label) === plain(place));
    const x = card.quad.reduce((sum, point) => sum + point[0], 0) / 4;
    const style = { left: `${x * 100}%`, top: `${Math.min(bottom(card), 0.93) * 100}%` };
    return h("div", { class: "place", style },
      h("strong", {}, line?.label ?? place.replaceAll("/", " ")), line ? ` ${line.text}` : "");
  });
}

/** @param {import("./connection.js").Card} card */
const bottom = (card) => Math.max(...card.quad.map((point) => point[1]));

/** @param {import("./connection.js").State} state */
function seatLabels(state) {
  /** @type {string[]} */
  const sides = state.game?.sides ?? [];
  return sides.map((side, k) => {
    const sharing = sides.filter((other) => other === side).length;
    const share = sides.slice(0, k).filter((other) => other === side).length;
    const at = [...(SEAT_AT[side] ?? SEAT_AT.bottom)];
    const axis = side === "left" || side === "right" ? 1 : 0;
    const way = side === "bottom" || side === "right" ? -1 : 1;
    if (sharing > 1) at[axis] += way * ((share + 0.5) / sharing - 0.5) * 0.6;
    const isTurn = state.turn === k + 1;
    return h("div", {
      class: `seat${isTurn ? " is-turn" : ""}`,
      style: { left: `${at[0] * 100}%`, top: `${at[1] * 100}%` },
    }, `${isTurn ? "▲ " : ""}${t("seat", { seat: k + 1 })}`);
  });
}
