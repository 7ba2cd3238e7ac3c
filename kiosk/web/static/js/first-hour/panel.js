// Building blocks of the steps' panels: meters, progress, words of the command.
import { h } from "../dom.js";
import { t } from "../texts.js";

/** @typedef {{name: string, mark: string, words: string, made: string}} StepShown */
/** @typedef {{name: string, state: string, words: string, todo: string}} Finding */
/** @typedef {{topic: string, case: string, state: string, measured: number, needed: number,
 *   where: string[]}} TableFinding */
/** @typedef {{face: string, picture: number, why: string}} Face */
/** @typedef {{number: number, size: [number, number],
 *   cards: {corners: [number, number][], face: string, doubt: string}[]}} Sheet */
/** @typedef {{name: string, face: string, why: string, picture: number, size: [number, number],
 *   places: [number, number][][], outlines: [number, number][][]}} Doubtful */
/** @typedef {{source: string, step: string, steps: StepShown[], work: string, progress: number|null,
 *   message: string, is_bad: boolean, words: string[], findings: Finding[], lost: string,
 *   size: [number, number],
 *   meter: {focus: number, focus_best: number, focus_least: number, light: number,
 *     light_least: number, light_most: number}|null,
 *   table: {markers: number, mat: string, width_mm: number, height_mm: number, proof: number},
 *   deck: {chosen: string, game: string, name: string, faces: Face[], asked: string, hint: string,
 *     quad: [number, number][], sheets: Sheet[], doubtful: Doubtful[],
 *     alike: [string, string, number][]},
 *   lamps: {signals: {call: string, lamp: string, colour: string, pattern: string, tone: string,
 *     is_played: boolean}[], playing: string, outputs: string[], faults: string[]},
 *   trial: {game: string, deck: string, cards: {quad: [number, number][], face: string, state: string}[],
 *     toss: {card: string, place: string, sure: number, calls: [string, string][],
 *       picture: number}|null},
 *   check: {asked: string, at: number, count: number, left_s: number, result: string,
 *     findings: TableFinding[], unseen: string[]}}} Hour */
/** What a panel may do. @typedef {{order: (name: string, values?: object) => Promise<void>,
 *   leave: () => void, offered: any, redraw: () => void}} Acts */

export const MARKS = { passed: "✓", skipped: "–" };
export const STATES = { good: "✓", warn: "!", bad: "✕" };

/** @param {Hour} hour @param {string} name */
export const standing = (hour, name) => /** @type {StepShown} */ (hour.steps.find((s) => s.name === name));

/** @param {string} name @param {string} text @param {(() => void)} onTap @param {boolean} [isOff] */
export function button(name, text, onTap, isOff = false) {
  return h("button", { class: name, onclick: onTap, disabled: isOff }, text);
}

/**
 * A labelled bar: its mark is where good begins. `fill` and `mark` in parts, 0 to 1.
 * @param {string} id @param {string} label
 */
export function meter(id, label) {
  const bar = h("i", {});
  const least = h("b", {});
  const most = h("b", { hidden: true });
  const words = h("span", { class: "meter-words" });
  const track = h("div", { class: "meter-track", "aria-hidden": "true" }, bar, least, most);
  const element = h("div", { class: "meter", id, role: "group", "aria-label": label },
    h("span", { class: "meter-label" }, label), track, words);
  /** @param {number} value @param {number} from @param {number} to @param {string} text @param {boolean} isGood */
  const show = (value, from, to, text, isGood) => {
    bar.style.width = `${Math.min(Math.max(value, 0), 1) * 100}%`;
    least.style.left = `${from * 100}%`;
    most.hidden = to >= 1;
    most.style.left = `${to * 100}%`;
    element.dataset.state = isGood ? "good" : "bad";
    const told = `${isGood ? "✓" : "✕"} ${text}`;
    if (words.textContent !== told) words.textContent = told;
  };
  return { element, show };
}

/** How far the work is; `showProgress` moves it. */
export const progress = () => h("progress", { max: 100, value: 0, "aria-label": t("hour-progress") });

/** Moves the bar without the panel being drawn again. @param {Element|undefined} side @param {Hour} hour */
export function showProgress(side, hour) {
  const bar = side?.querySelector("progress");
  if (bar) bar.value = Math.round((hour.progress ?? 0) * 100);
}

/** The sentence of the moment: an error, or nothing. @param {Hour} hour */
export const message = (hour) => hour.message
  && h("p", { class: hour.is_bad ? "bad" : "note", role: "alert" }, hour.message);

/** What the command behind the step said, a tap away. @param {Hour} hour */
export function said(hour) {
  if (!hour.words.length) return null;
  return h("details", { class: "hour-said" }, h("summary", {}, t("hour-said")),
    h("ul", {}, ...hour.words.map((line) => h("li", {}, line))));
}

/** @param {Finding[]} findings */
export function findingList(findings) {
  return h("ul", { class: "findings" }, ...findings.map((one) => h("li", { dataset: { state: one.state } },
    h("span", { class: "mark", "aria-hidden": "true" }, STATES[/** @type {keyof typeof STATES} */ (one.state)]),
    h("span", {}, `${one.name}: ${one.words}`, one.todo && h("em", {}, one.todo)))));
}

/** @param {Hour} hour */
export const isBusy = (hour) => ["measuring", "building"].includes(hour.work);
