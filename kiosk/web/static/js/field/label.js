// Walks a recording from event to event: right, wrong or missing, by keyboard or finger.
import { fill, h } from "../dom.js";
import { loadTexts, t } from "../texts.js";
import { faceWords, placeWords } from "../words.js";
import { Correction } from "./correction.js";
import { Saving } from "./saving.js";

/** @typedef {{at: number, event?: string, call?: string, card?: string, place?: string,
 *   seat?: number, message?: string}} Line */
/** @typedef {{item?: number, verdict: string, happened?: object|null}} Label */
/** @typedef {{n: number, line: Line, suggested: Label|null}} Item */
/** @typedef {{game: string, players: number, faces: string[], names: string[], places: string[],
 *   times: number[], items: Item[]}} Shown */

const BEFORE_S = 1.2;
const AFTER_S = 0.4;
const KEYS = { Enter: "right", r: "right", w: "wrong", n: "nothing", m: "missing", Backspace: "back" };

class Labels {
  /** @param {Element} element @param {Shown} shown */
  constructor(element, shown) {
    this.shown = shown;
    this.k = 0;
    this.frame = 0;
    this.timer = 0;
    /** @type {Map<number, Label>} */
    this.labels = new Map();
    /** @type {Label[]} */
    this.missing = [];
    this.saving = new Saving("/api/label", (answer) => this.tell(answer));
    for (const item of shown.items) if (item.suggested) this.labels.set(item.n, item.suggested);
    this.picture = /** @type {HTMLImageElement} */ (h("img", { class: "film", alt: t("label-film") }));
    this.time = h("output", { class: "time" });
    this.words = h("h1", { class: "words", tabindex: "-1" });
    this.state = h("p", { class: "state", role: "status" });
    this.saved = h("p", { class: "note", role: "status" });
    this.choice = h("div", { class: "choice-box" });
    const light = h("input", { id: "light", maxlength: "200", onchange: () => this.save() });
    this.light = /** @type {HTMLInputElement} */ (light);
    const acts = h("div", { class: "row acts" },
      h("button", { class: "main", onclick: () => this.say("right") }, `✓ ${t("label-right")}`),
      h("button", { onclick: () => this.say("wrong") }, `✕ ${t("label-wrong")}`),
      h("button", { onclick: () => this.say("missing") }, `+ ${t("label-missing")}`),
      h("button", { onclick: () => this.say("back") }, `◀ ${t("label-back")}`));
    fill(element, h("div", { class: "label-film" }, this.picture, h("div", { class: "row" },
      h("button", { onclick: () => this.step(-1), "aria-label": t("label-earlier") }, "◀"), this.time,
      h("button", { onclick: () => this.step(1), "aria-label": t("label-later") }, "▶"),
      h("button", { onclick: () => this.play() }, t("label-again")))),
    h("div", { class: "label-side" }, this.words, this.state, acts, this.choice,
      h("label", { for: "light" }, t("label-light")), this.light, this.saved));
    document.addEventListener("keydown", (event) => this.key(event));
    this.show();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
    if (event.target instanceof HTMLButtonElement && event.key === "Enter") return;
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      this.step(event.key === "ArrowLeft" ? -1 : 1);
      return;
    }
    const act = /** @type {Record<string, string>} */ (KEYS)[event.key];
    if (!act) return;
    event.preventDefault();
    this.say(act);
  }

  /** @param {string} act */
  say(act) {
    const item = this.shown.items[this.k];
    if (act === "back") this.go(-1);
    else if (act === "missing") this.ask(null, "placed");
    else if (!item) return;
    else if (act === "right") this.keep({ item: item.n, verdict: "right" });
    else if (item.line.call || act === "nothing") this.keep({ item: item.n, verdict: "wrong", happened: null });
    else this.ask(item, item.line.event ?? "placed");
  }

  /** Asks what really happened. @param {Item|null} item @param {string} event */
  ask(item, event) {
    const at = this.shown.times[this.frame] ?? 0;
    const start = item ? { ...item.line } : { at, event };
    const correction = new Correction(this.shown, start, (happened) => {
      fill(this.choice);
      if (item) this.keep({ item: item.n, verdict: "wrong", happened });
      else if (happened) {
        this.missing.push({ verdict: "missing", happened });
        this.save();
        this.show();
      }
    });
    fill(this.choice, correction.element);
    correction.focus();
  }

  /** @param {Label} label */
  keep(label) {
    this.labels.set(/** @type {number} */ (label.item), label);
    this.save();
    this.go(1);
  }

  /** @param {number} by */
  go(by) {
    this.k = Math.min(Math.max(this.k + by, 0), this.shown.items.length);
    fill(this.choice);
    this.show();
  }

  show() {
    const { items } = this.shown;
    const item = items[this.k];
    const label = item ? this.labels.get(item.n) : null;
    this.words.textContent = item ? lineWords(item.line) : t("label-done");
    this.state.textContent = `${t("label-count", { number: Math.min(this.k + 1, items.length), count: items.length })}
      ${label ? t(`label-said-${label.verdict}`) : ""} ${this.missing.length ? t("label-added", { count: this.missing.length }) : ""}`;
    if (item) this.play();
  }

  /** Plays the moment around the item once. */
  play() {
    clearInterval(this.timer);
    const item = this.shown.items[this.k];
    if (!item) return;
    const first = this.nearest(item.line.at - BEFORE_S);
    const last = this.nearest(item.line.at + AFTER_S);
    const apart = Math.max(40, 1000 * (BEFORE_S + AFTER_S) / Math.max(1, last - first));
    this.draw(first);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
      this.draw(this.nearest(item.line.at));
      return;
    }
    this.timer = window.setInterval(() => {
      if (this.frame >= last) clearInterval(this.timer);
      else this.draw(this.frame + 1);
    }, apart);
  }

  /** @param {number} at */
  nearest(at) {
    const k = this.shown.times.findIndex((time) => time >= at);
    return k < 0 ? this.shown.times.length - 1 : k;
  }

  /** @param {number} by */
  step(by) {
    clearInterval(this.timer);
    this.draw(Math.min(Math.max(this.frame + by, 0), this.shown.times.length - 1));
  }

  /** @param {number} k */
  draw(k) {
    this.frame = k;
    this.picture.src = `/api/label/pictures/${k}.jpg`;
    this.time.textContent = `${(this.shown.times[k] ?? 0).toFixed(2)} s`;
  }

  save() {
    const labels = [...this.labels.values(), ...this.missing];
    this.saved.setAttribute("aria-busy", "true");
    this.saving.save({ labels, light: this.light.value });
  }

  /** @param {import("./saving.js").Answer} answer */
  tell(answer) {
    this.saved.removeAttribute("aria-busy");
    this.saved.className = answer.ok ? "note" : "bad";
    this.saved.textContent = answer.ok ? t("label-saved", { file: answer.file, due: answer.due })
      : answer.message ?? "";
  }
}

/** @param {Line} line */
function lineWords(line) {
  if (line.call) return line.message ?? line.call;
  const place = placeWords(line.place ?? "", "");
  const words = t(`label-${line.event}`, { card: faceWords(line.card ?? ""), place });
  return line.seat ? `${words} (${t("seat", { seat: line.seat })})` : words;
}

async function begin() {
  await loadTexts(["/static/texts", "/static/texts/field"]);
  const shown = await (await fetch("/api/label")).json();
  new Labels(/** @type {Element} */ (document.getElementById("label")), shown);
}

begin();
