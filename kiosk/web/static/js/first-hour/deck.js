// Step 3: a deck that is there, or one taught card by card, live and by photographs.
import { deckHistory } from "../decks/history.js";
import { h } from "../dom.js";
import { t } from "../texts.js";
import { alike, DoubtfulPart } from "./doubtful.js";
import { button, isBusy, progress } from "./panel.js";
import { faceName, SheetsPart } from "./sheets.js";

/** @typedef {import("./panel.js").Hour} Hour */
/** @typedef {import("./panel.js").Face} Face */
const SENT_AT_ONCE = 8; // photographs; the server takes ten acts a second

export class DeckPanel {
  /** @param {import("./stage.js").Stage} stage @param {import("./panel.js").Acts} acts */
  constructor(stage, acts) {
    this.step = "deck";
    this.stage = stage;
    this.acts = acts;
    this.game = "";
    this.name = "";
    this.isChoosing = true;
    this.isSeen = false;
    this.told = "";
    this.sheets = new SheetsPart(stage, acts);
    this.doubtful = new DoubtfulPart(stage, acts);
    this.hint = h("p", { class: "hint", role: "status" });
  }

  /** @param {Hour} hour */
  key(hour) {
    const { chosen, name, faces, asked, sheets, doubtful, alike: twins } = hour.deck;
    return [chosen, name, faces, asked, sheets, doubtful, twins, this.told, this.isChoosing, this.game,
      this.sheets.key(), this.doubtful.key()];
  }

  /** @param {Hour} hour */
  live(hour) {
    const { quad, hint } = hour.deck;
    const words = hint || " ";
    if (this.hint.textContent !== words) this.hint.textContent = words;
    if (!this.stage.own) this.stage.outline(quad.length ? [{ points: quad, kind: "card" }] : []);
  }

  /** What the stage shows besides the live picture: a photograph, or a doubtful card. @param {Hour} hour */
  shown(hour) {
    this.sheets.follow(hour);
    const isAside = this.isChoosing || hour.deck.asked;
    const sheet = isAside ? undefined : this.sheets.current(hour);
    const doubtful = isAside || sheet ? undefined : this.doubtful.current(hour);
    if (sheet) this.sheets.paint(hour.deck.name, sheet);
    if (doubtful) this.doubtful.paint(hour, doubtful);
    else this.doubtful.leave();
    if (!sheet && !doubtful) this.stage.showStill("");
    return { sheet, doubtful };
  }

  /** @param {Hour} hour */
  draw(hour) {
    if (!this.isSeen && hour.deck.name) this.isChoosing = false;
    this.isSeen = true;
    const { sheet, doubtful } = this.shown(hour);
    if (hour.work === "building") {
      return [h("h1", {}, hour.deck.name), h("p", { role: "status" }, t("hour-building")), progress()];
    }
    if (hour.deck.asked) return this.asking(hour);
    if (sheet) return this.sheets.draw(hour, sheet);
    if (doubtful) return this.doubtful.draw(hour, doubtful);
    return this.isChoosing || !hour.deck.name ? this.choosing(hour) : this.teaching(hour);
  }

