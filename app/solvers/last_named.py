"""`last_named`: of two places that are compared, says the one that the text names last; reads the text alone.

By MapQA's published keys this is always right: there the closer one of two places is the one that is named last.
A question that compares no two places has no answer.
"""

import re
from collections.abc import Sequence

from sqlalchemy import Connection

from app.core.errors import UsageError
from app.questions.prompts import StoredPrompt, TextPart, read_parts
from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import CallResult
from app.solvers.queries import PROMPTS

_FORMS = tuple(
    re.compile(form, re.DOTALL)
    for form in (
        r"Of .+ and (?P<last>.+), which (?:one|place) ",
        r"(?:Is|Are) .+? or (?P<last>.+?) (?:nearer|closer) to ",
        r"Which of the two, .+? or (?P<last>.+?), (?:has|is|lies) ",
        r"At .+: is .+? or (?P<last>.+?) (?:nearer|closer)\b",
        r".+? or (?P<last>.+?), which is (?:nearer|closer) to ",
        r"(?:Which|What)\b.*?\b(?:nearer|closer)\b.*\bor (?P<last>.+)",
    )
)
"""Ways to compare two places; what follows the first question mark is not read."""
_KIND = re.compile(r" \([^()A-Z]+\)$")
"""The kind of a place that our texts tell behind its name."""
_LONGEST = 2_000
"""Characters of a text that are looked at."""


def find_last_named(text: str) -> str | None:
    """The name of the last one of the places that a text compares; None where it compares none."""
    asked = text[:_LONGEST].partition("?")[0].strip()
    found = (form.match(asked) for form in _FORMS)
    return next((_KIND.sub("", one["last"].strip()) for one in found if one), None)


def _text_of(prompt: StoredPrompt) -> str:
    return "\n".join(part.text for part in read_parts(prompt) if isinstance(part, TextPart))


def refuse_without_comparisons(connection: Connection, version_id: int) -> None:
    """Raises UsageError where no question of the version compares two places."""
    rows = connection.execute(PROMPTS, {"version_id": version_id})
    if not any(find_last_named(_text_of(row.prompt)) for row in rows):
        raise UsageError(
            "last_named says which of two places is named last in a comparison, and no question of this data set "
            "compares two places: take another data set or another solver."
        )


@solver("last_named", version=1, check=refuse_without_comparisons)
def open_last_named(connection: Connection, run: RunView) -> NextStep:
    """Reads nothing but the texts of questions."""

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Answer:
        named = find_last_named(_text_of(question.prompt))
        return Answer("no_answer", None) if named is None else Answer("answered", named)

    return next_step
