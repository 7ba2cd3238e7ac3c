// One table: its places and calls, the evidence of a call, and what a referee decides.
import { mark } from "/static/js/calls.js";
import { clock, fill, h, post } from "/static/js/dom.js";
import { t } from "/static/js/texts.js";
import { noteText, player, resultText, seatCount } from "./tables.js";

export class TableSheet {
  /** @param {Map<string, import("./feed.js").Table>} tables */
  constructor(tables) {
    this.tables = tables;
    this.mayAct = false;
    this.name = "";
    this.call = 0;
    this.answer = h("p", { class: "note", role: "status" }); // it outlives a change of the table
    this.dialog = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
    this.dialog.addEventListener("close", () => { this.name = ""; });
  }

  /** @param {string} name @param {number|null} call */
  open(name, call) {
    this.name = name;
    this.call = call ?? 0;
    this.answer = h("p", { class: "note", role: "status" });
    this.build();
    if (!this.dialog.open) this.dialog.showModal();
  }

  /** The table changed: its list is built again, an open call stays. @param {string} name */
  refresh(name) {
    if (name === this.name && !this.call) this.build();
  }

  build() {
    const table = this.tables.get(this.name);
    if (!table) return;
    const close = h("button", { onclick: () => this.dialog.close() }, `✕ ${t("close")}`);
    const title = table.game ? `${table.name} · ${table.game.title}` : table.name;
    const head = h("div", { class: "row" }, h("h2", {}, title), h("span", { class: "grow" }), close);
    const call = table.calls.find((each) => each.n === this.call);
    fill(this.dialog, head, call ? this.decision(table, call) : this.overview(table));
  }

  /** @param {import("./feed.js").Table} table */
  overview(table) {
    const { answer } = this;
    /** @param {string} act */
    const act = async (act) => {
      const found = await post("/api/act", { table: table.name, act });
      answer.className = found.ok ? "note" : "bad";
      answer.textContent = found.ok ? t("done") : found.message ?? "";
    };
    const places = h("dl", { class: "place-list" });
    for (const { label, text } of table.lines) {
      places.append(h("dt", {}, label), h("dd", {}, text));
    }
    const calls = [...table.calls].reverse().map((call) => h("li", {
      class: call.is_withdrawn ? "is-withdrawn" : "",
    }, h("button", { onclick: () => this.open(table.name, call.n) }, h("time", {}, clock(call.at)),
      mark(call.call), h("span", { class: "words" }, call.message),
      call.decided && h("span", { class: "note" }, t(`decided-${call.decided}`)))));
    return h("div", {}, h("p", {}, resultText(table) || table.headline),
      ...table.notes.map((note) => h("p", { class: "problem" }, "⚠ ", noteText(note))), places,
      this.mayAct && table.can_command && h("div", { class: "row" },
        h("button", { onclick: () => act("undo") }, t("button-undo")),
        h("button", { onclick: () => act("start") }, t("button-start")), answer),
      h("ol", { class: "call-list", "aria-label": t("calls") }, ...calls),
      h("p", { class: "note" }, table.where));
  }

  /** @param {import("./feed.js").Table} table @param {import("./feed.js").Call} call */
  decision(table, call) {
    const film = h("div", {}, h("p", { class: "note" }, t("evidence-comes")));
    this.showEvidence(table, call, film);
    const who = call.seat ? ` · ${player(table, call.seat)}` : "";
    return h("div", {},
      h("p", {}, h("strong", {}, mark(call.call), ` ${call.message}`)),
      h("p", { class: "note" }, `${clock(call.at)}${who}`,
        call.is_doubtful && ` · ${t("how-sure", { percent: Math.floor(call.sure * 100) })}`,
        call.decided && ` · ${t(`decided-${call.decided}`)}`),
      film, this.mayAct && this.verdicts(table, call));
  }

