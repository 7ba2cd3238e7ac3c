// Where labels stand: beside what they name, and never over each other. Pure; lengths in px.

/** @typedef {{x: number, y: number, width: number, height: number}} Box its upper left corner */
/** @typedef {{key: string, anchor: Box, width: number, height: number}} Wanted `anchor`: its cards */

const GAP = 6;
// What a label may do: lie outside, over a label, over cards; far away; nearer to another's cards.
const COSTS = { outside: 50, label: 60, card: 15, own: 3, way: 0.05, foreign: 900 };
const GRID = 24; // px between the spots of last resort

// How much of a card other places' labels may cover, and their own; parts of its area.
const COVERED = { other: 0.12, own: 0.35 };
const TOUCH = 44.5; // px, for a finger
const PUSHES = 60; // steps in which rings that overlap are pushed apart

/** @param {Box} a @param {Box} b the area that both share */
export function shared(a, b) {
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return across > 0 && down > 0 ? across * down : 0;
}

/**
 * A box for each label, in the order given. Earlier labels take the better spots; a label stays
 * where it was while that is nearly as good.
 * @param {Wanted[]} wanted
 * @param {{width: number, height: number, cards: Box[], taken: Box[]}} table
 * @param {Map<string, Point>} before upper left corners of the last time, as parts of the table
 * @returns {Map<string, Box>}
 */
export function arrange(wanted, table, before = new Map()) {
  /** @type {Map<string, Box>} */
  const found = new Map();
  const labels = [...table.taken];
  for (const each of wanted) {
    const was = before.get(each.key);
    const spots = candidates(each, table);
    let best = spots[0];
    let least = Infinity;
    for (const spot of spots) {
      const cost = costOf(spot, each, table, labels, wanted);
      if (cost < least) [best, least] = [spot, cost];
    }
    if (was) {
      const old = { x: was[0] * table.width, y: was[1] * table.height,
        width: each.width, height: each.height };
      if (costOf(old, each, table, labels, wanted) <= least * 1.2 + 40) best = old;
    }
    labels.push(best);
    found.set(each.key, best);
  }
  return found;
}

/** @typedef {[number, number]} Point */

/**
 * Whether labels stand so that all can be read: over no other, and over no card's face.
 * @param {Wanted[]} wanted
 * @param {Map<string, Box>} boxes
 * @param {{width: number, height: number, cards: Box[], taken: Box[]}} table
 */
export function isClear(wanted, boxes, table) {
  const labels = [...table.taken];
  for (const { key, anchor } of wanted) {
    const box = boxes.get(key);
    if (!box) continue;
    const inside = shared(box, { x: 0, y: 0, width: table.width, height: table.height });
    if (inside < box.width * box.height - 1 || labels.some((label) => shared(box, label) > 1)) return false;
    for (const card of table.cards) {
      const most = isOn(card, anchor) ? COVERED.own : COVERED.other;
      if (shared(box, card) > most * card.width * card.height) return false;
    }
    labels.push(box);
  }
  return true;
}

/** Whether a card is of the cards of an anchor. @param {Box} card @param {Box} anchor */
const isOn = (card, anchor) => shared(card, anchor) >= 0.9 * card.width * card.height;

/**
 * A ring around each place's own cards: large enough for a finger, over no other ring.
 * @param {Wanted[]} wanted @param {{width: number, height: number}} table
 * @returns {Map<string, Box>}
 */
export function rings(wanted, table) {
  const boxes = wanted.map(({ anchor }) => {
    const width = Math.min(Math.max(anchor.width, TOUCH), table.width);
    const height = Math.min(Math.max(anchor.height, TOUCH), table.height);
    return { width, height, x: anchor.x + (anchor.width - width) / 2, y: anchor.y + (anchor.height - height) / 2 };
  });
  for (let step = 0; step < PUSHES; step += 1) {
    boxes.forEach((one, k) => boxes.slice(k + 1).forEach((two) => pushApart(one, two)));
    for (const box of boxes) {
      box.x = Math.min(Math.max(box.x, 0), table.width - box.width);
      box.y = Math.min(Math.max(box.y, 0), table.height - box.height);
    }
  }
  return new Map(wanted.map(({ key }, k) => [key, boxes[k]]));
}

