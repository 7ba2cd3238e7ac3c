// The frames around a call: one large with its cards outlined, all as a strip; the rest is marked.
import { h } from "./dom.js";
import { isShown } from "./outlines.js";
import { t } from "./texts.js";

/** @typedef {import("./connection.js").Call} Call */
/** @typedef {import("./connection.js").Card} Card */
/** @typedef {{call: Call, rest: number, has_card: boolean, sure: number|null,
 *   frames: {at: number, cards: Card[]}[]}} Evidence */

const STEP_MS = 120; // between two frames when it plays
const LINES = { it: "#ff7a33", other: "#f4f6f8" };

export class Film {
  /** @param {Call} call @param {Evidence} evidence @param {(name: string) => string} source of a picture */
  constructor(call, evidence, source) {
    this.call = call;
    this.evidence = evidence;
    this.at = evidence.rest;
    this.isPlaying = false;
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas", {
      class: "film", role: "img", "aria-label": call.message,
    }));
    this.images = evidence.frames.map((_, k) => /** @type {HTMLImageElement} */ (
      h("img", { src: source(String(k)), alt: "" })));
    this.steps = evidence.frames.map((frame, k) => this.step(frame.at, k));
    this.strip = h("div", { class: "strip", role: "group", "aria-label": t("replay-of") }, ...this.steps);
    this.time = h("output", { class: "time" });
    this.player = h("button", { onclick: () => this.play() }, "▶");
    this.element = h("div", { class: "filmed" }, this.canvas, this.time,
      h("div", { class: "row steps" },
        h("button", { "aria-label": t("step-back"), onclick: () => this.show(this.at - 1) }, "◀"),
        this.player,
        h("button", { "aria-label": t("step-on"), onclick: () => this.show(this.at + 1) }, "▶|"),
        h("button", { onclick: () => this.show(evidence.rest) }, `● ${t("at-rest")}`)),
      this.strip);
    this.player.setAttribute("aria-label", t("play"));
  }

  /** @param {number} at @param {number} k */
  step(at, k) {
    const isRest = k === this.evidence.rest;
    const seconds = (at - this.call.at).toFixed(1);
    return h("button", {
      class: isRest ? "is-rest" : "", onclick: () => this.show(k),
      "aria-label": t("frame-of", { at: seconds }) + (isRest ? `, ${t("at-rest")}` : ""),
    }, this.images[k]);
  }

  /** Shows frame k; out of range nothing happens. @param {number} k */
  async show(k) {
    const image = this.images[k];
    if (!image) return;
    this.at = k;
    this.steps.forEach((each, i) => each.setAttribute("aria-pressed", String(i === k)));
    const strip = this.strip;
    strip.scrollTo({ left: this.steps[k].offsetLeft - strip.clientWidth / 2 + this.steps[k].clientWidth / 2 });
    const seconds = this.evidence.frames[k].at - this.call.at;
    this.time.textContent = t("frame-of", { at: `${seconds < 0 ? "−" : "+"}${Math.abs(seconds).toFixed(1)}` });
    try {
      await image.decode();
    } catch {
      return; // the picture is gone; the strip shows that
    }
    if (this.at === k) this.draw(image, this.evidence.frames[k].cards);
  }

  /** Plays from the beginning to the end, once. */
  async play() {
    if (this.isPlaying) {
      this.isPlaying = false;
      return;
    }
    this.isPlaying = true;
    this.player.textContent = "❚❚";
    const from = this.at + 1 < this.images.length ? this.at : 0;
    for (let k = from; k < this.images.length && this.isPlaying && this.canvas.isConnected; k += 1) {
      this.show(k);
      await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    }
    this.isPlaying = false;
    this.player.textContent = "▶";
  }

  /** @param {HTMLImageElement} image @param {Card[]} cards */
  draw(image, cards) {
    const { canvas, call } = this;
    canvas.width = image.naturalWidth;
    canvas.height = image.naturalHeight;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.drawImage(image, 0, 0);
    const newest = Math.max(...cards.filter((card) => isCalled(card, call)).map((card) => card.number));
    for (const card of cards) {
      const isIt = isCalled(card, call) && card.number === newest;
      if (!isShown(card) && !isIt) continue;
      context.lineWidth = isIt ? 6 : 2;
      context.setLineDash(card.state === "coming" ? [10, 6] : []);
      context.strokeStyle = isIt ? LINES.it : LINES.other;
      context.beginPath();
      card.quad.forEach(([x, y], i) =>
        context[i ? "lineTo" : "moveTo"](x * canvas.width, y * canvas.height));
      context.closePath();
      context.stroke();
    }
  }
}

/** @param {Card} card @param {Call} call */
function isCalled(card, call) {
  return card.face === call.card && (card.place === call.place || card.place === null);
}
