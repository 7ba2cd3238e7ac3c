// Step 1: focus and light meter on the live picture; the check that locks the camera's controls.
import { h } from "../dom.js";
import { offerPhone } from "../phone/choice.js";
import { t } from "../texts.js";
import { button, findingList, isBusy, meter, progress, standing } from "./panel.js";

/** @typedef {import("./panel.js").Hour} Hour */

export class CameraPanel {
  /** @param {import("./stage.js").Stage} stage @param {import("./panel.js").Acts} acts */
  constructor(stage, acts) {
    this.step = "camera";
    this.stage = stage;
    this.acts = acts;
    this.focus = meter("meter-focus", t("hour-focus"));
    this.light = meter("meter-light", t("hour-light"));
  }

  /** What the panel shows beside the meters. @param {Hour} hour */
  key(hour) {
    return Boolean(hour.meter);
  }

  /** The meters move without the panel being drawn again. @param {Hour} hour */
  live(hour) {
    const found = hour.meter;
    if (!found) return;
    const top = Math.max(found.focus_best, found.focus_least * 3);
    const isSharp = found.focus >= found.focus_least;
    this.focus.show(found.focus / top, found.focus_least / top, 1,
      t(isSharp ? "hour-focus-good" : "hour-focus-bad"), isSharp);
    const isDark = found.light < found.light_least;
    const isBright = found.light > found.light_most;
    this.light.show(found.light / 255, found.light_least / 255, found.light_most / 255,
      t(isDark ? "hour-light-dark" : isBright ? "hour-light-bright" : "hour-light-good"), !isDark && !isBright);
  }

  /** @param {Hour} hour */
  draw(hour) {
    const isPassed = standing(hour, "camera").mark === "passed";
    if (hour.work === "teaching") {
      return [h("h1", {}, t("hour-lens")), h("p", {}, t("hour-lens-do")), progress(),
        button("main", t("hour-stop"), () => this.acts.order("look"))];
    }
    return [
      h("h1", {}, t("hour-step-camera")), h("p", {}, t("hour-camera-do")),
      this.focus.element, this.light.element,
      isBusy(hour) ? progress() : button(isPassed ? "" : "main",
        isPassed ? t("hour-again") : t("hour-camera-go"), () => this.acts.order("check-camera")),
      hour.findings.length ? findingList(hour.findings) : null,
      isBusy(hour) ? null : h("details", { class: "hour-said" }, h("summary", {}, t("hour-lens")),
        h("p", { class: "note" }, t("hour-lens-why")), button("", t("hour-lens-go"), () => this.acts.order("lens"))),
      isBusy(hour) ? null : button("", t("use-phone"), offerPhone),
    ];
  }
}
