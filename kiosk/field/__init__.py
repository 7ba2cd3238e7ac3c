"""The field kit: a real table is recorded, a part of that is passed on, and judged again."""
