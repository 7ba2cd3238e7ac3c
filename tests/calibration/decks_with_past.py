"""A deck of one's own with a past: taught, added to, learned from games, without any of that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from calibration.deck import history
from calibration.deck.deck_files import write_deck
from models.deck import load_deck
from models.gallery import load_gallery
from models.learned import Learned, Origin
from vision.networks.embedder import namer_checksum

ORIGIN = Origin(1_790_000_000.0, "suds", 7, 3, "pile/1", 2, 0.99, 120.0)


class PastDeck:
    """A copy of the Suds deck in `folder`. What its faces and games look like does not matter."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.namer = namer_checksum()
        suds = load_deck("suds")
        self.gallery = load_gallery(suds.taught, self.namer)
        self._deck = replace(suds, name=folder.name, folder=folder, extras=())
        self._learned: Learned | None = None
        self.teach(*self.gallery.faces)

    def teach(self, *faces: str) -> None:
        """These faces are taught, each by a picture; what was learned goes."""
        history.keep_state(self.folder)
        self._deck.learned.unlink(missing_ok=True)
        write_deck(self._deck, self._of(faces))
        self._learned = None

    def _of(self, faces: tuple[str, ...]):
        return self.gallery.of([self.gallery.faces.index(face) for face in faces])

    def learn(self, *faces: str, game: int = 7) -> None:
        """Pictures of these faces come from that game of Suds, beside what was learned before."""
        history.keep_state(self.folder)
        origins = tuple(
            replace(ORIGIN, number=game, at=ORIGIN.at + game, event=k) for k in range(len(faces))
        )
        fresh = Learned(self._of(faces), origins)
        known = self._learned
        if known is not None:
            fresh = Learned(fresh.gallery.joined(known.gallery), fresh.origins + known.origins)
        fresh.save(self._deck.learned)
        self._learned = fresh

    def revert(self) -> None:
        """It is made what it was."""
        history.revert(self.folder, self.namer)

    @property
    def states(self) -> list[history.State]:
        """As `history.states`."""
        return history.states(self.folder, self.namer)
