"""The picture of the table as the referee sees it, for the README.

`python -m lab.pictures.table GAME FILE`: the simulated game, a moment after its first mistake.
"""

import sys
from pathlib import Path

import cv2

from kiosk.assembly import Company, read_request, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, News
from kiosk.overlay import draw_table
from models.drawing.script import read_script
from rules.table.call import Call
from vision.frame import Image
from vision.recognition.eyes import Eyes
from vision.sources import open_source

AFTER = 0.6  # s after the first mistake


class Photographer:
    """Observer: keeps the frame AFTER s after the first mistake, with overlay; ends the game."""

    name = "photographer"

    def __init__(self, inbox: Inbox) -> None:
        self.picture: Image | None = None
        self._inbox = inbox
        self._judged: EventJudged | None = None
        self._calls: list[Call] = []
        self._since: float | None = None

    def hear(self, news: News) -> None:
        """Takes the picture when the moment has come."""
        if isinstance(news, EventJudged):
            self._judged = news
            self._calls += news.calls
        elif isinstance(news, FrameJudged) and self.picture is None:
            self._take(news)

    def _take(self, news: FrameJudged) -> None:
        if self._since is None and any(call.call == "mistake" for call in self._calls):
            self._since = news.at
        if self._judged is None or self._since is None or news.at < self._since + AFTER:
            return
        view = self._judged.view
        self.picture = draw_table(
            news.frame.bgr, news.observation.tracks, view.lines, self._calls[-3:], view.headline
        )
        self._inbox.stop()


def main(game: str, path: Path) -> int:
    """Writes the picture. Returns 1 where the game had no mistake."""
    request = read_request(game, None, read_script(game).players, {}, None)
    inbox = Inbox()
    photographer = Photographer(inbox)
    with open_source(f"simulated:{game}") as source:
        eyes = Eyes.open(request.deck, 2)
        run_game(request, source, eyes, Company((photographer,), inbox=inbox))
    if photographer.picture is None:
        print(f"expected a mistake in {game}, found none", file=sys.stderr)
        return 1
    cv2.imwrite(str(path), photographer.picture)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
