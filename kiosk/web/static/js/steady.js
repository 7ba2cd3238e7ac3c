// A page that changes under a finger loses the tap: a click needs one element for down and up.

const CLICK_MS = 1000; // so long after a finger was lifted its click may come, on a busy machine
const LONGEST_MS = 3000; // a resting finger must not stop the page

/**
 * Shows each value, but holds the newest one back while a finger or button is down.
 * @template T
 * @param {(value: T) => void} show
 * @returns {(value: T) => void}
 */
export function whenUntouched(show) {
  /** @type {{value: T}|null} */
  let held = null;
  let isTouched = false;
  let timer = 0;
  const release = () => {
    clearTimeout(timer);
    isTouched = false;
    const last = held;
    held = null;
    if (last) show(last.value);
  };
  const releaseAfter = (/** @type {number} */ ms) => {
    clearTimeout(timer);
    timer = setTimeout(release, ms);
  };
  document.addEventListener("pointerdown", () => { isTouched = true; releaseAfter(LONGEST_MS); }, true);
  document.addEventListener("pointerup", () => isTouched && releaseAfter(CLICK_MS), true);
  // After a click, or a finger that slid away, nothing more comes; the click's own acts are first.
  for (const name of ["click", "pointercancel"]) {
    document.addEventListener(name, () => isTouched && releaseAfter(0), true);
  }
  return (value) => {
    if (isTouched) held = { value };
    else show(value);
  };
}
