"""What a tool says when it cannot answer: one sentence that a model can act on."""

from typing import Literal

from app.core.errors import UsageError

ToolErrorKind = Literal[
    "unknown_tool",
    "bad_argument",
    "not_found",
    "unknown_type",
    "no_route",
    "unavailable",
    "too_slow",
    "try_again",
]


class ToolError(UsageError):
    """The call cannot be answered as it was made."""

    exit_code = 1

    def __init__(self, message: str, kind: ToolErrorKind = "bad_argument") -> None:
        super().__init__(message)
        self.kind = kind
