"""A short game, legal but for mistakes that are put right. Its form: `rules.contract.sample`."""

SAMPLE = """!start; 1 d seat/1/left; 2 w seat/2/right; 1 g seat/1/left;
2 c seat/2/left; 1 x seat/1/right; 2 t seat/2/right; 1 f seat/1/left; -1 f seat/1/left;
1 m seat/1/left; 2 z discard; -1 z discard; 1 voom seat/1/right; 2 h seat/2/left;
1 z seat/1/left; 2 n seat/2/right; 1 e seat/2/left; -1 e seat/2/left; 1 e discard;
2 voom seat/2/left; !deck-empty; 1 r seat/1/right; 2 r seat/2/left; !end"""
