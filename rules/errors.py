"""What a user can mend: one line that says what was expected, what was found and what to do."""


class FairdealError(Exception):
    """Raised for bad settings, broken hardware and bad input; never for a foul."""

    def __init__(self, expected: str, found: str, todo: str = "", where: str = "") -> None:
        self.expected, self.found, self.todo, self.where = expected, found, todo, where
        text = f"expected {expected}, found {found}"
        if where:
            text = f"{where}: {text}"
        if todo:
            text = f"{text}; {todo}"
        super().__init__(" ".join(text.split()))

    def __reduce__(self) -> tuple[type["FairdealError"], tuple[str, ...]]:
        """How it crosses from one process to another: by its four parts, not by its text."""
        return type(self), (self.expected, self.found, self.todo, self.where)
