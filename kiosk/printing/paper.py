"""Paper sizes."""

from rules.errors import FairdealError

# Width and height in mm of an upright sheet.
PAPERS_MM = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0)}


def paper_mm(name: str) -> tuple[float, float]:
    """Width and height in mm of an upright sheet. FairdealError for an unknown paper."""
    if name not in PAPERS_MM:
        raise FairdealError(
            f"a paper of {', '.join(PAPERS_MM)}", repr(name), "give another --paper", "print"
        )
    return PAPERS_MM[name]
