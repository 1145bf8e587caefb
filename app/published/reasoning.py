"""Figures of the reasoning in a run's answers to public questions: which steps broke, and what judges say of it.

Reads as the api role. They are written after a run is scored (app.scores.reasoning_figures).
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.published import queries_reasoning as queries
from app.published.models import Licensed
from app.reviews.broken_steps import (
    BROKEN,
    CLARITY,
    FINE,
    Broken,
    CheckAgreement,
    Counted,
    compare_verdicts,
    count_all,
    count_by_task,
)
from app.scores.profiles import TRIGPOINT
from app.scores.verdicts import PURE
from app.solvers.run_kinds import JUDGEMENT

MOST_RUNS = 100


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class CheckedReasoning(_Model):
    """What the check of a run's answers to public questions found."""

    run: int
    name: str
    checker_version: int = Field(description="of the rules that checked its answers")
    all: Broken = Field(description="all tasks together")
    tasks: list[Broken]
    judges: list[CheckAgreement] = Field(
        description="the complete judges' runs over this run, and how often each says the same as the check"
    )


class ReasoningComparison(Licensed):
    """The runs of a data set version whose reasoning was checked, the newest first."""

    model_config = ConfigDict(frozen=True)

    dataset: str = Field(examples=["demo_reasoning@1"])
    runs: list[CheckedReasoning]


def read_reasoning(connection: Connection, runs: Sequence[int]) -> list[CheckedReasoning]:
    """The figures of those of the runs that have some, in the order of `runs`."""
    key = {"runs": list(runs), "profile": TRIGPOINT.name}
    counted: dict[int, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(queries.COUNTED, key):
        counted[row.run].append(row)
    if not counted:
        return []
    judges = _read_judges(connection, list(counted))
    return [_checked(counted[run], judges.get(run, [])) for run in runs if run in counted]


def read_reasoning_of_version(connection: Connection, version_id: int) -> list[CheckedReasoning]:
    """The figures of the version's runs, the newest first."""
    binds = {"version_id": version_id, "profile": TRIGPOINT.name, "most": MOST_RUNS}
    return read_reasoning(connection, connection.execute(queries.RUNS_OF_VERSION, binds).scalars().all())


def _checked(rows: Sequence[Row[Any]], judges: list[CheckAgreement]) -> CheckedReasoning:
    counted = [Counted(**{name: row._mapping[name] for name in Counted._fields}) for row in rows]
    return CheckedReasoning(
        run=rows[0].run,
        name=rows[0].name,
        checker_version=rows[0].checker_version,
        all=count_all(counted),
        tasks=count_by_task(counted),
        judges=judges,
    )


def _read_judges(connection: Connection, runs: Sequence[int]) -> dict[int, list[CheckAgreement]]:
    binds = {
        "runs": list(runs),
        "profile": TRIGPOINT.name,
        "kind": JUDGEMENT,
        "clarity": CLARITY,
        "judged_by": PURE.name,
        "judged_by_version": PURE.version,
    }
    names: dict[tuple[int, int], str] = {}
    counts: dict[tuple[int, int], dict[tuple[str, str], int]] = defaultdict(dict)
    for row in connection.execute(queries.BY_JUDGES, binds):
        judge = row.run, row.judge_id
        names[judge] = f"run {row.judge_id} ({row.model or row.label})"
        verdicts = tuple(BROKEN if one else FINE for one in (row.is_broken, row.is_marked_broken))
        counts[judge][verdicts[0], verdicts[1]] = row.answers
    found: dict[int, list[CheckAgreement]] = defaultdict(list)
    for judge, verdicts_of in counts.items():
        found[judge[0]].append(compare_verdicts(names[judge], verdicts_of))
    return found
