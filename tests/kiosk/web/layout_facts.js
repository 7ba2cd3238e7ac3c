// What is wrong with the page's layout as it is shown now, a line each. Run by layout_facts.py.
// arguments[0]: {touch: least size of what is tapped, sideways: selectors that may scroll so}
const asked = arguments[0];
const HAIR = 2; // px that nobody sees
const root = document.querySelector("dialog[open]") ?? document.body;
const room = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
const faults = new Set();

const style = (element) => getComputedStyle(element);
const short = (text) => JSON.stringify(text.trim().replace(/\s+/g, " ").slice(0, 40));
const called = (element) => {
    const names = typeof element.className === "string" ? element.className.trim().replace(/\s+/g, ".") : "";
    return `${element.tagName.toLowerCase()}${names && "."}${names} ${short(element.textContent)}`;
};
const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && !ancestors(element).some((each) => style(each).clipPath !== "none");
const ancestors = (element) => {
    const found = [];
    for (let each = element; each && each !== root.parentElement; each = each.parentElement) found.push(each);
    return found;
};
const shared = (a, b) => [Math.min(a.right, b.right) - Math.max(a.left, b.left),
    Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)];
const cut = (a, b) => ({ left: Math.max(a.left, b.left), top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom) });
const isEmpty = (box) => box.right - box.left < 1 || box.bottom - box.top < 1;
const inner = (element) => {
    const box = element.getBoundingClientRect();
    const left = box.left + element.clientLeft;
    const top = box.top + element.clientTop;
    return { left, top, right: left + element.clientWidth, bottom: top + element.clientHeight };
};
const isScroller = (value) => value === "auto" || value === "scroll";
// A cut that says so: an ellipsis, and the whole text as the title.
const isShortened = (element) => ancestors(element).some((each) => each.closest("[title]")
    && (style(each).textOverflow === "ellipsis" || style(each).webkitLineClamp !== "none"));

/** The part of a box that shows, and what cuts it off for good. */
function visible(box, element, isText) {
    let seen = box;
    let isFree = false; // a scroller brings it into the window
    let why = "";
    for (const each of ancestors(element)) {
        const { overflowX, overflowY, position } = style(each);
        if ((isText || each !== element) && each !== document.body) {
            const frame = inner(each);
            const out = { x: box.left < frame.left - HAIR || box.right > frame.right + HAIR,
                y: box.top < frame.top - HAIR || box.bottom > frame.bottom + HAIR };
            if (isScroller(overflowX) && box.left - frame.left + each.scrollLeft < -HAIR) why ||= "out of reach";
            if (isScroller(overflowY) && box.top - frame.top + each.scrollTop < -HAIR) why ||= "out of reach";
            if (out.x && (overflowX === "hidden" || overflowX === "clip")) why ||= "clipped";
            if (out.y && (overflowY === "hidden" || overflowY === "clip")) why ||= "clipped";
            if (overflowX !== "visible" || overflowY !== "visible") seen = cut(seen, frame);
            if (isScroller(overflowX) || isScroller(overflowY)) [isFree, box] = [true, frame]; // it can be brought there
        }
        if (position === "fixed") break;
    }
    const across = shared(seen, room);
    const low = root === document.body ? document.documentElement.scrollHeight - scrollY : room.bottom; // the page scrolls
    const isInside = seen.left >= -HAIR && seen.top >= -HAIR - scrollY && seen.right <= room.right + HAIR && seen.bottom <= low + HAIR;
    if (!isFree && !isInside) why ||= "outside of the window";
    return [across[0] > 0 && across[1] > 0 ? cut(seen, room) : { left: 0, top: 0, right: 0, bottom: 0 }, why];
}

// What stays while the rest scrolls below it.
const layers = new Map();
const layer = (element) => {
    if (!layers.has(element)) layers.set(element, layerOf(element));
    return layers.get(element);
};
const layerOf = (element) => ancestors(element).find((each) => ["sticky", "fixed"].includes(style(each).position)) ?? root;

