// The phone's own camera: the picture that a referee needs, held as steady as the browser lets us.

/** What browsers know of a camera beside the standard's types.
 * @typedef {MediaTrackCapabilities & {focusMode?: string[], exposureMode?: string[],
 *   whiteBalanceMode?: string[], zoom?: {min: number}}} Able
 * @typedef {MediaTrackSettings & {exposureMode?: string, exposureTime?: number, iso?: number,
 *   whiteBalanceMode?: string, colorTemperature?: number, zoom?: number}} Set */

const SETTLE_MS = 2000; // exposure and white balance find themselves before they are locked
const WISH = {
  audio: false,
  video: {
    facingMode: { ideal: "environment" }, width: { ideal: 1280 }, height: { ideal: 720 },
    frameRate: { ideal: 30 },
  },
};

/** Whether this page may film at all: browsers ask for https. */
export function mayFilm() {
  return window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);
}

/** Opens the rear camera. Rejects where people or the system refuse it. */
export async function openCamera() {
  const stream = await navigator.mediaDevices.getUserMedia(WISH);
  const track = stream.getVideoTracks()[0];
  const able = abilities(track);
  await tell(track, [
    able.focusMode?.includes("continuous") && { focusMode: "continuous" },
    able.zoom && { zoom: able.zoom.min },
  ]);
  return stream;
}

/**
 * Lets exposure and white balance settle, then keeps them; whether the browser does.
 * @param {MediaStreamTrack} track
 */
export async function lockLight(track) {
  const able = abilities(track);
  await tell(track, [
    able.exposureMode?.includes("continuous") && { exposureMode: "continuous" },
    able.whiteBalanceMode?.includes("continuous") && { whiteBalanceMode: "continuous" },
  ]);
  if (!able.exposureMode?.includes("manual") || !able.whiteBalanceMode?.includes("manual")) return false;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const now = settings(track);
  await tell(track, [
    known({ exposureMode: "manual", exposureTime: now.exposureTime, iso: now.iso }),
    known({ whiteBalanceMode: "manual", colorTemperature: now.colorTemperature }),
  ]);
  const after = settings(track);
  return after.exposureMode === "manual" && after.whiteBalanceMode === "manual";
}

/** Keeps the screen on while the page is shown; `isHeld` tells whether the browser does. */
export class Awake {
  constructor() {
    /** @type {WakeLockSentinel|null} */
    this.lock = null;
  }

  get isHeld() {
    return this.lock !== null && !this.lock.released;
  }

  async hold() {
    try {
      this.lock = await navigator.wakeLock.request("screen");
    } catch {
      this.lock = null; // not there, or the battery is low: the page says so
    }
    return this.isHeld;
  }

  release() {
    this.lock?.release();
    this.lock = null;
  }
}

/** Keeps the page from turning with the phone, where the browser can: it wants the whole screen. */
export async function holdUpright() {
  const turning = /** @type {any} */ (screen.orientation);
  try {
    await document.documentElement.requestFullscreen();
    await turning.lock(turning.type);
  } catch {
    // Such a phone turns its picture; then the page asks to turn it back.
  }
}

/** @param {MediaStreamTrack} track */
const abilities = (track) => /** @type {Able} */ (track.getCapabilities?.() ?? {});

/** @param {MediaStreamTrack} track */
const settings = (track) => /** @type {Set} */ (track.getSettings());

/** @param {Record<string, unknown>} wish */
const known = (wish) => Object.fromEntries(Object.entries(wish).filter(([, value]) => value !== undefined));

/** @param {MediaStreamTrack} track @param {unknown[]} wishes */
async function tell(track, wishes) {
  for (const wish of wishes.filter(Boolean)) {
    try {
      await track.applyConstraints(/** @type {any} */ ({ advanced: [wish] }));
    } catch {
      // A wish that this camera refuses leaves it as it was.
    }
  }
}
