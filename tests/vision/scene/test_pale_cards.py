"""Cards that are nearly white: laid on each other, they change little."""

import cv2
import numpy as np
import pytest
from plain_layouts import Piles
from tabletop import Tabletop
from test_drawn_out import sure_play
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


class Printed(Tabletop):
    """Pale cards with a small dark print, each face's at its own place."""

    PRINTS = {"hat": (0.35, 0.25), "boxers": (0.7, 0.75), "pants": (0.3, 0.7)}  # noqa: RUF012

    def picture(self, cards, arm=None, light=1.0):
        cloth = self._cloth
        try:
            for face, quad in cards:
                self._cloth = self._printed(face, quad)
            return super().picture([], arm, light)
        finally:
            self._cloth = cloth

    def _printed(self, face, quad):
        bgr = self._cloth.copy()
        cv2.fillConvexPoly(bgr, np.rint(quad).astype(np.int32), (240, 242, 245))
        across, down = quad[1] - quad[0], quad[3] - quad[0]
        x, y = self.PRINTS[face]
        middle = quad[0] + x * across + y * down
        corners = [middle + a * across + b * down for a in (-0.2, 0.2) for b in (-0.12, 0.12)]
        print_ = cv2.convexHull(np.array(corners, np.float32))
        cv2.fillConvexPoly(bgr, np.rint(print_).astype(np.int32), (90, 80, 60))
        return bgr


@pytest.mark.parametrize("shift", [(0, 0), (1, -2), (0, -4), (-3, -3), (0, 6)])
def test_a_pale_card_like_the_lowest_of_its_pile_is_told_though_it_changes_little(shift):
    play = sure_play(Printed(4))
    middle = np.array((320, 180))
    play.lay("hat", middle, "left", "pile/1", 12)
    play.lay("boxers", middle, "left", "pile/1", -40)
    play.lay("pants", middle, "left", "pile/1", 4)
    play.lay("hat", middle + shift, "left", "pile/1", 4)
    play.look(12)
    assert play.seen == play.expected