  /** @param {Hour} hour */
  choosing(hour) {
    const { decks, games } = this.acts.offered;
    const own = h("div", { class: "grid small", role: "group", "aria-label": t("hour-deck-own") },
      ...games.map((/** @type {any} */ game) => h("button", {
        "aria-pressed": String(this.game === game.name),
        onclick: () => { this.game = game.name; this.name = `my-${game.name}`; this.acts.redraw(); },
      }, game.title, h("small", {}, t("hour-deck-faces", { count: game.faces })))));
    return [
      h("h1", {}, t("hour-step-deck")), h("p", {}, t("hour-deck-do")),
      h("div", { class: "grid small" }, ...decks.map((/** @type {any} */ deck) => h("button", {
        "aria-pressed": String(deck.path === hour.deck.chosen), disabled: isBusy(hour),
        "aria-label": deck.path === hour.deck.chosen ? null : t("hour-deck-use", { deck: deck.name }),
        onclick: () => this.acts.order("use-deck", { deck: deck.path }),
      }, deck.name, deck.path === hour.deck.chosen && h("small", {}, `✓ ${t("hour-deck-in-use")}`)))),
      ...decks.filter((/** @type {any} */ deck) => deck.kind === "own").map(deckHistory),
      h("h2", {}, t("hour-deck-own")), own,
      this.game && h("div", { class: "row" }, h("label", { for: "deck-name" }, t("hour-deck-name")),
        h("input", { id: "deck-name", value: this.name, maxlength: 40, autocomplete: "off",
          oninput: (/** @type {any} */ event) => { this.name = event.target.value; } }),
        button("main", t("hour-deck-begin"), () => this.begin())),
    ];
  }

  begin() {
    this.isChoosing = false;
    this.told = "";
    this.acts.order("deck", { game: this.game, name: this.name.trim().toLowerCase().replace(/[^a-z0-9]+/g, "-") });
  }

  /** While the camera waits for a card. @param {Hour} hour */
  asking(hour) {
    const { deck } = hour;
    const last = [...deck.faces].sort((a, b) => b.picture - a.picture)[0];
    return [
      h("h1", { class: "asked" }, t("hour-asked", { face: faceName(deck.asked) })),
      this.hint,
      progress(), h("p", { class: "note" }, this.count(hour)),
      last?.picture ? this.picture(hour, last, "last-face") : null,
      h("div", { class: "row" }, button("", t("hour-skip-face"), () => this.acts.order("skip-face")),
        button("", t("hour-redo-face"), () => this.acts.order("redo-face")),
        button("main", t("hour-stop"), () => this.acts.order("look"))),
    ];
  }

  /** All faces with their pictures. @param {Hour} hour */
  teaching(hour) {
    const { deck } = hour;
    const missing = deck.faces.filter((face) => !face.picture && face.face !== "back");
    const isReady = missing.length === 0;
    const some = deck.faces.some((face) => face.picture);
    return [
      h("div", { class: "row" }, h("h1", {}, deck.name),
        button("", t("hour-deck-other"), () => { this.isChoosing = true; this.acts.redraw(); })),
      ...this.sheets.ways(hour, this.rows(hour)),
      h("div", { class: "row" }, button(isReady ? "main" : "", t("hour-build"), () => this.acts.order("build-deck"),
        !some || isBusy(hour))),
      h("p", { class: "note", role: "status" }, this.told || this.count(hour)),
      isMade(hour) ? deckHistory({ path: deck.chosen, name: deck.name }) : null,
      some && missing.length ? h("p", { class: "note" }, t("hour-missing", { faces: missing.map((one) => one.face).join(", ") })) : null,
      alike(hour),
      h("details", { class: "hour-said" }, h("summary", {}, t("hour-one-by-one")), h("p", { class: "note" }, t("hour-teach-do")),
        h("div", { class: "row" }, button("", t(some ? "hour-teach-on" : "hour-teach-go"), () => this.acts.order("teach")),
          this.files(hour)), h("p", { class: "note" }, t("hour-photographs-help", { face: deck.faces[0]?.face ?? "" }))),
      h("ul", { class: "faces-taught" }, ...deck.faces.map((face) => this.tile(hour, face))),
    ];
  }

  /** @param {Hour} hour */
  count(hour) {
    const faces = hour.deck.faces.filter((face) => face.face !== "back");
    return t("hour-taken", { done: faces.filter((face) => face.picture).length, count: faces.length });
  }

