// Pairing: digits and a QR code on the table's screen; the digits are typed on the phone.
import { fill, h, post } from "./dom.js";
import { t } from "./texts.js";

/** On the phone. @param {Element} view @param {() => void} onPaired */
export function showPairing(view, onPaired) {
  const digits = /** @type {HTMLInputElement} */ (h("input", {
    inputmode: "numeric", maxlength: 6, autocomplete: "one-time-code", id: "digits",
    value: /^#\d{6}$/.test(location.hash) ? location.hash.slice(1) : "",
  }));
  const name = /** @type {HTMLInputElement} */ (h("input", { maxlength: 40, id: "name" }));
  const answer = h("p", { role: "status" });
  const pair = async () => {
    const found = await post("/api/pair", { digits: digits.value, name: name.value });
    answer.className = found.ok ? "" : "bad";
    answer.textContent = found.ok ? t("paired") : found.message ?? "";
    if (found.ok) onPaired();
  };
  fill(view, h("section", { class: "pane" }, h("h1", {}, t("pair-phone")),
    h("p", {}, h("label", { for: "digits" }, t("pair-digits")), " ", digits),
    h("p", {}, h("label", { for: "name" }, t("pair-name")), " ", name),
    h("button", { class: "main", onclick: pair }, t("pair-now")), answer));
}

/** On the table's screen. @param {string} [role] of the new device: `referee` or `watcher` */
export async function offerPairing(role = "referee") {
  const sheet = /** @type {HTMLDialogElement} */ (document.getElementById("sheet"));
  const found = await (await fetch("/api/devices")).json(); // a new code forgets who tried the old one
  const code = await post("/api/pair/code", { role });
  const devices = (found.devices ?? []).map((/** @type {any} */ device) => h("li", {},
    h("span", {}, `${device.name} (${device.role})`), h("button", {
      onclick: async () => {
        await post(`/api/devices/${device.number}`, {}, "DELETE");
        offerPairing(role);
      },
    }, t("remove"))));
  const tried = (found.tried ?? []).map((/** @type {any} */ each) => h("p", { class: "bad" },
    t("pair-tried-by", { address: each.address, count: each.wrong })));
  fill(sheet, h("div", { class: "row" }, h("h2", {}, t("pair-phone")),
    h("button", { onclick: () => sheet.close() }, `✕ ${t("close")}`)), ...tried,
  code.ok ? h("div", { class: "offer" }, h("div", {}, h("p", {}, t("pair-words")), h("p", { class: "digits" }, code.digits)),
    h("img", { src: `/api/pair/qr.svg?digits=${code.digits}`, alt: code.digits, width: 220 }))
    : h("p", { class: "bad" }, code.message ?? ""),
  devices.length > 0 && h("h3", {}, t("paired-devices")), h("ul", { class: "devices" }, ...devices));
  if (!sheet.open) sheet.showModal();
}

/** Says on the screen that somebody types wrong digits. @param {{wrong: number, is_closed: boolean}} tries */
export function showTries({ wrong, is_closed: isClosed }) {
  const element = /** @type {HTMLElement} */ (document.getElementById("tried"));
  const words = isClosed ? t("pair-closed") : wrong ? t("pair-tried", { count: wrong }) : "";
  if (element.textContent !== words) element.textContent = words;
  element.hidden = !words;
}
