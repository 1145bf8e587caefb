"""Runs compared on the public questions that both answered: of a run that was asked a sample no comparison is stored.

Reads question, proof, prediction and score as the api role; hidden questions are in no sample, and count for nothing.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from sqlalchemy import Connection

from app.core.errors import Conflict
from app.leaderboard import queries
from app.scores.aggregating import ALL, strata_of_parts
from app.scores.comparing import part_of, public_values
from app.scores.grouping import Traits, groups_of, read_traits
from app.scores.pairs import TEST_NUMBER, compare
from app.scores.profiles import Profile


class CommonPair(NamedTuple):
    """A pair as comparisons that are stored have it: the mean of `run` less that of `other`."""

    run: int
    other: int
    n: int
    difference: float
    low: float | None
    high: float | None
    p: float | None
    detectable: float | None
    templates: int
    places: int
    new_low: float | None
    new_high: float | None
    new_p: float | None
    test: int = TEST_NUMBER


def compare_common(
    connection: Connection, version_id: int, runs: Sequence[int], scope: str, rules: Profile
) -> list[CommonPair]:
    """Each pair of these complete runs, compared on the public questions of a scope that both answered.

    Raises Conflict for a pair that has no such question.
    """
    traits = read_traits(connection, version_id)
    positions = connection.execute(queries.POSITIONS, {"version_id": version_id}).scalars().all()
    asked = _of_scope(
        [one for one in traits if rules.counts_unanswerable or not (rules.of_paper and one.without_answer)],
        scope,
    )
    trait_of = {place: one for place, one in zip(positions, traits, strict=True) if one.id in asked}
    values = {
        run: {
            place: mean
            for place, mean in zip(places.tolist(), means.tolist(), strict=True)
            if place in trait_of
        }
        for run, places, means in public_values(connection, rules, sorted(runs))
    }
    return [_compare(run, other, values, trait_of, scope) for run, other in combinations(sorted(runs), 2)]


def _of_scope(traits: Sequence[Traits], scope: str) -> frozenset[str]:
    """The ids of the public questions of a scope; none where there is no such scope."""
    public = [one for one in traits if not one.hidden]
    kind, _, name = scope.partition(":")
    if scope == ALL:
        return frozenset(one.id for one in public)
    if kind == "template":
        return frozenset(one.id for one in public if one.template == name)
    return groups_of(public).get(scope, frozenset())


def _compare(
    run: int,
    other: int,
    values: dict[int, dict[int, float]],
    trait_of: dict[int, Traits],
    scope: str,
) -> CommonPair:
    one, another = values.get(run, {}), values.get(other, {})
    both = sorted(one.keys() & another.keys())
    if not both:
        of_scope = "" if scope == ALL else f" of {scope}"
        raise Conflict(
            f"Runs {run} and {other} answered no question{of_scope} in common: nothing can be compared."
        )
    strata = strata_of_parts([part_of(trait_of[place]) for place in both])
    differences = np.array([one[place] - another[place] for place in both])
    return CommonPair(run, other, *compare(differences, strata))