  /** A face with its picture; a tap takes a photograph of it. @param {Hour} hour @param {Face} face */
  tile(hour, face) {
    const id = `photo-${face.face}`;
    const words = t(face.picture ? "hour-retake-of" : "hour-photograph-of", { face: faceName(face.face) });
    return h("li", { dataset: { state: face.why ? "bad" : face.picture ? "good" : "open" } },
      h("label", { for: id },
        face.picture ? this.picture(hour, face, "") : h("span", { class: "no-picture", "aria-hidden": "true" }, "+"),
        h("span", {}, face.picture && !face.why ? `✓ ${faceName(face.face)}` : faceName(face.face)),
        face.why && h("span", { class: "bad" }, face.why)),
      h("input", { type: "file", id, accept: "image/jpeg,image/png", "aria-label": words,
        onchange: (/** @type {any} */ event) => this.send(hour, [...event.target.files].map((file) => [face.face, file])) }));
  }

  /** @param {Hour} hour @param {Face} face @param {string} name */
  picture(hour, face, name) {
    return h("img", { class: name, alt: faceName(face.face),
      src: `/api/first-hour/photographs/${hour.deck.name}/${face.face}.jpg?n=${face.picture}` });
  }

  /** Many photographs at once, each named after its card. @param {Hour} hour */
  files(hour) {
    /** @param {any} event */
    const chosen = (event) => {
      const known = new Set(hour.deck.faces.map((face) => face.face));
      /** @type {[string, File][]} */
      const files = [...event.target.files].map((file) => [nameOf(file.name), file]);
      const strange = files.find(([face]) => !known.has(face));
      this.told = strange ? t("hour-unknown-file", { name: strange[1].name }) : "";
      this.send(hour, files.filter(([face]) => known.has(face)));
    };
    return h("label", { class: "button file" }, t("hour-photographs"),
      h("input", { type: "file", id: "photographs", multiple: true, accept: "image/jpeg,image/png", onchange: chosen }));
  }

  /** Photographs of several cards each. @param {Hour} hour */
  rows(hour) {
    /** @param {any} event */
    const chosen = async (event) => {
      const files = [...event.target.files];
      for (const [k, file] of files.entries()) {
        const answer = await put(`/api/first-hour/photographs/${hour.deck.name}/sheets/new`, file);
        this.told = answer.ok ? t("hour-uploading", { done: k + 1, count: files.length }) : `${file.name}: ${answer.message}`;
        this.acts.redraw();
        if (!answer.ok) break;
      }
    };
    return h("label", { class: "button file" }, t("hour-rows-files"),
      h("input", { type: "file", id: "rows", multiple: true, accept: "image/jpeg,image/png", onchange: chosen }));
  }

  /** @param {Hour} hour @param {[string, File][]} files */
  async send(hour, files) {
    for (const [k, [face, file]] of files.entries()) {
      const answer = await put(`/api/first-hour/photographs/${hour.deck.name}/${face}`, file);
      if (!answer.ok) {
        this.told = `${file.name}: ${answer.message}`;
        break;
      }
      if (!this.told || files.length > 1) this.told = t("hour-uploading", { done: k + 1, count: files.length });
      if (k % SENT_AT_ONCE === SENT_AT_ONCE - 1) await new Promise((done) => setTimeout(done, 1000));
      this.acts.redraw();
    }
    await this.acts.order("refresh");
    this.acts.redraw();
  }
}

/** Whether the deck that is taught is there. @param {Hour} hour */
const isMade = ({ deck }) => deck.chosen.split("/").at(-1) === deck.name && deck.chosen !== deck.name;

/** The face that a file is named after: `T_Shirt.2.JPG` is t-shirt. @param {string} name */
const nameOf = (name) => name.split(".")[0].trim().toLowerCase().replace(/[\s_]+/g, "-");

/** @param {string} path @param {File} file @returns {Promise<{ok: boolean, message?: string}>} */
async function put(path, file) {
  try {
    return await (await fetch(path, { method: "PUT", body: file })).json();
  } catch (error) {
    return { ok: false, message: String(error) };
  }
}
