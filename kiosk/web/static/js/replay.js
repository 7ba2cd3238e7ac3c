// The replay of a call: its frames, the card seen beside the face it was read as, what to say of it.
import { faceImage, mark } from "./calls.js";
import { fill, h } from "./dom.js";
import { Film } from "./film.js";
import { t } from "./texts.js";
import { Verdicts } from "./verdicts.js";
import { callWords, faceWords, overruledText } from "./words.js";

/** @typedef {import("./connection.js").Call} Call */
/** @typedef {import("./connection.js").State} State */
/** @typedef {import("./film.js").Evidence} Evidence */

const WAIT_MS = 500; // the second after the call has to pass first
const NOT_YET = 202;

/**
 * Opens the replay of a call in the page's dialog.
 * @param {Call} call
 * @param {State} state
 * @param {boolean} mayAct
 */
export async function openReplay(call, state, mayAct) {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const stage = h("div", { class: "replay-stage" }, h("p", { class: "note" }, t("loading")));
  const choice = h("div", { class: "replay-choice" });
  const aside = h("div", { class: "replay-side" });
  const body = h("div", { class: "replay" }, stage, choice, aside);
  const verdicts = mayAct ? new Verdicts(call, state, {
    close: () => sheet.close(),
    choose: (shown) => {
      fill(choice, shown);
      body.classList.toggle("is-choosing", shown !== null);
    },
  }) : null;
  fill(sheet, h("div", { class: "row" }, h("h2", {}, mark(call.call), " ", callWords(call, state)),
    h("span", { class: "grow" }), h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`)), body);
  fill(aside, verdicts?.element ?? null);
  if (!sheet.open) sheet.showModal();
  const game = state.game?.number ?? null;
  const evidence = await evidenceOf(call.n, game, body);
  if (!body.isConnected) return;
  fill(aside, comparison(call, state, evidence),
    call.overruled ? h("p", { class: "overruled" }, overruledText(call, state)) : null,
    verdicts?.element ?? null);
  if (!evidence || !evidence.frames.length) {
    fill(stage, h("p", { class: "note" }, t("no-evidence")));
    return;
  }
  const film = new Film(call, evidence, (name) => pictureOf(call.n, name, game));
  fill(stage, film.element);
  film.show(film.at);
}

/** @param {number} n @param {string} name @param {number|null} game */
export function pictureOf(n, name, game) {
  return `/api/evidence/${n}/${name}.jpg${game === null ? "" : `?game=${game}`}`;
}

/**
 * The evidence of a call; waits for it while the replay is open.
 * @param {number} n @param {number|null} game @param {Element} shown
 * @returns {Promise<Evidence|null>}
 */
async function evidenceOf(n, game, shown) {
  while (shown.isConnected) {
    const answer = await fetch(`/api/evidence/${n}${game === null ? "" : `?game=${game}`}`);
    if (answer.status !== NOT_YET) return answer.ok ? answer.json() : null;
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
  }
  return null;
}

/**
 * The card as it was seen beside the face that it was read as, and how sure.
 * @param {Call} call @param {State} state @param {Evidence|null} evidence
 */
function comparison(call, state, evidence) {
  if (!call.card) return null;
  const deck = state.game?.deck ?? "";
  const seen = evidence?.has_card ? h("figure", {},
    h("img", { src: pictureOf(call.n, "card", state.game?.number ?? null), alt: t("seen") }),
    h("figcaption", {}, t("seen"))) : null;
  const sure = evidence?.sure;
  return h("div", { class: "pair" }, seen,
    h("figure", {}, faceImage(call.card, deck), h("figcaption", {}, `${t("taught")}: ${faceWords(call.card)}`)),
    typeof sure === "number" && h("p", { class: "sure" },
      h("meter", { min: "0", max: "1", value: String(sure), "aria-label": t("how-sure") }),
      t("sure", { percent: Math.floor(sure * 100) })));
}
