"""What is said of a question that is disputed, what is decided, and what of both is shown to whom."""

import unicodedata
from datetime import datetime
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from app.core.errors import UsageError

LONGEST_TEXT = 2000
LONGEST_ANSWER = 500
Reason = Literal["wrong_answer", "other_right_answer", "ambiguous", "unclear", "other"]
State = Literal["open", "accepted", "rejected", "withdrawn"]
Outcome = Literal["voided", "corrected"]
Verdict = Literal["reject", "void", "correct"]
_UNSEEN = {"Cc", "Cs", "Zl", "Zp"}
_TURNING = {*"\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"}
"""Signs that turn the direction of what follows: words would not read as they are stored."""


def _readable(words: str) -> str:
    """`words` with plain line ends and nothing at either end. Raises ValueError for signs that nobody sees."""
    plain = words.replace("\r\n", "\n").strip()
    if any(
        (unicodedata.category(sign) in _UNSEEN and sign not in "\n\t") or sign in _TURNING for sign in plain
    ):
        raise ValueError("must have no control signs")
    if not plain:
        raise ValueError("must say something")
    return plain


Words = Annotated[str, Field(min_length=1, max_length=LONGEST_TEXT), AfterValidator(_readable)]


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NewDispute(_Body):
    """Why a question is disputed. Plain text: whatever markup it holds is shown as it stands."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "reason": "other_right_answer",
                    "text": "There are two museums of that name, and Krone is nearer to the other one.",
                    "proposed": "Krone",
                }
            ]
        }
    )

    reason: Reason
    text: Words = Field(description="what is wrong, in your words")
    proposed: (
        Annotated[str, Field(min_length=1, max_length=LONGEST_ANSWER), AfterValidator(_readable)] | None
    ) = Field(default=None, description="the answer that would be right")


class NewDecision(_Body):
    """What a maintainer decides."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"verdict": "void", "text": "Two museums bear the name: the question has no single answer."}
            ]
        }
    )

    verdict: Verdict = Field(
        description="reject keeps the question; void removes it; correct computes its gold again"
    )
    text: Words = Field(
        description="the reason; the person who opened the dispute reads it, unless the question is hidden"
    )


class Dispute(BaseModel):
    """A dispute and what became of it."""

    model_config = ConfigDict(frozen=True)

    dispute: int
    dataset: str = Field(examples=["demo_gsqa@1"])
    question: str
    reason: Reason
    text: str
    proposed: str | None
    state: State
    outcome: Outcome | None = Field(description="of an accepted one: what became of the question")
    erratum: str | None = Field(description="the version that corrects it", examples=["demo_gsqa@2"])
    decision: str | None = Field(
        description="the reason; null for a hidden question, and while the dispute is open"
    )
    created_at: datetime
    closed_at: datetime | None


class DisputePage(BaseModel):
    """Disputes, the newest first."""

    disputes: list[Dispute]
    next: str | None = Field(description="the cursor of the next page; null on the last page")


class GivenAnswer(BaseModel):
    """What a finished run answered."""

    run: int
    label: str
    solver: str
    repeat: int
    rotation: int
    state: str
    answer: str | None
    outcome: str | None
    value: float | None


class Disputed(BaseModel):
    """A dispute with all that a maintainer needs to decide it: gold and proof too, of hidden questions as well."""

    dispute: Dispute
    key: str | None = Field(description="the prefix of the key that disputes it; null for the command line")
    decided_by: str | None
    others: int = Field(description="other open disputes of the same question")
    template: str
    template_version: int
    split: str
    prompt: list[Any]
    options: list[str] | None
    gold: dict[str, Any]
    gold_kind: str = Field(description="value, or unanswerable")
    gold_keys: dict[str, Any] | None = Field(description="answers under further keys, where there are any")
    sql: str
    binds: dict[str, Any]
    parameters: dict[str, Any]
    evidence: list[Any]
    margin: dict[str, Any]
    distractors: list[Any] | None
    second_path: dict[str, Any]
    answers: list[GivenAnswer]


B = TypeVar("B", bound=_Body)


def read_words(kind: type[B], given: dict[str, Any]) -> B:
    """What was given at the command line. Raises UsageError naming each field that is wrong."""
    try:
        return kind.model_validate(given)
    except ValidationError as error:
        wrong = [
            f"--{'.'.join(map(str, one['loc']))}: {one['msg'].removeprefix('Value error, ')}"
            for one in error.errors(include_url=False, include_input=False, include_context=False)
        ]
        raise UsageError("; ".join(wrong) + ".") from error
