// Seats, the call and the cards of the play view. arguments[0]: {cards, seats, most}
const { cards, seats, most } = arguments[0];
const faults = [];
const isIn = (box) => box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
const all = (selector) => [...document.querySelectorAll(selector)];
const frame = document.querySelector(".places")?.getBoundingClientRect();
if (seats) {
    for (const selector of [".seat", ".scores li"]) {
        if (all(selector).length !== seats) faults.push(`${all(selector).length} of ${seats} seats: ${selector}`);
    }
    const inSight = innerWidth > 700 ? ".seat, .scores li, .hero .words, .question .words" : ".hero .words, .question .words";
    const words = all(".question .words").length ? ".question .words" : ".hero .words";
    for (const each of all(inSight)) {
        if (each.matches(".words") && !each.matches(words)) continue;
        const holder = each.closest(".below, .side")?.getBoundingClientRect();
        const room = holder?.height ? holder : { bottom: innerHeight };
        const box = each.getBoundingClientRect();
        if (!isIn(box) || box.bottom > room.bottom + 1) faults.push(`not in sight: ${each.className} ${each.textContent}`);
    }
    for (const each of all(".seat")) {
        const box = each.getBoundingClientRect();
        const over = [Math.min(box.right, frame.right) - Math.max(box.left, frame.left),
            Math.min(box.bottom, frame.bottom) - Math.max(box.top, frame.top)];
        if (over.every((length) => length > 1)) faults.push(`a seat on the picture: ${each.textContent}`);
    }
}
if (!frame || document.querySelector(".places").dataset.level === "ring") return faults;
for (const card of cards.filter((each) => each.state === "lying")) {
    const [xs, ys] = [0, 1].map((axis) => card.quad.map((point) => point[axis]));
    const box = { left: frame.left + Math.min(...xs) * frame.width, right: frame.left + Math.max(...xs) * frame.width,
        top: frame.top + Math.min(...ys) * frame.height, bottom: frame.top + Math.max(...ys) * frame.height };
    for (const label of all(".place").filter((each) => each.dataset.place !== card.place)) {
        const other = label.getBoundingClientRect();
        const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
        const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
        const part = across > 0 && down > 0 ? across * down / ((box.right - box.left) * (box.bottom - box.top)) : 0;
        if (part > most) faults.push(`${Math.round(part * 100)} % of ${card.face} at ${card.place} under the label of ${label.dataset.place}`);
    }
}
return faults;
