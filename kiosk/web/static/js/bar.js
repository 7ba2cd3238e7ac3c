// The bar below: the four lamps, the game, its buttons.
import { clock, fill, h, post } from "./dom.js";
import { told } from "./phone/choice.js";
import { buttonText, seatName, t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */

const LAMPS = { mistake: "✕", complete: "✓", turn: "▲", unsure: "?" };
const SEATED = ["out", "no", "draw"]; // buttons that belong to a seat when one presses them

/** Keeps its elements while it can: a button that is replaced under a finger loses the tap. */
export class Bar {
  /** @param {Element} element @param {() => void} onMenu */
  constructor(element, onMenu) {
    this.lamps = h("div", { class: "lamps", role: "group" });
    this.title = h("span", { class: "title" });
    this.clock = document.createTextNode("");
    this.game = h("span", { class: "game" }, this.title, this.clock);
    this.buttons = h("div", { class: "buttons" });
    this.recording = h("span", { class: "recording", hidden: true });
    this.filmed = h("span", { class: "filmed-by", hidden: true });
    this.menu = h("button", { onclick: onMenu, class: "menu", hidden: true }, "☰");
    this.shown = { lamps: "", buttons: "" };
    /** @type {State|null} */
    this.state = null;
    fill(element, this.lamps, h("span", { class: "grow" }), this.filmed, this.recording, this.game,
      this.buttons, this.menu);
  }

  /** @param {State} state @param {boolean} mayAct */
  show(state, mayAct) {
    this.state = state;
    const lit = JSON.stringify(state.lamps);
    if (lit !== this.shown.lamps) this.showLamps(state);
    this.menu.hidden = false;
    this.recording.hidden = !state.recording.is_on || !state.is_connected;
    this.recording.textContent = `● ${t("records")}`;
    this.filmed.hidden = !state.phone;
    this.filmed.classList.toggle("is-lost", Boolean(state.phone?.is_lost));
    if (state.phone) this.filmed.title = this.filmed.textContent = told(state.phone);
    this.game.hidden = state.game === null;
    this.title.textContent = `${state.game?.title ?? ""} · `;
    this.clock.data = clock(state.at);
    const names = buttonsOf(state, mayAct);
    if (names.join() !== this.shown.buttons) this.showButtons(names);
    this.shown = { lamps: lit, buttons: names.join() };
  }

  /** @param {State} state */
  showLamps(state) {
    this.lamps.setAttribute("aria-label", t("lamps"));
    this.menu.setAttribute("aria-label", t("menu"));
    fill(this.lamps, ...Object.entries(LAMPS).map(([name, shape]) => h("span", {
      class: `lamp${state.lamps[name] ? " is-lit" : ""}`, dataset: { lamp: name },
    }, h("i", { "aria-hidden": "true" }, shape), h("span", { class: "name" }, t(`lamp-${name}`)),
    h("span", { class: "unseen" }, state.lamps[name] ? t("lit") : t("dark")))));
  }

  /** @param {string[]} names */
  showButtons(names) {
    fill(this.buttons, ...names.map((name) => h("button", {
      class: name === "start" ? "main" : "", onclick: () => this.state && press(name, this.state),
    }, name === "undo" ? `⟲ ${buttonText(name)}` : buttonText(name))));
  }
}

/** The buttons of the moment; the others are in the menu. @param {State} state @param {boolean} mayAct */
function buttonsOf(state, mayAct) {
  if (!state.game || !mayAct || !state.is_connected) return []; // nobody would hear them
  const own = state.is_started ? state.game.buttons : ["start"];
  return state.phase === "playing" ? [...own, "undo"] : ["undo"];
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
