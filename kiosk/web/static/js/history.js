// The games that were played: winner, mistakes by rule and by player, length.
import { clock, fill, h } from "./dom.js";
import { t } from "./texts.js";

/** @param {Element} view */
export async function showHistory(view) {
  const answer = await fetch("/api/history");
  const found = await answer.json();
  const games = found.games ?? [];
  fill(view, h("section", { class: "pane" }, h("h1", {}, t("history")),
    !answer.ok && h("p", { class: "bad" }, found.message),
    games.length ? h("ol", { class: "games" }, ...games.map(row))
      : h("p", { class: "note" }, t("no-games"))));
}

/** @param {any} game */
function row(game) {
  const began = new Date(game.began * 1000).toLocaleString();
  const count = Object.values(game.mistakes).reduce((sum, each) => sum + Number(each), 0);
  const rules = Object.entries(game.mistakes).map(([rule, n]) => `${rule} ${n}`).join(", ");
  const seats = Object.entries(game.mistakes_by_seat)
    .map(([seat, n]) => `${t("seat", { seat })}: ${n}`).join(", ");
  const end = game.winners.length
    ? t("won-by", { seat: game.winners[0] }) : t(game.is_ended ? "no-winner" : "cut-off");
  return h("li", {}, h("h2", {}, `${game.title} · ${end}`),
    h("p", { class: "note" }, `${began} · ${t("players", { count: game.players })} · ${clock(game.seconds)}`),
    game.damage ? h("p", { class: "bad" }, game.damage)
      : h("p", {}, t("mistakes-made", { count }), rules && `: ${rules}`, seats && ` · ${seats}`),
    h("a", { class: "button", href: `/api/history/${game.number}.jsonl`, download: "" }, t("download")));
}
