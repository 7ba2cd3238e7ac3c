// The bar below: the four lamps, the game, its buttons.
import { clock, fill, h, post } from "./dom.js";
import { buttonText, t } from "./texts.js";

const LAMPS = { mistake: "✕", complete: "✓", turn: "▲", unsure: "?" };
const SEATED = ["out", "no", "draw"]; // buttons that belong to a seat when one presses them

/**
 * @param {Element} bar
 * @param {import("./connection.js").State} state
 * @param {boolean} mayAct
 * @param {() => void} onMenu
 */
export function showBar(bar, state, mayAct, onMenu) {
  const lamps = Object.entries(LAMPS).map(([name, shape]) => h("span", {
    class: `lamp${state.lamps[name] ? " is-lit" : ""}`, dataset: { lamp: name },
  }, h("i", { "aria-hidden": "true" }, shape), t(`lamp-${name}`)));
  const game = state.game && h("span", {},
    `${state.game.title} · ${clock(state.at)}`);
  const buttons = state.game && mayAct ? ["undo", ...(state.phase === "playing" ? ["start", ...state.game.buttons, "end"] : [])] : [];
  fill(bar, ...lamps, h("span", { class: "grow" }), game || null,
    ...buttons.map((name) => h("button", { onclick: () => press(name, state) }, buttonText(name))),
    h("button", { onclick: onMenu, "aria-label": t("menu") }, "⚙"));
}

/** @param {string} button @param {import("./connection.js").State} state */
function press(button, state) {
  if (!SEATED.includes(button) || state.turn !== null) {
    post("/api/press", { button, seat: SEATED.includes(button) ? state.turn : null });
    return;
  }
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const seats = Array.from({ length: state.game.players }, (_, k) => h("button", {
    onclick: () => {
      post("/api/press", { button, seat: k + 1 });
      sheet.close();
    },
  }, t("seat", { seat: k + 1 })));
  fill(sheet, h("h2", {}, t("which-seat")), h("div", { class: "row" }, ...seats,
    h("button", { onclick: () => sheet.close() }, t("cancel"))));
  sheet.showModal();
}
