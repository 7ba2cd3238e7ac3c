"""What a user can mend: one line that says what was expected, what was found and what to do."""

import re


def plain(text: str) -> str:
    """Text that is safe to print: unprintable characters become escapes, passwords in URLs `***`.

    A file's contents may hold terminal control sequences; a stream's URL may hold a password.
    """
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return _PASSWORD.sub(r"\1***@", shown)


_PASSWORD = re.compile(r"(\b[a-z][a-z0-9+.-]*://[^/\s:@]*:)[^/\s]*@", re.IGNORECASE)


MOST_CHARACTERS = 1000  # of a message: what is found in a damaged file may be long


class FairdealError(Exception):
    """Raised for bad settings, broken hardware and bad input; never for a foul."""

    def __init__(self, expected: str, found: str, todo: str = "", where: str = "") -> None:
        self.expected, self.found, self.todo, self.where = expected, found, todo, where
        text = f"expected {expected}, found {found}"
        if where:
            text = f"{where}: {text}"
        if todo:
            text = f"{text}; {todo}"
        super().__init__(plain(" ".join(text.split()))[:MOST_CHARACTERS])

    def __reduce__(self) -> tuple[type["FairdealError"], tuple[str, ...]]:
        """How it crosses from one process to another: by its four parts, not by its text."""
        return type(self), (self.expected, self.found, self.todo, self.where)
