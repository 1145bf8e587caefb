"""Figures of agents that explore, by tier and by density: hits, moves, calls, points, areas, and what went wrong.

Of public questions alone. Tiers are cumulative, as in EVGeoQA's paper: the second holds the first, the last all.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Row

from app.scores.agents.exploring_errors import EXPLORING_CLASSES
from app.scores.bootstrap import METHOD, bootstrap_intervals
from app.scores.grouping import by_density

TIERS: Mapping[str, frozenset[str]] = {
    "< 10 km": frozenset({"10"}),
    "< 20 km": frozenset({"10", "20"}),
    "no limit": frozenset({"10", "20", "none"}),
}
"""What each tier is called, and the smallest tiers of the questions in it."""
RANKS = (1, 2, 3)
MEANS = ("moves", "calls", "centres", "implicit_moves", "area_km2")


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Hits(_Model):
    """Hits@K: the share of episodes that have a station of the key among their first K, with its interval."""

    score: float
    low: float
    high: float


class ExploredGroup(_Model):
    """Episodes of a tier, or of a density of user places. Figures are means over episodes."""

    name: str
    episodes: int
    users: int = Field(description="different user places")
    hits: list[Hits] = Field(description="Hits@1, Hits@2 and Hits@3")
    moves: float = Field(description="calls of Change_Current_Location")
    calls: float = Field(description="of all tools")
    centres: float = Field(description="different points from which stations were searched")
    implicit_moves: float = Field(description="searches more than 50 m from all points that were told before")
    area_km2: float = Field(description="that was seen, counted once where views overlap")
    unreached: int = Field(
        description="episodes that miss at 3 after so many calls that a further move and a search do not fit into 20"
    )
    errors: dict[str, int] = Field(
        description="episodes that miss at 3, by what went wrong: argument_error, calls_used_up_by_repeats,"
        " calls_used_up_inefficiently, factual_conflation or insufficient_exploration; each is in one"
    )


class Exploration(_Model):
    """What a run of an agent that explores came to."""

    interval: str = Field(description="how the intervals are made")
    tiers: list[ExploredGroup] = Field(
        description="by the distance of the first station of the key; cumulative"
    )
    densities: list[ExploredGroup] = Field(description="by how dense the surroundings of the user are")


def read_exploration(rows: Sequence[Row[Any]]) -> Exploration | None:
    """The figures over rows of EXPLORED of one run; None without any."""
    if not rows:
        return None
    tiers = [_group(name, [row for row in rows if row.tier in of_tier]) for name, of_tier in TIERS.items()]
    names = sorted({row.density for row in rows if row.density is not None}, key=by_density)
    densities = [_group(name, [row for row in rows if row.density == name]) for name in names]
    return Exploration(
        interval=METHOD,
        tiers=[one for one in tiers if one is not None],
        densities=[one for one in densities if one is not None],
    )


def _group(name: str, rows: Sequence[Row[Any]]) -> ExploredGroup | None:
    """The group of these rows, each of which adds the episodes of one user up."""
    if not rows:
        return None
    episodes = sum(row.episodes for row in rows)
    users = sorted({row.user_place for row in rows})
    of_user: dict[str, list[Row[Any]]] = {user: [] for user in users}
    for row in rows:
        of_user[row.user_place].append(row)

    def by_user(column: str) -> list[int]:
        return [sum(row._mapping[column] for row in of_user[user]) for user in users]

    hits = [by_user(f"hits_{rank}") for rank in RANKS]
    ends = bootstrap_intervals(np.array(hits, dtype=np.float64).T, by_user("episodes"))
    return ExploredGroup(
        name=name,
        episodes=episodes,
        users=len(users),
        hits=[
            Hits(score=sum(one) / episodes, low=end.low, high=end.high)
            for one, end in zip(hits, ends, strict=True)
        ],
        unreached=sum(row.unreached for row in rows),
        errors={error: sum(row._mapping[error] for row in rows) for error in EXPLORING_CLASSES},
        **{mean: sum(row._mapping[mean] for row in rows) / episodes for mean in MEANS},
    )
