"""The page in a real browser: what people see and tap."""

import os
import shutil

import pytest
from axe_check import check_access
from patience import PATIENCE_S
from real_browser import browser, complaints, keep, require_browser, shown, wait_for
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from told_table import told_table

from kiosk.game.loop import COMPARING
from rules.contract.game import make_setup
from rules.contract.sample import read_sample
from rules.games import GAMES
from rules.judging import referee

pytestmark = pytest.mark.pages

SIZES = {"table": (1024, 600), "phone": (390, 844), "television": (1920, 1080)}
SCORES = "[...document.querySelectorAll('.scores strong')].map(each => each.textContent).join()"
MISTAKE = "document.querySelector('.hero[data-call=mistake]') !== null"
LEAST_TOUCH_PX = 48


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """A game with a finished pile and a mistake that is still open."""
    require_browser()
    folder = tmp_path_factory.mktemp("page")
    os.environ["FAIRDEAL_HOME"] = str(folder)
    with told_table(folder / "page") as told:
        told.begin()
        for seat, card in enumerate(("hat", "t-shirt", "boxers", "pants", "socks", "sneakers")):
            told.place(card, "pile/1", seat % 3 + 1)
        told.place("hat", "pile/2", 2)
        told.place("socks", "pile/2", 3)
        yield told
    del os.environ["FAIRDEAL_HOME"]


def opened(driver, table):
    """The page, once it shows the mistake."""
    driver.get(table.address)
    wait_for(driver, MISTAKE)
    wait_for(driver, "document.querySelector('.hero').getAnimations().length === 0")


@pytest.mark.parametrize("screen", SIZES)
def test_the_call_is_the_hero_on_every_screen(table, screen):
    with browser(*SIZES[screen]) as driver:
        opened(driver, table)
        wait_for(driver, "document.querySelector('canvas').width > 300")
        keep(driver, f"play-{screen}")
        words = driver.find_element(By.CSS_SELECTOR, ".hero .words")
        assert "Pile 2 needs a T-shirt, not socks." in words.text
        size = float(words.value_of_css_property("font-size").removesuffix("px"))
        assert size >= 28
        assert (
            driver.execute_script("return document.documentElement.scrollWidth") <= SIZES[screen][0]
        )
        assert complaints(driver) == []


@pytest.mark.parametrize("screen", ["table", "phone"])
def test_everything_to_tap_is_large_enough(table, screen):
    with browser(*SIZES[screen]) as driver:
        opened(driver, table)
        for button in driver.find_elements(By.CSS_SELECTOR, "button, summary"):
            if button.is_displayed():
                assert button.size["height"] >= LEAST_TOUCH_PX, button.text
                assert button.size["width"] >= LEAST_TOUCH_PX, button.text


def test_the_replay_shows_frames_and_the_card_beside_its_taught_face(table):
    with browser(*SIZES["table"]) as driver:
        opened(driver, table)
        driver.find_element(By.CSS_SELECTOR, ".hero button").click()
        wait_for(driver, "document.querySelector('canvas.film')?.width > 300")
        wait_for(driver, "document.querySelectorAll('.pair img').length === 2")
        wait_for(
            driver, "[...document.querySelectorAll('.pair img')].every(i => i.naturalWidth > 9)"
        )
        keep(driver, "replay-table")
        frames = driver.find_elements(By.CSS_SELECTOR, ".strip button")
        assert len(frames) >= 8
        assert len(driver.find_elements(By.CSS_SELECTOR, ".strip .is-rest")) == 1
        frames[0].click()
        wait_for(driver, "document.querySelector('.strip button').ariaPressed === 'true'")
        driver.find_element(By.CSS_SELECTOR, "dialog .row > button:last-child").click()
        assert not driver.find_element(By.ID, "sheet").is_displayed()
        assert complaints(driver) == []


def test_a_button_on_the_page_reaches_the_game(table):
    with browser(*SIZES["phone"]) as driver:
        opened(driver, table)
        shown(driver, ".bar button", lambda words: words.endswith("Undo")).click()
        presses = WebDriverWait(driver, PATIENCE_S, 0.1).until(lambda _: table.inbox.take())
        assert [press.button for press in presses] == ["undo"]


