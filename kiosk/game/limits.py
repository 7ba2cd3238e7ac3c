"""Bounds and times of a running game: one frozen group, each with its unit and effect."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GameLimits:
    """The values in use are `LIMITS`."""

    # The loop and its camera
    poll_s: float = 0.1  # longest wait for a frame before buttons are looked at again
    settle_s: float = 1.0  # a camera that came back gives pictures this long before play counts
    frozen_s: float = 2.5  # a live camera that repeats one picture for longer counts as lost
    frozen_step_px: int = 16  # every so many pixels are compared before the whole picture is

    # The view: has the camera or the mat been moved?
    mat_within_s: float = 5.0  # a mat whose markers are not seen by then is not watched
    settle_within_s: float = 10.0  # after a move a view too plain to be followed counts as at rest
    doubt_every_s: float = 0.1  # shortest time between looks on request

    # Comparing the table after a restart or a moved camera
    compare_s: float = 2.5  # cards are watched this long before tables are compared,
    rest_s: float = 1.0  # and the table rests this long: no hand over it, no card coming or going
    at_once_s: float = 0.4  # cards of a place that are seen within this time lay there together
    compare_within_s: float = 12.0  # a table that never rests is compared after this time
    missing_s: float = 60.0  # cards that were not seen then may show up at their place so long,
    same_spot: float = 0.04  # within so many widths of the picture
    doubt_s: float = 60.0  # where tables differed, people played unseen: no mistakes so long
    unsure: float = 0.9  # `sure` (0 to 1) of an event that must not make a mistake
    unseen_games: int = 64  # games that may be under way after acts that no picture shows
    reveal_s: float = 1.0  # a place stays bare this long before hidden cards count as swept

    # The journal: an event is durable before its calls are told
    durable_wait_s: float = 0.02  # a live game waits so long after a frame; a recording as needed
    hold_s: float = 2.0  # calls wait at most so long for a journal that cannot be written
    held_news: int = 1000  # calls that wait; with more the oldest are told

    # Buttons and observers
    press_wait_s: float = 1.6  # a button waits at most so long for a card that lay before it
    presses: int = 64  # presses that wait for the loop; more are dropped and counted
    slow_observer_s: float = 0.1  # an observer that takes longer is counted as slow
    slow_in_a_row: int = 10  # slow calls in a row after which an observer is left out
    waiting_news: int = 256  # messages that wait for an observer with a thread of its own
    join_s: float = 2.0  # wait at the end for such a thread

    # The state of the table
    health_s: float = 2.0  # between two readings
    health_over_s: float = 5.0  # frame rate and latency are those of the last so many seconds


LIMITS = GameLimits()
