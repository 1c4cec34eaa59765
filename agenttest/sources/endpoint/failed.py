"""Why an exchange brought no answer."""

from __future__ import annotations


class Failed(Exception):
    """No whole answer came. `message` is the same for the same failure, and holds no address and no secret; `remedy`
    says what would help."""

    def __init__(self, message: str, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message, self.remedy = message, remedy
