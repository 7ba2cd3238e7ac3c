// The call is the hero: large, in plain words, with the card's picture, until it is put right.
import { clock, h } from "./dom.js";
import { seatName, t } from "./texts.js";
import { callWords, faceWords, gameWords, lostWords, overruledText, sentenceWords } from "./words.js";

/** @typedef {import("./connection.js").State} State */
/** @typedef {import("./connection.js").Call} Call */

const BRIEF_S = 8; // how long a call that needs nothing stays large
/** @type {Record<string, string>} */
export const MARKS = {
  mistake: "✕", corrected: "✓", complete: "✓", win: "★", tie: "=", notice: "▲", unsure: "?",
};

/**
 * A face's picture. @param {string} face @param {string} deck
 * @param {boolean} [isNamed] its name stands beside it
 */
export function faceImage(face, deck, isNamed = false) {
  const source = `/api/faces/${encodeURIComponent(face)}.jpg?deck=${encodeURIComponent(deck)}`;
  return h("img", { src: source, alt: isNamed ? "" : faceWords(face), loading: "lazy" });
}

/** @param {string} kind */
export function mark(kind) {
  return h("span", { class: "mark", dataset: { call: kind }, "aria-hidden": "true" },
    MARKS[kind] ?? "·");
}

/**
 * The call that matters now: the newest open mistake, else the newest call of this moment.
 * @param {State} state
 */
export function heroCall(state) {
  const open = state.calls.filter((call) => call.is_open && !call.is_withdrawn);
  if (open.length) return open[open.length - 1];
  const last = state.calls[state.calls.length - 1];
  return last && state.at - last.at < BRIEF_S && !last.is_withdrawn ? last : null;
}

/**
 * @param {State} state
 * @param {{onReplay: (call: Call) => void, onOverrule: (call: Call, verdict: string) => void}} acts
 * @param {boolean} mayAct
 */
export function hero(state, acts, mayAct) {
  if (state.lost) return plainHero("lost", lostWords(state.lost));
  const call = heroCall(state);
  if (!call) return plainHero("calm", state.game ? gameWords(state.headline) : t("waiting-for-game"));
  const isJudged = ["mistake", "unsure"].includes(call.call);
  return h("section", {
    class: `hero${call.message.length > 60 ? " is-long" : ""}`,
    dataset: { call: call.call, n: call.n },
  },
  h("h1", { class: "words" }, mark(call.call), " ", callWords(call, state)),
  facesOf(call, state),
  h("div", { class: "row" },
    h("button", { onclick: () => acts.onReplay(call) }, `▷ ${t("see-it")}`),
    mayAct && isJudged && h("button", {
      onclick: () => acts.onOverrule(call, "no-mistake"),
    }, `✗ ${t("no-mistake")}`),
    call.sentence && h("details", {}, h("summary", { class: "button" }, t("rule")),
      h("p", {}, sentenceWords(call, state)))));
}

/** The card that was laid, the one that was due, and whose it was. @param {Call} call @param {State} state */
function facesOf(call, state) {
  const deck = state.game?.deck ?? "";
  const due = call.expected.slice(0, 2).map((face) => faceImage(face, deck));
  if (!call.card && !due.length && call.seat === null) return null;
  return h("div", { class: "faces" }, call.card && faceImage(call.card, deck),
    call.card && due.length > 0 && h("span", { class: "arrow", "aria-hidden": "true" }, "→"), ...due,
    call.seat !== null && h("span", { class: "who" }, seatName(state, call.seat)));
}

/** @param {string} kind @param {string} words */
function plainHero(kind, words) {
  const isLong = words.length > 60;
  return h("section", { class: `hero${isLong ? " is-long" : ""}`, dataset: { call: kind } },
    h("h1", { class: "words" }, words));
}

/**
 * All calls, newest first; each opens its replay.
 * @param {State} state
 * @param {(call: Call) => void} onReplay
 */
export function callLog(state, onReplay) {
  const items = [...state.calls].reverse().map((call) => callItem(call, state, onReplay));
  return h("ol", { class: "log", "aria-label": t("calls"), tabindex: "0" }, ...items);
}

/** @param {Call} call @param {State} state @param {(call: Call) => void} onReplay */
export function callItem(call, state, onReplay) {
  const kind = `${call.is_withdrawn ? "is-withdrawn" : ""}${call.is_open ? " is-open" : ""}`;
  return h("li", { class: kind }, h("button", { onclick: () => onReplay(call) },
    h("time", {}, clock(call.at)), mark(call.call),
    h("span", {}, h("span", { class: "words" }, callWords(call, state)),
      call.overruled && h("span", { class: "overruled" }, overruledText(call, state)))));
}

/** Lines of the game that stand at no place and are no seat's score. @param {State} state */
export function lines(state) {
  const labels = new Set(state.places.map((place) => place.label));
  const scored = new Set(state.scores.map(({ seat }) => `Seat ${seat}`));
  // One open mistake is the large call itself.
  const many = state.mistakes.length > 1;
  const left = state.lines.filter(({ label }) => !labels.has(label) && !scored.has(label)
    && (many || label !== "To put right"));
  if (!left.length) return null;
  return h("dl", { class: "lines" },
    ...left.flatMap(({ label, text }) => [h("dt", {}, gameWords(label)), h("dd", {}, gameWords(text))]));
}

/** Each seat with its score; the seat in turn stands out by shape and colour. @param {State} state */
export function scores(state) {
  return h("ul", { class: `scores of-${state.scores.length}`, "aria-label": t("scores") }, ...state.scores.map(({ seat, text }) => {
    const isTurn = state.turn === seat;
    const name = seatName(state, seat);
    return h("li", { class: isTurn ? "is-turn" : "" },
      h("span", { class: "who", title: name }, `${isTurn ? "▲ " : ""}${name}`), h("strong", {}, gameWords(text)));
  }));
}
