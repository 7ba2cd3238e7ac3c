"""All players by their game's name."""

from lab.players import cat_in_the_hat, dirty_laundry, soda, sooty, suds
from lab.players.table import Player

PLAYERS: dict[str, Player] = {
    player.GAME: player for player in (suds, sooty, cat_in_the_hat, soda, dirty_laundry)
}