/** Every line of text that shows: its owner, its box without the room above and below letters. */
function lines() {
    const found = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const owner = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !owner || owner.closest("svg") || ["SCRIPT", "STYLE", "NOSCRIPT", "OPTION"].includes(owner.tagName) || !isShown(owner)) continue;
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        for (const rect of range.getClientRects()) {
            if (rect.width < 1) continue;
            const slim = rect.height * 0.22;
            found.push({ owner, text: walker.currentNode.data,
                box: { left: rect.left, right: rect.right, top: rect.top + slim, bottom: rect.bottom - slim } });
        }
    }
    return found;
}

const texts = [];
for (const line of lines()) {
    const [seen, why] = visible(line.box, line.owner, true);
    if (isShortened(line.owner)) {
        if (!isEmpty(seen)) texts.push({ ...line, seen });
        continue;
    }
    if (why) faults.add(`${why}: ${called(line.owner)}`);
    const block = ancestors(line.owner).find((each) => style(each).display !== "inline");
    const box = block?.getBoundingClientRect();
    if (box && (line.box.left < box.left - HAIR || line.box.right > box.right + HAIR
        || line.box.top < box.top - HAIR || line.box.bottom > box.bottom + HAIR)) faults.add(`runs out of its box: ${called(line.owner)}`);
    if (parseFloat(style(line.owner).fontSize) < asked.letters) faults.add(`letters too small: ${called(line.owner)}`);
    if (!isEmpty(seen)) texts.push({ ...line, seen });
}

// A still picture of the set-up stands for its canvas: handles lie on it on purpose.
const solids = [...root.querySelectorAll("button, a[href], summary, select, input, textarea, .button, img:not(.hour-still)")]
    .filter((each) => isShown(each)).map((element) => {
        const tapped = element.matches("label input") ? element.closest("label") : element;
        const box = tapped.getBoundingClientRect();
        const [seen, why] = visible(box, tapped, false);
        if (why && why !== "clipped") faults.add(`${why}: ${called(tapped)}`);
        return { element: tapped, box, seen, isTapped: !element.matches("img") };
    });
for (const { element, box, isTapped } of solids) {
    if (isTapped && Math.min(box.width, box.height) < asked.touch - 0.5) faults.add(`too small for a finger, ${Math.round(box.width)} × ${Math.round(box.height)} px: ${called(element)}`);
}

const overlap = (a, b) => shared(a, b).every((length) => length > HAIR);
texts.forEach((one, i) => {
    for (const two of texts.slice(i + 1)) {
        if (one.owner === two.owner || !overlap(one.seen, two.seen)) continue;
        if (layer(one.owner) === layer(two.owner)) faults.add(`text over text: ${called(one.owner)} / ${called(two.owner)}`);
    }
    for (const { element, seen } of solids) {
        if (!overlap(one.seen, seen) || element.contains(one.owner) || one.owner.contains(element) && style(one.owner).display !== "inline") continue;
        if (layer(element) === layer(one.owner)) faults.add(`text under or over ${called(element)}: ${called(one.owner)}`);
    }
});
solids.forEach((one, i) => {
    for (const two of solids.slice(i + 1)) {
        if (!overlap(one.seen, two.seen) || one.element === two.element || one.element.contains(two.element) || two.element.contains(one.element)) continue;
        if (layer(one.element) === layer(two.element)) faults.add(`one over the other: ${called(one.element)} / ${called(two.element)}`);
    }
});

// What may scroll sideways says so; all else scrolls down only.
for (const each of [document.documentElement, root, ...root.querySelectorAll("*")]) {
    if (each.scrollWidth <= each.clientWidth + HAIR || !isShown(each) || each.matches(asked.sideways)) continue;
    if (each === document.documentElement || isScroller(style(each).overflowX)) faults.add(`scrolls sideways by ${each.scrollWidth - each.clientWidth} px: ${each.tagName.toLowerCase()}.${each.className}`);
}
return [...faults];
