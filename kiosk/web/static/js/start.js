// The start screen: game, players, seats by tapping a side of the drawn table, options, deck.
import { fill, h, post } from "./dom.js";
import { t } from "./texts.js";

const SIDES = ["bottom", "left", "top", "right"];

/** @typedef {{name: string, title: string, players: [number, number], options:
 *   {name: string, default: string, help: string, values: Record<string, string[]>}[]}} Game */
/** @typedef {{game: string, players: number, deck: string, seats: string[],
 *   options: Record<string, string>}} Setup */

export class StartView {
  /** @param {Element} view @param {() => void} onStarted */
  constructor(view, onStarted) {
    this.view = view;
    this.onStarted = onStarted;
    /** @type {any} */
    this.offered = { games: [], decks: [], last: null };
    /** @type {Setup} */
    this.setup = { game: "suds", players: 2, deck: "suds", seats: [], options: {} };
    this.message = "";
    this.isOpen = false;
  }

  async open() {
    this.isOpen = true;
    this.offered = await (await fetch("/api/setup")).json();
    if (this.offered.last) this.setup = { ...this.offered.last };
    else this.choose(this.offered.games[0]?.name ?? "suds");
    this.draw();
  }

  /** @returns {Game|undefined} */
  game() {
    return this.offered.games.find((/** @type {Game} */ each) => each.name === this.setup.game);
  }

  /** @param {string} name */
  choose(name) {
    this.setup.game = name;
    const game = this.game();
    const decks = this.decks();
    this.setup.deck = decks[decks.length - 1]?.path ?? name;
    this.setup.options = {};
    this.setPlayers(Math.max(this.setup.players, game?.players[0] ?? 2));
  }

  decks() {
    const fits = this.offered.decks.filter((/** @type {any} */ d) => d.game === this.setup.game);
    return fits.length ? fits
      : this.offered.decks.filter((/** @type {any} */ deck) => deck.name.startsWith("plain"));
  }

  /** @param {number} count */
  setPlayers(count) {
    const [least, most] = this.game()?.players ?? [2, 4];
    this.setup.players = Math.min(Math.max(count, least), most);
    this.setup.seats = SIDES.slice(0, this.setup.players);
    while (this.setup.seats.length < this.setup.players) this.setup.seats.push("bottom");
  }

  draw() {
    if (!this.isOpen) return; // the page went on while the data came
    const { offered, setup } = this;
    if (!offered.can_start) {
      fill(this.view, h("section", { class: "pane" }, h("h1", {}, t("waiting-for-game"))));
      return;
    }
    const again = offered.last && h("button", { class: "main", onclick: () => this.start(offered.last) },
      `▶ ${t("play-again", { game: this.titleOf(offered.last.game), players: offered.last.players })}`);
    fill(this.view, h("section", { class: "pane" },
      h("div", { class: "row" }, h("h1", {}, t("new-game")), h("span", { class: "grow" }), again || ""),
      h("div", { class: "grid", role: "group", "aria-label": t("game") },
        ...offered.games.map((/** @type {Game} */ game) => h("button", {
          "aria-pressed": String(game.name === setup.game),
          onclick: () => { this.choose(game.name); this.draw(); },
        }, game.title))),
      h("div", { class: "columns" },
        h("div", {}, h("h2", {}, t("who-plays")),
          h("div", { class: "row" },
            h("button", { "aria-label": t("fewer"), onclick: () => this.more(-1) }, "−"),
            h("strong", {}, t("players", { count: setup.players })),
            h("button", { "aria-label": t("more"), onclick: () => this.more(1) }, "+")),
          this.seats()),
        h("div", {}, this.options(), h("h2", {}, t("deck")), this.deckChoice(),
          h("p", { class: "bad", role: "alert" }, this.message),
          h("button", { class: "main wide", onclick: () => this.start(setup) },
            `▶ ${t("start-game")}`)))));
  }

  /** @param {string} name */
  titleOf(name) {
    return this.offered.games.find((/** @type {Game} */ game) => game.name === name)?.title ?? name;
  }

  /** @param {number} by */
  more(by) {
    this.setPlayers(this.setup.players + by);
    this.draw();
  }

  /** The drawn table: a tap on a seat moves it to the next side. */
  seats() {
    const table = h("div", { class: "drawn-table", role: "group", "aria-label": t("seats") });
    for (const side of SIDES) {
      const here = this.setup.seats.map((each, k) => [each, k]).filter(([each]) => each === side);
      table.append(h("div", { class: `side-${side}` }, ...here.map(([, k]) => h("button", {
        "aria-label": `${t("seat", { seat: Number(k) + 1 })}, ${t(`side-${side}`)}`,
        onclick: () => this.move(Number(k)),
      }, String(Number(k) + 1)))));
    }
    return h("div", {}, table, h("p", { class: "note" }, t("seats-help")));
  }

  /** @param {number} seat */
  move(seat) {
    const at = SIDES.indexOf(this.setup.seats[seat]);
    this.setup.seats[seat] = SIDES[(at + 1) % SIDES.length];
    this.draw();
  }

  options() {
    const rows = (this.game()?.options ?? []).map((option) => {
      const values = option.values[String(this.setup.players)] ?? [option.default];
      const chosen = this.setup.options[option.name] ?? option.default;
      const select = h("select", { id: `option-${option.name}`, onchange: (/** @type {any} */ event) => {
        this.setup.options[option.name] = event.target.value;
      } }, ...values.map((value) => h("option", { selected: value === chosen }, value)));
      return h("p", {}, h("label", { for: `option-${option.name}` }, option.name), " ", select, " ",
        h("span", { class: "note" }, option.help));
    });
    return rows.length ? h("div", {}, h("h2", {}, t("options")), ...rows) : h("div", {});
  }

  deckChoice() {
    return h("div", { class: "row", role: "group", "aria-label": t("deck") },
      ...this.decks().map((/** @type {any} */ deck) => h("button", {
        "aria-pressed": String(deck.path === this.setup.deck),
        onclick: () => { this.setup.deck = deck.path; this.draw(); },
      }, deck.name)));
  }

  /** @param {Setup} setup */
  async start(setup) {
    const answer = await post("/api/games", setup);
    this.message = answer.ok ? "" : answer.message ?? "";
    if (answer.ok) this.onStarted();
    else this.draw();
  }
}
