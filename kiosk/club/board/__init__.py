"""The board of a club: all tables on one page, calls in doubt, a tournament."""
