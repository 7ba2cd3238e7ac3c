"""Every view at every size: nothing is cut off, covered or out of reach, in both languages.

One browser shows prepared moments: long names, many players, the busiest table of each game.
By default German ones, whose words are longer, and the play view in English too.
`make page-sizes` tries all and keeps what it shows in runs/page-sizes.
"""

import json
import os
from pathlib import Path
from urllib.parse import quote

import pytest
from axe_check import access_faults
from jsonschema import Draft202012Validator
from layout_facts import layout_faults, play_faults, resize
from real_browser import PATIENCE_S, browser, require_browser, wait_for
from staged_club import club_views
from staged_decks import deck_views
from staged_page import staged_page
from staged_start import hour_views, start_views
from staged_views import label_views, moment_views, play_views

SCHEMA = Path(__file__).parents[3] / "docs" / "api.schema.json"
SIZES = {
    "800x480": (800, 480),  # the Pi's own 7-inch screen
    "1024x600": (1024, 600),
    "390x844": (390, 844),
    "1920x1080": (1920, 1080),
}
VIEWS = {
    "play": play_views,
    "moments": moment_views,
    "start": start_views,
    "hour": hour_views,
    "decks": deck_views,
    "club": club_views,
    "label": label_views,
}


@pytest.fixture(scope="module")
def stage():
    require_browser()
    with staged_page() as stage, browser(800, 480, touch=True) as driver:
        driver.set_script_timeout(PATIENCE_S)
        stage.driver = driver
        yield stage


def opened(stage, view, language):
    """The view, in its moment."""
    stage.set(view)
    path, _, part = view.path.partition("#")
    stage.driver.get("about:blank")  # another part of one page would load nothing
    stage.driver.get(f"{stage.address}{path}?lang={language}#{part}")
    for selector in (*view.taps, None):
        shown = f"document.querySelector({(selector or view.there)!r})"
        wait_for(stage.driver, f"{shown}?.checkVisibility()")
        if selector:
            stage.driver.execute_script(f"{shown}.click()")


def faults_of(driver, view):
    """All that is wrong with the view that is shown now."""
    cards = view.cards if view.seats else ()
    return [*layout_faults(driver), *play_faults(driver, cards, view.seats)]


def keep(driver, name):
    """Keeps a screenshot where `PAGE_SIZES` names a folder."""
    folder = os.environ.get("PAGE_SIZES")
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
        driver.save_screenshot(str(Path(folder) / f"{name}.png"))


def in_languages():
    """Each group in each language."""
    for group in VIEWS:
        yield pytest.param(group, "de")
        yield pytest.param(group, "en", marks=() if group == "play" else pytest.mark.slow)


@pytest.mark.pages
@pytest.mark.parametrize(("group", "language"), list(in_languages()))
def test_nothing_is_cut_off_or_covered_at_any_size(stage, group, language):
    found = []
    for view in VIEWS[group]():
        resize(stage.driver, *SIZES["800x480"])
        opened(stage, view, language)
        for size, (width, height) in SIZES.items():
            resize(stage.driver, width, height)
            faults = faults_of(stage.driver, view)
            found += [f"{view.name} {size} {language}: {fault}" for fault in faults]
            keep(stage.driver, f"{view.name}-{size}-{language}")
        found += [f"{view.name}: {fault}" for fault in access_faults(stage.driver)]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("group", ["play", "moments", "start", "hour", "decks"])
def test_the_moments_are_states_that_the_server_sends(group):
    check = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for view in VIEWS[group]():
        check.validate(json.loads(json.dumps(view.event)))


# A page on which everything is wrong once, and what is said of it.
BROKEN = """<style>body { margin: 0 } button { padding: 0; height: 30px } div { position: absolute;
    white-space: nowrap }</style>
<div style="width: 40px; height: 20px; overflow: hidden">cut off text</div>
<div style="top: 60px; width: 40px; border: 1px solid">too long text</div>
<div style="top: 100px">one text</div><div style="top: 104px">another text</div>
<div style="top: 140px; left: -60px">text at the left</div>
<div style="top: 180px; font-size: 11px">small print</div>
<div style="top: 220px"><button>tap</button></div>
<div style="top: 270px; width: 80px; overflow: auto"><p style="width: 200px">wide</p></div>"""
SAID = (
    "clipped: div",
    "runs out of its box: div",
    "text over text: div",
    "outside of the window: div",
    "letters too small: div",
    "too small for a finger",
    "scrolls sideways",
)


@pytest.mark.pages
def test_the_facts_find_each_kind_of_fault(stage):
    resize(stage.driver, *SIZES["800x480"])
    stage.driver.get("data:text/html;charset=utf-8," + quote(BROKEN))
    found = layout_faults(stage.driver)
    for fault in SAID:
        assert any(line.startswith(fault) for line in found), (fault, found)


@pytest.mark.pages
def test_the_facts_find_seats_and_calls_out_of_sight_and_labels_over_cards(stage):
    view = play_views()[0]
    resize(stage.driver, *SIZES["800x480"])
    opened(stage, view, "en")
    assert play_faults(stage.driver, view.cards, view.seats) == []
    card = next(each for each in view.cards if each["state"] == "lying")
    stage.driver.execute_script(
        """const style = document.createElement("style").sheet ?? new CSSStyleSheet();
        style.replaceSync(`.seat.at-top { bottom: auto !important; top: 0 }
            .scores li:first-child { position: relative; top: 30rem }
            .hero .words { margin-top: 40rem !important }
            .place { left: 0 !important; top: 0 !important; min-width: 100%; min-height: 100% }`);
        document.adoptedStyleSheets = [style];"""
    )
    found = play_faults(stage.driver, view.cards, view.seats)
    for said in ("a seat on the picture", "not in sight: words", f"of {card['face']} at"):
        assert any(said in line for line in found), (said, found)
    assert len([line for line in found if "not in sight" in line]) >= 2
