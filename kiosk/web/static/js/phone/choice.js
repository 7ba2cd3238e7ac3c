// On the table's screen: which camera the table has, and how a phone becomes it.
import { fill, h, post } from "../dom.js";
import { t } from "../texts.js";

/** @typedef {{name: string, is_lost: boolean}|null} Phone the phone that films
 *  @typedef {{can_film: boolean, fault: string, is_phone: boolean, own: string, phone: Phone}} Cameras */

/** A row of two buttons: the table's own camera, or a phone. */
export class CameraChoice {
  constructor() {
    this.element = h("div", { class: "camera-choice" });
    this.message = "";
    /** @type {Phone} */
    this.phone = null;
    /** @type {Cameras|null} */
    this.found = null;
  }

  async open() {
    const answer = await fetch("/api/phone");
    if (!answer.ok) return;
    this.found = /** @type {Cameras} */ (await answer.json());
    this.phone = this.found.phone;
    this.draw();
  }

  /** @param {import("../connection.js").State} state */
  follow(state) {
    if (JSON.stringify(state.phone) === JSON.stringify(this.phone)) return;
    this.phone = state.phone;
    this.open(); // a phone that begins may have become the table's camera
  }

  draw() {
    const found = this.found;
    if (!found || (!found.own && !found.can_film)) return;
    const own = found.own === "phone" ? null : choice(t("camera-own", { name: found.own.split("/").pop() ?? "" }), !found.is_phone, () => this.choose(false));
    fill(this.element, h("h2", {}, t("camera")), h("div", { class: "row", role: "group", "aria-label": t("camera") }, own,
      choice(t("camera-phone"), found.is_phone, () => this.choose(true))),
    found.is_phone ? h("p", { class: "note", role: "status" }, this.phone ? told(this.phone) : t("phone-none")) : null,
    found.is_phone ? h("button", { onclick: offerPhone }, t("phone-connect")) : null,
    this.message || found.fault ? h("p", { class: "bad" }, this.message || found.fault) : null);
  }

  /** @param {boolean} isPhone */
  async choose(isPhone) {
    const answer = await post("/api/camera", { phone: isPhone });
    this.message = answer.ok ? "" : answer.message ?? "";
    await this.open();
    if (answer.ok && isPhone && !this.phone) offerPhone();
  }
}

/** What a phone does. @param {{name: string, is_lost: boolean}} phone */
export const told = (phone) => t(phone.is_lost ? "phone-lost" : "phone-films", { name: phone.name });

/** The QR code and the steps that make a phone the camera. */
export async function offerPhone() {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const offer = await post("/api/phone/offer", {});
  if (offer.ok && !offer.digits) { // a phone that is paired already
    location.assign(offer.address);
    return;
  }
  fill(sheet, h("div", { class: "row" }, h("h2", {}, t("phone-title")),
    h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`)),
  offer.ok ? h("div", { class: "offer of-phone" }, h("div", {}, ...steps(offer)),
    h("img", { src: `/api/phone/qr.svg?digits=${offer.digits}`, alt: offer.address, width: 220 }))
    : h("p", { class: "bad" }, offer.message ?? ""));
  if (!sheet.open) sheet.showModal();
}

/** @param {any} offer */
function steps(offer) {
  return [
    offer.is_reached ? null : h("p", { class: "bad" }, t("phone-unreached")),
    h("ol", { class: "phone-steps" }, h("li", {}, t("phone-step-scan")), h("li", {}, t("phone-step-warning"),
      h("details", {}, h("summary", {}, "Android"), h("p", {}, t("phone-warning-android"))),
      h("details", {}, h("summary", {}, "iPhone"), h("p", {}, t("phone-warning-iphone")))),
    h("li", {}, t("phone-step-pair")), h("li", {}, t("phone-step-mount")), h("li", {}, t("phone-step-begin"))),
    h("p", { class: "note" }, t("phone-address", { address: offer.address, digits: offer.digits })),
  ];
}

/** @param {string} words @param {boolean} isChosen @param {() => void} act */
const choice = (words, isChosen, act) => h("button", { "aria-pressed": String(isChosen), onclick: act }, words);
