// Places and seats on the picture by name, each with what it needs; places can be dragged.
import { faceImage } from "./calls.js";
import { fill, h, post } from "./dom.js";
import { around, arrange, isClear, rings } from "./labels.js";
import { svg } from "./outlines.js";
import { placeWords, needWords } from "./words.js";
import { seatName, t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */
/** @typedef {import("./connection.js").Place} Place */
/** @typedef {import("./connection.js").Point} Point */

const STEP = 0.02; // of the table, for an arrow key
// What labels say, from all to nothing: the first that leaves all of them and the cards in sight.
const LEVELS = ["full", "due", "brief", "ring"];
const WORDY = 16; // letters; a label that has no room for more says none of them
const LEADER_PX = 14; // a label that is nearer needs no line
const DRAGGED_PX = 6; // less is a tap
/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-STEP, 0], ArrowRight: [STEP, 0], ArrowUp: [0, -STEP], ArrowDown: [0, STEP] };

export class Places {
  /** @param {(place: string) => void} onPlace a place was tapped */
  constructor(onPlace) {
    this.onPlace = onPlace;
    this.element = h("div", { class: "places" });
    this.seats = h("div", { class: "seats-around" });
    this.lines = svg("svg", { class: "leaders", "aria-hidden": "true" });
    this.isArranging = false;
    this.isDragging = false;
    this.shown = "";
    /** @type {Map<string, Point>} */
    this.corners = new Map();
    /** @type {Map<string, Point>} where the places are, in parts of the picture */
    this.middles = new Map();
  }

  /** @param {State} state @param {boolean} [isForced] though nothing that is shown changed */
  show(state, isForced = false) {
    if (this.isDragging) return;
    const spots = placesOf(state, this.isArranging);
    const key = JSON.stringify([spots, state.turn, state.game?.sides, state.game?.deck]);
    if (key === this.shown && !isForced) return;
    this.shown = key;
    const seats = seatLabels(state);
    const labels = spots.map((spot) => this.label(spot, state));
    fill(this.seats, ...seats);
    fill(this.element, this.lines, ...labels);
    this.stand(state, spots, labels);
  }

  /** @param {Spot} spot @param {State} state */
  label(spot, state) {
    const { place, label, text, faces } = spot;
    const deck = state.game?.deck ?? "";
    const words = h("span", { class: "words" }, h("strong", { class: "long" }, label),
      h("strong", { class: "short", "aria-hidden": "true" }, label.match(/\d+$/)?.[0] ?? (!text || text.length > WORDY ? label : "")), text && h("span", { class: "needs" }, text));
    const pictures = faces.slice(0, 2).map((face) => faceImage(face, deck));
    const element = h("button", {
      class: `place${faces.length ? " has-face" : ""}${text.length > WORDY ? " is-wordy" : ""}${spot.isGhost ? " is-ghost" : ""}${spot.isMoved ? " is-moved" : ""}`,
      dataset: { place }, title: text && `${label}: ${text}`,
      onclick: () => { if (!this.isArranging) this.onPlace(place); },
      onpointerdown: (/** @type {PointerEvent} */ event) => this.grab(event, spot),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.nudge(event, spot),
    }, ...pictures, words, this.isArranging && h("span", { class: "unseen" }, t("drag")));
    return element;
  }

  /**
   * Gives each label its place beside its cards, as many words as there is room for.
   * @param {State} state @param {Spot[]} spots @param {HTMLElement[]} labels
   */
  stand(state, spots, labels) {
    const { width, height } = this.element.getBoundingClientRect();
    if (!width || !height) return;
    const cards = state.table.cards.filter((card) => card.place && card.state === "lying")
      .map((card) => around(card.quad, width, height));
    const table = { width, height, cards, taken: [] };
    /** @type {import("./labels.js").Wanted[]} */
    let wanted = [];
    /** @type {Map<string, import("./labels.js").Box>} */
    let boxes = new Map();
    for (const level of this.isArranging ? ["full", "brief"] : LEVELS) {
      this.element.dataset.level = level;
      wanted = spots.map((spot, k) => ({
        key: spot.place, anchor: around(spot.points, width, height),
        width: labels[k].offsetWidth, height: labels[k].offsetHeight,
      }));
      boxes = level === "ring" ? rings(wanted, table) : arrange(wanted, table, this.corners);
      if (isClear(wanted, boxes, table)) break;
    }
    this.corners.clear();
    this.lines.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.lines.replaceChildren();
    const isRing = this.element.dataset.level === "ring";
    spots.forEach((spot, k) => {
      const box = boxes.get(spot.place);
      if (!box) return;
      const line = isRing ? null : leader(box, wanted[k].anchor);
      if (line) this.lines.append(line);
      Object.assign(labels[k].style, { left: `${(box.x / width) * 100}%`, top: `${(box.y / height) * 100}%`,
        width: isRing ? `${box.width}px` : "", height: isRing ? `${box.height}px` : "" });
      this.corners.set(spot.place, [box.x / width, box.y / height]);
      this.middles.set(spot.place, middleOf(spot.points));
    });
  }

