// The games that were played: all together, then each with winner, mistakes, length, text and film.
import { clock, fill, h } from "./dom.js";
import { keepGame } from "./field/keep.js";
import { t, when } from "./texts.js";
import { ruleWords } from "./words.js";

/** @typedef {{number: number, title: string, players: number, began: number, seconds: number,
 *   is_ended: boolean, winners: number[], mistakes: Record<string, number>,
 *   mistakes_by_seat: Record<string, number>, overruled: number, calls: number,
 *   questions: number, filmed: number, recordings: string[], damage: string}} Played */

/** @param {Element} view @param {boolean} mayAct */
export async function showHistory(view, mayAct) {
  fill(view, h("section", { class: "pane" }, h("h1", {}, t("history")), h("p", {}, t("loading"))));
  const answer = await fetch("/api/history");
  const found = await answer.json();
  /** @type {Played[]} */
  const games = found.games ?? [];
  fill(view, h("section", { class: "pane" }, h("h1", {}, t("history")),
    !answer.ok && h("p", { class: "bad" }, found.message),
    games.length > 1 && totals(games),
    games.length ? h("ol", { class: "games" }, ...games.map((game) => row(game, mayAct)))
      : h("p", { class: "note" }, t("no-games"))));
}

/** Wins, and mistakes by rule and by seat, over all games that are shown. @param {Played[]} games */
function totals(games) {
  /** @type {Record<string, number>} */
  const wins = {};
  for (const seat of games.flatMap((game) => game.winners)) wins[seat] = (wins[seat] ?? 0) + 1;
  return h("div", { class: "totals" },
    bars(t("wins"), wins, (seat) => t("seat", { seat })),
    bars(t("mistakes-by-seat"), added(games.map((game) => game.mistakes_by_seat)), (seat) => t("seat", { seat })),
    bars(t("mistakes-by-rule"), added(games.map((game) => game.mistakes)), ruleWords));
}

/** @param {Record<string, number>[]} counts */
function added(counts) {
  /** @type {Record<string, number>} */
  const sum = {};
  for (const count of counts) {
    for (const [key, n] of Object.entries(count)) sum[key] = (sum[key] ?? 0) + n;
  }
  return sum;
}

/** @param {string} title @param {Record<string, number>} counts @param {(key: string) => string} name */
function bars(title, counts, name) {
  const rows = Object.entries(counts).sort((a, b) => b[1] - a[1]).slice(0, 6);
  const most = Math.max(1, ...rows.map(([, n]) => n));
  if (!rows.length) return null;
  return h("section", {}, h("h2", {}, title), h("ul", { class: "bars" }, ...rows.map(([key, n]) =>
    h("li", {}, h("span", {}, name(key)),
      h("span", { class: "bar-of", style: { width: `${(n / most) * 100}%` }, "aria-hidden": "true" }),
      h("strong", {}, String(n))))));
}

/**
 * Names, each with its count.
 * @param {Record<string, number>} counts @param {(key: string) => string} name @param {string} [mark]
 */
export const listed = (counts, name, mark = " ") =>
  Object.entries(counts).map(([key, n]) => `${name(key)}${mark}${n}`).join(", ");

/** How many mistakes, and by which rules. @param {Record<string, number>} byRule */
export function mistakesMade(byRule) {
  const count = Object.values(byRule).reduce((total, each) => total + each, 0);
  const rules = listed(byRule, ruleWords);
  return t("mistakes-made", { count }) + (rules && `: ${rules}`);
}

/** @param {Played} game @param {boolean} mayAct */
function row(game, mayAct) {
  const seats = listed(game.mistakes_by_seat, (seat) => t("seat", { seat }), ": ");
  const end = game.winners.length
    ? t("won-by", { who: t("seat", { seat: game.winners[0] }) }) : t(game.is_ended ? "no-winner" : "cut-off");
  return h("li", {}, h("h2", {}, `${game.title} · ${end}`),
    h("p", { class: "note" },
      `${when(game.began)} · ${t("players", { count: game.players })} · ${clock(game.seconds)}`),
    game.damage ? h("p", { class: "bad" }, game.damage)
      : h("p", {}, mistakesMade(game.mistakes), seats && ` · ${seats}`),
    !game.damage && game.calls > 0 && h("p", { class: "note referee-was" }, refereeWas(game)),
    h("div", { class: "row" },
      ...(mayAct ? game.recordings.map((name, k) => keepButton(game, name, k)) : []),
      game.filmed > 0 && h("button", { onclick: () => openFilm(game) }, `▶ ${t("film")}`),
      h("a", { class: "button", href: `/api/history/${game.number}.jsonl`, download: "" }, t("download"))));
}

/** A game that was recorded in parts has a button for each. @param {Played} game @param {string} name @param {number} k */
function keepButton(game, name, k) {
  const part = game.recordings.length > 1 ? ` ${k + 1}` : "";
  return h("button", { onclick: () => keepGame(game.title, name) }, `${t("keep-recording")}${part}`);
}

/**
 * What is known of how right the referee was; of calls that nobody doubted, nothing.
 * @param {Pick<Played, "calls"|"overruled"|"questions">} game
 */
export function refereeWas(game) {
  return [t("calls-made", { count: game.calls }), t("were-overruled", { count: game.overruled }),
    t("questions-asked", { count: game.questions })].join(", ") + `. ${t("unchallenged")}`;
}

/** Makes the film, which takes some seconds, and shows it. @param {Played} game */
async function openFilm(game) {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const body = h("div", { class: "cinema" }, h("p", { role: "status" }, t("film-is-made")));
  fill(sheet, h("div", { class: "row" }, h("h2", {}, `${game.title} · ${t("film")}`),
    h("span", { class: "grow" }), h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`)), body);
  sheet.showModal();
  const source = `/api/history/${game.number}.webm`;
  const answer = await fetch(source, { method: "HEAD" });
  if (!answer.ok) {
    const found = await (await fetch(source)).json();
    fill(body, h("p", { class: "bad" }, found.message ?? String(answer.status)));
    return;
  }
  fill(body, h("video", { src: source, controls: true, autoplay: true, muted: true, "aria-label": game.title }),
    h("a", { class: "button", href: source, download: "" }, t("save-film")));
}
