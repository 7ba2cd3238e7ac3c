// Several cards in one photograph: each is shown beside a field for its name.
import { h } from "../dom.js";
import { t } from "../texts.js";
import { button, isBusy, progress } from "./panel.js";

/** @typedef {import("./panel.js").Hour} Hour */
/** @typedef {import("./panel.js").Sheet} Sheet */
export const AT_ONCE = 9; // cards that are asked for in one photograph
const AROUND = 0.35; // of a card: what is shown around it while its edges are dragged

/** The faces that have no picture yet, the back last. @param {Hour} hour */
export const missing = (hour) => hour.deck.faces.filter((face) => !face.picture).map((face) => face.face);

/** @param {string} face */
export const faceName = (face) => (face === "back" ? t("hour-back") : face);

/** Where the part around a card begins, and how long it is. @param {number[]} places @returns {[number, number]} */
function around(places) {
  const [low, high] = [Math.min(...places), Math.max(...places)];
  const from = Math.max(0, low - AROUND * (high - low));
  return [from, Math.min(1, high + AROUND * (high - low)) - from];
}

export class SheetsPart {
  /** @param {import("./stage.js").Stage} stage @param {import("./panel.js").Acts} acts */
  constructor(stage, acts) {
    this.stage = stage;
    this.acts = acts;
    this.open = 0;
    this.known = -1;
    this.card = -1;
    this.isLaying = false;
    /** The part of the photograph around the card whose edges are dragged: left, top, width, height.
     * @type {[number, number, number, number]} */
    this.part = [0, 0, 1, 1];
  }

  key() {
    return [this.open, this.card, this.isLaying];
  }

  /** A new photograph opens by itself. @param {Hour} hour */
  follow(hour) {
    const newest = Math.max(0, ...hour.deck.sheets.map((sheet) => sheet.number));
    if (this.known >= 0 && newest > this.known) this.show(newest);
    this.known = newest;
  }

  /** @param {number} number 0: none */
  show(number) {
    this.open = number;
    this.card = -1;
    this.isLaying = false;
  }

  /** The photograph at hand. @param {Hour} hour */
  current(hour) {
    return hour.deck.sheets.find((sheet) => sheet.number === this.open);
  }

  /** The stage with the photograph, its cards, and the one at hand. @param {string} deck @param {Sheet} sheet */
  paint(deck, sheet) {
    const source = `/api/first-hour/photographs/${deck}/sheets/${sheet.number}.jpg`;
    this.stage.showStill(source, sheet.size, this.isLaying ? this.part : undefined);
    if (this.isLaying) return;
    this.stage.handles.hidden = true;
    this.stage.outline(sheet.cards.map((card, k) => ({
      points: card.corners, kind: k === this.card ? "chosen" : card.face ? "card" : "unknown",
    })));
  }

  /** @param {Hour} hour @param {Sheet} sheet */
  draw(hour, sheet) {
    if (this.isLaying) return this.laying(sheet);
    const done = () => { this.show(0); this.acts.redraw(); };
    return [
      h("h1", {}, t("hour-sheet", { count: sheet.cards.length })), h("p", {}, t("hour-sheet-do")),
      h("datalist", { id: "faces-known" }, ...hour.deck.faces.map((face) => h("option", { value: face.face }))),
      h("ol", { class: "cards-named" }, ...sheet.cards.map((_, k) => this.field(hour, sheet, k))),
      h("div", { class: "row" }, button("main", t("hour-sheet-right"), done),
        button("", t("hour-sheet-forget"), () => { this.acts.order("forget-sheet", { sheet: sheet.number }); done(); })),
    ];
  }

