"""The contract of a game: what each has, its open mistakes, and its events as text."""
