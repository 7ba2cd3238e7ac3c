// After a game: who won, whose mistakes there were, and how right the referee was.
import { learnedFrom } from "./decks/history.js";
import { clock, h } from "./dom.js";
import { listed, mistakesMade, refereeWas } from "./history.js";
import { isStopped } from "./referee.js";
import { seatName, t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */
/** @typedef {import("./connection.js").Call} Call */
/** @typedef {Pick<import("./history.js").Played, "winners"|"mistakes"|"mistakes_by_seat"|"calls"|
 *   "overruled"|"questions"|"seconds">} Report */

/** Whether the game has come to its end: it was ended, or its last call is about the winner. @param {State} state */
export function isOver(state) {
  if (!state.game || isStopped(state)) return false;
  return state.phase !== "playing" || ends(state.calls.filter((call) => !call.is_withdrawn).at(-1));
}

/** @param {Call|undefined} call */
const ends = (call) => call !== undefined && ["win", "tie"].includes(call.call);

const NOTHING = { deck: "", count: 0 };

export class AfterGame {
  /** @param {() => void} redraw the report has come @param {(deck: string) => void} onDeck opens its history */
  constructor(redraw, onDeck) {
    this.redraw = redraw;
    this.onDeck = onDeck;
    this.asked = "";
    this.learned = NOTHING;
    /** @type {Report|null} */
    this.report = null;
  }

  /** Asks for the game's report at its end, and again where people overrule afterwards. @param {State} state */
  async follow(state) {
    const game = isOver(state) ? state.game : null;
    const key = game && JSON.stringify([game.name, game.number, state.phase, state.calls_made,
      state.calls.map((call) => [call.overruled, call.is_withdrawn]), state.referee?.is_running]);
    if (key === this.asked) return;
    this.asked = key ?? "";
    if (!game) {
      this.report = null;
      this.learned = NOTHING;
      return;
    }
    const found = game.number === null ? ofState(state) : await ofJournal(game.number);
    // A deck learns while its referee ends.
    const learned = game.number !== null && state.referee?.is_running === false ? await learnedFrom(game) : NOTHING;
    if (key !== this.asked) return; // the next game has begun
    this.report = found;
    this.learned = learned;
    this.redraw();
  }

  /** What was said of the game is asked again. */
  forget() {
    this.asked = "";
  }

  /** The report, or nothing while a game is played. @param {State} state */
  card(state) {
    const report = this.report;
    if (!report || !state.game || !isOver(state)) return null;
    const { deck } = state.game;
    const seats = listed(report.mistakes_by_seat, (seat) => seatName(state, Number(seat)), ": ");
    const who = report.winners.map((seat) => t("won-by", { who: seatName(state, seat) }));
    return h("section", { class: "after-game", "aria-label": t("after-game") },
      h("h2", {}, [state.game.title, ...who, clock(report.seconds)].join(" · ")),
      h("p", {}, mistakesMade(report.mistakes)),
      seats && h("p", {}, seats),
      h("p", { class: "note referee-was" }, refereeWas(report)),
      this.learned.count > 0 && h("p", { class: "row deck-learned" }, h("span", {}, t("deck-learned-now", this.learned)),
        h("button", { onclick: () => this.onDeck(deck) }, t("deck-history"))));
  }
}

/** The game as its journal has it. @param {number} number @returns {Promise<Report|null>} */
async function ofJournal(number) {
  const answer = await fetch("/api/history");
  if (!answer.ok) return null;
  /** @type {import("./history.js").Played[]} */
  const games = (await answer.json()).games;
  return games.find((game) => game.number === number && !game.damage) ?? null;
}

/** A game without a journal, a film say: only of one whose calls are all here. @param {State} state @returns {Report|null} */
function ofState(state) {
  if (state.calls_made > state.calls.length) return null;
  const left = state.calls.filter((call) => !call.is_withdrawn);
  const mistakes = left.filter((call) => call.call === "mistake");
  const said = state.calls.filter((call) => call.overruled).map((call) => call.event);
  return {
    winners: left.flatMap((call) => call.call === "win" && call.seat !== null ? [call.seat] : []),
    mistakes: counted(mistakes.map((call) => call.rule)),
    mistakes_by_seat: counted(mistakes.flatMap((call) => call.seat === null ? [] : [String(call.seat)])),
    calls: state.calls_made, overruled: new Set(said).size,
    questions: state.calls.filter((call) => call.call === "unsure").length, seconds: state.at,
  };
}

/** @param {string[]} keys */
function counted(keys) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}
