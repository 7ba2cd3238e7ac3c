// Step 5: a real game begins; one toss is judged, and people say whether that was right.
import { h } from "../dom.js";
import { t } from "../texts.js";
import { button } from "./panel.js";

/** @typedef {import("./panel.js").Hour} Hour */

export class TrialPanel {
  /** @param {import("./stage.js").Stage} stage @param {import("./panel.js").Acts} acts */
  constructor(stage, acts) {
    this.step = "trial";
    this.stage = stage;
    this.acts = acts;
  }

  /** @param {Hour} hour */
  key(hour) {
    return [hour.trial.toss, hour.trial.deck, hour.trial.game, hour.deck.chosen];
  }

  /** @param {Hour} hour */
  live(hour) {
    const isOn = hour.work === "playing";
    this.stage.outline(isOn ? hour.trial.cards.filter((card) => card.state !== "covered")
      .map((card) => ({ points: card.quad, kind: card.face === "unknown" ? "unknown" : "card" })) : []);
  }

  /** @param {Hour} hour */
  draw(hour) {
    const { toss } = hour.trial;
    const isOn = hour.work === "playing";
    const deck = hour.trial.deck || hour.deck.chosen;
    return [
      h("h1", {}, t("hour-step-trial")),
      !isOn && !toss && h("p", {}, t("hour-trial-do")),
      deck && h("p", { class: "note" }, t("hour-trial-deck", { deck: deck.split("/").pop() ?? deck })),
      isOn && !toss ? h("p", { class: "asked", role: "status" }, t("hour-trial-wait")) : null,
      toss ? this.seen(toss) : null,
      ...(isOn && toss ? [h("p", { class: "asked" }, t("hour-trial-question")), h("div", { class: "row" },
        button("main", `✓ ${t("hour-trial-right")}`, () => this.acts.order("trial-right")),
        button("", `✕ ${t("hour-trial-wrong")}`, () => this.acts.order("trial-wrong")))] : []),
      isOn ? button("", t("hour-stop"), () => this.acts.order("look"))
        : button(toss ? "" : "main", toss ? t("hour-again") : t("hour-trial-go"), () => this.acts.order("trial")),
    ];
  }

  /** @param {NonNullable<Hour["trial"]["toss"]>} toss */
  seen(toss) {
    const calls = toss.calls.length ? toss.calls : [["corrected", t("hour-trial-no-call")]];
    return h("div", { class: "toss", dataset: { call: calls[0][0] } },
      toss.picture ? h("img", { src: `/api/first-hour/pictures/toss.jpg?n=${toss.picture}`, alt: toss.card }) : null,
      h("div", {}, h("p", { class: "words" }, t("hour-trial-seen", { card: toss.card, place: toss.place.replaceAll("/", " ") })),
        h("p", { class: "note" }, t("hour-trial-sure", { percent: Math.round(toss.sure * 100) })),
        ...calls.map(([, words]) => h("p", {}, words))));
  }
}
