// The tournament: standings, the pairings of this round, and how it is begun.
import { fill, h, post } from "/static/js/dom.js";
import { t } from "/static/js/texts.js";
import { byNumber } from "./tables.js";

export class Contest {
  /** @param {Map<string, import("./feed.js").Table>} tables */
  constructor(tables) {
    this.tables = tables;
    this.element = h("div", {});
    /** @type {any} */
    this.running = null;
    this.shown = "";
  }

  /** @param {any} running */
  take(running) {
    this.running = running;
  }

  /** @param {boolean} mayAct */
  show(mayAct) {
    // The form stays as it is being filled in, whatever happens at the tables.
    const state = JSON.stringify([mayAct, this.running, this.running ? 0 : this.tables.size]);
    if (state === this.shown) return;
    this.shown = state;
    this.answer = h("p", { class: "bad", role: "status" });
    fill(this.element, this.running ? this.contest(mayAct)
      : mayAct ? this.form() : h("p", { class: "calm" }, t("no-tournament")), this.answer);
  }

  /** @param {string} path @param {object} body @param {string} [method] */
  async act(path, body, method) {
    const found = await post(path, body, method);
    if (this.answer) this.answer.textContent = found.ok ? "" : found.message ?? "";
  }

  /** @param {boolean} mayAct */
  contest(mayAct) {
    const all = this.running;
    const round = all.rounds[all.rounds.length - 1];
    const isOver = round.pairings.every((/** @type {any} */ each) => each.result);
    const isLast = all.rounds.length >= all.planned;
    const rows = all.standings.map((/** @type {any} */ row) => h("tr", {},
      h("td", { class: "figure" }, String(row.rank)), h("td", {}, all.players[row.player]),
      h("td", { class: "figure" }, points(row.points)), h("td", { class: "figure" }, points(row.opposition)),
      h("td", { class: "figure" }, String(row.games))));
    const byes = round.byes.map((/** @type {number} */ p) => all.players[p]).join(", ");
    return h("div", {},
      h("h2", {}, `${all.name} · ${t("round-of", { round: all.rounds.length, rounds: all.planned })}`),
      h("div", { class: "contest" },
        h("section", {}, h("h3", {}, t("pairings")), h("ol", { class: "pairings" },
          ...numbered(round.pairings).map(({ each, number }) => this.pairing(each, number, mayAct))),
        byes && h("p", { class: "note" }, t("bye", { names: byes })),
        mayAct && h("div", { class: "row" },
          isOver && !isLast && h("button", {
            class: "main", onclick: () => this.act("/api/tournament/round", {}),
          }, t("next-round")),
          h("button", { onclick: () => this.askEnd() }, t("end-tournament")))),
        h("section", {}, h("h3", {}, t(isOver && isLast ? "final-standings" : "standings")),
          h("table", {}, h("thead", {}, h("tr", {}, h("th", { class: "figure", scope: "col" }, t("rank")),
            h("th", { scope: "col" }, t("player")), h("th", { class: "figure", scope: "col" }, t("points")),
            h("th", { class: "figure", scope: "col" }, t("opposition")),
            h("th", { class: "figure", scope: "col" }, t("games-played")))), h("tbody", {}, ...rows)))));
  }

  /** @param {any} each @param {number} number @param {boolean} mayAct */
  pairing(each, number, mayAct) {
    const won = each.result?.winners ?? [];
    const names = each.players.flatMap((/** @type {number} */ p, /** @type {number} */ k) => {
      const name = this.running.players[p];
      return [k ? " – " : "", won.includes(p) ? h("strong", {}, `${name} ★`) : name];
    });
    const text = each.result ? t(won.length ? (each.result.session ? "by-game" : "by-hand") : "result-tie")
      : t("open-result");
    return h("li", {}, h("b", {}, each.table), h("span", {}, ...names),
      mayAct ? h("button", {
        onclick: () => this.askResult(each, number), "aria-label": `${text}: ${each.table}`,
      }, text) : h("small", { class: "note" }, text));
  }

  /** @param {any} each @param {number} number */
  askResult(each, number) {
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
    /** @param {object} result */
    const set = (result) => {
      this.act("/api/tournament/result", { table: each.table, number, ...result });
      dialog.close();
    };
    fill(dialog, h("h2", {}, t("who-won", { table: each.table })), h("div", { class: "row" },
      ...each.players.map((/** @type {number} */ p) => h("button", {
        onclick: () => set({ winners: [p] }),
      }, this.running.players[p])),
      h("button", { onclick: () => set({ winners: [] }) }, t("result-tie")),
      each.result && h("button", { onclick: () => set({}) }, t("take-back")),
      h("button", { onclick: () => dialog.close() }, t("cancel"))));
    dialog.showModal();
  }

  askEnd() {
    const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
    fill(dialog, h("h2", {}, t("end-tournament-ask")), h("div", { class: "row" },
      h("button", {
        onclick: () => {
          this.act("/api/tournament", {}, "DELETE");
          dialog.close();
        },
      }, t("end-tournament")),
      h("button", { onclick: () => dialog.close() }, t("cancel"))));
    dialog.showModal();
  }

  form() {
    const name = /** @type {HTMLInputElement} */ (h("input", { maxlength: 40, value: t("tournament") }));
    const players = /** @type {HTMLTextAreaElement} */ (h("textarea", { rows: 6, placeholder: "Ada\nBen\nCleo" }));
    const kind = /** @type {HTMLSelectElement} */ (h("select", {},
      h("option", { value: "round-robin" }, t("kind-round-robin")),
      h("option", { value: "swiss" }, t("kind-swiss"))));
    const seats = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 2, max: 8, value: 2 }));
    const rounds = /** @type {HTMLInputElement} */ (h("input", { type: "number", min: 0, max: 60, value: 0 }));
    const boxes = [...this.tables.keys()].sort(byNumber).map((table) =>
      h("label", {}, h("input", { type: "checkbox", value: table, checked: true }), table));
    const begin = () => this.act("/api/tournament", {
      name: name.value, kind: kind.value, seats: Number(seats.value), rounds: Number(rounds.value),
      players: players.value.split("\n").map((each) => each.trim()).filter(Boolean),
      tables: boxes.map((box) => /** @type {HTMLInputElement} */ (box.querySelector("input")))
        .filter((input) => input.checked).map((input) => input.value),
    });
    return h("section", { class: "form" }, h("h2", {}, t("new-tournament")),
      h("label", {}, t("tournament-name"), name), h("label", {}, t("one-a-line"), players),
      h("label", {}, t("kind"), kind), h("label", {}, t("seats-a-table"), seats),
      h("label", {}, t("rounds-or-usual"), rounds),
      h("fieldset", {}, h("legend", {}, t("nav-tables")), ...boxes),
      h("button", { class: "main", onclick: begin }, t("begin-tournament")));
  }
}

/** Each pairing with its number at its table. @param {any[]} pairings */
function numbered(pairings) {
  /** @type {Record<string, number>} */
  const seen = {};
  return pairings.map((each) => {
    const number = seen[each.table] ?? 0;
    seen[each.table] = number + 1;
    return { each, number };
  });
}

/** @param {number} value */
function points(value) {
  return String(Math.round(value * 100) / 100);
}
