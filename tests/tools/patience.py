"""How long tests wait for what must come. Nothing is measured by it: loaded machines are slow."""

PATIENCE_S = 60.0