def test_two_viewers_and_a_reload_in_mid_game_see_the_same(own_table):
    with browser(*SIZES["table"]) as one, browser(*SIZES["phone"]) as two:
        for driver in (one, two):
            driver.get(own_table.address)
            wait_for(driver, "document.querySelector('.scores') !== null")
        own_table.place("hat", "pile/1", 1)
        one.refresh()
        own_table.place("socks", "pile/1", 2)
        for driver in (one, two):
            wait_for(driver, MISTAKE)
            wait_for(driver, f"{SCORES} === '17 cards,18 cards,18 cards'")
        words = [d.find_element(By.CSS_SELECTOR, ".hero .words").text for d in (one, two)]
        assert words[0] == words[1]


def test_a_page_that_was_asleep_wakes_up_with_the_state_of_now(own_table):
    """Its connection is gone, the game goes on, and the page misses nothing."""
    with browser(*SIZES["table"]) as driver:
        driver.get(own_table.address)
        wait_for(driver, "document.querySelector('.scores') !== null")
        asleep(driver, True)
        own_table.place("hat", "pile/1", 1)
        own_table.place("socks", "pile/1", 2)
        assert driver.execute_script(f"return {MISTAKE}") is False
        asleep(driver, False)
        wait_for(driver, MISTAKE)
        assert len(driver.find_elements(By.CSS_SELECTOR, ".log li")) == 1


def asleep(driver, is_asleep):
    """Hides the page, as a phone does that is put away, or shows it again."""
    state = "hidden" if is_asleep else "visible"
    driver.execute_script(
        f"Object.defineProperty(document, 'visibilityState', "
        f"{{value: '{state}', configurable: true}});"
        "document.dispatchEvent(new Event('visibilitychange'));"
    )


@pytest.fixture
def own_table(tmp_path, monkeypatch):
    """A game that has just begun, of this test alone."""
    require_browser()
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    with told_table(tmp_path / "page") as told:
        told.begin()
        yield told


def test_the_page_speaks_german(table):
    with browser(*SIZES["table"]) as driver:
        driver.get(f"{table.address}?lang=de")
        wait_for(driver, MISTAKE)
        assert "Fehler" in driver.find_element(By.ID, "bar").text
        words = driver.find_element(By.CSS_SELECTOR, ".hero .words").text
        assert "Stapel 2 braucht T-Shirt, nicht Socken." in words
        assert driver.find_element(By.CSS_SELECTOR, "[data-place='pile/2']").text == (
            "Stapel 2\nbraucht T-Shirt"
        )
        assert "16 Karten" in driver.find_element(By.CSS_SELECTOR, ".scores").text
        driver.find_element(By.CSS_SELECTOR, ".hero details summary").click()
        why = driver.find_element(By.CSS_SELECTOR, ".hero details p").text
        assert why.startswith("Hin und wieder legt jemand die falsche Karte auf den Stapel."), why
        told = sorted(sample_lines())
        translated = driver.execute_async_script(WORDS, "gameWords", told)
        left = [line for line, shown in zip(told, translated, strict=True) if line == shown]
        assert left == [], left
        lost = driver.execute_async_script(WORDS, "lostWords", LOST)
        assert all(a != b for a, b in zip(lost, LOST, strict=True)), lost
        assert lost[0] == "Kamera verloren: 0 gives no picture"
        keep(driver, "german-table")
        assert complaints(driver) == []


WORDS = """
    const [kind, lines, done] = arguments;
    import("/static/js/words.js").then((words) => done(lines.map((line) => words[kind](line))));
"""
LOST = (
    "camera lost: 0 gives no picture", COMPARING, "the picture is dark or covered",
    "the camera was moved by 12 px", "the mat was moved by 7 px",
)  # fmt: skip


def sample_lines():
    """The headlines, scores and labels of all games' samples: what is read at every moment."""
    for game in GAMES.values():
        session = referee.begin(game, make_setup(game, 2))
        for act in read_sample(game.sample):
            session, _ = referee.step(session, act)
            view = referee.view(session)
            yield view.headline
            yield from (text for _, text in view.scores)
            places = {each.label for each in view.places}
            yield from (label for label, _ in view.lines if label not in places)


