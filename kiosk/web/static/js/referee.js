// A referee that stopped: its reason, and when it starts again.
import { h, post } from "./dom.js";
import { t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */

/** Whether the referee is away though a game should run. @param {State} state */
export const isStopped = (state) => Boolean(state.referee && state.referee.pause_s !== null);

/** In the place of the call: why nothing is judged. @param {State} state @param {boolean} mayAct */
export function stoppedHero(state, mayAct) {
  const referee = state.referee;
  if (!referee || !isStopped(state)) {
    return h("section", { class: "hero is-long", dataset: { call: "lost" } },
      h("h1", { class: "words" }, t("referee-away")));
  }
  return h("section", { class: "hero is-long", dataset: { call: "lost" } },
    h("h1", { class: "words" }, t("referee-stopped")),
    h("p", {}, referee.why), h("p", {}, t("referee-again", { seconds: Math.ceil(referee.pause_s ?? 0) })),
    mayAct && h("div", { class: "row" },
      h("button", { onclick: () => post("/api/games/current", {}, "DELETE") }, t("end-game"))));
}
