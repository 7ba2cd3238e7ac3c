// The menu: what is not needed at every moment. Sounds are set here.
import { press } from "./bar.js";
import { showLearning } from "./decks/learning.js";
import { fill, h, post } from "./dom.js";
import { showRecording } from "./field/record.js";
import { offerPairing } from "./pairing.js";
import { buttonText, t } from "./texts.js";

/** @typedef {import("./connection.js").State} State */
/** @typedef {{text: string, act: () => void, isMain?: boolean}} Entry */

const MUTE_S = 600;
const VOICES = ["", "en", "de"];

/**
 * @param {State|null} state
 * @param {boolean} mayAct
 * @param {Entry[]} entries other views and acts
 */
export function openMenu(state, mayAct, entries) {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const sounds = h("div", {});
  const recording = h("div", {});
  const learning = h("div", {});
  if (state?.game && mayAct) showRecording(recording, state.recording);
  if (state?.referee && mayAct) showLearning(learning);
  if (state?.game && mayAct) showSounds(sounds, state.sounds);
  /** @param {() => void} act */
  const closing = (act) => () => { sheet.close(); act(); };
  fill(sheet, h("div", { class: "row" }, h("h2", {}, t("menu")), h("span", { class: "grow" }),
    h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`)),
  h("div", { class: "menu-grid" }, ...entries.map(({ text, act, isMain }) =>
    h("button", { class: isMain ? "main" : "", onclick: closing(act) }, text)),
  mayAct && h("button", { onclick: () => offerPairing() }, t("pair-phone")),
  ...gameButtons(state, mayAct).map((name) =>
    h("button", { onclick: closing(() => state && press(name, state)) }, buttonText(name)))),
  recording, learning, sounds);
  if (!sheet.open) sheet.showModal();
}

/** Buttons of a game that are needed rarely. @param {State|null} state @param {boolean} mayAct */
function gameButtons(state, mayAct) {
  if (!state?.game || !mayAct || state.phase !== "playing" || !state.is_started) return [];
  return ["start", "end"];
}

/** @param {HTMLElement} element @param {State["sounds"]} sounds */
function showSounds(element, sounds) {
  const answer = h("p", { class: "bad", role: "status" });
  /** @param {Partial<State["sounds"]>} next @param {object} body */
  const set = async (next, body) => {
    const found = await post("/api/sounds", body);
    if (found.ok) showSounds(element, { ...sounds, ...next });
    else answer.textContent = found.message ?? "";
  };
  const isMuted = sounds.muted_s > 0;
  fill(element, h("h3", {}, t("sounds")), h("div", { class: "row" },
    h("button", {
      "aria-pressed": String(isMuted),
      onclick: () => set({ muted_s: isMuted ? 0 : MUTE_S }, { mute_s: isMuted ? 0 : MUTE_S }),
    }, isMuted ? t("unmute") : t("mute-for", { minutes: MUTE_S / 60 })),
    isMuted && h("span", { class: "note" }, t("muted-for", { minutes: Math.ceil(sounds.muted_s / 60) }))),
  h("h3", {}, t("spoken-calls")),
  sounds.can_speak ? h("div", { class: "row", role: "group", "aria-label": t("spoken-calls") },
    ...VOICES.map((voice) => h("button", {
      "aria-pressed": String(voice === sounds.speak), onclick: () => set({ speak: voice }, { speak: voice }),
    }, t(`voice-${voice || "off"}`)))) : h("p", { class: "note" }, t("no-voice")), answer);
}
