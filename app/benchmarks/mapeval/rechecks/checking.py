"""One published question → what became of its key. Registers the checkers of both files."""

from collections.abc import Callable, Sequence

from app.benchmarks.mapeval.rechecks.asked import AskedQuestion, unchecked
from app.benchmarks.mapeval.rechecks.contexts import read_context
from app.benchmarks.mapeval.rechecks.directions import check_direction, check_landmark
from app.benchmarks.mapeval.rechecks.distances import check_distance, check_pairs
from app.benchmarks.mapeval.rechecks.hours import check_hours
from app.benchmarks.mapeval.rechecks.lists import check_count, check_nearest
from app.benchmarks.mapeval.rechecks.orders import check_order
from app.questions.gold import UNANSWERABLE
from app.questions.rechecking.checks import CHECKERS, Finding, KeyedQuestion

CHECKS: Sequence[Callable[[AskedQuestion], Finding | None]] = (
    check_distance,
    check_direction,
    check_landmark,
    check_pairs,
    check_hours,
    check_count,
    check_order,
    check_nearest,
)
"""The first that reads a question decides."""


def check_key(question: KeyedQuestion) -> Finding:
    """The finding for one question of the textual file."""
    options = question.options or ()
    fault = _equal_key(question, options)
    if question.gold_kind == UNANSWERABLE:
        return unchecked("unanswerable", "Its authors say that it cannot be answered.")._replace(fault=fault)
    if not question.context:
        return unchecked("no context", "The question has no context.")._replace(fault=fault)
    keys = frozenset([question.gold["index"], *question.gold.get("also", ())])
    asked = AskedQuestion(" ".join(question.text.split()), options, keys, read_context(question.context))
    found = next((finding for check in CHECKS if (finding := check(asked)) is not None), None)
    found = found or unchecked("other", "No check here reads this kind of question.")
    return found._replace(fault=fault)


def _equal_key(question: KeyedQuestion, options: Sequence[str]) -> str | None:
    also = question.gold.get("also", ())
    if not also:
        return None
    letters = " and ".join(str(place + 1) for place in sorted([question.gold["index"], *also]))
    return (
        f"The key is one of several equal options: options {letters} are {options[question.gold['index']]!r}."
    )


def check_picture(question: KeyedQuestion) -> Finding:
    """The finding for a question about a picture, in which nothing is read here."""
    fault = _equal_key(question, question.options or ())
    return unchecked("picture", "What the picture shows is not read.")._replace(fault=fault)


CHECKERS.add("mapeval", "mapeval-textual", check_key)
CHECKERS.add("mapeval", "mapeval-visual", check_picture)
