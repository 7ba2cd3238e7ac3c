// The start screen: game, players, seats by tapping a side of the drawn table, options, deck.
import { deckHistory } from "./decks/history.js";
import { fill, h, post } from "./dom.js";
import { CameraChoice } from "./phone/choice.js";
import { t } from "./texts.js";

const SIDES = ["bottom", "left", "top", "right"];

/** @typedef {{name: string, title: string, players: [number, number], options:
 *   {name: string, default: string, help: string, values: Record<string, string[]>}[]}} Game */
/** @typedef {{game: string, players: number, deck: string, seats: string[],
 *   options: Record<string, string>, names?: string[]}} Setup */
/** @typedef {{games: Game[], decks: {path: string, name: string, game: string, kind: string}[],
 *   last: Setup|null, can_start: boolean, is_running: boolean, said: string[],
 *   seats: Record<string, string[]>,
 *   is_set_up: boolean}} Offered */

export class StartView {
  /** @param {Element} view @param {() => void} onStarted @param {() => void} onSetUp */
  constructor(view, onStarted, onSetUp) {
    this.view = view;
    this.onStarted = onStarted;
    this.onSetUp = onSetUp;
    this.camera = new CameraChoice();
    /** The report of the game that was played just now. @type {() => HTMLElement|null} */
    this.after = () => null;
    /** @type {Offered|null} */
    this.offered = null;
    /** @type {Setup} */
    this.setup = { game: "suds", players: 2, deck: "suds", seats: [], options: {} };
    /** Seats that people placed by hand, in their order; null: the usual ones. @type {string[]|null} */
    this.placed = null;
    this.message = "";
    this.isOpen = false;
    this.isStarting = false;
  }

  async open() {
    this.isOpen = true;
    this.message = "";
    this.camera.open();
    const answer = await fetch("/api/setup");
    if (!answer.ok || !this.isOpen) return;
    const offered = /** @type {Offered} */ (await answer.json());
    this.offered = offered;
    this.placed = null;
    if (offered.last) this.setup = structuredClone(offered.last);
    else this.choose(offered.games[0]?.name ?? "suds");
    this.draw();
  }

  /** @returns {Game|undefined} */
  game() {
    return this.offered?.games.find((each) => each.name === this.setup.game);
  }

  /** @param {string} name */
  choose(name) {
    this.setup.game = name;
    const decks = this.decks();
    this.setup.deck = decks[decks.length - 1]?.path ?? name;
    this.setup.options = {};
    this.setPlayers(this.setup.players);
  }

  decks() {
    const decks = this.offered?.decks ?? [];
    const fits = decks.filter((deck) => deck.game === this.setup.game);
    return fits.length ? fits : decks.filter((deck) => deck.name.startsWith("plain"));
  }

  /** @param {number} count */
  setPlayers(count) {
    const [least, most] = this.game()?.players ?? [2, 4];
    this.setup.players = Math.min(Math.max(count, least), most);
    this.setup.seats = [...(this.offered?.seats[String(this.setup.players)] ?? SIDES)];
    this.setup.names = (this.setup.names ?? []).slice(0, this.setup.players);
    this.placed = null;
  }

  draw() {
    if (!this.isOpen || !this.offered) return; // the page went on while the data came
    const { offered, setup } = this;
    if (!offered.can_start) {
      fill(this.view, h("section", { class: "pane" }, h("h1", {}, t("waiting-for-game"))));
      return;
    }
    const last = offered.last;
    fill(this.view, h("section", { class: "pane start" },
      h("div", { class: "row" }, h("h1", {}, t("new-game")), h("span", { class: "grow" }),
        h("button", { class: offered.is_set_up ? "" : "main", onclick: this.onSetUp }, `⚙ ${t("set-up")}`)),
      !offered.is_set_up && h("p", { class: "note" }, t("hour-first")),
      last && h("button", { class: "main wide again", disabled: this.isStarting, onclick: () => this.start(last) },
        `▶ ${t("play-again", { game: this.titleOf(last.game), players: last.players })}`),
      this.after(),
      h("div", { class: "grid games-offered", role: "group", "aria-label": t("game") },
        ...offered.games.map((game) => h("button", {
          "aria-pressed": String(game.name === setup.game),
          onclick: () => { this.choose(game.name); this.draw(); },
        }, game.title))),
      h("div", { class: "columns" }, h("div", {}, ...this.players()),
        h("div", {}, h("h2", {}, t("deck")), this.deckChoice(), this.camera.element, this.options())),
      h("div", { class: "start-now" }, this.message && h("p", { class: "bad", role: "alert" }, this.message),
        h("button", { class: last ? "wide" : "main wide", disabled: this.isStarting || !this.isSeated(),
          onclick: () => this.start(setup) }, `▶ ${t("start-game")}`))));
  }

