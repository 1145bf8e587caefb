"""Figures of runs that answer by GeoFlow graphs: what was wrong with graphs, where they came from, and what failed.

Of public questions alone. So it is a figure, and no claim, how many errors come from the making of graphs.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Row

NONE = "none"
"""Where there is no graph, no rule was needed, or nothing failed."""


class GraphFigures(BaseModel):
    """The graphs of a run's episodes."""

    model_config = ConfigDict(frozen=True)

    episodes: int
    sources: dict[str, int] = Field(
        description="episodes by where their graph came from: model, repair, templates, or none"
    )
    broken: int = Field(description="first replies that are no graph, or one that breaks a constraint")
    repaired: int = Field(description="of these, those that a further call of the model mended")
    violations_before: dict[str, int] = Field(
        description="of first replies, by constraint; unread: replies that are no graph"
    )
    violations_after: dict[str, int] = Field(description="of the replies that were to mend them")
    stages: dict[str, int] = Field(
        description="episodes by what is to blame where the measure has no value, or there is no answer: graph,"
        " tool, data, answer, or none"
    )
    rules: dict[str, int] = Field(
        description="episodes by the rule that found the answer; model where none decided"
    )
    right_by_source: dict[str, int]


def read_graphs(rows: Sequence[Row[Any]]) -> GraphFigures | None:
    """The figures of a run from its episodes, grouped by all that is told of graphs; None for another run's."""
    if not rows:
        return None
    counted = {name: Counter[str]() for name in ("source", "stage", "rule", "right")}
    before, after = Counter[str](), Counter[str]()
    broken = repaired = 0
    for row in rows:
        for name in ("source", "stage", "rule"):
            counted[name][getattr(row, name) or NONE] += row.episodes
        counted["right"][row.source or NONE] += row.right_answers
        broken += row.episodes if row.before else 0
        repaired += row.episodes if row.source == "repair" else 0
        for sums, told in ((before, row.before), (after, row.after)):
            sums.update({name: count * row.episodes for name, count in (told or {}).items()})
    return GraphFigures(
        episodes=sum(row.episodes for row in rows),
        sources=_sorted(counted["source"]),
        broken=broken,
        repaired=repaired,
        violations_before=_sorted(before),
        violations_after=_sorted(after),
        stages=_sorted(counted["stage"]),
        rules=_sorted(counted["rule"]),
        right_by_source=_sorted(counted["right"]),
    )


def _sorted(counts: Counter[str]) -> dict[str, int]:
    return dict(sorted(counts.items()))
