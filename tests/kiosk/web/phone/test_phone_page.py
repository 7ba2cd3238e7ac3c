"""What the page asks of a phone: light, focus and zoom held, screen on, not turned, drops counted.

The page's own modules run in a real browser; camera, lock and server are played by the test.
"""

import pytest
from real_browser import browser, require_browser
from staged_page import staged_page
from staged_start import start_views

pytestmark = pytest.mark.pages

CAMERA, SENDER, FILM = (f"/static/js/phone/{name}.js" for name in ("camera", "sender", "film"))
# A track that keeps what it is asked for; `refused`: names of settings that it does not take.
TRACK = """
const track = (able, refused = []) => {
    const asked = [], now = { exposureTime: 333, iso: 200, colorTemperature: 4300 };
    return { asked, getCapabilities: () => able, getSettings: () => ({ ...now }),
        applyConstraints: async ({ advanced: [wish] }) => {
            if (refused.some((name) => name in wish)) throw new Error("OverconstrainedError");
            asked.push(wish);
            Object.assign(now, wish);
        } };
};
const both = ["manual", "continuous"];
const whole = { focusMode: both, exposureMode: both, whiteBalanceMode: both,
    zoom: { min: 0.6, max: 8 } };
const setTimer = window.setTimeout;
window.setTimeout = (act, ...rest) => setTimer(act, 0, ...rest.slice(1)); // nobody waits
"""


@pytest.fixture(scope="module")
def phone_page():
    require_browser()
    with staged_page() as stage, browser(390, 844) as driver:
        stage.set(next(view for view in start_views() if view.name == "film"))
        driver.address = f"{stage.address}phone"
        yield driver


@pytest.fixture
def page(phone_page):
    """A new page: nothing of an earlier test is left."""
    phone_page.get(phone_page.address)
    return phone_page


def run(driver, module, body):
    """What `body` returns, an async function's body that has the module as `page`."""
    script = f"""
        const done = arguments[arguments.length - 1];
        (async () => {{ const page = await import("{module}"); {body} }})()
            .then(done, (error) => done(String(error)));"""
    return driver.execute_async_script(script)


def test_a_camera_that_can_is_wide_focused_and_its_light_is_locked_as_it_settled(page):
    opened, asked, is_locked, later = run(page, CAMERA, TRACK + """
        const one = track(whole);
        const stream = { getVideoTracks: () => [one] };
        Object.defineProperty(navigator, "mediaDevices", { configurable: true, value: {
            getUserMedia: async (wish) => { stream.wish = wish; return stream; } } });
        await page.openCamera();
        const opened = [stream.wish.video.facingMode.ideal, ...one.asked.splice(0)];
        return [opened, one.asked, await page.lockLight(one), one.asked];
    """)  # fmt: skip
    assert opened == ["environment", {"focusMode": "continuous"}, {"zoom": 0.6}]
    assert is_locked and later == [
        {"exposureMode": "continuous"}, {"whiteBalanceMode": "continuous"},
        {"exposureMode": "manual", "exposureTime": 333, "iso": 200},
        {"whiteBalanceMode": "manual", "colorTemperature": 4300},
    ]  # fmt: skip
    assert asked == later


@pytest.mark.parametrize(
    "camera",
    ['track({})', 'track({ ...whole, whiteBalanceMode: ["continuous"] })',
     'track(whole, ["exposureTime"])'],
)  # fmt: skip
def test_a_camera_whose_light_cannot_be_locked_says_so(page, camera):
    assert run(page, CAMERA, f"{TRACK} return page.lockLight({camera});") is False


def test_the_screen_is_held_on_until_the_browser_or_the_page_lets_go(page):
    assert run(page, CAMERA, """
        const lock = { released: false, release() { this.released = true; } };
        const wake = (request) => Object.defineProperty(navigator, "wakeLock",
            { configurable: true, value: { request } });
        wake(async (kind) => (kind === "screen" ? lock : null));
        const awake = new page.Awake(), seen = [awake.isHeld, await awake.hold()];
        lock.released = true; // the battery is low
        seen.push(awake.isHeld);
        lock.released = false;
        awake.release();
        seen.push(awake.isHeld, lock.released);
        wake(async () => { throw new Error("NotAllowedError"); });
        seen.push(await awake.hold());
        return seen;
    """) == [False, True, False, False, True, False]  # fmt: skip


