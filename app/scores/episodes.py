"""Answers beside the steps of their episodes, for scorers that look at more than the answer.

Reads steps, as the worker role, and only where a question's scorer asks for them. The steps of a run that was carried
over are those of the run that was asked.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Row

from app.scores.expectations import Judged
from app.scores.queries_episodes import STEPS_OF_PREDICTIONS
from app.scores.registry import EpisodeStep

AT_ONCE = 100
"""Predictions whose steps are held in memory together: an episode may have many, and long ones."""


def read_steps(connection: Connection, prediction_ids: Sequence[int]) -> dict[int, list[EpisodeStep]]:
    """The calls that were answered on the way to each prediction, in their order; nothing for one without calls."""
    if not prediction_ids:
        return {}
    rows = connection.execute(STEPS_OF_PREDICTIONS, {"ids": list(prediction_ids)})
    return {
        prediction_id: [EpisodeStep(row.kind, row.request, row.response or {}) for row in steps]
        for prediction_id, steps in groupby(rows, lambda row: row.prediction_id)
    }


def with_steps(
    connection: Connection, predictions: Sequence[Row[Any]], questions: Mapping[str, Judged]
) -> Iterator[tuple[Row[Any], Sequence[EpisodeStep]]]:
    """Each prediction with its steps, in the given order; without any where its scorer does not ask for them."""
    for start in range(0, len(predictions), AT_ONCE):
        portion = predictions[start : start + AT_ONCE]
        asking = [row.id for row in portion if questions[row.question_id].scorer.judge_episode is not None]
        steps = read_steps(connection, asking)
        for row in portion:
            yield row, steps.get(row.id, ())