  /**
   * @param {import("./feed.js").Table} table
   * @param {import("./feed.js").Call} call
   * @param {Element} film
   */
  async showEvidence(table, call, film) {
    const base = `/api/evidence/${table.name}/${table.session}/${call.n}`;
    const answer = await fetch(base);
    if (!answer.ok) {
      fill(film, h("p", { class: "note" }, t("no-evidence-here")));
      return;
    }
    const about = await answer.json();
    const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", {
      class: "film", role: "img", "aria-label": call.message,
    }));
    const strip = h("div", { class: "strip", role: "group", "aria-label": t("replay-of") });
    const show = async (/** @type {number} */ k) => {
      const picture = await fetch(`${base}/${k}.jpg`);
      if (!picture.ok) return;
      const bitmap = await createImageBitmap(await picture.blob());
      canvas.width = bitmap.width;
      canvas.height = bitmap.height;
      const context = canvas.getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      bitmap.close();
      if (context) outline(context, about.frames[k].cards ?? [], call);
      [...strip.children].forEach((each, i) => each.setAttribute("aria-pressed", String(i === k)));
    };
    about.frames.forEach((/** @type {any} */ frame, /** @type {number} */ k) => {
      const at = (frame.at - call.at).toFixed(1);
      strip.append(h("button", {
        class: k === about.rest ? "is-rest" : "", onclick: () => show(k),
        "aria-label": t("frame-of", { at }),
      }, h("img", { src: `${base}/${k}.jpg`, alt: "" })));
    });
    fill(film, canvas, strip);
    if (about.frames.length) show(about.rest);
  }

  /** @param {import("./feed.js").Table} table @param {import("./feed.js").Call} call */
  verdicts(table, call) {
    const answer = h("p", { class: "note", role: "status" });
    const more = h("div", {});
    /** @param {Record<string, any>} verdict */
    const decide = async (verdict) => {
      const found = await post("/api/decide", {
        table: table.name, session: table.session, call: call.n, ...verdict,
      });
      answer.className = found.ok ? "note" : "bad";
      answer.textContent = found.ok
        ? t(verdict.verdict === "right" ? "stays" : "overruled", { changed: found.changed ?? 0 })
        : found.message ?? "";
      fill(more);
    };
    const faces = async () => {
      const game = await (await fetch(`/api/games/${table.game.name}`)).json();
      const first = [...call.expected, ...game.faces].filter((face) => game.faces.includes(face));
      fill(more, h("h3", {}, t("that-card-is")), h("div", { class: "grid" },
        ...[...new Set(first)].map((face) => h("button", {
          class: "choice", onclick: () => decide({ verdict: "card", card: face }),
        }, h("img", {
          src: `/api/faces/${table.game.name}/${encodeURIComponent(face)}.jpg`, alt: "", loading: "lazy",
        }), face))));
    };
    const seats = () => fill(more, h("h3", {}, t("it-was-seat")), h("div", { class: "row" },
      ...Array.from({ length: seatCount(table) }, (_, k) => h("button", {
        onclick: () => decide({ verdict: "seat", seat: k + 1 }),
      }, player(table, k + 1)))));
    const can = table.can_command;
    return h("div", {}, h("div", { class: "row" },
      h("button", { class: "main", onclick: () => decide({ verdict: "right" }) }, `✓ ${t("call-stays")}`),
      can && call.card && h("button", { onclick: faces }, t("that-card-is")),
      can && h("button", { onclick: seats }, t("it-was-seat")),
      can && ["mistake", "unsure"].includes(call.call) && h("button", {
        onclick: () => decide({ verdict: "no-mistake" }),
      }, `✗ ${t("no-mistake")}`)), answer, more);
  }
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {any[]} cards
 * @param {import("./feed.js").Call} call
 */
function outline(context, cards, call) {
  const { width, height } = context.canvas;
  for (const card of cards) {
    const isIt = card.face === call.card && card.place === call.place;
    context.lineWidth = isIt ? 5 : 2;
    context.strokeStyle = isIt ? "#ff7a33" : "#f4f6f8";
    context.beginPath();
    (card.quad ?? []).forEach((/** @type {number[]} */ p, /** @type {number} */ i) =>
      context[i ? "lineTo" : "moveTo"](p[0] * width, p[1] * height));
    context.closePath();
    context.stroke();
  }
}