  /** Drags a place: its middle goes where the finger lets go. @param {PointerEvent} event @param {Spot} spot */
  grab(event, spot) {
    if (!this.isArranging || !event.isPrimary) return;
    const label = /** @type {HTMLElement} */ (event.currentTarget);
    const from = [event.clientX, event.clientY];
    label.setPointerCapture(event.pointerId);
    this.isDragging = true;
    /** @param {PointerEvent} move */
    const move = (move) => {
      label.style.transform = `translate(${move.clientX - from[0]}px, ${move.clientY - from[1]}px)`;
    };
    /** @param {PointerEvent} end */
    const drop = (end) => {
      label.removeEventListener("pointermove", move);
      this.isDragging = false;
      const far = Math.hypot(end.clientX - from[0], end.clientY - from[1]);
      if (far < DRAGGED_PX && spot.isMoved) post("/api/places", { place: spot.place });
      if (far < DRAGGED_PX || end.type === "pointercancel") {
        label.style.transform = "";
        return;
      }
      const box = this.element.getBoundingClientRect();
      this.move(spot.place, [(end.clientX - box.x) / box.width, (end.clientY - box.y) / box.height]);
    };
    label.addEventListener("pointermove", move);
    label.addEventListener("pointerup", drop, { once: true });
    label.addEventListener("pointercancel", drop, { once: true });
  }

  /** The same by keyboard. @param {KeyboardEvent} event @param {Spot} spot */
  nudge(event, spot) {
    const step = ARROWS[event.key];
    const at = this.middles.get(spot.place);
    if (!this.isArranging || !step || !at) return;
    event.preventDefault();
    this.move(spot.place, [at[0] + step[0], at[1] + step[1]]);
  }

  /** @param {string} place @param {Point} at */
  move(place, at) {
    const inside = at.map((part) => Math.min(Math.max(part, 0), 1));
    this.corners.delete(place);
    post("/api/places", { place, at: inside });
  }
}

/** @typedef {{place: string, label: string, text: string, faces: string[], points: Point[],
 *   isGhost: boolean, isMoved: boolean}} Spot */

/**
 * The places to draw: those with cards, those that people moved; all of them to be arranged.
 * @param {State} state @param {boolean} isArranging
 * @returns {Spot[]}
 */
function placesOf(state, isArranging) {
  /** @type {Map<string, Point[]>} */
  const points = new Map();
  for (const card of state.table.cards) {
    if (!card.place || card.state === "coming") continue;
    points.set(card.place, [...(points.get(card.place) ?? []), ...card.quad]);
  }
  const known = new Map(state.places.map((place) => [place.place, place]));
  for (const { place, moved } of state.places) {
    if (moved && (isArranging || !points.has(place))) points.set(place, [moved]);
  }
  const ghosts = isArranging ? state.game?.areas ?? [] : [];
  for (const { place, polygon } of ghosts) {
    if (!points.has(place)) points.set(place, [middleOf(polygon)]);
  }
  const spots = [...points].map(([place, at]) => {
    const named = known.get(place) ?? { label: place.replaceAll("/", " "), text: "", faces: [], moved: null };
    const isLying = state.table.cards.some((card) => card.place === place);
    return { place, label: placeWords(place, named.label), text: isLying ? needWords({ ...named, place }) : "", faces: isLying ? named.faces : [],
      points: at.map(rounded), isGhost: !isLying, isMoved: named.moved !== null };
  });
  return spots.filter((spot) => isArranging || known.has(spot.place))
    .sort((a, b) => middleOf(a.points)[1] - middleOf(b.points)[1]);
}

/** Steps of half a hundredth: a label does not tremble with its cards. @param {Point} point @returns {Point} */
const rounded = ([x, y]) => [Math.round(x * 200) / 200, Math.round(y * 200) / 200];

/** @param {Point[]} points @returns {Point} */
function middleOf(points) {
  const box = around(points, 1, 1);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/**
 * A line from a label to what it names, where the two do not lie side by side.
 * @param {import("./labels.js").Box} label @param {import("./labels.js").Box} anchor
 */
function leader(label, anchor) {
  const middle = [anchor.x + anchor.width / 2, anchor.y + anchor.height / 2];
  const from = nearest(label, middle);
  const to = nearest(anchor, from);
  const far = Math.hypot(from[0] - to[0], from[1] - to[1]);
  return far < LEADER_PX ? null : svg("line", { x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
}

/** The point of a box that lies nearest to another point. @param {import("./labels.js").Box} box @param {number[]} point */
function nearest(box, point) {
  return [Math.min(Math.max(point[0], box.x), box.x + box.width),
    Math.min(Math.max(point[1], box.y), box.y + box.height)];
}

/** Each seat's name beside the picture, at its side of the table. @param {State} state */
function seatLabels(state) {
  const sides = state.game?.sides ?? [];
  return sides.map((side, k) => {
    const sharing = sides.filter((other) => other === side).length;
    const share = sides.slice(0, k).filter((other) => other === side).length;
    const isAlong = side === "bottom" || side === "top";
    // From the player's left to the right, as the side of the picture runs.
    const part = side === "bottom" || side === "left" ? share : sharing - 1 - share;
    const most = `calc(${100 / sharing}% - 0.25rem)`;
    const middle = `${((part + 0.5) / sharing) * 100}%`;
    const isTurn = state.turn === k + 1;
    const name = seatName(state, k + 1);
    return h("div", {
      class: `seat at-${side}${isTurn ? " is-turn" : ""}`, title: name,
      style: isAlong ? { left: middle, maxWidth: most } : { top: middle, maxHeight: most },
    }, `${isTurn ? "▲ " : ""}${name}`);
  });
}
