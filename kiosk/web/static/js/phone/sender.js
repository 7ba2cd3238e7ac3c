// Sends the camera's pictures: at most two under way; what comes meanwhile is dropped and counted.

const AT_ONCE = 2;
const QUALITY = 0.85;
const GIVE_UP_MS = 4000;
const TIMES = 5; // messages that tell the clocks' offset before the first picture
const EARLY_MS = 5; // a picture may come so much before its time
const RATE_MS = 3000; // the rate that is shown is that of so long
const RESTS_MS = 200; // such a pause is asked for while nobody looks at the pictures
const ODD_MS = 2000; // a capture time that is further off is none

/** @typedef {{key: string, pause_ms: number}} Begun what the server answered
 *  @typedef {{dropped: number, rate: number, isReached: boolean, rests: boolean}} Fate */

/** The pictures of one begun filming. */
export class Sender {
  /**
   * @param {HTMLVideoElement} video
   * @param {Begun} begun
   * @param {(message: string) => void} onEnd the server takes no more; why
   */
  constructor(video, begun, onEnd) {
    this.video = video;
    this.key = begun.key;
    this.pause = begun.pause_ms;
    this.onEnd = onEnd;
    this.size = [video.videoWidth, video.videoHeight];
    this.canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
    this.pen = /** @type {OffscreenCanvasRenderingContext2D} */ (this.canvas.getContext("2d", { alpha: false }));
    this.number = 0;
    /** @type {Promise<Blob|null>} */
    this.encoded = Promise.resolve(null);
    this.began = performance.now();
    this.underWay = 0;
    this.dropped = 0;
    this.due = 0;
    this.isOver = false;
    this.isTurned = false;
    this.isReached = true;
    /** @type {number[]} */
    this.arrivals = [];
  }

  async begin() {
    for (let k = 0; k < TIMES && !this.isOver; k += 1) {
      await this.post("/api/phone/time", { "Content-Type": "application/json" },
        JSON.stringify({ key: this.key, sent: performance.now() }));
    }
    this.next();
  }

  stop() {
    this.isOver = true;
  }

  /** How it goes. @returns {Fate} */
  get fate() {
    const now = performance.now();
    this.arrivals = this.arrivals.filter((at) => now - at < RATE_MS);
    const over = Math.min(Math.max(now - this.began, 1), RATE_MS);
    return { dropped: this.dropped, rate: (1000 * this.arrivals.length) / over, isReached: this.isReached,
      rests: this.pause > RESTS_MS };
  }

  next() {
    if (!this.isOver) this.video.requestVideoFrameCallback((now, picture) => this.see(now, picture));
  }

  /** @param {number} now @param {VideoFrameCallbackMetadata} picture */
  see(now, picture) {
    this.next();
    this.isTurned = picture.width !== this.size[0] || picture.height !== this.size[1];
    const told = picture.captureTime ?? picture.presentationTime;
    const taken = Math.abs(told - now) < ODD_MS ? told : now;
    if (this.isOver || this.isTurned || taken + EARLY_MS < this.due) return;
    this.due = Math.max(this.due + this.pause, taken);
    if (this.underWay >= AT_ONCE) this.dropped += 1;
    else this.send(taken);
  }

  /** @param {number} taken */
  async send(taken) {
    this.underWay += 1;
    const number = this.number;
    this.number += 1;
    this.pen.drawImage(this.video, 0, 0);
    try {
      const encoding = this.canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
      const before = this.encoded;
      this.encoded = encoding.catch(() => null);
      await before; // one that overtakes it would be dropped by the server
      const picture = await encoding;
      const head = { key: this.key, number, taken, sent: performance.now(), dropped: this.dropped };
      const answer = await this.post("/api/phone/frames", { "X-Fairdeal-Frame": JSON.stringify(head) }, picture);
      if (answer?.ok) {
        this.pause = answer.pause_ms;
        this.arrivals.push(performance.now());
      } else this.dropped += 1;
    } finally {
      this.underWay -= 1;
    }
  }

  /**
   * The server's answer; null where none came.
   * @param {string} path @param {Record<string, string>} headers @param {BodyInit} body
   */
  async post(path, headers, body) {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), GIVE_UP_MS);
    try {
      const answer = await fetch(path, { method: "POST", headers, body, signal: giveUp.signal });
      const found = await answer.json();
      this.isReached = true;
      if ([401, 403, 409, 410].includes(answer.status) && !this.isOver) {
        this.stop();
        this.onEnd(found.message ?? "");
      }
      return found;
    } catch {
      this.isReached = false; // the next pictures try again
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}
