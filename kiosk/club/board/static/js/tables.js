// All tables: a card each; only the cards that changed are built again.
import { mark } from "/static/js/calls.js";
import { fill, h } from "/static/js/dom.js";
import { t } from "/static/js/texts.js";

/** @param {import("./feed.js").Table} table @param {number} seat */
export function player(table, seat) {
  return table.seats[seat - 1] || t("seat", { seat });
}

/** @param {import("./feed.js").Table} table */
export function seatCount(table) {
  return Math.max(table.game?.players ?? 0, table.seats.length);
}

/** @param {{id: string, [value: string]: any}} note */
export function noteText(note) {
  const { id, ...values } = note;
  return t(id, values);
}

/** @param {import("./feed.js").Table} table */
function stateOf(table) {
  const isOver = table.result || ["over", "stopped"].includes(table.phase);
  if (!table.is_online) return isOver ? "over" : "away";
  if (table.waiting.length) return "waits";
  if (table.mistakes) return "mistake";
  if (isOver) return "over";
  return table.phase === "playing" ? "playing" : "idle";
}

/** @param {import("./feed.js").Table} table */
export function resultText(table) {
  if (!table.result) return "";
  if (!table.result.winners.length) return t("result-tie");
  const names = table.result.winners.map((/** @type {number} */ seat) => player(table, seat));
  return t("result-won", { names: names.join(", ") });
}

/** @type {Record<string, string>} what a state is called; those that are missing need no word */
const PILLS = { away: "away", over: "over", idle: "idle", waits: "waits-pill" };

export class Tables {
  /**
   * @param {Map<string, import("./feed.js").Table>} tables
   * @param {(name: string, call: number|null) => void} onOpen
   */
  constructor(tables, onOpen) {
    this.tables = tables;
    this.onOpen = onOpen;
    this.waiting = h("div", {});
    this.grid = h("div", { class: "tables" });
    this.element = h("div", {}, this.waiting, this.grid);
    /** @type {Map<string, Element>} */
    this.cards = new Map();
    this.shownWaiting = "";
  }

  /** All cards go: a whole board follows. */
  forget() {
    this.cards.clear();
    this.grid.replaceChildren();
  }

  /** @param {import("./feed.js").Table} table */
  take(table) {
    const card = this.card(table);
    const old = this.cards.get(table.name);
    this.cards.set(table.name, card);
    if (old) {
      const hadFocus = old.contains(document.activeElement);
      old.replaceWith(card);
      if (hadFocus) /** @type {HTMLElement|null} */ (card.querySelector("button"))?.focus();
      return;
    }
    const names = [...this.cards.keys()].sort(byNumber);
    const next = this.cards.get(names[names.indexOf(table.name) + 1]);
    this.grid.insertBefore(card, next ?? null);
  }

  /** What waits for a referee. @param {boolean} mayAct */
  show(mayAct) {
    const waits = [...this.tables.values()].sort((a, b) => byNumber(a.name, b.name))
      .flatMap((table) => table.calls.filter((call) => table.waiting.includes(call.n))
        .map((call) => ({ table, call })));
    const state = JSON.stringify([mayAct, this.tables.size === 0,
      waits.map(({ table, call }) => [table.name, call.n, call.message])]);
    if (state === this.shownWaiting) return;
    this.shownWaiting = state;
    fill(this.waiting,
      this.tables.size === 0 && h("p", { class: "calm" }, t("no-tables")),
      waits.length > 0 && h("h2", {}, t("waits-title")),
      waits.length > 0 && h("ul", { class: "waiting" }, ...waits.map(({ table, call }) => h("li", {},
        h("button", { onclick: () => this.onOpen(table.name, call.n) },
          h("span", { class: "where" }, mark("unsure"), " ", table.name),
          h("span", { class: "words" }, call.message),
          h("span", { class: "do" }, t(mayAct ? "decide" : "look")))))));
  }

  /** @param {import("./feed.js").Table} table */
  card(table) {
    const state = stateOf(table);
    const last = [...table.calls].reverse().find((call) => !call.is_withdrawn);
    const seats = Array.from({ length: seatCount(table) }, (_, k) => {
      const score = table.scores.find((each) => each.seat === k + 1);
      const isTurn = table.turn === k + 1 && !table.result && table.is_online;
      return h("li", { class: isTurn ? "is-turn" : "" }, isTurn && "▲ ", player(table, k + 1),
        score && h("small", {}, ` ${score.text}`));
    });
    const pill = PILLS[state];
    return h("article", { class: "seat-table", dataset: { state, table: table.name } },
      h("header", {},
        h("h2", {}, h("button", { onclick: () => this.onOpen(table.name, null) }, table.name)),
        h("span", { class: "what" }, table.game?.title ?? ""),
        pill && h("span", { class: "pill", dataset: { kind: state } }, t(`state-${pill}`))),
      seats.length > 0 && h("ul", { class: "seats", "aria-label": t("players-here") }, ...seats),
      h("p", { class: "now" }, resultText(table) || (table.is_online ? table.headline : t("away-words"))),
      ...table.notes.map((note) => h("p", { class: "problem" }, "⚠ ", noteText(note))),
      last && h("p", {
        class: `last${last.is_open ? " is-open" : ""}`, dataset: { call: last.call },
      }, mark(last.call), h("span", {}, last.message)));
  }
}

/** table-2 before table-10. @param {string} a @param {string} b */
export function byNumber(a, b) {
  return a.localeCompare(b, "en", { numeric: true });
}
