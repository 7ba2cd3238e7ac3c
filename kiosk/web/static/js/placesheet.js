// A place that was tapped: what lies there, what it needs, and the calls about it.
import { callItem, faceImage } from "./calls.js";
import { fill, h } from "./dom.js";
import { t } from "./texts.js";
import { faceWords, needWords, placeWords } from "./words.js";

/**
 * @param {string} place
 * @param {import("./connection.js").State} state
 * @param {(call: import("./connection.js").Call) => void} onReplay
 */
export function openPlace(place, state, onReplay) {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const shown = state.places.find((each) => each.place === place);
  const deck = state.game?.deck ?? "";
  const cards = state.table.cards.filter((card) => card.place === place && card.state !== "coming");
  const calls = state.calls.filter((call) => call.place === place).reverse();
  const close = h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`);
  fill(sheet,
    h("div", { class: "row" }, h("h2", {}, placeWords(place, shown?.label ?? "")),
      h("span", { class: "grow" }), close),
    shown?.text ? h("div", { class: "due" }, ...shown.faces.map((face) => faceImage(face, deck)),
      h("strong", {}, needWords(shown))) : null,
    h("h3", {}, t("lies-here")),
    cards.length ? h("ol", { class: "lying" }, ...cards.map((card) =>
      h("li", {}, faceImage(card.face, deck, true), h("span", {}, faceWords(card.face)))))
      : h("p", { class: "note" }, t("nothing-lies")),
    calls.length > 0 && h("h3", {}, t("calls")),
    h("ol", { class: "log" }, ...calls.map((call) => callItem(call, state, onReplay))));
  if (!sheet.open) sheet.showModal();
}
