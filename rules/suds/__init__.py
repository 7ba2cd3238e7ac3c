from rules.suds.judge import GAME

__all__ = ["GAME"]
