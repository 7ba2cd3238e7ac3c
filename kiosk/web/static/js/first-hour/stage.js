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
    this.frame = h("div", { class: "hour-frame" }, this.canvas, this.still, this.lines, this.handles, this.note);
    this.element = h("div", { class: "hour-stage" }, this.frame);
    this.pictures = new Pictures(this.canvas);
    /** @type {Point[]} */
    this.corners = [];
    this.fit = new ResizeObserver(() => this.resize());
    this.fit.observe(this.element);
    this.shape = 16 / 9;
  }

  /** The largest frame of the picture's shape that the stage holds. */
  resize() {
    const { clientWidth, clientHeight } = this.element;
    const width = Math.min(clientWidth, clientHeight ? clientHeight * this.shape : clientWidth);
    Object.assign(this.frame.style, { width: `${width}px`, height: `${width / this.shape}px` });
  }

  /** @param {number} picture @param {[number, number]} size @param {string} lost */
  show(picture, size, lost) {
    if (size[0] && Math.abs(size[0] / size[1] - this.shape) > 1e-3) {
      this.shape = size[0] / size[1];
      this.element.style.setProperty("--shape", String(this.shape));
      this.resize();
    }
    this.pictures.show(picture);
    this.note.hidden = !lost;
    this.note.textContent = lost;
  }

  /** A still picture in the place of the live one; "" for the live one. @param {string} source */
  showStill(source) {
    this.still.hidden = !source;
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
    fill(this.handles, ...corners.map((_, k) => this.handle(k, onMove)));
    if (corners.length) this.handles.append(h("span", { class: "hour-seat" }, t("seat", { seat: 1 })));
    this.placeHandles();
  }

  /** @param {number} k @param {((corners: Point[]) => void)|undefined} onMove */
  handle(k, onMove) {
    /** @param {number} x @param {number} y */
    const move = (x, y) => {
      this.corners[k] = [Math.min(Math.max(x, 0), 1), Math.min(Math.max(y, 0), 1)];
      this.placeHandles();
      onMove?.(this.corners);
    };
    const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const button = h("button", {
      class: "hour-handle", "aria-label": t("hour-corner", { number: k + 1 }),
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
        move(this.corners[k][0] + step[0] / 400, this.corners[k][1] + step[1] / 400);
      },
    });
    return button;
  }

  placeHandles() {
    const at = this.corners;
    [...this.handles.children].forEach((element, k) => {
      const point = k < 4 ? at[k] : [(at[2][0] + at[3][0]) / 2, (at[2][1] + at[3][1]) / 2];
      const style = /** @type {HTMLElement} */ (element).style;
      Object.assign(style, { left: `${point[0] * 100}%`, top: `${point[1] * 100}%` });
    });
    this.outline(at.length ? [{ points: at, kind: "table" }] : []);
  }
}