/** Moves both of two boxes by half of what they share, the shorter way. @param {Box} one @param {Box} two */
function pushApart(one, two) {
  const across = Math.min(one.x + one.width, two.x + two.width) - Math.max(one.x, two.x);
  const down = Math.min(one.y + one.height, two.y + two.height) - Math.max(one.y, two.y);
  if (across <= 0 || down <= 0) return;
  const axis = across < down ? "x" : "y";
  const side = axis === "x" ? one.x + one.width / 2 < two.x + two.width / 2 : one.y + one.height / 2 < two.y + two.height / 2;
  const by = (Math.min(across, down) / 2 + 0.1) * (side ? 1 : -1);
  one[axis] -= by;
  two[axis] += by;
}

/**
 * Spots around the anchor, the usual one below first, then farther and farther away.
 * @param {Wanted} each
 * @param {{width: number, height: number}} table
 * @returns {Box[]}
 */
function candidates({ anchor, width, height }, table) {
  const middle = { x: anchor.x + (anchor.width - width) / 2, y: anchor.y + (anchor.height - height) / 2 };
  const below = anchor.y + anchor.height + GAP;
  const above = anchor.y - height - GAP;
  const right = anchor.x + anchor.width + GAP;
  const left = anchor.x - width - GAP;
  /** @type {Box[]} */
  const spots = [];
  for (const far of [0, 1, 2]) {
    const step = far * (height + GAP);
    for (const aside of [0, -width / 3, width / 3, -width * 0.7, width * 0.7]) {
      spots.push({ x: middle.x + aside, y: below + step, width, height });
      spots.push({ x: middle.x + aside, y: above - step, width, height });
    }
    for (const y of [middle.y + step, middle.y - step]) {
      spots.push({ x: right, y, width, height }, { x: left, y, width, height });
    }
  }
  for (let y = 0; y < table.height; y += GRID) {
    for (let x = 0; x < table.width; x += GRID) spots.push({ x, y, width, height });
  }
  return spots.map((spot) => ({
    ...spot,
    x: Math.min(Math.max(spot.x, 0), Math.max(table.width - width, 0)),
    y: Math.min(Math.max(spot.y, 0), Math.max(table.height - height, 0)),
  }));
}

/**
 * @param {Box} spot
 * @param {Wanted} each
 * @param {{width: number, height: number, cards: Box[]}} table
 * @param {Box[]} labels
 * @param {Wanted[]} wanted
 */
function costOf(spot, { anchor }, table, labels, wanted) {
  const inside = shared(spot, { x: 0, y: 0, width: table.width, height: table.height });
  const way = Math.hypot(spot.x + spot.width / 2 - anchor.x - anchor.width / 2,
    spot.y + spot.height / 2 - anchor.y - anchor.height / 2);
  const own = apart(spot, anchor);
  const isForeign = wanted.some((other) => other.anchor !== anchor && apart(spot, other.anchor) < own - 1);
  let cost = (isForeign ? COSTS.foreign : 0) + COSTS.outside * (spot.width * spot.height - inside) + COSTS.way * way * way;
  const grown = { x: spot.x - GAP / 2, y: spot.y - GAP / 2,
    width: spot.width + GAP, height: spot.height + GAP };
  for (const label of labels) cost += COSTS.label * shared(grown, label);
  for (const card of table.cards) {
    cost += (isOn(card, anchor) ? COSTS.own : COSTS.card) * shared(spot, card);
  }
  return cost;
}

/** How far the middle of a label is from the nearest point of some cards. @param {Box} label @param {Box} cards */
function apart(label, cards) {
  const [x, y] = [label.x + label.width / 2, label.y + label.height / 2];
  return Math.hypot(x - Math.min(Math.max(x, cards.x), cards.x + cards.width),
    y - Math.min(Math.max(y, cards.y), cards.y + cards.height));
}

/** The box around points in parts of the table. @param {Point[]} points @param {number} width @param {number} height @returns {Box} */
export function around(points, width, height) {
  const xs = points.map((point) => point[0] * width);
  const ys = points.map((point) => point[1] * height);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
