"""Cards that are nearly white: laid on each other, they change little."""

import numpy as np
from plain_layouts import Piles
from tabletop import Tabletop
from test_watcher import Play

from vision.scene.difference import changed_lines, structure


def test_a_pale_card_on_pale_cards_is_told():
    play = Play(Piles(), seed=4, dropout=0.0)
    play.drawn = Tabletop(4, pale=True)
    play.look(5)
    middle = (320, 180)
    play.lay("hat", middle, "left", "pile/1", 45)
    play.lay("boxers", middle, "left", "pile/1", -40)
    play.lay("pants", middle, "left", "pile/1", 4)
    play.lay("socks", (320, 168), "left", "pile/1", -12)
    assert play.seen == play.expected


def flickering(picture, phase):
    """The picture under bands of a lamp on mains."""
    down = np.arange(len(picture))[:, None, None] / len(picture)
    gain = 1 + 0.1 * np.sin(2 * np.pi * (2.3 * down + phase))
    return np.clip(picture * gain, 0, 255).astype(np.uint8)


def test_lines_of_a_pale_card_show_on_a_checked_cloth_under_a_lamp_that_flickers():
    """The light differs from band to band, and all the more at the cloth's own edges."""
    y, x = np.mgrid[:180, :320]
    dark = ((x // 6 + y // 6) % 2)[..., None]
    before = np.where(dark, np.uint8([30, 30, 170]), np.uint8([200, 210, 215])).astype(np.uint8)
    before[60:100, 100:130] = 225
    after = before.copy()
    after[70:90:4, 105:125] = 195
    share = []
    for picture in (before, after):
        lines = structure(flickering(picture, 0.2), flickering(before, 0.6))
        found = changed_lines(lines, float(np.median(lines[::5, ::5])))
        share.append(found[66:94, 103:127].mean())
    assert share[0] < 0.05 and share[1] > 0.4
