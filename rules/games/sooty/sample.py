"""A short game, legal but for mistakes that are put right. Its form: `rules.contract.sample`."""

SAMPLE = """- sweep-4 discard; !start; 1 sooty-3 seat/1/set/1; 2 sweep-5 seat/2/set/1;
1 sooty-4 seat/1/set/1; 2 sweep-1 seat/2/set/1; 1 oofle-dust seat/2/set/1;
-1 sweep-4 discard; 2 magic-wand seat/2/set/1; 1 sooty-2 seat/1/set/1;
2 sweep-5 seat/2/set/1; 1 sweep-3 seat/1/set/1; -1 sweep-3 seat/1/set/1;
1 sooty-3 seat/1/set/1; 2 sweep-1 seat/2/set/1; 1 sweep-3 seat/1/set/2;
2 sooty-5 discard; 1 sweep-3 seat/1/set/2; 2 sooty-1 discard; 1 sweep-3 seat/1/set/2;
2 sweep-2 seat/2/set/2; 1 sweep-3 seat/1/set/2"""
