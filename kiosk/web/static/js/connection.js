// The state of the table, followed by server-sent events that reconnect by themselves.

/** @typedef {{n: number, event: number, at: number, call: string, rule: string, message: string,
 *   place: string|null, seat: number|null, card: string|null, expected: string[],
 *   sentence: string, is_open: boolean, is_withdrawn: boolean, overruled: string}} Call */
/** @typedef {{number: number, face: string, place: string|null, quad: [number, number][],
 *   state: string, seat: number|null, confidence: number}} Card */
/** @typedef {[number, number]} Point in parts of the picture */
/** @typedef {{place: string, label: string, text: string, faces: string[],
 *   moved: Point|null}} Place */
/** @typedef {{name: string, title: string, players: number, options: Record<string, string>,
 *   sides: string[], buttons: string[], faces: string[], deck: string, number: number|null,
 *   areas: {place: string, polygon: Point[]}[], names?: string[]}} Game */
/** @typedef {{version: number, seq: number, phase: string, game: Game|null, at: number, headline: string,
 *   turn: number|null, is_started: boolean, lines: {label: string, text: string}[],
 *   places: Place[], scores: {seat: number, text: string}[],
 *   table: {cards: Card[], width: number, height: number}, calls: Call[], calls_made: number,
 *   sounds: {speak: string, can_speak: boolean, muted_s: number},
 *   recording: {is_there: boolean, is_on: boolean, drops: number, name: string, fault: string},
 *   mistakes: any[], lamps: Record<string, boolean>, lost: string, is_connected: boolean,
 *   picture: number, health: Record<string, any>, questions: import("./questions.js").Question[],
 *   referee: {is_running: boolean, why: string, pause_s: number|null, tries: number,
 *     names: string[]}|null,
 *   pairing: {wrong: number, is_closed: boolean}, phone: import("./phone/choice.js").Phone,
 *   first_hour: import("./first-hour/panel.js").Hour|null}} State */

const SILENT_MS = 20000; // the server says something every 15 s
const RETRY_MS = 2000;

/**
 * Follows the table for as long as the page is open.
 * @param {(state: State) => void} onState
 * @param {(isThere: boolean) => void} onConnection
 */
export function follow(onState, onConnection) {
  /** @type {EventSource|null} */
  let source = null;
  let heardAt = 0;
  const open = () => {
    source?.close();
    heardAt = Date.now();
    source = new EventSource("/api/events?pictures=1");
    source.addEventListener("state", (event) => {
      heardAt = Date.now();
      onConnection(true);
      onState(JSON.parse(event.data));
    });
    source.addEventListener("alive", () => { heardAt = Date.now(); });
    source.addEventListener("error", () => onConnection(false));
  };
  open();
  // A page that nobody sees follows nothing; when it wakes up it gets the whole state at once.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") open();
    else source?.close();
  });
  // A connection that is gone without a word, as after a phone changed its network.
  setInterval(() => {
    if (document.visibilityState !== "visible") return;
    const isClosed = source?.readyState === EventSource.CLOSED;
    if (Date.now() - heardAt <= (isClosed ? RETRY_MS : SILENT_MS)) return;
    onConnection(false); // a server that hangs keeps its connections open
    open();
  }, RETRY_MS);
}

/** Draws the newest picture onto a canvas, one at a time, and closes each bitmap after use. */
export class Pictures {
  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.canvas = canvas;
    this.shown = -1;
    this.isBusy = false;
  }

  /** @param {number} number the picture that the server has */
  async show(number) {
    if (this.isBusy || number === this.shown || number === 0) return;
    this.isBusy = true;
    try {
      const answer = await fetch(`/api/picture.jpg?n=${number}`);
      if (!answer.ok) return;
      const bitmap = await createImageBitmap(await answer.blob());
      if (this.canvas.width !== bitmap.width || this.canvas.height !== bitmap.height) {
        this.canvas.width = bitmap.width;
        this.canvas.height = bitmap.height;
      }
      this.canvas.getContext("2d")?.drawImage(bitmap, 0, 0);
      bitmap.close();
      this.shown = number;
    } catch {
      // The next state brings the next picture.
    } finally {
      this.isBusy = false;
    }
  }
}