def test_the_menu_mutes_for_a_while_and_speaks_when_asked(table):
    with browser(*SIZES["table"]) as driver:
        opened(driver, table)
        driver.find_element(By.CSS_SELECTOR, ".bar .menu").click()
        button_named(driver, "Mute for 10 minutes").click()
        wait_for(driver, "document.querySelector('#sheet').textContent.includes('Sound on')")
        assert table.inbox.sounds.is_muted
        keep(driver, "menu-table")
        button_named(driver, "Sound on").click()
        wait_for(driver, "!document.querySelector('#sheet').textContent.includes('Sound on')")
        assert not table.inbox.sounds.is_muted
        if table.inbox.sounds.language == "" and shutil.which("espeak-ng"):
            button_named(driver, "German").click()
            pressed = "document.querySelector('#sheet [aria-pressed=true]')"
            wait_for(driver, f"{pressed}?.textContent === 'German'")
            assert table.inbox.sounds.language == "de"
            table.inbox.sounds.speak("")


def button_named(driver, text):
    """The button of the open dialog with this text."""
    return shown(driver, "dialog button", lambda words: words == text)


@pytest.mark.parametrize("screen", ["table", "phone"])
def test_axe_finds_no_violation(table, screen):
    with browser(*SIZES[screen]) as driver:
        opened(driver, table)
        check_access(driver, "the game")
        driver.find_element(By.CSS_SELECTOR, ".arrange").click()
        check_access(driver, "places to drag")
        driver.find_element(By.CSS_SELECTOR, ".arrange").click()
        driver.find_element(By.CSS_SELECTOR, ".place").click()
        check_access(driver, "what lies at a place")
        close(driver)
        driver.find_element(By.CSS_SELECTOR, ".hero button").click()
        wait_for(driver, "document.querySelector('canvas.film')?.width > 300")
        check_access(driver, "the replay")
        button_named(driver, "That card is …").click()
        check_access(driver, "the choice of a card")
        close(driver)
        driver.find_element(By.CSS_SELECTOR, ".bar .menu").click()
        check_access(driver, "the menu")
        button_named(driver, "Games played").click()
        wait_for(driver, "document.querySelector('.pane .note') !== null")
        check_access(driver, "the history")


def close(driver):
    """Closes the open dialog."""
    driver.find_element(By.CSS_SELECTOR, "dialog .row > button:last-child").click()
    wait_for(driver, "document.querySelector('dialog[open]') === null")


# Whether the evidence of the first call is there.
EVIDENCE = """(() => {
    const request = new XMLHttpRequest();
    request.open("GET", "/api/evidence/1", false);
    request.send();
    return request.status === 200;
})()"""


def while_filming(table, driver, script):
    """Tells frames until a script's expression is true."""
    wait_for(driver, script, meanwhile=lambda: table.film(1))


def test_a_call_is_replayed_and_overruled_and_what_followed_is_withdrawn(tmp_path, monkeypatch):
    """By touch only, on the screen beside the table: the socks were a T-shirt."""
    require_browser()
    monkeypatch.setenv("FAIRDEAL_HOME", str(tmp_path))
    with told_table(tmp_path / "page") as table, browser(*SIZES["table"]) as driver:
        driver.get(table.address)
        table.begin()
        table.place("hat", "pile/1", 1)
        table.place("socks", "pile/1", 2)
        while_filming(table, driver, EVIDENCE)
        table.place("boxers", "pile/1", 3)
        wait_for(driver, "document.querySelectorAll('.log .mark[data-call=mistake]').length === 2")
        first = driver.find_elements(By.CSS_SELECTOR, ".log button")[-1]
        first.click()
        wait_for(driver, "document.querySelectorAll('.strip button').length > 5")
        shown(driver, "dialog button", lambda words: words.startswith("That card is")).click()
        shown(driver, "dialog .choice")
        faces = driver.find_elements(By.CSS_SELECTOR, "dialog .choice")
        assert faces[0].text == "T-shirt", "the face that was due comes first"
        wait_for(
            driver, "[...document.querySelectorAll('.choice img')].every(i => i.naturalWidth > 9)"
        )
        keep(driver, "choose-table")
        faces[0].click()
        while_filming(table, driver, "document.querySelector('.answer.is-done') !== null")
        assert "1 other call changes." in driver.find_element(By.ID, "sheet").text
        keep(driver, "overruled-table")
        shown(driver, "dialog .row button").click()
        wait_for(driver, "document.querySelectorAll('.log .is-withdrawn').length === 2")
        wait_for(driver, "document.querySelector('.hero[data-call=mistake]') === null")
        assert table.session.judged.table["pile/1"] == ("hat", "t-shirt", "boxers")
