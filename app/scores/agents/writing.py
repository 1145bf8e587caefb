"""Writes the figures of a run's episodes: counts in one statement, then the classes of what went wrong.

Made again from stored steps and scores whenever a run is scored: the same steps and rules give the same rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

from app.agent_tools.arguments import PLACE_ID
from app.core.identity import canonical_json
from app.questions.gold import VALUE
from app.questions.prompts import prompt_as_text
from app.scores.agents import queries
from app.scores.agents.errors import MissedEpisode, classes_of
from app.scores.profiles import TRIGPOINT
from app.scores.registry import EpisodeStep

AT_ONCE = 100
"""Episodes whose results are held in memory together."""


def write_figures(connection: Connection, run_id: int) -> int:
    """Write the figures of the scored episodes of a run with tools; how many. The caller commits.

    As the worker role, after the scores. A run without tools has none.
    """
    key = {"run_id": run_id}
    connection.execute(queries.DELETE_FIGURES, key)
    if not connection.execute(queries.IS_AGENT, key).scalar_one():
        return 0
    binds = {**key, **TRIGPOINT.scorer_binds()}
    written = connection.execute(queries.INSERT_FIGURES, binds).rowcount
    missed = connection.execute(queries.MISSED, binds).all()
    for start in range(0, len(missed), AT_ONCE):
        _write_errors(connection, missed[start : start + AT_ONCE])
    return written


def _write_errors(connection: Connection, missed: Sequence[Row[Any]]) -> None:
    steps: dict[int, list[EpisodeStep]] = defaultdict(list)
    for row in connection.execute(queries.TOOL_STEPS, {"ids": [one.id for one in missed]}):
        request = {"tool": row.tool, "arguments": row.arguments}
        steps[row.prediction_id].append(EpisodeStep("tool", request, row.response or {}))
    found = [{"prediction_id": row.id, "errors": classes_of(_missed(row, steps[row.id]))} for row in missed]
    connection.execute(queries.UPDATE_ERRORS, {"rows": canonical_json(found)})


def _missed(row: Row[Any], steps: Sequence[EpisodeStep]) -> MissedEpisode:
    return MissedEpisode(
        question=prompt_as_text(row.prompt),
        options=row.options or (),
        gold=row.gold if row.gold_kind == VALUE else {},
        places=frozenset([*_ids_in(row.parameters or {}), *(one["osm_key"] for one in row.evidence or ())]),
        plan=row.plan if isinstance(row.plan, Mapping) else None,
        steps=steps,
        outcome=row.outcome,
        parsed=row.parsed or {},
    )


def _ids_in(value: Any) -> Iterable[str]:
    """The ids of objects among the parameters of a question."""
    if isinstance(value, str):
        return [value] if PLACE_ID.fullmatch(value) else []
    if isinstance(value, Mapping | list):
        parts = value.values() if isinstance(value, Mapping) else value
        return [found for part in parts for found in _ids_in(part)]
    return []
