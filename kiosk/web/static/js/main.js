// The page: follows the state and shows it; everything else is one tap away.
import { showBar } from "./bar.js";
import { callLog, hero, heroCall, lines, scores } from "./calls.js";
import { follow } from "./connection.js";
import { fill, h, post } from "./dom.js";
import { showHistory } from "./history.js";
import { openMenu } from "./menu.js";
import { openPlace } from "./placesheet.js";
import { showPairing } from "./pairing.js";
import { StartView } from "./start.js";
import { openReplay } from "./replay.js";
import { TableView } from "./table.js";
import { loadTexts, t } from "./texts.js";
import { callWords } from "./words.js";

const view = /** @type {Element} */ (document.getElementById("view"));
const bar = /** @type {Element} */ (document.getElementById("bar"));
const spoken = /** @type {Element} */ (document.getElementById("spoken"));
const table = new TableView((place) => state && openPlace(place, state, onReplay));
const side = h("div", { class: "side" });
const told = h("div", { class: "told" });
const below = h("div", { class: "below" }, told, table.arrange);
const play = h("div", { class: "play" }, table.element, below, side);
const start = new StartView(view, () => setView("play"));

let shownView = "";
let isChosen = false;
let heroShown = 0;
let mayAct = false;
let shownSide = "";
let shownBar = "";
let spokenCall = 0;
/** @type {import("./connection.js").State|null} */
let state = null;

/** @param {import("./connection.js").Call} call */
const onReplay = (call) => state && openReplay(call, state, mayAct);
/** @param {import("./connection.js").Call} call @param {string} verdict */
const onOverrule = (call, verdict) => post("/api/overrule", { call: call.n, verdict });

/** @param {import("./connection.js").State} fresh */
function show(fresh) {
  state = fresh;
  // Until somebody chooses a view, the page follows the game: it may connect later.
  const wanted = fresh.game && fresh.is_connected ? "play" : "start";
  if (!isChosen && shownView !== wanted && shownView !== "play") setView(wanted, false);
  table.show(fresh, mayAct);
  const top = heroCall(fresh);
  // The side is drawn again only where its words change: a tap must not miss a moving button.
  const key = JSON.stringify([top?.n, fresh.lost, fresh.headline, fresh.lines, fresh.turn, fresh.scores,
    fresh.calls.map((call) => [call.n, call.is_open, call.is_withdrawn, call.overruled]),
    fresh.is_connected, mayAct]);
  if (key !== shownSide) {
    shownSide = key;
    const open = side.querySelector("details")?.hasAttribute("open");
    const words = fresh.is_connected || !fresh.game ? hero(fresh, { onReplay, onOverrule }, mayAct)
      : h("section", { class: "hero is-long", dataset: { call: "lost" } },
        h("h1", { class: "words" }, t("referee-away")));
    if (top && top.n !== heroShown) words.classList.add("is-new");
    heroShown = top?.n ?? 0;
    fill(side, words, callLog(fresh, onReplay));
    fill(told, scores(fresh), lines(fresh));
    if (open) side.querySelector("details")?.setAttribute("open", "");
  }
  const barKey = JSON.stringify([fresh.lamps, fresh.game, Math.floor(fresh.at), fresh.turn, fresh.is_started, fresh.phase, mayAct]);
  if (barKey !== shownBar) {
    shownBar = barKey;
    showBar(bar, fresh, mayAct, showMenu);
  }
  if (top && top.n > spokenCall) {
    spokenCall = top.n;
    spoken.textContent = callWords(top, fresh);
  }
}

/** @param {"play"|"start"|"history"} name @param {boolean} [byHand] */
function setView(name, byHand = true) {
  shownView = name;
  isChosen = byHand && name !== "play";
  start.isOpen = false;
  if (name === "play") fill(view, play);
  else if (name === "history") showHistory(view);
  else start.open();
}

/** Stops the game that is running and offers the next one. */
async function endGame() {
  await post("/api/games/current", {}, "DELETE");
  setView("start");
}

function showMenu() {
  /** @type {import("./menu.js").Entry[]} */
  const entries = [
    { text: t("back-to-table"), act: () => setView("play"), isMain: true },
    { text: t("history"), act: () => setView("history") },
  ];
  if (mayAct) {
    entries.push({ text: t("new-game"), act: () => setView("start") });
    if (state?.game) entries.push({ text: t("end-game"), act: endGame });
  }
  openMenu(state, mayAct, entries);
}

/** @param {boolean} isThere */
function connected(isThere) {
  document.body.classList.toggle("is-away", !isThere);
  if (!isThere) spoken.textContent = t("no-connection");
}

async function begin() {
  await loadTexts();
  const me = await (await fetch("/api/me")).json();
  mayAct = me.may_act;
  if (me.role === "nobody" || location.pathname === "/pair") {
    showPairing(view, () => location.assign("/"));
    return;
  }
  follow(show, connected);
}

// What the dialog held (pictures, above all) is let go.
const dialog = document.getElementById("sheet");
dialog?.addEventListener("close", () => dialog.replaceChildren());
begin();
