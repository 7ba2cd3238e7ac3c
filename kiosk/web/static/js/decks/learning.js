// The switch that lets decks learn from games, in the menu.
import { fill, h, post } from "../dom.js";
import { t } from "../texts.js";

/** @param {HTMLElement} element */
export async function showLearning(element) {
  const answer = await fetch("/api/learning");
  const found = await answer.json();
  if (answer.ok) draw(element, found.is_on);
  else fill(element, h("h3", {}, t("learning")), h("p", { class: "bad" }, found.message));
}

/** @param {HTMLElement} element @param {boolean} isOn */
function draw(element, isOn) {
  const answer = h("p", { class: "bad", role: "status" });
  const turn = async () => {
    const found = await post("/api/learning", { on: !isOn });
    if (found.ok) draw(element, !isOn);
    else answer.textContent = found.message ?? "";
  };
  fill(element, h("h3", {}, t("learning")), h("div", { class: "row" },
    h("button", { "aria-pressed": String(isOn), onclick: turn }, isOn ? t("learning-end") : t("learning-begin"))),
  h("p", { class: "note" }, t("learning-note")), answer);
}
