// Sends the newest state of a form: one request at a time, so that an older one never comes last.
import { post } from "../dom.js";

const APART_MS = 200; // a fast typist stays below the rate that the server allows
const AGAIN_MS = 2000; // after a request that did not reach the server

/** @typedef {{ok: boolean, message?: string, [key: string]: any}} Answer */

export class Saving {
  /** @param {string} path @param {(answer: Answer) => void} tell */
  constructor(path, tell) {
    this.path = path;
    this.tell = tell;
    /** @type {object|null} */
    this.newest = null;
    this.isSending = false;
    window.addEventListener("beforeunload", (event) => {
      if (this.isSending) event.preventDefault();
    });
  }

  /** Returns once this state, or a newer one, was sent. @param {object} state */
  async save(state) {
    this.newest = state;
    if (this.isSending) return;
    this.isSending = true;
    while (this.newest) await this.send();
    this.isSending = false;
  }

  async send() {
    const sent = this.newest;
    this.newest = null;
    const answer = await post(this.path, /** @type {object} */ (sent));
    if (answer.isLost) this.newest ??= sent;
    if (!this.newest || !answer.ok) this.tell(answer); // what was saved is not the newest otherwise
    await new Promise((resume) => setTimeout(resume, answer.isLost ? AGAIN_MS : APART_MS));
  }
}
