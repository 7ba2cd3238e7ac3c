// Step 4: every signal is played; people say whether light and tone came.
import { h } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./panel.js";

/** @typedef {import("./panel.js").Hour} Hour */
const SHAPES = { mistake: "✕", corrected: "✓", complete: "✓", win: "★", tie: "=", notice: "▲", unsure: "?", lost: "?" };

export class LampsPanel {
  /** @param {import("./stage.js").Stage} stage @param {import("./panel.js").Acts} acts */
  constructor(stage, acts) {
    this.step = "lamps";
    this.stage = stage;
    this.acts = acts;
  }

  /** @param {Hour} hour */
  key(hour) {
    return hour.lamps;
  }

  live() {
    this.stage.outline([]);
  }

  /** @param {Hour} hour */
  draw(hour) {
    const { lamps } = hour;
    const areAllPlayed = lamps.signals.length > 0 && lamps.signals.every((one) => one.is_played);
    const isReady = areAllPlayed && !lamps.playing;
    return [
      h("h1", {}, t("hour-step-lamps")), h("p", {}, t("hour-lamps-do")),
      h("ul", { class: "signals" }, ...lamps.signals.map((one) => this.signal(one, lamps.playing))),
      h("div", { class: "row" },
        button(isReady ? "" : "main", `▶ ${t("hour-lamps-go")}`, () => this.acts.order("lamps-all"), !lamps.outputs.length),
        isReady && button("main", `✓ ${t("hour-lamps-came")}`, () => this.acts.order("lamps-came")),
        isReady && button("", `✕ ${t("hour-lamps-missing")}`, () => this.acts.order("lamps-missing"))),
      lamps.outputs.length ? h("p", { class: "note" }, t("hour-lamps-outputs", { outputs: lamps.outputs.join(", ") })) : null,
      ...lamps.faults.map((fault) => h("p", { class: "bad" }, fault)),
    ];
  }

  /** @param {Hour["lamps"]["signals"][number]} one @param {string} playing */
  signal(one, playing) {
    const isOn = one.call === playing;
    const shape = SHAPES[/** @type {keyof typeof SHAPES} */ (one.call)] ?? "·";
    return h("li", {}, h("button", {
      class: `signal${isOn ? " is-on" : ""}`, dataset: { lamp: one.lamp },
      onclick: () => this.acts.order("lamp", { call: one.call }), "aria-pressed": String(isOn),
    }, h("i", { "aria-hidden": "true" }, shape), t(`hour-call-${one.call}`), one.is_played ? " ✓" : ""));
  }
}
