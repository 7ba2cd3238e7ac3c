// Building blocks: elements, text, and one place where errors of a request become words.

/**
 * An element with attributes, listeners (`onclick`) and children; text is always escaped.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") Object.assign(element.style, value); // CSP allows no style text
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child);
  }
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} parent
 * @param {...(Node|null|false)} children
 */
export function fill(parent, ...children) {
  parent.replaceChildren(.../** @type {Node[]} */ (children.filter(Boolean)));
}

/**
 * Seconds as m:ss.
 * @param {number} seconds
 */
export function clock(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/**
 * Sends an act; the answer has `ok` and perhaps `message`, whatever went wrong. `isLost`: no answer came.
 * @param {string} path
 * @param {object} body
 * @param {string} [method]
 * @returns {Promise<{ok: boolean, message?: string, isLost?: boolean, [key: string]: any}>}
 */
export async function post(path, body, method = "POST") {
  try {
    const answer = await fetch(path, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    return await answer.json();
  } catch (error) {
    return { ok: false, message: String(error), isLost: true };
  }
}
