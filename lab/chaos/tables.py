"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Say = Callable[[str], None]


def table(title: str, head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A titled table."""
    lines = [f"\n### {title}\n", "| " + " | ".join(head) + " |", "|---" * len(head) + "|"]
    lines += ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)
