"""What a run's row on boards says beside its scores: calls, cost, latency, each repeat's mean. Writes run_standing.

Its digest changes with anything that boards show of the run: who has seen a board knows whether it still holds. Single
values enter it of public questions alone: a digest of a hidden one could be tried out.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from app.core.identity import digest
from app.predictions.costs import cost_of
from app.scores import queries_standing as queries
from app.scores.aggregating import Marked, Part, mean_value
from app.scores.profiles import Profile

LAYOUT = 5
"""Which scopes and comparisons are written with a score, and how; runs of an older one are scored again by a sweep."""

NO_CALLS: Mapping[str, Any] = {
    "calls": 0,
    "prompt_tokens": 0,
    "completion_tokens": 0,
    "cost": None,
    "currency": None,
    "latency_median_ms": None,
    "latency_p95_ms": None,
    "truncated": 0,
}


def write_standing(
    connection: Connection,
    run: Row[Any],
    profile: Profile,
    aggregates: Sequence[Mapping[str, Any]],
    marked: Sequence[tuple[Row[Any], Marked]],
    public: Sequence[Part],
    calls: Mapping[str, Any],
) -> None:
    """Write the run's standing under the profile, in place of an earlier one; the caller commits.

    `aggregates` are as they are stored, the whole first; `marked` are its predictions (`question_id`, `repeat`) with
    what became of each, `public` the questions whose single values may be told. `calls` is of `read_calls`, or
    NO_CALLS: calls of a judge, whose prompts hold gold and whose replies are the longer the more is wrong, would tell
    of hidden questions.
    """
    has_score = bool(aggregates) and aggregates[0]["score"] is not None
    repeats = repeat_scores(marked, public) if has_score and run.repeats > 1 and public else None
    told = {**calls, "repeat_scores": repeats}
    told_of = {part.question_id for part in public}
    values = [(mark.question_id, mark.state, mark.value) for _, mark in marked if mark.question_id in told_of]
    shown = digest(profile.version, aggregates, told, values)
    key = {"run_id": run.id, "profile": profile.name, "version_id": run.version_id}
    connection.execute(queries.UPSERT_STANDING, {**key, "layout": LAYOUT, "digest": shown, **told})


def read_calls(connection: Connection, run_id: int) -> dict[str, Any]:
    """What the run's calls took: their number, tokens, cost and latency."""
    spent = cost_of(connection, run_id)
    calls = connection.execute(queries.CALLS, {"run_id": run_id}).one()
    return {
        "calls": calls.calls,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "cost": None if spent.amount is None else float(spent.amount),
        "currency": None if spent.prices is None else spent.prices.currency,
        "latency_median_ms": calls.median_ms,
        "latency_p95_ms": calls.p95_ms,
        "truncated": spent.truncated,
    }


def repeat_scores(marked: Sequence[tuple[Row[Any], Marked]], public: Sequence[Part]) -> list[float]:
    """The mean over public questions of each repeat, a question's rotations averaged first; in the order of repeats.

    Hidden questions do not count: a number a repeat would tell as much of them as so many runs.
    """
    marks: dict[int, dict[str, list[Marked]]] = {}
    for row, mark in marked:
        marks.setdefault(row.repeat, {}).setdefault(mark.question_id, []).append(mark)
    means = []
    for _, by_question in sorted(marks.items()):
        values = [mean_value(by_question[part.question_id], 0) for part in public]
        means.append(math.fsum(values) / len(values))
    return means