def test_a_screen_that_was_let_go_while_it_films_is_held_again(page):
    assert run(page, FILM, """
        let asked = 0;
        const request = async () => { asked += 1; return { released: false }; };
        Object.defineProperty(navigator, "wakeLock", { configurable: true, value: { request } });
        const view = new page.FilmView(document.createElement("div"));
        await view.keepAwake(); // it does not film yet
        const before = asked;
        view.sender = {};
        await view.keepAwake();
        await view.keepAwake();
        view.awake.lock.released = true; // the battery is low
        await view.keepAwake();
        return [before, asked, view.awake.isHeld];
    """) == [0, 2, True]  # fmt: skip


def test_the_page_fills_the_screen_and_is_held_as_it_lay_where_the_browser_can(page):
    assert run(page, CAMERA, """
        const asked = [];
        document.documentElement.requestFullscreen = async () => { asked.push("whole screen"); };
        screen.orientation.lock = async (way) => { asked.push(way === screen.orientation.type); };
        await page.holdUpright();
        screen.orientation.lock = async () => { throw new Error("NotSupportedError"); };
        await page.holdUpright();
        return asked;
    """) == ["whole screen", True, "whole screen"]  # fmt: skip


# A video of 64x48 px whose pictures come when the test says so, and a server that never answers.
SENDING = """
    const video = document.createElement("canvas");
    Object.assign(video, { width: 64, height: 48, videoWidth: 64, videoHeight: 48 });
    let see = () => {};
    video.requestVideoFrameCallback = (act) => { see = act; };
    video.getContext("2d").fillRect(0, 0, 64, 48);
    const sent = [];
    window.fetch = (path, wish) => new Promise((resolve, reject) => {
        sent.push(JSON.parse(wish.headers["X-Fairdeal-Frame"]));
        wish.signal.addEventListener("abort", () => reject(new Error("AbortError")));
    });
    const sender = new page.Sender(video, { key: "k", pause_ms: 66 }, () => {});
    sender.next();
    let at = performance.now();
    const picture = async (width = 64, height = 48) => {
        at += 70;
        see(at, { width, height, presentationTime: at });
        await new Promise((resolve) => setTimeout(resolve, 0));
    };
    const until = async (isSo) => { while (!isSo()) await new Promise((r) => setTimeout(r, 5)); };
"""


def test_what_comes_while_two_pictures_are_under_way_is_counted_and_told(page):
    dropped, under_way, numbers, told = run(page, SENDER, SENDING + """
        for (let k = 0; k < 7; k += 1) await picture();
        await until(() => sent.length === 2);
        window.fetch = async (path, wish) => {
            sent.push(JSON.parse(wish.headers["X-Fairdeal-Frame"]));
            return { status: 200, json: async () => ({ ok: true, pause_ms: 66 }) };
        };
        const found = [sender.fate.dropped, sender.underWay];
        sender.underWay = 0; // both have come at last
        await picture();
        await until(() => sent.length === 3);
        return [...found, sent.map((head) => head.number), sent[2].dropped];
    """)  # fmt: skip
    assert (dropped, under_way, told) == (5, 2, 5) and numbers == [0, 1, 2]


def test_a_phone_that_was_turned_sends_nothing_until_it_lies_as_before(page):
    assert run(page, SENDER, SENDING + """
        await picture(48, 64);
        const turned = [sender.isTurned, sent.length, sender.underWay];
        await picture();
        await until(() => sent.length === 1);
        return [...turned, sender.isTurned];
    """) == [True, 0, 0, False]  # fmt: skip


def test_a_connection_that_is_cut_is_counted_and_tried_again(page):
    assert run(page, SENDER, SENDING + """
        window.fetch = async () => { throw new TypeError("Failed to fetch"); };
        await picture();
        await until(() => sender.underWay === 0);
        const cut = [sender.fate.isReached, sender.fate.dropped, sender.isOver];
        const answer = { ok: true, pause_ms: 66 };
        window.fetch = async () => ({ status: 200, json: async () => answer });
        await picture();
        await until(() => sender.arrivals.length === 1);
        return [...cut, sender.fate.isReached];
    """) == [False, 1, False, True]  # fmt: skip
