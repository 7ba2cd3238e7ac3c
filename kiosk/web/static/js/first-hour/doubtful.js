// Doubtful cards, one after the other: is this the card? Its outline can be dragged and turned.
import { h } from "../dom.js";
import { t } from "../texts.js";
import { button, isBusy } from "./panel.js";
import { faceName } from "./sheets.js";

/** @typedef {import("./panel.js").Hour} Hour */
/** @typedef {import("./panel.js").Doubtful} Doubtful */
const WHOLE = /** @type {[number, number][]} */ ([[0.2, 0.1], [0.8, 0.1], [0.8, 0.9], [0.2, 0.9]]);

export class DoubtfulPart {
  /** @param {import("./stage.js").Stage} stage @param {import("./panel.js").Acts} acts */
  constructor(stage, acts) {
    this.stage = stage;
    this.acts = acts;
    this.shown = "";
    this.place = 0;
    this.isMoved = false;
    this.later = new Set();
  }

  key() {
    return [this.shown, this.place, this.later.size];
  }

  /** The picture to ask for now; those that were put off come last. @param {Hour} hour */
  current(hour) {
    const asked = hour.deck.doubtful;
    return asked.find((one) => !this.later.has(one.name)) ?? asked[0];
  }

  /** @param {Hour} hour @param {Doubtful} one */
  paint(hour, one) {
    this.stage.showStill(`/api/first-hour/photographs/${hour.deck.name}/asked/${one.name}.jpg?n=${one.picture}`, one.size);
    if (this.shown === `${one.name} ${one.picture}`) return;
    this.shown = `${one.name} ${one.picture}`;
    this.choose(one, 0);
  }

  /** @param {Doubtful} one @param {number} place */
  choose(one, place) {
    this.place = place;
    this.isMoved = false;
    this.hold(one.places[place] ?? WHOLE);
    this.isMoved = one.places.length === 0;
  }

  /** @param {[number, number][]} corners */
  hold(corners) {
    this.stage.handles.hidden = false;
    this.stage.dragCard(corners, () => { this.isMoved = true; });
  }

  leave() {
    if (!this.shown) return;
    this.shown = "";
    this.stage.drag([]);
  }

  /** @param {Hour} hour @param {Doubtful} one */
  draw(hour, one) {
    const left = hour.deck.doubtful.length;
    const name = { name: one.name };
    const right = () => {
      this.later.delete(one.name);
      this.acts.order("settle", this.isMoved ? { ...name, corners: this.stage.corners } : { ...name, number: this.place });
    };
    const turn = () => {
      const [a, b, c, d] = this.stage.corners;
      this.hold([d, a, b, c]);
      this.isMoved = true;
    };
    const others = one.places.length > 1 && button("", t("hour-doubt-other"), () => {
      this.choose(one, (this.place + 1) % one.places.length);
      this.acts.redraw();
    }, isBusy(hour));
    return [
      h("h1", { class: "asked" }, t("hour-doubt", { face: faceName(one.face) })),
      h("p", {}, t("hour-doubt-do")),
      h("p", { class: "note" }, t(`hour-why-${one.why}`)),
      button("main", t("hour-doubt-right"), right, isBusy(hour)),
      h("div", { class: "row" }, others || null, button("", t("hour-lay-turn"), turn),
        button("", t("hour-doubt-later"), () => {
          this.later.delete(one.name);
          this.later.add(one.name);
          this.shown = "";
          this.acts.redraw();
        }, left < 2)),
      button("", t("hour-doubt-leave"), () => this.acts.order("settle", name), isBusy(hour)),
      h("p", { class: "note", role: "status" }, t("hour-doubt-left", { count: left })),
    ];
  }
}

/** Faces that look alike, their pictures side by side. @param {Hour} hour */
export function alike(hour) {
  const { deck } = hour;
  if (!deck.alike.length) return null;
  /** @param {string} face */
  const picture = (face) => h("img", { alt: faceName(face), src: `/api/first-hour/photographs/${deck.name}/deck/${face}.png` });
  return h("section", { class: "alike" }, h("h2", {}, t("hour-alike")), h("p", { class: "note" }, t("hour-alike-do")),
    h("ul", {}, ...deck.alike.map(([a, b, likeness]) => h("li", {}, picture(a), picture(b),
      h("span", {}, t("hour-alike-pair", { one: faceName(a), other: faceName(b), percent: Math.round(likeness * 100) }))))));
}
