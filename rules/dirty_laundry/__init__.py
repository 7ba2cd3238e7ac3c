from rules.dirty_laundry.judge import GAME

__all__ = ["GAME"]
