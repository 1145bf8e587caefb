"""What a run's row on boards says beside its scores: calls, cost, latency, each repeat's mean. Writes run_standing.

Its digest changes with anything that boards show of the run: who has seen a board knows whether it still holds.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from app.core.identity import digest
from app.predictions.costs import cost_of
from app.scores import queries_standing as queries
from app.scores.aggregating import Aggregate, Marked, Part, mean_value
from app.scores.profiles import Profile
from app.scores.withholding import shown_values

LAYOUT = 2
"""Which scopes and comparisons are written with a score, and how; runs of an older one are scored again by a sweep."""


def write_standing(
    connection: Connection,
    run: Row[Any],
    profile: Profile,
    aggregates: Sequence[Aggregate],
    sql: Mapping[str, Mapping[str, Any]],
    marked: Sequence[tuple[Row[Any], Marked]],
    counted: Sequence[Part],
) -> None:
    """Write the run's standing under the profile, in place of an earlier one; the caller commits.

    `marked` are its predictions (`question_id`, `repeat`) with what became of each, `counted` the questions whose
    values count in the whole.
    """
    has_score = bool(aggregates) and aggregates[0].score is not None
    repeats = repeat_scores(marked, counted) if has_score and run.repeats > 1 else None
    spent = cost_of(connection, run.id)
    calls = connection.execute(queries.CALLS, {"run_id": run.id}).one()
    told = {
        "calls": calls.calls,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "cost": None if spent.amount is None else float(spent.amount),
        "currency": None if spent.prices is None else spent.prices.currency,
        "latency_median_ms": calls.median_ms,
        "latency_p95_ms": calls.p95_ms,
        "repeat_scores": repeats,
    }
    values = [(mark.question_id, mark.state, mark.value) for _, mark in marked]
    shown = digest(profile.version, [row._asdict() for row in aggregates], sql, told, values)
    key = {"run_id": run.id, "profile": profile.name, "version_id": run.version_id}
    connection.execute(queries.UPSERT_STANDING, {**key, "layout": LAYOUT, "digest": shown, **told})


def repeat_scores(marked: Sequence[tuple[Row[Any], Marked]], counted: Sequence[Part]) -> list[float]:
    """The mean over questions of each repeat, rotations of a question averaged first; in the order of repeats."""
    marks: dict[int, dict[str, list[Marked]]] = {}
    for row, mark in marked:
        marks.setdefault(row.repeat, {}).setdefault(mark.question_id, []).append(mark)
    hidden = [part.hidden for part in counted]
    means = []
    for _, by_question in sorted(marks.items()):
        values = [mean_value(by_question[part.question_id], 0) for part in counted]
        means.append(math.fsum(shown_values(values, hidden)) / len(values))
    return means
