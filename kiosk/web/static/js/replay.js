// The replay of a call: its frames, the cards outlined, the card seen beside the face it was read as.
import { faceImage } from "./calls.js";
import { fill, h, post } from "./dom.js";
import { t } from "./texts.js";

/**
 * Opens the replay of a call in the page's dialog.
 * @param {import("./connection.js").Call} call
 * @param {import("./connection.js").State} state
 * @param {boolean} mayAct
 */
export async function openReplay(call, state, mayAct) {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const body = h("div", {});
  const close = h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`);
  fill(sheet, h("div", { class: "row" }, h("h2", {}, call.message), h("span", { class: "grow" }), close),
    body);
  sheet.showModal();
  const evidence = await evidenceOf(call.n);
  fill(body, evidence ? film(call, evidence) : h("p", { class: "note" }, t("no-evidence")),
    h("div", { class: "replay" }, h("div", {}, mayAct && verdicts(call, state, sheet)),
      comparison(call, state, evidence)));
}

/** Waits for the second after the call to pass. @param {number} n */
async function evidenceOf(n) {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const answer = await fetch(`/api/evidence/${n}`);
    if (answer.ok) return answer.json();
    await new Promise((resolve) => setTimeout(resolve, 600));
  }
  return null;
}

/** @param {import("./connection.js").Call} call @param {any} evidence */
function film(call, evidence) {
  const canvas = /** @type {HTMLCanvasElement} */ (h("canvas", { class: "film", role: "img",
    "aria-label": call.message }));
  const strip = h("div", { class: "strip", role: "group", "aria-label": t("replay-of") });
  /** @param {number} k */
  const show = async (k) => {
    const answer = await fetch(`/api/evidence/${call.n}/${k}.jpg`);
    const bitmap = await createImageBitmap(await answer.blob());
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    const context = canvas.getContext("2d");
    if (!context) return;
    context.drawImage(bitmap, 0, 0);
    bitmap.close();
    for (const card of evidence.frames[k].cards) {
      const isIt = card.face === call.card && card.place === call.place;
      context.lineWidth = isIt ? 5 : 2;
      context.strokeStyle = isIt ? "#ff7a33" : "#f4f6f8";
      context.beginPath();
      card.quad.forEach((/** @type {number[]} */ p, /** @type {number} */ i) =>
        context[i ? "lineTo" : "moveTo"](p[0] * canvas.width, p[1] * canvas.height));
      context.closePath();
      context.stroke();
    }
    [...strip.children].forEach((each, i) => each.setAttribute("aria-pressed", String(i === k)));
  };
  evidence.frames.forEach((/** @type {any} */ frame, /** @type {number} */ k) => {
    const seconds = (frame.at - call.at).toFixed(1);
    strip.append(h("button", {
      class: k === evidence.rest ? "is-rest" : "", onclick: () => show(k),
      "aria-label": t("frame-of", { at: seconds }) + (k === evidence.rest ? `, ${t("at-rest")}` : ""),
    }, h("img", { src: `/api/evidence/${call.n}/${k}.jpg`, alt: "" })));
  });
  if (evidence.frames.length) show(evidence.rest);
  return h("div", {}, canvas, strip);
}

/**
 * @param {import("./connection.js").Call} call
 * @param {import("./connection.js").State} state
 * @param {any} evidence
 */
function comparison(call, state, evidence) {
  if (!call.card) return h("div", {});
  const seen = evidence?.has_card
    ? h("img", { src: `/api/evidence/${call.n}/card.jpg`, alt: t("seen") }) : h("span", {}, "–");
  return h("div", { class: "pair" },
    h("figure", {}, seen, h("figcaption", {}, t("seen"))),
    h("figure", {}, faceImage(call.card, state.game?.deck ?? ""),
      h("figcaption", {}, `${t("taught")}: ${call.card}`)));
}

/**
 * @param {import("./connection.js").Call} call
 * @param {import("./connection.js").State} state
 * @param {HTMLDialogElement} sheet
 */
function verdicts(call, state, sheet) {
  const answer = h("p", { class: "note", role: "status" });
  const more = h("div", {});
  /** @param {object} verdict */
  const overrule = async (verdict) => {
    const found = await post("/api/overrule", { call: call.n, ...verdict });
    answer.className = found.ok ? "note" : "bad";
    answer.textContent = found.ok ? t("overruled", { changed: found.changed ?? 0 }) : found.message ?? "";
    fill(more);
  };
  const faces = () => fill(more, h("h3", {}, t("that-card-is")), h("div", { class: "grid" },
    ...likelyFirst(call, state).map((face) => h("button", {
      class: "choice", onclick: () => overrule({ verdict: "card", card: face }),
    }, faceImage(face, state.game?.deck ?? ""), face))));
  const seats = () => fill(more, h("h3", {}, t("it-was-seat")), h("div", { class: "row" },
    ...Array.from({ length: state.game?.players ?? 0 }, (_, k) => h("button", {
      onclick: () => overrule({ verdict: "seat", seat: k + 1 }),
    }, t("seat", { seat: k + 1 })))));
  return h("div", {}, h("div", { class: "row" },
    h("button", { class: "main", onclick: () => sheet.close() }, `✓ ${t("right")}`),
    call.card && h("button", { onclick: faces }, t("that-card-is")),
    h("button", { onclick: seats }, t("it-was-seat")),
    ["mistake", "unsure"].includes(call.call) && h("button", {
      onclick: () => overrule({ verdict: "no-mistake" }),
    }, `✗ ${t("no-mistake")}`)), answer, more);
}

/**
 * The faces of the game; those that were due come first.
 * @param {import("./connection.js").Call} call
 * @param {import("./connection.js").State} state
 */
function likelyFirst(call, state) {
  /** @type {string[]} */
  const faces = state.game?.faces ?? [];
  const first = call.expected.filter((face) => faces.includes(face));
  return [...new Set([...first, ...faces])].filter((face) => face !== call.card);
}
