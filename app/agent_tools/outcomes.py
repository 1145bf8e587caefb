"""What a call of a tool came to, as a step stores it: an answer, or an error that a model can act on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from app.agent_tools.calling import ToolAnswer
from app.agent_tools.errors import ToolError, ToolErrorKind
from app.core.identity import canonical_json

LARGEST_RESULT = 64 * 1024
"""Bytes of a typed result that are stored beside its sentence; a larger one is left out, and its size is stored."""
LONGEST_SENTENCE = 256 * 1024
"""Characters of a sentence that are stored."""


@dataclass(frozen=True)
class ToolOutcome:
    """What a tool said. `sentence` is its answer in words, or what was wrong with the call.

    `result` is the typed answer; None for an error, or where it is larger than LARGEST_RESULT: `withheld_bytes` of it
    were left out then. `kind` is None unless the call could not be answered.
    """

    sentence: str
    result: dict[str, Any] | None = None
    withheld_bytes: int | None = None
    kind: ToolErrorKind | None = None

    @classmethod
    def of_answer(cls, answer: ToolAnswer) -> Self:
        """The outcome of a call that was answered."""
        result = answer.result.model_dump(mode="json", exclude_none=True)
        size = len(canonical_json(result).encode())
        sentence = answer.sentence
        if len(sentence) > LONGEST_SENTENCE:
            sentence = f"{sentence[:LONGEST_SENTENCE]}… ({len(sentence) - LONGEST_SENTENCE} more characters)"
        if size > LARGEST_RESULT:
            return cls(sentence, withheld_bytes=size)
        return cls(sentence, result)

    @classmethod
    def of_error(cls, error: ToolError) -> Self:
        """The outcome of a call that could not be answered as it was made."""
        return cls(str(error), kind=error.kind)

    def as_json(self) -> dict[str, Any]:
        """The outcome as a step stores it."""
        if self.kind is not None:
            return {"error": {"kind": self.kind, "message": self.sentence}}
        told: dict[str, Any] = {"sentence": self.sentence, "result": self.result}
        return told | ({"withheld_bytes": self.withheld_bytes} if self.withheld_bytes is not None else {})

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """The outcome that a step stored. Raises KeyError for what is none."""
        if "error" in stored:
            return cls(stored["error"]["message"], kind=stored["error"]["kind"])
        return cls(stored["sentence"], stored["result"], stored.get("withheld_bytes"))
