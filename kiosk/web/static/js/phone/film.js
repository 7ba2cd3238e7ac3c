// On the phone: films the table, says how it goes, goes on by itself after a pause.
import { fill, h, post } from "../dom.js";
import { t } from "../texts.js";
import { Awake, holdUpright, lockLight, mayFilm, openCamera } from "./camera.js";
import { Sender } from "./sender.js";

const AGAIN_MS = 1500; // between two attempts to film
const SHOWN_MS = 500;
const FILMS = "fairdeal-films"; // this phone filmed last: it begins by itself

export class FilmView {
  /** @param {Element} view */
  constructor(view) {
    this.view = view;
    this.video = /** @type {HTMLVideoElement} */ (h("video", { muted: true, playsinline: true, "aria-label": t("film-picture") }));
    this.video.muted = true;
    this.awake = new Awake();
    this.isWanted = false; // people want this phone to film
    this.isLocked = false;
    this.isBusy = false;
    this.message = "";
    this.shown = "";
    /** @type {MediaStream|null} */
    this.stream = null;
    /** @type {Sender|null} */
    this.sender = null;
    this.panel = h("section", { class: "film-panel" });
  }

  open() {
    fill(this.view, h("div", { class: "filming" }, this.video, this.panel));
    document.addEventListener("visibilitychange", () => (document.hidden ? this.pause() : this.goOn()));
    window.addEventListener("pagehide", () => this.pause());
    setInterval(() => { this.keepAwake(); this.draw(); }, SHOWN_MS);
    if (mayFilm() && localStorage.getItem(FILMS)) this.want();
    this.draw();
  }

  /** People want to film, or did before this page was opened again. */
  want() {
    this.isWanted = true;
    localStorage.setItem(FILMS, "yes");
    this.goOn();
  }

  async goOn() {
    if (!this.isWanted || this.isBusy || this.sender || document.hidden) return;
    this.isBusy = true;
    this.draw();
    try {
      await this.film();
      this.message = "";
    } catch (error) {
      this.message = refusal(error);
      if (isFinal(error)) this.isWanted = false;
      else setTimeout(() => this.goOn(), AGAIN_MS);
    } finally {
      this.isBusy = false;
      this.draw();
    }
  }

  /** Browsers let go of the screen by themselves, where the battery is low say: it is held again. */
  async keepAwake() {
    if (this.sender && !this.awake.isHeld && !document.hidden) await this.awake.hold();
  }

  async film() {
    await this.awake.hold();
    if (!this.stream?.active) {
      this.stream = await openCamera();
      this.video.srcObject = this.stream;
      await this.video.play();
      this.isLocked = await lockLight(this.stream.getVideoTracks()[0]);
    }
    const begun = await post("/api/phone", {
      width: this.video.videoWidth, height: this.video.videoHeight,
      is_awake: this.awake.isHeld, is_locked: this.isLocked,
    });
    if (!begun.ok) throw new Error(begun.message);
    this.sender = new Sender(this.video, /** @type {any} */ (begun), (why) => this.ended(why));
    await this.sender.begin();
  }

  /** The server takes no more of this filming: it began anew, or somebody stopped it. @param {string} why */
  ended(why) {
    this.sender = null;
    this.message = why;
    setTimeout(() => this.goOn(), AGAIN_MS);
  }

  /** Nobody sees the page, or it goes: the camera is given back, the referee hears it at once. */
  pause() {
    const sender = this.sender;
    this.sender = null;
    sender?.stop();
    if (sender) {
      fetch("/api/phone", { method: "DELETE", keepalive: true, body: JSON.stringify({ key: sender.key }) });
    }
    this.stream?.getTracks().forEach((track) => track.stop());
    this.stream = null;
    this.awake.release();
    this.draw();
  }

  /** People stop it. */
  stop() {
    this.isWanted = false;
    localStorage.removeItem(FILMS);
    this.message = "";
    this.pause();
  }

  /** The lamp was switched, say: exposure and white balance are found anew. */
  async adjust() {
    const track = this.stream?.getVideoTracks()[0];
    this.isBusy = true;
    this.draw();
    if (track) this.isLocked = await lockLight(track);
    this.isBusy = false;
    this.draw();
  }

  draw() {
    const fate = this.sender?.fate;
    const key = JSON.stringify([this.isWanted, this.isBusy, this.message, this.isLocked, this.awake.isHeld,
      this.sender?.isTurned, fate && [Math.round(fate.rate), fate.dropped, fate.isReached, fate.rests], Boolean(this.sender)]);
    if (key === this.shown) return;
    this.shown = key;
    fill(this.panel, ...(this.isWanted ? this.working(fate) : this.ready()));
  }

  ready() {
    return [h("h1", {}, t("film-title")), this.message ? h("p", { class: "bad", role: "alert" }, this.message) : null,
      mayFilm() ? h("p", {}, t("film-do")) : h("p", { class: "bad" }, t("film-insecure")),
      mayFilm() ? h("button", { class: "main wide", onclick: () => { holdUpright(); this.want(); } }, t("film-begin")) : null];
  }

  /** @param {import("./sender.js").Fate|undefined} fate */
  working(fate) {
    const words = !this.sender ? this.message || t("film-starting") : this.sender.isTurned ? t("film-turned")
      : fate?.isReached && fate.rests ? t("film-rests") : fate?.isReached ? t("film-goes", { rate: Math.round(fate.rate), dropped: fate.dropped }) : t("film-unreached");
    const isGood = this.sender && !this.sender.isTurned && fate?.isReached;
    return [h("h1", { class: "unseen" }, t("film-title")), h("p", { class: `film-fate ${isGood ? "is-good" : "bad"}`, role: "status" }, isGood ? `✓ ${words}` : words),
      this.sender && !this.awake.isHeld ? h("p", { class: "bad" }, t("film-asleep")) : null,
      this.sender && !this.isBusy && !this.isLocked ? h("p", { class: "note" }, t("film-unlocked")) : null,
      h("div", { class: "row" }, h("button", { onclick: () => this.stop() }, t("film-stop")),
        this.isLocked ? h("button", { disabled: this.isBusy, onclick: () => this.adjust() }, t("film-adjust")) : null)];
  }
}

/** Whether trying again is of no use: people or the system refused the camera. @param {any} error */
const isFinal = (error) => ["NotAllowedError", "NotFoundError", "SecurityError"].includes(error?.name);

/** @param {any} error */
function refusal(error) {
  if (error?.name === "NotAllowedError") return t("film-refused");
  if (error?.name === "NotFoundError") return t("film-no-camera");
  if (error?.name === "NotReadableError") return t("film-in-use");
  return String(error?.message ?? error);
}
