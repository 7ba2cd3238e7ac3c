// The table from above: the picture, the cards outlined, places and seats with what they need.
import { Pictures } from "./connection.js";
import { h } from "./dom.js";
import { outlineCards, svg } from "./outlines.js";
import { Places } from "./places.js";
import { t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */
const SIDES = ["bottom", "left", "top", "right"];

export class TableView {
  /** @param {(place: string) => void} onPlace a place was tapped */
  constructor(onPlace) {
    this.canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { role: "img" }));
    this.drawing = svg("svg", { class: "outlines", "aria-hidden": "true" });
    this.places = new Places(onPlace);
    this.arrange = h("button", {
      class: "arrange", "aria-pressed": "false", onclick: () => this.setArranging(!this.places.isArranging),
    }, "✥");
    this.help = h("p", { class: "arrange-help", role: "status" });
    this.frame = h("div", { class: "frame" }, this.canvas, this.drawing, this.places.element,
      this.places.seats);
    this.element = h("section", { class: "table" },
      h("div", { class: "stage" }, this.frame));
    this.pictures = new Pictures(this.canvas);
    this.drawn = "";
    /** @type {State|null} */
    this.state = null;
    new ResizeObserver(() => this.state && this.places.show(this.state, true)).observe(this.frame);
  }

  /** @param {State} state @param {boolean} mayAct */
  show(state, mayAct) {
    this.state = state;
    const { width, height, cards } = state.table;
    if (width) this.frame.style.setProperty("--ratio", String(width / height));
    for (const side of SIDES) {
      this.frame.style.setProperty(`--seats-${side}`, state.game?.sides.includes(side) ? "1" : "0");
    }
    this.pictures.show(state.picture);
    const key = JSON.stringify([cards, state.mistakes, width, height]);
    if (key !== this.drawn) {
      this.drawn = key;
      outlineCards(this.drawing, state);
      this.canvas.setAttribute("aria-label", describe(cards));
    }
    const canArrange = mayAct && state.game !== null;
    this.arrange.hidden = !canArrange;
    this.arrange.setAttribute("aria-label", t("arrange"));
    this.element.setAttribute("aria-label", t("table"));
    if (!canArrange && this.places.isArranging) this.setArranging(false);
    this.places.show(state);
  }

  /** @param {boolean} isArranging */
  setArranging(isArranging) {
    this.places.isArranging = isArranging;
    this.arrange.setAttribute("aria-pressed", String(isArranging));
    this.element.classList.toggle("is-arranging", isArranging);
    this.help.textContent = isArranging ? t("arrange-help") : "";
    if (this.state) this.places.show(this.state, true);
  }
}

/** @param {import("./connection.js").Card[]} cards */
function describe(cards) {
  const lying = cards.filter((card) => card.state === "lying");
  return lying.map((card) => `${card.face} ${card.place ?? ""}`.trim()).join(", ") || t("table");
}
