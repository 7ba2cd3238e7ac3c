"""How a game is judged: what all games share, and what an uncertain event may not do."""
