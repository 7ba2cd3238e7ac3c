"""Trials of a club with a real broker: kills, and clubs of up to a thousand tables."""
