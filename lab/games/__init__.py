"""Whole random games on the simulated table: played, refereed by the real eyes, and scored."""