  /** @param {string} name */
  titleOf(name) {
    return this.offered?.games.find((game) => game.name === name)?.title ?? name;
  }

  players() {
    const { setup } = this;
    return [h("h2", {}, t("who-plays")), h("div", { class: "row" },
      h("button", { "aria-label": t("fewer"), onclick: () => this.more(-1) }, "−"),
      h("strong", {}, t("players", { count: setup.players })),
      h("button", { "aria-label": t("more"), onclick: () => this.more(1) }, "+")),
    this.seats(), ...this.names()];
  }

  /** @param {number} by */
  more(by) {
    this.setPlayers(this.setup.players + by);
    this.draw();
  }

  isSeated() {
    return this.placed === null || this.placed.length === this.setup.players;
  }

  /** The drawn table. "Seat again", then a tap on a side seats the next player there. */
  seats() {
    const seats = this.placed ?? this.setup.seats;
    const next = this.isSeated() ? 0 : seats.length + 1;
    const table = h("div", { class: `drawn-table${next ? " is-seating" : ""}`, role: "group", "aria-label": t("seats") });
    for (const side of SIDES) {
      const here = seats.map((each, k) => ({ each, k })).filter(({ each }) => each === side);
      const marks = here.flatMap(({ k }) => [h("span", { class: "sitting", title: this.sitting(k) }, this.sitting(k)), " "]);
      const words = next ? t("add-seat", { side: t(`side-${side}`), seat: next }) : t(`side-${side}`);
      // Up to four players sit at different sides; more share them.
      const isTaken = next > 0 && this.setup.players <= SIDES.length && here.length > 0;
      table.append(h("button", { class: `side-${side}`, disabled: isTaken, onclick: () => this.seat(side) },
        h("span", { class: "unseen" }, `${words}: `), ...marks, next && !isTaken ? h("span", { "aria-hidden": "true" }, "+") : ""));
    }
    return h("div", {}, table, h("div", { class: "row" },
      h("p", { class: "note", role: "status" }, next ? t("place-seat", { seat: next }) : t("seats-all")),
      h("button", { onclick: () => { this.placed = []; this.draw(); } }, t("seats-clear"))));
  }

  /** A player on the drawn table: the name, else the number. @param {number} k */
  sitting(k) {
    return this.setup.names?.[k] || String(k + 1);
  }

  /** A tap on a side: it seats the next player; where all sit, it begins again with player 1. @param {string} side */
  seat(side) {
    if (this.isSeated()) this.placed = [];
    this.placed?.push(side);
    if (this.placed && this.isSeated()) this.setup.seats = [...this.placed];
    this.draw();
  }

  /** Names of the players; empty ones are called by their seat. */
  names() {
    return Array.from({ length: this.setup.players }, (_, k) => h("p", { class: "name-row" },
      h("label", { for: `name-${k + 1}` }, t("seat", { seat: k + 1 })),
      h("input", { id: `name-${k + 1}`, maxlength: 24, value: this.setup.names?.[k] ?? "", autocomplete: "off",
        onchange: (/** @type {any} */ event) => this.nameSeat(k, event.target.value) })));
  }

  /** @param {number} k @param {string} name */
  nameSeat(k, name) {
    const names = this.setup.names ?? [];
    this.setup.names = Array.from({ length: this.setup.players }, (_, i) => (i === k ? name.trim() : names[i] ?? ""));
    this.draw();
  }

  options() {
    const rows = (this.game()?.options ?? []).map((option) => {
      const values = option.values[String(this.setup.players)] ?? [option.default];
      const chosen = this.setup.options[option.name] ?? option.default;
      const name = option.name.replaceAll("-", " ");
      return h("div", { class: "option" }, h("h3", {}, name), h("p", { class: "note" }, option.help),
        h("div", { class: "row", role: "group", "aria-label": name }, ...values.map((value) => h("button", {
          "aria-pressed": String(value === chosen),
          onclick: () => { this.setup.options[option.name] = value; this.draw(); },
        }, value.replaceAll("-", " ")))));
    });
    return rows.length ? h("div", {}, h("h2", {}, t("options")), ...rows) : h("div", {});
  }

  deckChoice() {
    const own = this.decks().find((deck) => deck.path === this.setup.deck && deck.kind === "own");
    return h("div", {}, h("div", { class: "row", role: "group", "aria-label": t("deck") },
      ...this.decks().map((deck) => h("button", {
        "aria-pressed": String(deck.path === this.setup.deck),
        onclick: () => { this.setup.deck = deck.path; this.draw(); },
      }, deck.name))), own && deckHistory(own));
  }

  /** @param {Setup} setup */
  async start(setup) {
    this.isStarting = true;
    this.draw();
    const answer = await post("/api/games", setup);
    this.isStarting = false;
    this.message = answer.ok ? "" : answer.message ?? "";
    if (answer.ok) this.onStarted();
    else this.draw();
  }
}
