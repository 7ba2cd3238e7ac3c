// A call that was wrong, or a recorded game, is kept: what a report would hold is shown first.
import { fill, h, post } from "../dom.js";
import { t } from "../texts.js";
import { PartChoice } from "./part.js";

/** @typedef {import("../connection.js").Call} Call */
/** @typedef {{seconds: number, pictures: number, megabytes: number, events: number, calls: number,
 *   deck: string, width: number, height: number}} Contents */
/** What is kept: the numbers and names that the server asks for.
 * @typedef {{call?: number, recording?: string}} Kept */

/**
 * "This was wrong: keep it".
 * @param {Call} call
 * @param {{choose: (choice: Node|null) => void}} acts
 */
export function keepCall(call, acts) {
  const back = h("button", { onclick: () => acts.choose(null) }, `◀ ${t("back-to-film")}`);
  return keeping({ call: call.n }, back);
}

/** A recorded game that was played, in the page's dialog. @param {string} title @param {string} recording */
export function keepGame(title, recording) {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  fill(sheet, h("div", { class: "row" }, h("h2", {}, `${title} · ${t("keep-game")}`),
    h("span", { class: "grow" }), h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`)),
  keeping({ recording }, null));
  sheet.showModal();
}

/** @param {Kept} kept @param {HTMLElement|null} back */
function keeping(kept, back) {
  const box = h("section", { class: "choices keep" }, h("p", { class: "note" }, t("loading")));
  post("/api/field/keep", kept).then((found) => {
    if (found.ok) fill(box, ...form(kept, found), back);
    else fill(box, h("p", { class: "bad", role: "status" }, found.message ?? ""), back);
  });
  return box;
}

/** @param {Kept} kept @param {Record<string, any>} found */
function form(kept, found) {
  const holds = h("p", { class: "holds" });
  const strip = h("div", { class: "strip" });
  const note = /** @type {HTMLInputElement} */ (h("input", { id: "keep-note", maxlength: "200" }));
  const names = tick("keep-names", t("keep-names", { names: found.names.join(", ") }));
  const free = tick("keep-free", t("keep-free"));
  const picture = new PartChoice();
  const answer = h("p", { class: "answer", role: "status" });
  let isWhole = !found.part;
  const choices = [false, true].map((whole) => h("button", { onclick: () => choose(whole) },
    whole ? t("keep-whole") : t("keep-part")));
  /** @param {number} k */
  const source = (k) => {
    const asked = new URLSearchParams(kept.recording ? { recording: kept.recording } : {});
    if (!isWhole) asked.set("call", String(kept.call));
    return `/api/field/pictures/${k}.jpg?${asked}`;
  };
  function tell() {
    /** @type {Contents} */
    const shown = isWhole ? found.whole : found.part;
    const named = names.input.checked ? "yes" : "no";
    holds.textContent = t("keep-holds", { ...shown, named, megabytes: shown.megabytes.toFixed(1) });
  }
  /** @param {boolean} whole */
  function choose(whole) {
    isWhole = whole;
    choices.forEach((each, k) => each.setAttribute("aria-pressed", String(whole === (k === 1))));
    tell();
    picture.show(source(found.pictures - 1));
    fill(strip, ...Array.from({ length: found.pictures }, (_, k) => h("img", {
      src: source(k), alt: t("keep-picture", { number: k + 1, count: found.pictures }),
    })));
  }
  const save = async () => {
    answer.textContent = "…";
    const saved = await post("/api/field/report", {
      ...(isWhole ? {} : { call: kept.call }), recording: kept.recording ?? "",
      names: names.input.checked, note: note.value, free: free.input.checked, part: picture.part,
    });
    answer.className = saved.ok ? "answer is-done" : "answer bad";
    fill(answer, document.createTextNode(saved.ok
      ? t("keep-saved", { megabytes: saved.megabytes.toFixed(1) }) : saved.message ?? ""));
    if (saved.ok) {
      const file = `${saved.name}.fairdeal`;
      answer.append(" ", h("a", { href: `/api/field/reports/${file}`, download: file }, file));
    }
  };
  names.input.addEventListener("change", tell);
  choose(isWhole);
  return [h("h3", {}, t("keep-title")),
    found.part && h("div", { class: "row", role: "group", "aria-label": t("keep-title") }, ...choices),
    holds, strip, picture.element,
    h("label", { for: "keep-note" }, t(found.part ? "keep-note" : "keep-game-note")), note,
    found.names.length > 0 && names.label, free.label,
    h("button", { class: "main", onclick: save }, t("keep-save")), answer];
}

/** A box to tick, with its label. @param {string} id @param {string} words */
function tick(id, words) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id }));
  return { input, label: h("label", { for: id, class: "tick" }, input, h("span", {}, words)) };
}
