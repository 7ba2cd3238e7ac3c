// Calls back once all pictures are there, what moved has stopped, and the page is laid out anew.
const done = arguments[0];
const pictures = () => [...document.images].filter((each) => each.checkVisibility() && each.loading !== "lazy");
const isStill = () => document.getAnimations().every((each) => each.playState !== "running");
const look = (left) => requestAnimationFrame(() => requestAnimationFrame(() => {
    if (left === 0 || pictures().every((each) => each.complete) && isStill()) done(); else look(left - 1);
}));
document.querySelectorAll(".seat-table").forEach((each) => { each.style.contentVisibility = "visible"; });
look(100);
