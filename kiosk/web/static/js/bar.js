// The bar below: the four lamps, the game, its buttons.
import { clock, fill, h, post } from "./dom.js";
import { buttonText, seatName, t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */

const LAMPS = { mistake: "✕", complete: "✓", turn: "▲", unsure: "?" };
const SEATED = ["out", "no", "draw"]; // buttons that belong to a seat when one presses them

/**
 * @param {Element} bar
 * @param {State} state
 * @param {boolean} mayAct
 * @param {() => void} onMenu
 */
export function showBar(bar, state, mayAct, onMenu) {
  const lamps = Object.entries(LAMPS).map(([name, shape]) => h("span", {
    class: `lamp${state.lamps[name] ? " is-lit" : ""}`, dataset: { lamp: name },
  }, h("i", { "aria-hidden": "true" }, shape), h("span", { class: "name" }, t(`lamp-${name}`)),
  h("span", { class: "unseen" }, state.lamps[name] ? t("lit") : t("dark"))));
  const game = state.game && h("span", { class: "game" }, h("span", { class: "title" }, `${state.game.title} · `),
    clock(state.at));
  fill(bar, h("div", { class: "lamps", role: "group", "aria-label": t("lamps") }, ...lamps),
    h("span", { class: "grow" }), game,
    h("div", { class: "buttons" }, ...buttonsOf(state, mayAct)),
    h("button", { onclick: onMenu, "aria-label": t("menu"), class: "menu" }, "☰"));
}

/** The buttons of the moment; the others are in the menu. @param {State} state @param {boolean} mayAct */
function buttonsOf(state, mayAct) {
  if (!state.game || !mayAct) return [];
  const own = state.is_started ? state.game.buttons : ["start"];
  const names = state.phase === "playing" ? [...own, "undo"] : ["undo"];
  return names.map((name) => h("button", {
    class: name === "start" ? "main" : "", onclick: () => press(name, state),
  }, name === "undo" ? `⟲ ${buttonText(name)}` : buttonText(name)));
}

/** @param {string} button @param {State} state */
export function press(button, state) {
  if (!SEATED.includes(button) || state.turn !== null) {
    post("/api/press", { button, seat: SEATED.includes(button) ? state.turn : null });
    return;
  }
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const seats = Array.from({ length: state.game?.players ?? 0 }, (_, k) => h("button", {
    onclick: () => {
      post("/api/press", { button, seat: k + 1 });
      sheet.close();
    },
  }, seatName(state, k + 1)));
  fill(sheet, h("h2", {}, t("which-seat")), h("div", { class: "row" }, ...seats,
    h("button", { onclick: () => sheet.close() }, t("cancel"))));
  sheet.showModal();
}
