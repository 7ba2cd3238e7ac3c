// Chooses the part of the picture that a report holds: a rectangle is dragged, what is outside is black.
import { h } from "../dom.js";
import { t } from "../texts.js";

/** @typedef {[number, number, number, number]} Part x, y, width, height in parts of the picture */
const LEAST = 0.05;
const STEP = 0.02;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PartChoice {
  constructor() {
    /** @type {Part|null} null: the whole picture */
    this.part = null;
    this.box = h("i", { class: "part-box", hidden: true });
    this.image = /** @type {HTMLImageElement} */ (h("img", { alt: "", draggable: "false" }));
    this.words = h("p", { class: "note", role: "status" });
    /** @type {[number, number]|null} */
    this.from = null;
    this.frame = h("div", {
      class: "part-frame", tabindex: "0", role: "application", "aria-label": t("part-frame"),
      onpointerdown: (/** @type {PointerEvent} */ event) => this.begin(event),
      onpointermove: (/** @type {PointerEvent} */ event) => this.drag(event),
      onpointerup: () => { this.from = null; }, onpointercancel: () => { this.from = null; },
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event),
    }, this.image, this.box);
    this.whole = h("button", { onclick: () => this.set(null) }, t("part-whole"));
    this.element = h("div", { class: "part" }, h("p", {}, t("part-do")), this.frame,
      h("div", { class: "row" }, this.whole), this.words);
    this.set(null);
  }

  /** @param {string} source of the picture */
  show(source) {
    this.image.src = source;
  }

  /** @param {Part|null} part */
  set(part) {
    this.part = part;
    this.box.hidden = !part;
    this.whole.setAttribute("aria-pressed", String(!part));
    this.words.textContent = part
      ? t("part-is", { width: Math.round(part[2] * 100), height: Math.round(part[3] * 100) }) : t("part-all");
    if (!part) return;
    const [left, top, width, height] = part.map((each) => `${each * 100}%`);
    Object.assign(this.box.style, { left, top, width, height });
  }

  /** @param {PointerEvent} event @returns {[number, number]} */
  at(event) {
    const box = this.frame.getBoundingClientRect();
    return [between((event.clientX - box.left) / box.width), between((event.clientY - box.top) / box.height)];
  }

  /** @param {PointerEvent} event */
  begin(event) {
    event.preventDefault();
    this.frame.setPointerCapture(event.pointerId);
    this.frame.focus();
    this.from = this.at(event);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.from) return;
    const [x, y] = this.from;
    const [x1, y1] = this.at(event);
    const [width, height] = [Math.abs(x1 - x), Math.abs(y1 - y)];
    if (width >= LEAST && height >= LEAST) this.set([Math.min(x, x1), Math.min(y, y1), width, height]);
  }

  /** Arrows move the part; with Shift they make it larger or smaller. @param {KeyboardEvent} event */
  key(event) {
    const step = KEYS[/** @type {keyof typeof KEYS} */ (event.key)];
    if (!step) return;
    event.preventDefault();
    let [x, y, width, height] = this.part ?? [0, 0, 1, 1];
    if (event.shiftKey) {
      width = Math.max(LEAST, Math.min(1 - x, width + step[0] * STEP));
      height = Math.max(LEAST, Math.min(1 - y, height + step[1] * STEP));
    } else {
      x = Math.max(0, Math.min(1 - width, x + step[0] * STEP));
      y = Math.max(0, Math.min(1 - height, y + step[1] * STEP));
    }
    this.set([x, y, width, height]);
  }
}

/** @param {number} value */
const between = (value) => Math.min(1, Math.max(0, value));
