"""What a tool says when it cannot answer: one sentence that a model can act on."""

from app.core.errors import UsageError


class ToolError(UsageError):
    """The call cannot be answered as it was made.

    `kind` is `unknown_tool`, `bad_argument`, `not_found`, `unavailable` or `too_slow`.
    """

    exit_code = 1

    def __init__(self, message: str, kind: str = "bad_argument") -> None:
        super().__init__(message)
        self.kind = kind
