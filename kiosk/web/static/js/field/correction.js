// What really happened: a card, a place, a seat, or nothing.
import { fill, h } from "../dom.js";
import { t } from "../texts.js";
import { faceWords, placeWords } from "../words.js";

/** @typedef {import("./label.js").Shown} Shown */
/** @typedef {import("./label.js").Line} Line */

export class Correction {
  /** @param {Shown} shown @param {Line} line @param {(happened: object|null) => void} say */
  constructor(shown, line, say) {
    const places = [...new Set([...shown.places, ...(line.place ? [line.place] : [])])];
    const seats = Array.from({ length: shown.players }, (_, k) => k + 1);
    this.event = select("event", t("label-what"), ["placed", "removed"], (e) => t(`label-kind-${e}`), line.event);
    this.card = select("card", t("label-card"), shown.faces, faceWords, line.card);
    this.place = select("place", t("label-place"), places, (place) => placeWords(place, ""), line.place);
    this.other = /** @type {HTMLInputElement} */ (h("input", { id: "correct-other", maxlength: "80", placeholder: "pile/4" }));
    this.seat = select("seat", t("label-seat"), ["", ...seats.map(String)],
      (seat) => seat ? shown.names[Number(seat) - 1] || t("seat", { seat }) : t("label-nobody"), String(line.seat ?? ""));
    const happened = () => ({
      at: line.at, event: this.event.input.value, card: this.card.input.value,
      place: this.other.value.trim() || this.place.input.value,
      ...(this.seat.input.value ? { seat: Number(this.seat.input.value) } : {}),
    });
    // Enter in a list would open it: here it says that it was so.
    const onkeydown = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "Enter" || !(event.target instanceof HTMLSelectElement)) return;
      event.preventDefault();
      event.target.form?.requestSubmit();
    };
    this.element = h("form", { class: "correction", onkeydown, onsubmit: (/** @type {Event} */ event) => {
      event.preventDefault();
      say(happened());
    } }, this.event.element, this.card.element, this.place.element,
    h("label", { for: "correct-other" }, t("label-other-place")), this.other, this.seat.element,
    h("div", { class: "row" }, h("button", { class: "main", type: "submit" }, t("label-so")),
      h("button", { type: "button", onclick: () => say(null) }, t("label-nothing"))));
  }

  focus() {
    this.card.input.focus();
  }
}

/**
 * @param {string} name @param {string} words @param {string[]} values
 * @param {(value: string) => string} shown @param {string} [chosen]
 */
function select(name, words, values, shown, chosen) {
  const input = /** @type {HTMLSelectElement} */ (h("select", { id: `correct-${name}` }));
  fill(input, ...values.map((value) => h("option", { value, selected: value === chosen }, shown(value))));
  return { input, element: h("div", {}, h("label", { for: `correct-${name}` }, words), input) };
}
