"""A short game, legal but for mistakes that are put right. Its form: `rules.contract.sample`."""

SAMPLE = """!start; 1 hat pile/1; 2 t-shirt pile/1; 1 hat pile/2; 2 boxers pile/1;
1 pants pile/1; 2 t-shirt pile/2; 1 pants pile/2; -1 pants pile/2; 1 socks pile/1;
2 sneakers pile/1; -2 sneakers pile/1; -2 socks pile/1; -2 pants pile/1;
-2 boxers pile/1; -2 t-shirt pile/1; -2 hat pile/1; 1 wild pile/2; 2 wild pile/3;
1 t-shirt pile/3; !draw; 2 pants pile/2; 1 socks pile/2; 2 sneakers pile/2; !end"""
