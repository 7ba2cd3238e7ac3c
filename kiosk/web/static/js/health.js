// The health view: every part with its state, its reason and its remedy; figures, errors, open steps.
import { fill, h } from "./dom.js";
import { t } from "./texts.js";

/** @typedef {{name: string, state: "good"|"warn"|"bad", words: string, todo: string}} Part */
/** @typedef {{parts: Part[], open_steps: string[], errors: {when: number, line: string}[], said: string[],
 *   figures: Record<string, number|null>}} Health */
const ASKED_MS = 3000;
const SHAPES = { good: "✓", warn: "!", bad: "✕" };
const WORST_FIRST = ["bad", "warn", "good"];

export class HealthView {
  /** @param {Element} view @param {(step: string) => void} onStep */
  constructor(view, onStep) {
    this.view = view;
    this.onStep = onStep;
    this.isOpen = false;
    this.shown = "";
  }

  async open() {
    this.isOpen = true;
    this.shown = "";
    fill(this.view, h("section", { class: "pane" }, h("h1", {}, t("health"))));
    while (this.isOpen) {
      await this.read();
      await new Promise((resolve) => setTimeout(resolve, ASKED_MS));
    }
  }

  async read() {
    try {
      const answer = await fetch("/api/health");
      const found = await answer.json();
      if (!this.isOpen || JSON.stringify(found) === this.shown) return;
      this.shown = JSON.stringify(found);
      const top = this.view.scrollTop;
      fill(this.view, answer.ok ? this.draw(found) : h("p", { class: "bad" }, found.message));
      this.view.scrollTop = top;
    } catch {
      // The server is away; the page says so, and this is asked again.
    }
  }

  /** @param {Health} found */
  draw(found) {
    const parts = [...found.parts].sort((a, b) => WORST_FIRST.indexOf(a.state) - WORST_FIRST.indexOf(b.state));
    const isGood = parts.every((part) => part.state === "good");
    const { figures } = found;
    const ms = (/** @type {number|null} */ value) => (value ? t("health-ms", { ms: Math.round(value) }) : t("health-none"));
    const errors = [...found.errors.map((each) => `${new Date(each.when * 1000).toLocaleTimeString()}  ${each.line}`),
      ...found.said].slice(-10).reverse();
    return h("section", { class: "pane health" }, h("h1", {}, t("health")),
      isGood && h("p", { class: "all-good" }, `✓ ${t("health-good")}`),
      found.open_steps.length ? this.steps(found.open_steps) : null,
      h("h2", {}, t("health-parts")), h("ul", { class: "parts" }, ...parts.map(partRow)),
      h("h2", {}, t("health-figures")), h("dl", { class: "figures" },
        ...figure(t("health-fps"), figures.frames_per_s ? figures.frames_per_s.toFixed(1) : t("health-none")),
        ...figure(t("health-work"), ms(figures.work_ms)), ...figure(t("health-latency"), ms(figures.latency_ms)),
        ...figure(t("health-drops"), String(figures.drops ?? 0)), ...figure(t("health-viewers"), String(figures.viewers ?? 0))),
      h("h2", {}, t("health-errors")), errors.length ? h("ol", { class: "errors" }, ...errors.map((line) => h("li", {}, line)))
        : h("p", { class: "note" }, t("health-no-errors")));
  }

  /** @param {string[]} steps */
  steps(steps) {
    return h("div", {}, h("h2", {}, t("health-open")), h("div", { class: "row" }, ...steps.map((step) => h("button", {
      onclick: () => this.onStep(step),
    }, t("health-do-step", { step: t(`hour-step-${step}`) })))));
  }
}

/** @param {Part} part */
function partRow(part) {
  const known = t(`part-${part.name.split(" ")[0]}`);
  const rest = part.name.split(" ").slice(1).join(" ");
  const name = known.startsWith("part-") ? part.name : `${known} ${rest}`.trim();
  return h("li", { dataset: { state: part.state } },
    h("span", { class: "mark", role: "img", "aria-label": t(`health-part-${part.state}`) }, SHAPES[part.state]),
    h("strong", {}, name), h("span", {}, part.words, part.todo && h("em", {}, t("health-todo", { todo: part.todo }))));
}

/** @param {string} label @param {string} value */
const figure = (label, value) => [h("dt", {}, label), h("dd", {}, value)];
