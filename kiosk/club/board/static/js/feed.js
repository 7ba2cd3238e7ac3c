// The board's values, followed by server-sent events that reconnect by themselves.

/** @typedef {{n: number, at: number, call: string, rule: string, message: string, sure: number,
 *   is_doubtful: boolean, place: string|null, seat: number|null, card: string|null,
 *   expected: string[], is_open: boolean, is_withdrawn: boolean, decided: string}} Call */
/** @typedef {{name: string, session: string, is_online: boolean, where: string,
 *   can_command: boolean, game: any, phase: string, turn: number|null, headline: string,
 *   lines: {label: string, text: string}[], places: {place: string, label: string, text: string}[],
 *   scores: {seat: number, text: string}[], mistakes: number, result: any, at: number,
 *   calls_made: number, seats: string[], calls: Call[], waiting: number[],
 *   notes: {id: string, [value: string]: any}[]}} Table */

/**
 * Follows the board for as long as the page is open.
 * @param {(change: Record<string, any>, isWhole: boolean) => void} onChange
 * @param {(isThere: boolean) => void} onConnection
 */
export function follow(onChange, onConnection) {
  /** @type {EventSource|null} */
  let source = null;
  const open = () => {
    source?.close();
    source = new EventSource(`/api/events${location.search}`);
    let isFirst = true;
    source.addEventListener("open", () => { isFirst = true; });
    source.addEventListener("change", (event) => {
      onConnection(true);
      onChange(JSON.parse(event.data), isFirst);
      isFirst = false;
    });
    source.addEventListener("error", () => onConnection(false));
  };
  open();
  // A page that was asleep gets everything at once when it wakes up.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") open();
  });
  setInterval(() => {
    if (source?.readyState === EventSource.CLOSED) open();
  }, 2000);
}
