"""The picture of the table as the referee sees it, for the README.

`python -m lab.pictures.table GAME FILE`: the simulated game, a moment after its first mistake.
"""

import sys
from pathlib import Path

import cv2

from kiosk.game.assembly import read_order, run_table
from kiosk.game.loop import RunningTable
from kiosk.game.observers import NoDisplay
from kiosk.game.session import Judging
from kiosk.overlay import draw_table
from models.drawing.script import read_script
from rules import referee
from rules.call import Call
from vision.frame import Frame, Image
from vision.recognition.eyes import Eyes
from vision.scene.watcher import Observation
from vision.sources import open_source

AFTER = 0.6  # s after the first mistake


class Photographer(NoDisplay):
    """Keeps the frame a moment after the first mistake, drawn upon, and ends the game."""

    def __init__(self) -> None:
        self.picture: Image | None = None
        self._table: RunningTable | None = None
        self._judging: Judging | None = None
        self._calls: list[Call] = []
        self._since: float | None = None

    def ready(self, table: RunningTable, judging: Judging) -> None:
        """The table runs now."""
        self._table, self._judging = table, judging

    def heard(self, event, calls) -> None:
        """The listener."""
        self._calls += calls

    def frame(self, frame: Frame, observation: Observation, seconds: float) -> None:
        """Takes the picture when the moment has come."""
        if self._since is None and any(call.call == "mistake" for call in self._calls):
            self._since = frame.at
        if self._since is None or frame.at < self._since + AFTER or self.picture is not None:
            return
        assert self._table is not None and self._judging is not None
        view = referee.view(self._judging.session)
        self.picture = draw_table(
            frame.bgr, observation.tracks, view.lines, self._calls[-3:], view.headline
        )
        self._table.stop()


def main(game: str, path: Path) -> int:
    """Writes the picture. Returns 1 where the game had no mistake."""
    order = read_order(game, None, read_script(game).players, {}, None)
    photographer = Photographer()
    with open_source(f"simulated:{game}") as source:
        run_table(
            order, source, Eyes.open(order.deck, 2),
            display=photographer, listener=photographer.heard, on_ready=photographer.ready,
        )  # fmt: skip
    if photographer.picture is None:
        print(f"expected a mistake in {game}, found none", file=sys.stderr)
        return 1
    cv2.imwrite(str(path), photographer.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
