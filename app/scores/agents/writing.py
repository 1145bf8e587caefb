"""Writes the figures of a run's episodes: counts in one statement, then the classes of what went wrong.

Episodes on questions for stations that call the tools of `georover` alone get figures and classes of their own.

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
from app.scores.agents.conflation import Sought
from app.scores.agents.errors import MissedEpisode, classes_of
from app.scores.agents.exploring import explores, figures_of
from app.scores.agents.exploring_errors import Explored, exploring_classes_of
from app.scores.profiles import TRIGPOINT
from app.scores.reading.stations import read_location
from app.scores.registry import EpisodeStep
from app.scores.scorers.hits import RANKS

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
    of_stations = connection.execute(queries.OF_STATIONS, binds).all()
    for start in range(0, len(of_stations), AT_ONCE):
        _write_exploration(connection, of_stations[start : start + AT_ONCE])
    missed = connection.execute(queries.MISSED, binds).all()
    for start in range(0, len(missed), AT_ONCE):
        _write_errors(connection, missed[start : start + AT_ONCE])
    return written


def _write_exploration(connection: Connection, episodes: Sequence[Row[Any]]) -> None:
    steps = _tool_steps(connection, episodes)
    found = [
        {
            "prediction_id": row.id,
            "errors": exploring_classes_of(_explored(row, steps[row.id])),
            "exploration": _exploration(row, steps[row.id]),
        }
        for row in episodes
        if explores(steps[row.id])
    ]
    connection.execute(queries.UPDATE_EXPLORATION, {"rows": canonical_json(found)})


def _explored(row: Row[Any], steps: Sequence[EpisodeStep]) -> Explored:
    sought = None
    if row.destination and row.activities:
        sought = Sought(row.destination, frozenset(row.activities.split(",")))
    said = (row.parsed or {}).get("stations") or ()
    return Explored(row.gold["stations"], steps, row.is_right, row.outcome, row.ended_by, said, sought)


def _exploration(row: Row[Any], steps: Sequence[EpisodeStep]) -> dict[str, Any]:
    """The figures of an episode, what its question is told apart by, and its hits of one, two and three stations."""
    user = row.gold.get("user") or {}
    hits = row.components or {}
    return {
        "user": f"{user.get('lon')},{user.get('lat')}",
        "tier": row.gold.get("tier"),
        "density": row.gold.get("density"),
        "hits": [int(hits.get(f"hits_{rank}", {}).get("value", 0)) for rank in RANKS],
        **figures_of(read_location([user.get("lon"), user.get("lat")]), steps)._asdict(),
    }


def _tool_steps(connection: Connection, episodes: Sequence[Row[Any]]) -> Mapping[int, list[EpisodeStep]]:
    steps: dict[int, list[EpisodeStep]] = defaultdict(list)
    for row in connection.execute(queries.TOOL_STEPS, {"ids": [one.id for one in episodes]}):
        request = {"tool": row.tool, "arguments": row.arguments}
        steps[row.prediction_id].append(EpisodeStep("tool", request, row.response or {}))
    return steps


def _write_errors(connection: Connection, missed: Sequence[Row[Any]]) -> None:
    steps = _tool_steps(connection, missed)
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
