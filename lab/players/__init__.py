"""Players that play random legal games of all five games, and cheat in every way."""
