// The call is the hero: large, in plain words, with the card's picture, until it is put right.
import { clock, h } from "./dom.js";
import { t } from "./texts.js";

export const MARKS = {
  mistake: "✕", corrected: "✓", complete: "✓", win: "★", tie: "=", notice: "▲", unsure: "?",
};

/** @param {string} face @param {string} deck */
export function faceImage(face, deck) {
  const source = `/api/faces/${encodeURIComponent(face)}.jpg?deck=${encodeURIComponent(deck)}`;
  return h("img", { src: source, alt: face, loading: "lazy" });
}

/** @param {string} kind */
export function mark(kind) {
  return h("span", { class: "mark", dataset: { call: kind }, "aria-hidden": "true" },
    MARKS[kind] ?? "·");
}

/**
 * The call that matters now: the newest open mistake, else the newest call of this moment.
 * @param {import("./connection.js").State} state
 */
export function heroCall(state) {
  const open = state.calls.filter((call) => call.is_open && !call.is_withdrawn);
  if (open.length) return open[open.length - 1];
  const last = state.calls[state.calls.length - 1];
  return last && state.at - last.at < 8 && !last.is_withdrawn ? last : null;
}

/**
 * @param {import("./connection.js").State} state
 * @param {{onReplay: (call: import("./connection.js").Call) => void,
 *   onOverrule: (call: import("./connection.js").Call, verdict: string) => void}} acts
 * @param {boolean} mayAct
 */
export function hero(state, acts, mayAct) {
  if (state.lost) return plainHero("lost", state.lost);
  const call = heroCall(state);
  if (!call) return plainHero("calm", state.game ? state.headline : t("waiting-for-game"));
  const deck = state.game?.deck ?? "";
  const faces = h("div", { class: "faces" });
  if (call.card) faces.append(faceImage(call.card, deck));
  if (call.card && call.expected.length) faces.append("→");
  call.expected.slice(0, 2).forEach((face) => faces.append(faceImage(face, deck)));
  if (call.seat) faces.append(h("span", {}, t("seat", { seat: call.seat })));
  const isJudged = ["mistake", "unsure"].includes(call.call);
  return h("section", {
    class: `hero${call.message.length > 60 ? " is-long" : ""}`,
    dataset: { call: call.call, n: call.n },
  },
  h("h1", { class: "words" }, mark(call.call), " ", call.message),
  faces,
  call.sentence && h("details", {}, h("summary", {}, t("rule")), h("p", {}, call.sentence)),
  h("div", { class: "row" },
    h("button", { onclick: () => acts.onReplay(call) }, `▷ ${t("see-it")}`),
    mayAct && isJudged && h("button", {
      onclick: () => acts.onOverrule(call, "no-mistake"),
    }, `✗ ${t("no-mistake")}`)));
}

/** @param {string} kind @param {string} words */
function plainHero(kind, words) {
  const isLong = words.length > 60;
  return h("section", { class: `hero${isLong ? " is-long" : ""}`, dataset: { call: kind } },
    h("h1", { class: "words" }, words));
}

/**
 * All calls, newest first; each opens its replay.
 * @param {import("./connection.js").State} state
 * @param {(call: import("./connection.js").Call) => void} onReplay
 */
export function callLog(state, onReplay) {
  const items = [...state.calls].reverse().map((call) => h("li", {
    class: call.is_withdrawn ? "is-withdrawn" : "",
  }, h("button", { onclick: () => onReplay(call) },
    h("time", {}, clock(call.at)), mark(call.call), h("span", { class: "words" }, call.message))));
  return h("ol", { class: "log", "aria-label": t("calls"), tabindex: "0" }, ...items);
}

/** @param {import("./connection.js").State} state */
export function lines(state) {
  const list = h("dl", { class: "lines" });
  for (const { label, text } of state.lines) {
    const isTurn = state.turn !== null && label === t("seat", { seat: state.turn });
    list.append(h("dt", { class: isTurn ? "is-turn" : "" }, label), h("dd", {}, text));
  }
  return list;
}
