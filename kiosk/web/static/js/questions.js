// Questions: what the referee is unsure of, with the likely answers as cards to tap.
import { faceImage } from "./calls.js";
import { h, post } from "./dom.js";
import { t } from "./texts.js";
import { faceWords, placeWords } from "./words.js";

/** @typedef {{call: number, asked: "is-it"|"which"|"table", place: string|null, card: string|null,
 *   likely: string[]}} Question */
/** @typedef {import("./connection.js").State} State */
const LIKELY_SHOWN = 3;
const EVIDENCE_S = 1.6; // a call's pictures end a second after it

export class Questions {
  /** @param {() => void} redraw @param {(call: import("./connection.js").Call) => void} onReplay */
  constructor(redraw, onReplay) {
    this.redraw = redraw;
    this.onReplay = onReplay;
    this.later = new Set();
    this.thanks = "";
    /** A "no" leaves the question which card it is. @type {Question|null} */
    this.then = null;
    this.showsAll = 0;
    /** Calls whose evidence was asked for, and whether it has the card. @type {Map<number, boolean>} */
    this.seen = new Map();
  }

  /** Asks for the picture of the card in doubt, once its evidence is kept. @param {State} state */
  async follow(state) {
    const asked = this.asked(state);
    const call = asked && state.calls.find((each) => each.n === asked.call);
    if (!call || !call.card || state.at - call.at < EVIDENCE_S || this.seen.has(call.n)) return;
    this.seen.set(call.n, false);
    const answer = await fetch(`/api/evidence/${call.n}`);
    if (!answer.ok || !(await answer.json()).has_card) return;
    this.seen.set(call.n, true);
    this.redraw();
  }

  /** What the cards depend on. @param {State} state */
  key(state) {
    return [state.questions, [...this.seen], [...this.later], this.thanks, this.then?.call, this.showsAll];
  }

  /** The call of the question that is shown, or none. @param {State} state */
  call(state) {
    return this.asked(state)?.call ?? null;
  }

  /** @param {State} state @returns {Question|null} */
  asked(state) {
    const waiting = state.questions.filter((each) => !this.later.has(each.call));
    return waiting[waiting.length - 1] ?? this.then;
  }

  /** The newest question as a card, or nothing. @param {State} state @param {boolean} mayAct */
  card(state, mayAct) {
    const asked = mayAct ? this.asked(state) : null;
    if (!asked) return null;
    const call = state.calls.find((each) => each.n === asked.call);
    const show = call && h("button", { onclick: () => this.onReplay(call) }, `▷ ${t("question-see")}`);
    return h("section", { class: "question", "aria-label": t("question"), dataset: { call: asked.call } },
      h("h1", { class: "words" }, h("span", { class: "mark", dataset: { call: "unsure" }, "aria-hidden": "true" }, "?"),
        " ", this.words(asked)),
      this.seen.get(asked.call) ? h("figure", {}, h("img", { src: `/api/evidence/${asked.call}/card.jpg`, alt: t("seen") }),
        h("figcaption", {}, t("question-seen"))) : null,
      h("div", { class: "answers" }, ...this.answers(asked, state)),
      this.thanks && h("p", { class: "note", role: "status" }, this.thanks),
      h("div", { class: "row" }, show, asked.asked !== "table" && this.then?.call !== asked.call
        && h("button", { onclick: () => this.look(asked) }, `↻ ${t("question-look")}`),
      h("button", { onclick: () => this.leave(asked) }, t("question-later"))));
  }

  /** @param {Question} asked */
  words(asked) {
    if (this.then?.call === asked.call) return t("question-which-then");
    return t(`question-${asked.asked}`, {
      card: asked.card ? faceWords(asked.card) : "", place: placeWords(asked.place, ""),
    });
  }

  /** @param {Question} asked @param {State} state */
  answers(asked, state) {
    if (asked.asked === "table") {
      return [h("button", { class: "main", onclick: () => this.settle(asked) }, `✓ ${t("question-as-it-lies")}`)];
    }
    const isWhich = asked.asked === "which" || this.then?.call === asked.call;
    const deck = state.game?.deck ?? "";
    const rest = (state.game?.faces ?? []).filter((face) => !asked.likely.includes(face) && face !== asked.card);
    if (!isWhich && asked.card) {
      const card = asked.card;
      return [this.face(asked, card, deck, t("question-yes", { card: faceWords(card) })),
        h("button", { class: "answer", onclick: () => this.no(asked) }, h("span", { class: "no", "aria-hidden": "true" }, "✕"),
          t("question-no", { card: faceWords(card) }))];
    }
    const isAll = this.showsAll === asked.call || asked.likely.length === 0;
    const shown = isAll ? [...asked.likely, ...rest] : asked.likely.slice(0, LIKELY_SHOWN);
    return [...shown.map((face) => this.face(asked, face, deck, faceWords(face))),
      !isAll && h("button", { class: "answer", onclick: () => { this.showsAll = asked.call; this.redraw(); } },
        h("span", { class: "no", "aria-hidden": "true" }, "…"), t("question-other"))].filter(Boolean);
  }

  /** @param {Question} asked @param {string} face @param {string} deck @param {string} words */
  face(asked, face, deck, words) {
    return h("button", { class: "answer", onclick: () => this.overrule(asked, { verdict: "card", card: face }) },
      faceImage(face, deck, true), words);
  }

  /** Not that card: nobody is accused, and the question is which card it is. @param {Question} asked */
  async no(asked) {
    this.then = asked;
    await this.overrule(asked, { verdict: "no-mistake" }, true);
  }

  /** @param {Question} asked @param {object} verdict @param {boolean} [goesOn] */
  async overrule(asked, verdict, goesOn = false) {
    const answer = await post("/api/overrule", { call: asked.call, ...verdict });
    this.thanks = answer.ok ? t("question-thanks") : answer.message ?? "";
    if (answer.ok && !goesOn) this.leave(asked);
    this.redraw();
  }

  /** The referee looks at the card again; where it is sure now, the question is answered. @param {Question} asked */
  async look(asked) {
    const answer = await post("/api/look", { call: asked.call });
    if (!answer.ok) this.thanks = answer.message ?? "";
    else if (!answer.card) this.thanks = t("question-not-seen");
    else if (answer.is_sure) this.thanks = t("question-thanks");
    else {
      const percent = Math.round(answer.sure * 100);
      this.thanks = t("question-still-unsure", { card: faceWords(answer.card), percent });
    }
    this.redraw();
  }

  /** @param {Question} asked */
  async settle(asked) {
    await post("/api/settle", { call: asked.call });
    this.leave(asked);
  }

  /** @param {Question} asked */
  leave(asked) {
    this.later.add(asked.call);
    if (this.then?.call === asked.call) this.then = null;
    this.thanks = "";
    this.redraw();
  }
}
