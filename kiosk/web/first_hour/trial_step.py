"""Step 5, the trial toss: a real game with the chosen deck, whose first card people confirm."""

from __future__ import annotations

from dataclasses import replace

from calibration import saved_setup
from calibration.settings import load_settings, settings_file
from kiosk.assembly import Company, GameRequest, read_request, run_game
from kiosk.game.inbox import Inbox
from kiosk.game.news import EventJudged, FrameJudged, News, ViewFound, ViewLost
from kiosk.web.first_hour.bench import Bench, Tap
from kiosk.web.first_hour.desk import Desk, Order
from kiosk.web.first_hour.pictures import kept_jpeg, number_of
from kiosk.web.first_hour.steps import Mark, Step, TossShown, TrialShown, Work
from kiosk.web.pictures import card_picture
from kiosk.web.state import shown_cards
from models.deck import load_deck
from rules.errors import FairdealError
from rules.games import GAMES
from rules.games import game as game_named
from rules.table.event import Placed
from vision.recognition.eyes import Eyes
from vision.sightings import UNKNOWN

ORDERS = frozenset({"trial-right", "trial-wrong"})
PICTURE = "toss"


def run(order: Order, bench: Bench) -> None:
    """Referees with the deck of step 3 until the page says whether the toss was judged right."""
    desk = bench.desk
    deck = desk.state.deck.chosen or "suds"
    desk.change(work=Work.PLAYING, message="", is_bad=False, words=(), trial=TrialShown(deck=deck))
    name = load_deck(deck).game or "suds"
    if name not in GAMES:
        raise FairdealError(f"one of {', '.join(GAMES)}", ascii(name))
    bench.rewind()
    request = _request(bench, name, deck)
    desk.change(trial=TrialShown(game_named(name).title, deck))
    eyes = Eyes.open(
        request.deck, request.threads, request.settings.vision.score, request.settings.engines
    )
    inbox = Inbox()
    said: list[str] = []
    trial = Trial(desk, inbox)
    run_game(request, Tap(bench), eyes, Company((trial,), inbox=inbox, say=said.append))
    if inbox.is_stopped and not trial.is_over:  # the process was told to end
        desk.stop()
    _tell_end(desk, tuple(said))


def _request(bench: Bench, name: str, deck: str) -> GameRequest:
    """The least game of that name, seated as the table was measured; nothing is journaled."""
    desk = bench.desk
    stored = saved_setup.stored(bench.spec, bench.folder, lambda line: desk.change(words=(line,)))
    players = game_named(name).players[0]
    sides = saved_setup.seats(stored, players)
    request = read_request(name, deck, players, {}, ",".join(sides) if sides else None)
    settings = load_settings(settings_file(None))
    tables = saved_setup.tables(stored)
    return replace(request, signals=bench.signals, settings=settings, tables=tables)


class Trial:
    """The observer of the trial game: shows cards and the newest toss; hears the page's orders."""

    name = "trial"

    def __init__(self, desk: Desk, inbox: Inbox) -> None:
        self._desk, self._inbox = desk, inbox
        self.is_over = False

    def hear(self, news: News) -> None:
        """As in Observer."""
        match news:
            case FrameJudged():
                trial = replace(self._desk.state.trial, cards=shown_cards(news))
                if trial.toss is not None and not trial.toss.picture:
                    trial = replace(trial, toss=self._pictured(trial.toss, news))
                self._show(trial)
                self._obey()
            case EventJudged(event=Placed() as event) if event.card != UNKNOWN:
                calls = tuple((str(call.call), call.message) for call in news.calls)
                toss = TossShown(event.card, event.place, round(event.sure, 3), calls)
                self._show(replace(self._desk.state.trial, toss=toss))
            case ViewLost():
                self._desk.change(lost=news.why)
            case ViewFound():
                self._desk.change(lost="")

    def _show(self, trial: TrialShown) -> None:
        self._desk.change(trial=trial)

    def _pictured(self, toss: TossShown, news: FrameJudged) -> TossShown:
        """The toss with the number of its picture; none where the frame does not show the card."""
        lying = [track for track in news.observation.tracks if track.face == toss.card]
        if not lying:
            return toss
        crop = card_picture(news.frame.bgr, lying[-1].corners)
        path = kept_jpeg(self._desk.pictures, PICTURE, crop)
        return replace(toss, picture=number_of(path))

    def _obey(self) -> None:
        desk = self._desk
        order = desk.take(ORDERS)
        toss = desk.state.trial.toss
        if order is not None and toss is not None:
            if order.name == "trial-right":
                judged = toss.calls[0][1] if toss.calls else "no mistake"
                desk.mark(Step.TRIAL, Mark.PASSED, f"{toss.card} at {toss.place}: {judged}")
            else:
                desk.mark(Step.TRIAL, Mark.OPEN, f"{toss.card} at {toss.place} was judged wrongly")
            self._stop()
        if desk.is_called_away(ORDERS):
            self._stop()

    def _stop(self) -> None:
        self.is_over = True
        self._inbox.stop()


def _tell_end(desk: Desk, said: tuple[str, ...]) -> None:
    standing = desk.state.steps.get(Step.TRIAL)
    if desk.state.trial.toss is None:
        desk.tell("No card was named. Lay one flat on the table and try again.", is_bad=True)
    elif standing is not None and standing.mark is Mark.PASSED:
        desk.tell("", words=(standing.words, *said[:10]))
    else:
        desk.tell("Check the light and the deck, or teach this card again.", is_bad=True)
