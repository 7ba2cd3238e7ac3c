// Step 2: the table by the printed mat, or by four corners dragged on the picture.
import { h } from "../dom.js";
import { t } from "../texts.js";
import { button, isBusy, progress, standing } from "./panel.js";

/** @typedef {import("./panel.js").Hour} Hour */
const LEAST_CM = 20;
const MOST_CM = 300;

export class TablePanel {
  /** @param {import("./stage.js").Stage} stage @param {import("./panel.js").Acts} acts */
  constructor(stage, acts) {
    this.step = "table";
    this.stage = stage;
    this.acts = acts;
    this.way = "";
    this.isAgain = false;
    /** @type {[number, number][]} */
    this.corners = [[0.12, 0.12], [0.88, 0.12], [0.88, 0.88], [0.12, 0.88]];
    this.cm = { width: 90, depth: 60 };
    this.isSized = false;
    this.proof = 0;
  }

  /** @param {Hour} hour */
  key(hour) {
    return [hour.table, this.way, this.isAgain];
  }

  /** @param {Hour} hour */
  live(hour) {
    if (!this.way) this.choose(hour.table.markers > 3 ? "mat" : "corners");
  }

  /** @param {string} way */
  choose(way) {
    this.way = way;
    this.stage.drag(way === "corners" ? this.corners : [], (corners) => { this.corners = corners; });
    this.acts.redraw();
  }

  /** @param {Hour} hour */
  draw(hour) {
    const { table } = hour;
    if (table.width_mm && !this.isSized) {
      this.isSized = true;
      this.cm = { width: Math.round(table.width_mm / 10), depth: Math.round(table.height_mm / 10) };
    }
    if (table.proof !== this.proof) {
      this.proof = table.proof;
      this.isAgain = false;
    }
    const isDone = standing(hour, "table").mark === "passed" && table.proof > 0 && !this.isAgain;
    this.stage.showStill(isDone ? `/api/first-hour/pictures/table.jpg?n=${table.proof}` : "");
    this.stage.handles.hidden = isDone;
    if (isDone) return this.proven();
    return [
      h("h1", {}, t("hour-step-table")),
      h("div", { class: "row two", role: "group" }, ...["mat", "corners"].map((way) => h("button", {
        "aria-pressed": String(this.way === way), onclick: () => this.choose(way),
      }, t(`hour-${way}`)))),
      h("p", {}, t(`hour-table-do-${this.way || "mat"}`)),
      ...(this.way === "mat" ? [h("p", { class: "note", role: "status" }, t("hour-markers", { count: table.markers }))]
        : [this.size("width"), this.size("depth"), button("", `↻ ${t("hour-turn")}`, () => this.turn())]),
      isBusy(hour) ? progress() : button("main", t("hour-table-go"), () => this.measure()),
    ];
  }

  proven() {
    return [
      h("h1", {}, t("hour-step-table")), h("p", {}, t("hour-table-proof")),
      button("", t("hour-table-again"), () => { this.isAgain = true; this.choose(this.way); }),
    ];
  }

  /** @param {"width"|"depth"} side */
  size(side) {
    const id = `table-${side}`;
    const told = h("output", { for: id }, t("hour-cm", { cm: this.cm[side] }));
    const slider = /** @type {HTMLInputElement} */ (h("input", {
      type: "range", id, min: LEAST_CM, max: MOST_CM, step: 1, value: this.cm[side],
    }));
    /** @param {number} cm */
    const set = (cm) => {
      this.cm[side] = Math.min(Math.max(cm, LEAST_CM), MOST_CM);
      slider.value = String(this.cm[side]);
      told.textContent = t("hour-cm", { cm: this.cm[side] });
    };
    slider.addEventListener("input", () => set(Number(slider.value)));
    return h("div", { class: "size" }, h("label", { for: id }, t(`hour-${side}`)), told,
      h("button", { "aria-label": `${t(`hour-${side}`)} −1`, onclick: () => set(this.cm[side] - 1) }, "−"), slider,
      h("button", { "aria-label": `${t(`hour-${side}`)} +1`, onclick: () => set(this.cm[side] + 1) }, "+"));
  }

  /** Seat 1 moves to the next side. */
  turn() {
    this.corners = [...this.corners.slice(1), this.corners[0]];
    this.stage.drag(this.corners, (corners) => { this.corners = corners; });
  }

  measure() {
    this.isAgain = false;
    if (this.way === "mat") return this.acts.order("mat");
    const corners = this.corners.map((point) => point.map((part) => Number(part.toFixed(4))));
    return this.acts.order("corners", { corners, width_mm: this.cm.width * 10, height_mm: this.cm.depth * 10 });
  }
}
