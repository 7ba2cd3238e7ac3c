"""A short game, legal but for mistakes that are put right. Its form: `rules.contract.sample`."""

SAMPLE = """- machine machine/1; - machine machine/2; - machine machine/3;
- p1-white-plain seat/1/garments; - p1-white-softener seat/1/garments;
- p1-white-stain seat/1/garments; - p1-colour-plain seat/1/garments;
- p1-colour-plain2 seat/1/garments; - p1-colour-mesh seat/1/garments;
- p2-white-plain seat/2/garments; - p2-white-softener seat/2/garments;
- p2-white-stain seat/2/garments; - p2-colour-plain seat/2/garments;
- p2-colour-plain2 seat/2/garments; - p2-colour-mesh seat/2/garments; !start;
-1 p1-white-plain seat/1/garments; 1 p1-white-plain machine/1/garments;
1 back machine/1/items; !done 1; 2 back machine/2/items;
2 red-sock machine/2/items; -2 red-sock machine/2/items; 2 back machine/2/items; !done 2;
1 wash actions; -1 back machine/1/items; 1 detergent machine/1/items;
-1 p1-white-plain machine/1/garments; 1 p1-white-plain clothesline;
-1 detergent machine/1/items; 1 back machine/3/items; !done 1"""
