// "This was wrong: keep it": what a report would hold is shown before it is saved.
import { fill, h, post } from "../dom.js";
import { t } from "../texts.js";
import { PartChoice } from "./part.js";

/** @typedef {import("../connection.js").Call} Call */
/** @typedef {{seconds: number, pictures: number, megabytes: number, events: number, calls: number,
 *   deck: string, width: number, height: number}} Contents */

/**
 * @param {Call} call
 * @param {{choose: (choice: Node|null) => void}} acts
 */
export function keepCall(call, acts) {
  const box = h("section", { class: "choices keep" }, h("p", { class: "note" }, t("loading")));
  const back = h("button", { onclick: () => acts.choose(null) }, `◀ ${t("back-to-film")}`);
  post("/api/field/keep", { call: call.n }).then((found) => {
    if (found.ok) fill(box, ...form(call, found), back);
    else fill(box, h("p", { class: "bad", role: "status" }, found.message ?? ""), back);
  });
  return box;
}

/** @param {Call} call @param {Record<string, any>} found */
function form(call, found) {
  const holds = h("p", { class: "holds" });
  const strip = h("div", { class: "strip" });
  const note = /** @type {HTMLInputElement} */ (h("input", { id: "keep-note", maxlength: "200" }));
  const names = tick("keep-names", t("keep-names", { names: found.names.join(", ") }));
  const free = tick("keep-free", t("keep-free"));
  const picture = new PartChoice();
  const answer = h("p", { class: "answer", role: "status" });
  let isWhole = false;
  const choices = [false, true].map((whole) => h("button", { onclick: () => choose(whole) },
    whole ? t("keep-whole") : t("keep-part")));
  /** @param {boolean} whole */
  function choose(whole) {
    isWhole = whole;
    choices.forEach((each, k) => each.setAttribute("aria-pressed", String(whole === (k === 1))));
    /** @type {Contents} */
    const shown = whole ? found.whole : found.part;
    holds.textContent = t("keep-holds", { ...shown, megabytes: shown.megabytes.toFixed(1) });
    picture.show(`/api/field/pictures/${found.pictures - 1}.jpg${whole ? "" : `?call=${call.n}`}`);
    fill(strip, ...Array.from({ length: found.pictures }, (_, k) => h("img", {
      src: `/api/field/pictures/${k}.jpg${whole ? "" : `?call=${call.n}`}`,
      alt: t("keep-picture", { number: k + 1, count: found.pictures }),
    })));
  }
  const save = async () => {
    answer.textContent = "…";
    const saved = await post("/api/field/report", {
      call: isWhole ? null : call.n, names: names.input.checked, note: note.value,
      free: free.input.checked, part: picture.part,
    });
    answer.className = saved.ok ? "answer is-done" : "answer bad";
    fill(answer, document.createTextNode(saved.ok
      ? t("keep-saved", { megabytes: saved.megabytes.toFixed(1) }) : saved.message ?? ""));
    if (saved.ok) {
      const file = `${saved.name}.fairdeal`;
      answer.append(" ", h("a", { href: `/api/field/reports/${file}`, download: file }, file));
    }
  };
  choose(false);
  return [h("h3", {}, t("keep-title")), h("div", { class: "row", role: "group", "aria-label": t("keep-title") }, ...choices),
    holds, strip, picture.element, h("label", { for: "keep-note" }, t("keep-note")), note,
    found.names.length > 0 && names.label, free.label,
    h("button", { class: "main", onclick: save }, t("keep-save")), answer];
}

/** A box to tick, with its label. @param {string} id @param {string} words */
function tick(id, words) {
  const input = /** @type {HTMLInputElement} */ (h("input", { type: "checkbox", id }));
  return { input, label: h("label", { for: id, class: "tick" }, input, h("span", {}, words)) };
}
