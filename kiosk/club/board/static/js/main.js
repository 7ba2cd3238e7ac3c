// The board: tables, what waits for a referee, the tournament.
import { fill, h } from "/static/js/dom.js";
import { offerPairing, showTries } from "/static/js/pairing.js";
import { loadTexts, t } from "/static/js/texts.js";
import { Contest } from "./contest.js";
import { follow } from "./feed.js";
import { TableSheet } from "./sheet.js";
import { Tables } from "./tables.js";

const top_ = /** @type {Element} */ (document.getElementById("top"));
const view = /** @type {Element} */ (document.getElementById("view"));
const spoken = /** @type {Element} */ (document.getElementById("spoken"));

/** @type {Map<string, import("./feed.js").Table>} */
const tables = new Map();
/** @type {any} */
let club = null;
let isThere = false;
let me = { role: "nobody", may_act: false, is_late: false };
const sheet = new TableSheet(tables);
const board = new Tables(tables, (name, call) => sheet.open(name, call));
const contest = new Contest(tables);
let shown = "";
let shownTop = "";
let spokenWaits = "";

function show() {
  const wanted = location.hash === "#tournament" ? "tournament" : "tables";
  if (shown !== wanted) {
    shown = wanted;
    fill(view, wanted === "tables" ? board.element : contest.element);
  }
  if (wanted === "tournament") contest.show(me.may_act);
  showTop();
}

function showTop() {
  const waiting = [...tables.values()].reduce((sum, table) => sum + table.waiting.length, 0);
  const state = [club, isThere, waiting, tables.size, shown, me];
  if (JSON.stringify(state) === shownTop) return;
  shownTop = JSON.stringify(state);
  const connected = isThere && club?.is_connected;
  const nav = ["tables", "tournament"].map((name) => h("button", {
    "aria-current": shown === name ? "page" : null,
    onclick: () => { location.hash = name; },
  }, t(`nav-${name}`)));
  fill(top_, h("h1", {}, club?.name ?? t("club")),
    club && h("span", { class: "note" }, t("tables-here", { count: tables.size })),
    waiting > 0 && h("span", { class: "pill", dataset: { kind: "waits" } }, t("waits", { count: waiting })),
    club && !connected && h("span", { class: "pill bad", role: "status" },
      t(isThere ? "no-broker" : "no-board")),
    me.is_late && h("span", { class: "pill" }, t("late", { seconds: club?.delay_s ?? 0 })),
    h("span", { class: "grow" }), ...nav,
    me.role === "table" && h("button", { onclick: menu, "aria-label": t("menu") }, "⚙"));
}

function menu() {
  const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  fill(dialog, h("h2", {}, t("menu")), h("div", { class: "row" },
    h("button", { onclick: () => offerPairing("referee") }, t("pair-referee")),
    h("button", { onclick: () => offerPairing("watcher") }, t("pair-watcher")),
    h("button", { onclick: () => { location.search = "?audience=1"; } }, t("audience-screen")),
    h("button", { onclick: () => dialog.close() }, t("close"))));
  dialog.showModal();
}

/** Says aloud what has newly come to wait. */
function speak() {
  const waits = [...tables.values()].flatMap((table) => table.calls
    .filter((call) => table.waiting.includes(call.n))
    .map((call) => `${table.name}: ${call.message}`)).join(" ");
  if (waits !== spokenWaits && me.may_act) spoken.textContent = waits;
  spokenWaits = waits;
}

/** @param {Record<string, any>} change @param {boolean} isWhole */
function take(change, isWhole) {
  if (isWhole) {
    tables.clear();
    board.forget();
  }
  for (const [key, value] of Object.entries(change)) {
    if (key === "club") club = value;
    else if (key === "pairing" && me.role === "table") showTries(value);
    else if (key === "tournament") contest.take(value);
    else if (key.startsWith("table/")) {
      tables.set(value.name, value);
      board.take(value);
      sheet.refresh(value.name);
    }
  }
  board.show(me.may_act);
  speak();
  show();
}

async function begin() {
  await loadTexts(["/static/club/texts", "/static/texts"]); // the first one that has an id counts
  const answer = await fetch(`/api/me${location.search}`);
  me = await answer.json();
  if (me.role === "nobody") {
    location.assign("/pair");
    return;
  }
  sheet.mayAct = me.may_act && !me.is_late;
  me.may_act = sheet.mayAct;
  window.addEventListener("hashchange", show);
  follow(take, (there) => {
    if (there === isThere) return;
    isThere = there;
    showTop();
  });
}

begin();
