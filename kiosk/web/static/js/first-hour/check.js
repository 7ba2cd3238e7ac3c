// Step 6: two minutes with cards laid on request; then what will not work here, and what to move.
import { h } from "../dom.js";
import { t } from "../texts.js";
import { button, progress, standing, STATES } from "./panel.js";

/** @typedef {import("./panel.js").Hour} Hour */
/** @typedef {import("./panel.js").TableFinding} TableFinding */

export class CheckPanel {
  /** @param {import("./stage.js").Stage} _stage @param {import("./panel.js").Acts} acts */
  constructor(_stage, acts) {
    this.step = "check";
    this.acts = acts;
    this.left = h("span", { class: "note" });
  }

  /** @param {Hour} hour */
  key(hour) {
    return [hour.check.asked, hour.check.result];
  }

  /** The seconds count down without the panel being drawn again. @param {Hour} hour */
  live(hour) {
    this.left.textContent = hour.check.asked ? t("check-seconds", { seconds: hour.check.left_s }) : "";
  }

  /** @param {Hour} hour */
  draw(hour) {
    const found = hour.check;
    if (hour.work === "playing") return this.asked(found);
    const isPassed = standing(hour, "check").mark === "passed";
    return [
      h("h1", {}, t("hour-step-check")), h("p", {}, t("check-do")),
      button(isPassed ? "" : "main", found.result ? t("hour-again") : t("check-go"), () => this.acts.order("check")),
      found.result ? h("p", { class: "check-result", role: "status", dataset: { state: found.result } },
        t(`check-result-${found.result}`)) : null,
      found.findings.length ? tableFindings(found.findings) : null,
      found.unseen.length ? h("p", { class: "note" }, t("check-not-seen", {
        acts: found.unseen.map((act) => t(`check-name-${act}`)).join(", "),
      })) : null,
    ];
  }

  /** @param {Hour["check"]} found */
  asked(found) {
    return [
      h("h1", {}, t("hour-step-check")),
      h("p", { class: "asked", role: "status" }, found.asked ? t(`check-ask-${found.asked}`) : t("hour-starting")),
      progress(), h("div", { class: "row two" },
        button("", `${t("check-skip")} ▸`, () => this.acts.order("check-skip")),
        button("", t("hour-stop"), () => this.acts.order("look"))),
      this.left,
    ];
  }
}

/** What is wrong comes first. @param {TableFinding[]} findings */
function tableFindings(findings) {
  const order = ["bad", "warn", "good"];
  const sorted = [...findings].sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return h("ul", { class: "findings" }, ...sorted.map((one) => {
    const id = `check-${one.topic}-${one.case}`;
    const isText = one.topic === "lock" && one.case === "refused";
    const where = one.where.map((each) => isText ? each : t(`check-where-${each.replaceAll(" ", "-")}`)).join(", ");
    const values = { measured: one.measured, needed: one.needed, where };
    return h("li", { dataset: { state: one.state } },
      h("span", { class: "mark", "aria-hidden": "true" }, STATES[/** @type {keyof typeof STATES} */ (one.state)]),
      h("span", {}, `${t(`check-topic-${one.topic}`)}: ${t(id, values)}`,
        one.state !== "good" && h("em", {}, t(`${id}-todo`, values))));
  }));
}
