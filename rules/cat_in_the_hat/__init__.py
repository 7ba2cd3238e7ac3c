from rules.cat_in_the_hat.judge import GAME

__all__ = ["GAME"]
