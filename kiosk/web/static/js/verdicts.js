// What people say of a call: right, another card, another seat, no mistake; and what that changed.
import { faceImage } from "./calls.js";
import { h, post } from "./dom.js";
import { keepCall } from "./field/keep.js";
import { seatName, t } from "./texts.js";
import { faceWords } from "./words.js";

/** @typedef {import("./connection.js").Call} Call */
/** @typedef {import("./connection.js").State} State */

export class Verdicts {
  /**
   * @param {Call} call
   * @param {State} state
   * @param {{close: () => void, choose: (choice: Node|null) => void}} acts `choose` shows a choice
   *   large, or takes it away
   */
  constructor(call, state, acts) {
    this.call = call;
    this.state = state;
    this.acts = acts;
    this.answer = h("p", { class: "answer", role: "status" });
    const isJudged = ["mistake", "unsure"].includes(call.call);
    this.element = h("div", { class: "verdicts" },
      h("button", { class: "main", onclick: acts.close }, `✓ ${t("right")}`),
      call.card && h("button", { onclick: () => acts.choose(this.faces()) }, t("that-card-is")),
      h("button", { onclick: () => acts.choose(this.seats()) }, t("it-was-seat")),
      isJudged && h("button", { onclick: () => this.overrule({ verdict: "no-mistake" }) },
        `✗ ${t("no-mistake")}`),
      state.recording.name && h("button", { onclick: () => acts.choose(keepCall(call, acts)) },
        t("keep-call")),
      this.answer);
  }

  /** The faces of the game as pictures; those that were due come first. */
  faces() {
    const deck = this.state.game?.deck ?? "";
    return h("div", { class: "choices" }, h("h3", {}, t("that-card-is")),
      h("div", { class: "grid faces-grid" }, ...likelyFirst(this.call, this.state).map((face) =>
        h("button", { class: "choice", onclick: () => this.overrule({ verdict: "card", card: face }) },
          faceImage(face, deck, true), h("span", {}, faceWords(face))))),
      this.back());
  }

  seats() {
    return h("div", { class: "choices" }, h("h3", {}, t("it-was-seat")), h("div", { class: "row" },
      ...Array.from({ length: this.state.game?.players ?? 0 }, (_, k) => k + 1)
        .filter((seat) => seat !== this.call.seat)
        .map((seat) => h("button", {
          class: "choice", onclick: () => this.overrule({ verdict: "seat", seat }),
        }, seatName(this.state, seat)))), this.back());
  }

  back() {
    return h("button", { onclick: () => this.acts.choose(null) }, `◀ ${t("back-to-film")}`);
  }

  /** @param {object} verdict */
  async overrule(verdict) {
    this.answer.className = "answer";
    this.answer.textContent = "…";
    const found = await post("/api/overrule", { call: this.call.n, ...verdict });
    this.answer.className = found.ok ? "answer is-done" : "answer bad";
    this.answer.textContent = found.ok ? t("overruled", { changed: found.changed ?? 0 })
      : found.message ?? "";
    this.acts.choose(null);
    this.answer.scrollIntoView({ block: "nearest" });
  }
}

/** @param {Call} call @param {State} state */
function likelyFirst(call, state) {
  const faces = state.game?.faces ?? [];
  const due = call.expected.filter((face) => faces.includes(face));
  const seen = state.calls.filter((each) => each.place === call.place).flatMap((each) => each.expected);
  return [...new Set([...due, ...seen.filter((face) => faces.includes(face)), ...faces])]
    .filter((face) => face !== call.card);
}
