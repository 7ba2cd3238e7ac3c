// The page: follows the state and shows it; everything else is one tap away.
import { AfterGame, isOver } from "./after.js";
import { Bar } from "./bar.js";
import { callLog, hero, heroCall, lines, scores } from "./calls.js";
import { follow } from "./connection.js";
import { openDeckHistory } from "./decks/history.js";
import { fill, h, post } from "./dom.js";
import { HourView } from "./first-hour/hour.js";
import { HealthView } from "./health.js";
import { showHistory } from "./history.js";
import { openMenu } from "./menu.js";
import { openPlace } from "./placesheet.js";
import { showPairing, showTries } from "./pairing.js";
import { offerPhone } from "./phone/choice.js";
import { FilmView } from "./phone/film.js";
import { Questions } from "./questions.js";
import { isStopped, stoppedHero } from "./referee.js";
import { openReplay } from "./replay.js";
import { StartView } from "./start.js";
import { whenUntouched } from "./steady.js";
import { TableView } from "./table.js";
import { loadTexts, t } from "./texts.js";
import { callWords } from "./words.js";

const page = /** @type {HTMLElement} */ (document.getElementById("page"));
const view = /** @type {Element} */ (document.getElementById("view"));
const spoken = /** @type {Element} */ (document.getElementById("spoken"));
const table = new TableView((place) => state && openPlace(place, state, onReplay));
const side = h("div", { class: "side" });
const told = h("div", { class: "told" });
const below = h("div", { class: "below" }, table.help, told, table.arrange);
const play = h("div", { class: "play" }, table.element, below, side);
const start = new StartView(view, () => setView("play"), () => setView("hour"));
const hour = new HourView(view, () => setView("start"), () => setView("start"));
const bar = new Bar(/** @type {Element} */ (document.getElementById("bar")), showMenu);
const health = new HealthView(view, (step) => setView("hour", true, step));

let shownView = "";
let isChosen = false;
let heroShown = 0;
let mayAct = false;
let mayFilm = false;
let isTable = false; // the table's own screen
let shownSide = "";
let spokenCall = 0;
/** @type {import("./connection.js").State|null} */
let state = null;

/** @param {import("./connection.js").Call} call */
const onReplay = (call) => state && openReplay(call, state, mayAct);
const after = new AfterGame(() => { shownSide = ""; if (state) show(state); start.draw(); },
  (deck) => openDeckHistory(deck, mayAct, () => { after.forget(); if (state) show(state); }));
start.after = () => state && after.card(state);
const questions = new Questions(() => { shownSide = ""; if (state) show(state); }, onReplay);
/** @param {import("./connection.js").Call} call @param {string} verdict */
const onOverrule = (call, verdict) => post("/api/overrule", { call: call.n, verdict });

/** @param {import("./connection.js").State} fresh */
function show(fresh) {
  state = fresh;
  // Until somebody chooses a view, the page follows the game: it may connect later.
  const isPlaying = (fresh.game && fresh.is_connected) || isStopped(fresh);
  if (shownView === "" && fresh.first_hour && mayAct) setView("hour");
  const wanted = isPlaying ? "play" : "start";
  if (!isChosen && shownView !== wanted && shownView !== "play") setView(wanted, false);
  if (hour.isOpen) hour.show(fresh);
  else table.show(fresh, mayAct);
  start.camera.follow(fresh);
  questions.follow(fresh);
  after.follow(fresh);
  const top = heroCall(fresh);
  // The side is drawn again only where its words change: a tap must not miss a moving button.
  const key = JSON.stringify([top?.n, fresh.lost, fresh.headline, fresh.lines, fresh.turn, fresh.scores,
    fresh.calls.map((call) => [call.n, call.is_open, call.is_withdrawn, call.overruled]),
    fresh.is_connected, mayAct, fresh.referee, questions.key(fresh), isOver(fresh)]);
  if (key !== shownSide) {
    shownSide = key;
    const open = side.querySelector("details")?.hasAttribute("open");
    const isAway = !fresh.is_connected && !isOver(fresh) && (fresh.game || isStopped(fresh));
    const isHeard = mayAct && fresh.is_connected;
    const words = isAway ? stoppedHero(fresh, mayAct) : hero(fresh, { onReplay, onOverrule }, isHeard);
    const question = isAway ? null : questions.card(fresh, isHeard);
    const isAsked = question !== null && (!top || top.call === "unsure");
    if (top && top.n !== heroShown) words.classList.add("is-new");
    heroShown = top?.n ?? 0;
    fill(side, question, isAsked ? null : words, after.card(fresh), callLog(fresh, onReplay));
    fill(told, scores(fresh), lines(fresh));
    if (open) side.querySelector("details")?.setAttribute("open", "");
  }
  bar.show(fresh, mayAct);
  if (isTable) showTries(fresh.pairing);
  if (top && top.n > spokenCall) {
    spokenCall = top.n;
    spoken.textContent = callWords(top, fresh);
  }
}

/**
 * @param {"play"|"start"|"history"|"health"|"hour"} name
 * @param {boolean} [byHand]
 * @param {string} [step] of the set-up
 */
function setView(name, byHand = true, step = "") {
  shownView = name;
  isChosen = byHand && name !== "play";
  start.isOpen = health.isOpen = false;
  hour.close();
  page.dataset.view = name;
  if (name === "play") fill(view, play);
  else if (name === "history") showHistory(view, mayAct);
  else if (name === "health") health.open();
  else if (name === "hour") hour.open(step);
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
    { text: t("health"), act: () => setView("health") },
  ];
  if (mayAct) {
    entries.push({ text: t("new-game"), act: () => setView("start") });
    if (state?.referee) entries.push({ text: t("set-up"), act: () => setView("hour") });
    if (state?.game) entries.push({ text: t("end-game"), act: endGame });
  }
  if (mayFilm && state?.referee) entries.push({ text: t("use-phone"), act: offerPhone });
  openMenu(state, mayAct, entries);
}

/** @param {boolean} isThere */
function connected(isThere) {
  document.body.classList.toggle("is-away", !isThere);
  if (!isThere) spoken.textContent = t("no-connection");
}

async function begin() {
  await loadTexts(["/static/texts", "/static/texts/set-up", "/static/texts/check",
    "/static/texts/field", "/static/texts/phone", "/static/texts/decks", "/static/texts/rules"]);
  const me = await (await fetch("/api/me")).json();
  mayAct = me.may_act;
  mayFilm = me.may_film;
  isTable = me.role === "table";
  const isFilming = location.pathname === "/phone";
  if (me.role === "nobody" || location.pathname === "/pair" || (isFilming && !mayFilm)) {
    showPairing(view, () => location.assign(isFilming ? "/phone" : "/"));
    return;
  }
  if (isFilming) {
    page.dataset.view = "film";
    new FilmView(view).open();
    return;
  }
  follow(whenUntouched(show), connected);
}

// What the dialog held (pictures, above all) is let go, unless it was opened again meanwhile.
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
dialog.addEventListener("close", () => { if (!dialog.open) dialog.replaceChildren(); });
begin();
