"""A short game, legal but for mistakes that are put right. Its form: `rules.contract.sample`."""

SAMPLE = """- 2c score/c; - 3c score/c; - 4c score/c; !start; 2 4h play; 1 6d play; 2 6c play;
1 3c play; -1 3c play; 1 7d play; !no 2; -1 4h play; -1 6d play; -1 6c play; -1 7d play;
- 2c score/c; 1 2c seat/1/won; 2 5h play; 1 ad play; - 3h seat/2/hand;
- 3h seat/2/hand; 1 3c seat/1/won; 2 9s play; 1 10s play; !end"""
