from rules.soda.judge import GAME

__all__ = ["GAME"]
