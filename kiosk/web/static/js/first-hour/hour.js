// The first hour: six steps in a row, each with the live picture, one sentence, one main button.
import { fill, h, post } from "../dom.js";
import { whenUntouched } from "../steady.js";
import { t } from "../texts.js";
import { CameraPanel } from "./camera.js";
import { CheckPanel } from "./check.js";
import { DeckPanel } from "./deck.js";
import { LampsPanel } from "./lamps.js";
import { button, MARKS, message, said, showProgress, standing } from "./panel.js";
import { Stage } from "./stage.js";
import { TablePanel } from "./table.js";
import { TrialPanel } from "./trial.js";

/** @typedef {import("./panel.js").Hour} Hour */
export const STEPS = ["camera", "table", "deck", "lamps", "trial", "check"];
const PANELS = { camera: CameraPanel, table: TablePanel, deck: DeckPanel, lamps: LampsPanel, trial: TrialPanel,
  check: CheckPanel };

export class HourView {
  /** @param {Element} view @param {() => void} onLeave @param {() => void} onPlay */
  constructor(view, onLeave, onPlay) {
    this.view = view;
    this.onLeave = onLeave;
    this.onPlay = onPlay;
    this.isOpen = false;
    this.shown = "";
    this.shownSteps = "";
    this.drawn = whenUntouched(() => this.drawNow());
    this.wanted = "";
    /** Games and decks; null until they are known. @type {any} */
    this.offered = null;
    this.failure = "";
    /** @type {Hour|null} */
    this.hour = null;
    /** @type {any} */
    this.panel = null;
  }

  /** Starts the set-up, or comes back to it. @param {string} [step] to open */
  async open(step = "") {
    this.isOpen = true;
    this.wanted = step;
    this.failure = "";
    this.shown = "";
    this.panel = null;
    this.hour = null;
    this.offered = null;
    this.stage = new Stage();
    this.steps = h("nav", { class: "hour-steps", "aria-label": t("hour-steps") });
    this.shownSteps = "";
    this.side = h("section", { class: "hour-side" });
    fill(this.view, h("div", { class: "hour" }, this.steps, this.stage.element, this.side));
    this.draw();
    const [begun, offered] = await Promise.all([post("/api/first-hour", {}), found()]);
    this.failure = offered ? why(begun) : t("hour-unreached");
    this.offered = offered;
    this.draw();
  }

  close() {
    this.isOpen = false;
    this.hour = null;
  }

  /** @param {import("../connection.js").State} state */
  show(state) {
    if (this.hour && !state.first_hour) this.askWhy();
    else if (!this.hour && state.first_hour && this.offered) this.failure = ""; // why it was gone
    this.hour = state.first_hour;
    if (!this.hour || !this.stage) return this.draw();
    if (this.wanted && this.wanted !== this.hour.step) {
      this.order("go", { step: this.wanted });
    }
    this.wanted = "";
    this.stage.show(state.picture, this.hour.size, this.hour.lost);
    this.draw();
    this.panel?.live(this.hour);
    showProgress(this.side, this.hour);
  }

  /** The set-up is gone: it may be coming again, or it ended with a reason. */
  async askWhy() {
    const now = await found();
    if (now?.is_running || this.hour || !this.isOpen) return;
    this.failure = now ? now.said[now.said.length - 1] ?? t("hour-ended") : t("hour-unreached");
    this.draw();
  }

  /** @param {string} name @param {object} [values] */
  async order(name, values = {}) {
    const answer = await post("/api/first-hour/order", { order: name, ...values });
    this.failure = why(answer);
    this.draw();
  }

  /** Draws what changed, once no finger is down. */
  draw() {
    this.drawn(null);
  }

