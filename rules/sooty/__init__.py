from rules.sooty.judge import GAME

__all__ = ["GAME"]
