// Calls, places and faces in the reader's language: the catalogue's words where it has any that
// fit, else the game's own. Spoken calls choose in the same way (kiosk/speech/phrases.py).
import { hasText, language, seatName, t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */
/** @typedef {import("./connection.js").Call} Call */
/** @typedef {import("./connection.js").Place} Place */

const OWN = "en"; // the language of the games themselves
const VARIABLES = /\d+|\b[A-Z]\b/g;

/** The sentence for a call. @param {Call} call @param {State|null} state @returns {string} */
export function callWords(call, state) {
  if (language() === OWN) return call.message;
  /** @type {Record<string, string>} */
  const values = {
    place: placeWords(call.place, ""),
    seat: call.seat === null ? "" : String(call.seat),
    card: call.card ? faceWords(call.card) : "",
    due: dueWords(call.expected),
  };
  const names = [`call-${state?.game?.name}-${call.rule}-${call.call}`, `call-${call.call}-due`,
    `call-${call.call}-card`, `call-${call.call}-seat`];
  const fits = names.find((name) => hasText(name, Object.keys(values).filter((key) => values[key])));
  return fits ? t(fits, values) : call.message;
}

/**
 * A line of the game's state. Its text's id is the English line itself, its numbers (and single
 * capitals) are the variables a, b, c: `game-seat-n-does-one-thing`. A line without a text is
 * translated part by part.
 * @param {string} line
 * @returns {string}
 */
export function gameWords(line) {
  if (language() === OWN) return line;
  const found = line.match(VARIABLES) ?? [];
  const id = `game-${line.replace(VARIABLES, "n").toLowerCase().replace(/[^a-z]+/g, "-").replace(/^-|-$/g, "")}`;
  const values = Object.fromEntries(found.map((each, k) => ["abcdefgh"[k] ?? "z", each]));
  if (hasText(id, Object.keys(values))) return t(id, values);
  const parts = line.split(/( · |; |, )/);
  return parts.length > 1 ? parts.map((each, k) => k % 2 ? each : gameWords(each)).join("") : line;
}

/**
 * A place by name: `seat/2/set/1` is the text `place-seat-set` with its numbers. `own`: the game's
 * own words, for a place without a text.
 * @param {string|null} place @param {string} own
 */
export function placeWords(place, own) {
  const parts = (place ?? "").split("/");
  const [number = "", other = ""] = parts.filter((part) => /^\d+$/.test(part));
  const id = ["place", ...parts.filter((part) => !/^\d+$/.test(part))].join("-");
  const values = { ...(number && { number }), ...(other && { other }) };
  if (place && hasText(id, Object.keys(values))) return t(id, values);
  return gameWords(own || parts.join(" "));
}

/** What a place needs. @param {Place} place */
export function needWords(place) {
  const due = dueWords(place.faces);
  return language() !== OWN && due ? t("needs", { due }) : gameWords(place.text);
}

/** A face by name. @param {string} face */
export function faceWords(face) {
  return hasText(`face-${face}`, []) ? t(`face-${face}`) : face.replaceAll("-", " ");
}

/** Why the referee sees nothing. @param {string} why @returns {string} */
export function lostWords(why) {
  const [, camera] = why.match(/^camera lost: (.*)$/s) ?? [];
  return camera && language() !== OWN ? t("camera-lost", { why: camera }) : gameWords(why);
}

/** The sentence of a call's rule. @param {Call} call @param {State|null} state @returns {string} */
export function sentenceWords(call, state) {
  if (language() === OWN) return call.sentence;
  const names = [`why-${state?.game?.name}-${call.rule}`, `why-${call.rule}`];
  const found = names.find((name) => hasText(name, []));
  return found ? t(found) : call.sentence;
}

/** A rule by name. @param {string} rule */
export function ruleWords(rule) {
  return hasText(`rule-${rule}`, []) ? t(`rule-${rule}`) : rule.replaceAll("-", " ");
}

/** Two faces at most; more are too many for a sentence. @param {string[]} faces */
function dueWords(faces) {
  return faces.length && faces.length <= 2 ? faces.map(faceWords).join(` ${t("or")} `) : "";
}

/** What people said of a call's event. @param {Call} call @param {State} state */
export function overruledText(call, state) {
  const [verdict, what] = call.overruled.split(/ (.*)/s);
  if (verdict === "card") return t("said-card", { card: faceWords(what) });
  if (verdict === "seat") return t("said-seat", { who: seatName(state, Number(what)) });
  return t("said-no-mistake");
}