  drawNow() {
    if (!this.isOpen || !this.steps || !this.side || !this.stage) return;
    const hour = this.hour;
    // A panel drawn without the decks would move its buttons when they come.
    if (!hour || !this.offered) {
      if (this.shown === `waiting${this.failure}`) return;
      this.shown = `waiting${this.failure}`;
      fill(this.steps, this.leaveButton());
      fill(this.side, h("h1", {}, t("hour")), h("p", { class: this.failure ? "bad" : "note", role: "status" },
        this.failure || t("hour-starting")), this.failure ? button("", t("hour-again"), () => this.open(this.wanted)) : null);
      return;
    }
    if (this.panel?.step !== hour.step) {
      this.stage.drag([]);
      this.stage.showStill("");
      this.panel = new PANELS[/** @type {keyof typeof PANELS} */ (hour.step)](this.stage, this.acts());
      this.shown = "";
    }
    const steps = JSON.stringify([hour.step, hour.steps.map((each) => each.mark)]);
    if (steps !== this.shownSteps) {
      this.shownSteps = steps;
      fill(this.steps, ...STEPS.map((name, k) => this.stepButton(name, k)), this.leaveButton());
    }
    const key = JSON.stringify([hour.step, hour.steps, hour.work, hour.message, hour.words, hour.findings,
      this.failure, this.panel.key(hour)]);
    if (key === this.shown) return;
    this.shown = key;
    const open = [...this.side.querySelectorAll("details")].map((each) => each.open);
    fill(this.side, ...this.panel.draw(hour), this.failure ? h("p", { class: "bad", role: "alert" }, this.failure) : null,
      message(hour) || null, said(hour), this.onward(hour));
    this.side.querySelectorAll("details").forEach((each, k) => { each.open = open[k] ?? false; });
  }

  acts() {
    return {
      order: (/** @type {string} */ name, /** @type {object|undefined} */ values) => this.order(name, values ?? {}),
      leave: () => this.onLeave(), offered: this.offered,
      redraw: () => { this.shown = ""; this.draw(); },
    };
  }

  leaveButton() {
    return h("button", { class: "hour-leave", onclick: () => this.leave(this.onLeave), "aria-label": t("hour-leave") }, "✕");
  }

  /** @param {string} name @param {number} k */
  stepButton(name, k) {
    const mark = standing(/** @type {Hour} */ (this.hour), name).mark;
    const shape = MARKS[/** @type {keyof typeof MARKS} */ (mark)] ?? String(k + 1);
    return h("button", {
      class: "hour-step", dataset: { mark }, "aria-current": this.hour?.step === name ? "step" : null,
      onclick: () => this.order("go", { step: name }),
    }, h("i", { "aria-hidden": "true" }, shape), h("span", { class: "name" }, t(`hour-step-${name}`)),
    h("span", { class: "unseen" }, `, ${t(`hour-mark-${mark}`)}`));
  }

  /** The way on: next step, skip, or the first game. @param {Hour} hour */
  onward(hour) {
    const at = STEPS.indexOf(hour.step);
    const isPassed = standing(hour, hour.step).mark === "passed";
    const next = STEPS[at + 1];
    if (hour.work !== "looking") return null;
    if (!next) {
      return h("div", { class: "hour-onward" }, button(isPassed ? "main" : "", `▶ ${t("hour-finish")}`,
        () => this.leave(this.onPlay)));
    }
    const words = t("hour-next", { step: t(`hour-step-${next}`) });
    return h("div", { class: "hour-onward" }, isPassed
      ? button("main", `${words} ▸`, () => this.order("go", { step: next }))
      : button("", `${t("hour-skip")} ▸`, () => this.order("skip", { step: hour.step })));
  }

  /** Gives the camera back. @param {() => void} then */
  async leave(then) {
    this.close();
    await post("/api/first-hour", {}, "DELETE");
    then();
  }
}

/** Games, decks and what was said so far; null where the server does not answer. @returns {Promise<any>} */
async function found() {
  try {
    const answer = await fetch("/api/first-hour");
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

/** Why an act was not done; "" if it was. @param {Awaited<ReturnType<typeof post>>} answer */
function why(answer) {
  if (answer.ok) return "";
  return answer.isLost ? t("hour-unreached") : answer.message ?? "";
}
