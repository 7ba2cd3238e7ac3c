// The stage of the set-up: the live picture, outlines on it, and corners to drag.
import { Pictures } from "../connection.js";
import { fill, h } from "../dom.js";
import { t } from "../texts.js";

const SVG = "http://www.w3.org/2000/svg";
/** @typedef {[number, number]} Point in parts of the picture */

/** @param {string} tag @param {Record<string, string|number>} attributes */
function svg(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

export class Stage {
  constructor() {
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { role: "img", "aria-label": t("hour-picture") }));
    this.still = /** @type {HTMLImageElement} */ (h("img", { class: "hour-still", alt: "", hidden: true }));
    this.lines = svg("svg", { viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
    this.handles = h("div", { class: "hour-handles" });
    this.note = h("p", { class: "hour-lost", role: "status", hidden: true });
    this.frame = h("div", { class: "hour-frame" }, this.canvas, h("div", { class: "hour-window" }, this.still), this.lines, this.handles, this.note);
    this.element = h("div", { class: "hour-stage" }, this.frame);
    this.pictures = new Pictures(this.canvas);
    /** @type {Point[]} */
    this.corners = [];
    /** The shape of the still picture, if it has one of its own. */
    this.own = 0;
    this.hasSides = false;
    this.fit = new ResizeObserver(() => this.resize());
    this.fit.observe(this.element);
    this.shape = 16 / 9;
    this.live = this.shape;
  }

  /** The largest frame of the picture's shape that the stage holds. */
  resize() {
    const { clientWidth, clientHeight } = this.element;
    const width = Math.min(clientWidth, clientHeight ? clientHeight * this.shape : clientWidth);
    Object.assign(this.frame.style, { width: `${width}px`, height: `${width / this.shape}px` });
  }

  /** @param {number} picture @param {[number, number]} size @param {string} lost */
  show(picture, size, lost) {
    this.live = size[0] ? size[0] / size[1] : this.shape;
    this.shapeTo(this.own || this.live);
    this.pictures.show(picture);
    this.note.hidden = !lost;
    this.note.textContent = lost;
  }

  /** @param {number} shape width / height of what is shown */
  shapeTo(shape) {
    if (Math.abs(shape - this.shape) < 1e-3) return;
    this.shape = shape;
    this.element.style.setProperty("--shape", String(shape));
    this.resize();
  }

  /**
   * A still picture in the place of the live one; "" for the live one.
   * @param {string} source @param {[number, number]} [size] of the still, if it is another one
   * @param {[number, number, number, number]} [part] left, top, width, height of the part to show
   */
  showStill(source, size, part = [0, 0, 1, 1]) {
    const [left, top, width, height] = part;
    this.own = source && size ? size[0] * width / (size[1] * height) : 0;
    this.shapeTo(this.own || this.live);
    this.still.hidden = !source;
    Object.assign(this.still.style, { left: `${-100 * left / width}%`, top: `${-100 * top / height}%`,
      width: `${100 / width}%`, height: `${100 / height}%` });
    if (source && this.still.getAttribute("src") !== source) this.still.src = source;
  }

  /** Outlines on the picture. @param {{points: Point[], kind: string}[]} outlines */
  outline(outlines) {
    this.lines.replaceChildren(...outlines.map(({ points, kind }) => svg("polygon", {
      points: points.map((p) => p.join(",")).join(" "), class: `outline is-${kind}`,
    })));
  }

  /**
   * Four corners to drag, clockwise; seat 1 sits between the third and the fourth.
   * @param {Point[]} corners none: they are taken away
   * @param {(corners: Point[]) => void} [onMove]
   */
  drag(corners, onMove) {
    this.corners = corners;
    this.hasSides = false;
    fill(this.handles, ...corners.map((_, k) => this.handle(k, onMove)));
    if (corners.length) this.handles.append(h("span", { class: "hour-seat" }, t("seat", { seat: 1 })));
    this.placeHandles();
  }

  /**
   * A card's outline to drag: four corners, and the middle of each side, which moves the side.
   * @param {Point[]} corners from the card's upper left, clockwise
   * @param {(corners: Point[]) => void} onMove
   */
  dragCard(corners, onMove) {
    this.corners = corners.map(([x, y]) => [x, y]);
    this.hasSides = true;
    const all = [0, 1, 2, 3, 4, 5, 6, 7];
    fill(this.handles, ...all.map((k) => this.handle(k, onMove)));
    this.placeHandles();
  }

  /** Where handle `k` lies: a corner, or from 4 on the middle of a side. @param {number} k @returns {Point} */
  at(k) {
    const [a, b] = k < 4 ? [this.corners[k], this.corners[k]] : [this.corners[k - 4], this.corners[(k - 3) % 4]];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  }

  /** @param {number} k @param {((corners: Point[]) => void)|undefined} onMove */
  handle(k, onMove) {
    /** @param {number} x @param {number} y */
    const move = (x, y) => {
      const [before, moved] = [this.at(k), k < 4 ? [k] : [k - 4, (k - 3) % 4]];
      for (const corner of moved) {
        const [cx, cy] = this.corners[corner];
        this.corners[corner] = [
          Math.min(Math.max(cx + x - before[0], 0), 1), Math.min(Math.max(cy + y - before[1], 0), 1)];
      }
      this.placeHandles();
      onMove?.(this.corners);
    };
    const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const button = h("button", {
      class: k < 4 ? "hour-handle" : k === 4 ? "hour-handle is-side is-top" : "hour-handle is-side",
      "aria-label": k < 4 ? t("hour-corner", { number: k + 1 }) : k === 4 ? t("hour-card-top") : t("hour-side", { number: k - 3 }),
      onpointerdown: (/** @type {PointerEvent} */ event) => button.setPointerCapture(event.pointerId),
      onpointermove: (/** @type {PointerEvent} */ event) => {
        if (!button.hasPointerCapture(event.pointerId)) return;
        const box = this.frame.getBoundingClientRect();
        move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
        if (!step) return;
        event.preventDefault();
        const [x, y] = this.at(k);
        move(x + step[0] / 400, y + step[1] / 400);
      },
    }, k === 4 ? h("span", { "aria-hidden": "true" }, t("hour-card-top")) : null);
    return button;
  }

  placeHandles() {
    const at = this.corners;
    const count = this.hasSides ? 8 : 4;
    [...this.handles.children].forEach((element, k) => {
      const point = k < count ? this.at(k) : this.at(6); // seat 1's side
      const style = /** @type {HTMLElement} */ (element).style;
      Object.assign(style, { left: `${point[0] * 100}%`, top: `${point[1] * 100}%` });
    });
    this.outline(at.length ? [{ points: at, kind: this.hasSides ? "card" : "table" }] : []);
  }
}
