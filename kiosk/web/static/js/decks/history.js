// The history of a deck: what made it what it is, its pictures from games, and the way back.
import { fill, h, post } from "../dom.js";
import { t, when } from "../texts.js";
import { faceWords } from "../words.js";

/** @typedef {{title: string, number: number}} Game */
/** @typedef {{number: number, what: "taught"|"added"|"learned"|"reverted", at: number, faces: number,
 *   pictures: number, learned: number, new: Record<string, number>, games: Game[]}} DeckState */
/** @typedef {{k: number, face: string, at: number, game: Game}} LearnedPicture */
/** @typedef {{deck: string, states: DeckState[], learned: LearnedPicture[]}} DeckHistory */

const FACES_NAMED = 8;
const PICTURES_OPEN = 12; // more are a tap away

/**
 * Opens the page's dialog.
 * @param {string} deck its path
 * @param {boolean} mayAct
 * @param {() => void} [onUndone]
 * @param {string} [told] what has just been done
 */
export async function openDeckHistory(deck, mayAct, onUndone = () => {}, told = "") {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const found = await historyOf(deck);
  const undone = () => {
    onUndone();
    openDeckHistory(deck, mayAct, onUndone, t("deck-undone"));
  };
  fill(sheet, h("div", { class: "row" }, h("h2", {}, found.states ? t("deck-history-of", { deck: found.deck }) : t("deck-history")),
    h("span", { class: "grow" }), h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`)),
  told ? h("p", { role: "status" }, told) : null,
  ...(found.states ? drawn(found, deck, mayAct, undone) : [h("p", { class: "bad" }, found.message)]));
  if (!sheet.open) sheet.showModal();
}

/** The button for a deck of one's own. @param {{path: string, name: string}} deck */
export const deckHistory = (deck) => h("button", { class: "deck-history", onclick: () => openDeckHistory(deck.path, true) },
  t("deck-history-of", { deck: deck.name }));

/**
 * The name of the deck of a game, and how many pictures it has from that game.
 * @param {import("../connection.js").Game} game
 */
export async function learnedFrom(game) {
  const { deck = "", learned = [] } = await historyOf(game.deck);
  /** @param {LearnedPicture} one */
  const isMine = (one) => one.game.number === game.number && one.game.title === game.title;
  return { deck, count: learned.filter(isMine).length };
}

/** The history, or the `message` why there is none. @param {string} deck @returns {Promise<any>} */
const historyOf = async (deck) => (await fetch(`/api/decks/history?${new URLSearchParams({ deck })}`)).json();

/** @param {DeckHistory} found @param {string} deck @param {boolean} mayAct @param {() => void} undone */
function drawn(found, deck, mayAct, undone) {
  const [now, last] = found.states;
  return [
    last ? null : h("p", {}, t("deck-no-history", { when: when(now.at) })),
    last && mayAct ? undoPart(last, deck, undone) : null,
    last ? h("ol", { class: "games" }, ...found.states.map((state) => h("li", {},
      h("h3", {}, [state.number ? "" : `${t("deck-now")} · `, happened(state)].join("")),
      h("p", { class: "note" }, `${when(state.at)} · ${holds(state)}`),
      facesNamed(state.new) && h("p", {}, facesNamed(state.new)),
      !state.number && found.learned.length > 0 && pictures(found, deck)))) : null,
  ];
}

/** The button, then what it would do. @param {DeckState} last @param {string} deck @param {() => void} undone */
function undoPart(last, deck, undone) {
  const box = h("div", { class: "deck-undo" });
  const answer = h("p", { class: "bad", role: "alert" });
  const undo = async () => {
    const found = await post("/api/decks/revert", { deck, number: last.number });
    if (found.ok) undone();
    else answer.textContent = found.message ?? "";
  };
  const offer = () => fill(box, h("button", { onclick: ask }, `⟲ ${t("deck-undo")}`));
  const ask = () => {
    const cancel = h("button", { onclick: offer }, t("cancel"));
    fill(box, h("p", { role: "status" }, t("deck-undo-ask", { when: when(last.at), holds: holds(last) })),
      h("div", { class: "row" }, h("button", { class: "main", onclick: undo }, t("deck-undo-do")), cancel), answer);
    cancel.focus();
  };
  offer();
  return box;
}

/** What made a state. @param {DeckState} state */
const happened = ({ what, games }) => t(`deck-${what}`, { games: games.map(gameName).join("; ") });

/** @param {DeckState} state */
const holds = ({ faces, pictures: count, learned }) => t("deck-holds", { faces, pictures: count, learned });

/** @param {Game} game */
const gameName = ({ title, number }) => (number ? t("deck-game", { title, number: String(number) }) : title);

/** @param {Record<string, number>} counts */
function facesNamed(counts) {
  const names = Object.entries(counts).map(([face, n]) => faceWords(face) + (n > 1 ? ` (${n})` : ""));
  const faces = names.slice(0, FACES_NAMED).join(", ");
  return names.length > FACES_NAMED ? t("deck-faces-more", { faces, count: names.length - FACES_NAMED }) : faces;
}

/** @param {DeckHistory} found @param {string} deck */
function pictures({ learned }, deck) {
  return h("details", { class: "hour-said", open: learned.length <= PICTURES_OPEN },
    h("summary", {}, t("deck-pictures", { count: learned.length })),
    h("ul", { class: "faces-taught" }, ...learned.map(({ k, face, at, game }) => h("li", {},
      h("img", { alt: "", loading: "lazy", src: `/api/decks/learned/${k}.jpg?${new URLSearchParams({ deck, at: String(at) })}` }),
      faceWords(face), h("small", {}, gameName(game))))));
}