  /** A card with its name. @param {Hour} hour @param {Sheet} sheet @param {number} k */
  field(hour, sheet, k) {
    const card = sheet.cards[k];
    const id = `card-${k + 1}`;
    const choose = () => { this.card = k; this.paint(hour.deck.name, sheet); };
    const isTwice = card.face && hour.deck.sheets.some((other) => other.cards.some(
      (one, j) => one.face === card.face && (other !== sheet || j !== k)));
    const why = isTwice ? t("hour-card-twice") : card.doubt && !card.face ? t("hour-card-doubt") : "";
    return h("li", { dataset: { state: card.face && !isTwice ? "good" : "open" } },
      h("img", { alt: "", src: `/api/first-hour/photographs/${hour.deck.name}/sheets/${sheet.number}-${k}.jpg?${card.corners}` }),
      h("label", { for: id }, t("hour-card-name", { number: k + 1 })),
      h("input", { id, value: card.face, list: "faces-known", maxlength: 40, autocomplete: "off", autocapitalize: "none",
        onfocus: choose, onchange: (/** @type {any} */ event) => this.name(sheet, k, event.target.value) }),
      why && h("span", { class: "note" }, why),
      button("", t("hour-card-edges"), () => { this.card = k; this.lay(sheet); }));
  }

  /** @param {Sheet} sheet @param {number} k @param {string} words */
  name(sheet, k, words) {
    const names = sheet.cards.map((one) => one.face);
    names[k] = words.trim().toLowerCase();
    this.acts.order("name-cards", { sheet: sheet.number, names });
  }

  /** The edges of a card are dragged. @param {Sheet} sheet */
  lay(sheet) {
    this.isLaying = true;
    const { corners } = sheet.cards[this.card];
    const [left, width] = around(corners.map(([x]) => x));
    const [top, height] = around(corners.map(([, y]) => y));
    this.part = [left, top, width, height];
    this.stage.handles.hidden = false;
    this.stage.dragCard(corners.map(([x, y]) => [(x - left) / width, (y - top) / height]), () => {});
    this.acts.redraw();
  }

  /** @param {Sheet} sheet */
  laying(sheet) {
    const end = () => { this.isLaying = false; this.stage.drag([]); this.acts.redraw(); };
    return [
      h("h1", {}, t("hour-card-name", { number: this.card + 1 })), h("p", {}, t("hour-lay-do")),
      h("div", { class: "row" },
        button("main", t("hour-lay-right"), () => {
          const [left, top, width, height] = this.part;
          const corners = this.stage.corners.map(([x, y]) => [left + x * width, top + y * height]);
          this.acts.order("lay-card", { sheet: sheet.number, card: this.card, corners });
          end();
        }),
        button("", t("hour-lay-turn"), () => this.turn()),
        button("", t("hour-back-to"), end)),
    ];
  }

  turn() {
    const [a, b, c, d] = this.stage.corners;
    this.stage.dragCard([d, a, b, c], () => {});
  }

  /** What to lay next, and the ways to photograph it. @param {Hour} hour @param {Node} files */
  ways(hour, files) {
    const next = missing(hour).slice(0, AT_ONCE);
    if (isBusy(hour)) return [h("p", { role: "status" }, t("hour-finding")), progress()];
    return [
      next.length ? h("p", {}, t("hour-rows-do", { count: next.length })) : null,
      next.length ? h("p", { class: "next-faces" }, next.map(faceName).join("  ·  ")) : null,
      h("div", { class: "row" }, button(next.length ? "main" : "", t("hour-rows-go"), () => this.acts.order("snap-rows")), files),
      hour.deck.sheets.length ? h("div", { class: "row sheets", role: "group", "aria-label": t("hour-sheets") },
        ...hour.deck.sheets.map((sheet) => h("button", { onclick: () => { this.show(sheet.number); this.acts.redraw(); },
          "aria-label": t("hour-sheet-open", { number: sheet.number, count: sheet.cards.length }) },
        h("img", { alt: "", src: `/api/first-hour/photographs/${hour.deck.name}/sheets/${sheet.number}.jpg` }),
        h("small", {}, String(sheet.cards.length))))) : null,
    ];
  }
}
