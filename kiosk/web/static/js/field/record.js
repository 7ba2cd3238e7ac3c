// The switch that records the table, in the menu.
import { fill, h, post } from "../dom.js";
import { t } from "../texts.js";

/** @typedef {import("../connection.js").State} State */

/** @param {HTMLElement} element @param {State["recording"]} recording */
export function showRecording(element, recording) {
  if (!recording.is_there) return;
  const answer = h("p", { class: "bad", role: "status" }, recording.fault);
  /** @param {boolean} on */
  const turn = async (on) => {
    const found = await post("/api/record", { on });
    if (found.ok) showRecording(element, { ...recording, is_on: on, fault: "" });
    else answer.textContent = found.message ?? "";
  };
  fill(element, h("h3", {}, t("recording")), h("div", { class: "row" },
    h("button", {
      "aria-pressed": String(recording.is_on), onclick: () => turn(!recording.is_on),
    }, recording.is_on ? t("record-end") : t("record-table")),
    recording.drops > 0 && h("span", { class: "note" }, t("record-drops", { count: recording.drops }))),
  h("p", { class: "note" }, t("record-note")), answer);
}
