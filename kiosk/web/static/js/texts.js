// The page's words in the reader's language, by Fluent; English where a language lacks one.
import { FluentBundle, FluentResource } from "/static/vendor/fluent/index.js";

const LANGUAGES = ["en", "de"];
/** @type {FluentBundle[]} */
let bundles = [];

/**
 * Loads the catalogues of the reader's language; `?lang=de` chooses one.
 * @param {string[]} [folders] of catalogues
 */
export async function loadTexts(folders = ["/static/texts"]) {
  const asked = new URLSearchParams(location.search).get("lang") ?? navigator.language.slice(0, 2);
  const chosen = LANGUAGES.includes(asked) ? [asked, "en"] : ["en"];
  document.documentElement.lang = chosen[0];
  bundles = await Promise.all([...new Set(chosen)].map((each) => loadBundle(each, folders)));
}

/** @param {string} language @param {string[]} folders */
async function loadBundle(language, folders) {
  const bundle = new FluentBundle(language, { useIsolating: false });
  for (const folder of folders) {
    const answer = await fetch(`${folder}/${language}.ftl`);
    bundle.addResource(new FluentResource(await answer.text()));
  }
  return bundle;
}

/**
 * The text of an id; the id itself where no catalogue has it.
 * @param {string} id
 * @param {Record<string, string|number>} [values]
 * @returns {string}
 */
export function t(id, values = {}) {
  for (const bundle of bundles) {
    const message = bundle.getMessage(id);
    if (message?.value) return bundle.formatPattern(message.value, values);
  }
  return id;
}

/** The language of the page, "en" or "de". */
export function language() {
  return document.documentElement.lang;
}

/** Date and time as the reader writes them. @param {number} seconds since the epoch */
export function when(seconds) {
  return new Date(seconds * 1000).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" });
}

/**
 * Whether the page's language itself has a text, and all of its variables are known.
 * @param {string} id
 * @param {string[]} known the variables that have a value
 */
export function hasText(id, known) {
  const message = bundles[0]?.getMessage(id);
  if (!message?.value) return false;
  const parts = Array.isArray(message.value) ? message.value : [];
  return parts.every((part) => part.type !== "var" || known.includes(part.name));
}

/**
 * A seat's name for people: its player's, where one was given.
 * @param {import("./connection.js").State} state
 * @param {number} seat
 */
export function seatName(state, seat) {
  return state.game?.names?.[seat - 1] || t("seat", { seat });
}

/**
 * The label of a game's button: its catalogue text, else the name itself.
 * @param {string} button
 */
export function buttonText(button) {
  const text = t(`button-${button}`);
  return text.startsWith("button-") ? button.replaceAll("-", " ") : text;
}
