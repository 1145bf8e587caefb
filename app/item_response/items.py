"""Items by difficulty and discrimination, and those that a person should look at.

Reads stored scores through reading.py; writes nothing. Public questions alone.
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.item_response.fitting import Array, Fit, fit_model
from app.item_response.reading import Item, Responses, read_responses
from app.questions.versions import PublishedVersion
from app.scores.profiles import default_profile

LEAST_RUNS = 10
"""With fewer, the prior says more of an item's discrimination than the runs do."""
WEAK = 0.35
"""Discrimination below it is "very low" (Baker, The Basics of Item Response Theory, 2nd ed. 2001, chapter 2)."""
ONE_SIDED = 1.645
"""Standard errors to a one-sided limit of 95 %."""
THIRDS = 3

Remark = Literal["reversed", "weak", "never right", "always right"]
TO_REVIEW: tuple[Remark, ...] = ("reversed", "never right", "weak")
"""Remarks for which a person should look at a question, those first that say most of a wrong key."""


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class ItemFigures(_Model):
    """What the runs say of a public question; difficulty is on the scale of the runs' abilities."""

    id: str
    template: str
    difficulty: float | None = Field(
        description="ability at which one answer in two is right; null where all runs do alike"
    )
    difficulty_error: float | None = Field(description="its standard error")
    discrimination: float | None = Field(
        description="how steeply right answers rise with ability; null likewise"
    )
    discrimination_error: float | None
    mean: float = Field(description="mean value over the runs")
    strongest: float = Field(description="mean value over the third of the runs with the highest ability")
    weakest: float = Field(description="mean value over the third with the lowest ability")
    remark: Remark | None = Field(
        description="reversed: discrimination below 0, one-sided 95 %; weak: estimated below 0.35"
    )


class RunAbility(_Model):
    """A run's ability: over the runs used, abilities have mean 0 and variance 1."""

    run: int
    name: str
    model: str
    ability: float
    error: float
    mean: float = Field(description="mean value over the items")


class ItemReport(_Model):
    """All items of a version by the runs that answered it."""

    dataset: str
    version: int
    profile: str
    profile_version: int
    runs: list[RunAbility]
    equal: dict[int, int] = Field(description="runs left out, by the run whose values they have")
    converged: bool
    items: list[ItemFigures] = Field(description="in the order of the data set")


def read_item_report(
    connection: Connection, version: PublishedVersion, runs: tuple[int, ...] = ()
) -> ItemReport:
    """Fit the model over all runs that can be used, or over `runs`. Raises NotFound and Conflict as reading does."""
    rules = default_profile()
    responses = read_responses(connection, version, rules, runs, LEAST_RUNS)
    fit = fit_model(responses.values)
    return ItemReport(
        dataset=version.name,
        version=version.number,
        profile=rules.name,
        profile_version=rules.version,
        runs=_abilities(responses, fit),
        equal=responses.equal,
        converged=fit.converged,
        items=describe_items(responses.items, responses.values, fit),
    )


def describe_items(items: Sequence[Item], values: Array, fit: Fit) -> list[ItemFigures]:
    """The figures of each item (columns of `values`) with its remark."""
    order = np.argsort(fit.ability, kind="stable")
    third = max(1, len(order) // THIRDS)
    weakest, strongest = values[order[:third]].mean(axis=0), values[order[-third:]].mean(axis=0)
    means = values.mean(axis=0)
    varies = values.max(axis=0) > values.min(axis=0)
    return [
        ItemFigures(
            id=item.id,
            template=item.template,
            difficulty=_told(fit.difficulty[place]) if varies[place] else None,
            difficulty_error=_told(fit.difficulty_error[place]) if varies[place] else None,
            discrimination=_told(fit.discrimination[place]) if varies[place] else None,
            discrimination_error=_told(fit.discrimination_error[place]) if varies[place] else None,
            mean=_told(means[place]),
            strongest=_told(strongest[place]),
            weakest=_told(weakest[place]),
            remark=_remark(place, fit, means, bool(varies[place])),
        )
        for place, item in enumerate(items)
    ]


def to_review(report: ItemReport) -> list[ItemFigures]:
    """The items that a person should look at, most suspicious first."""
    found = [item for item in report.items if item.remark in TO_REVIEW]
    return sorted(
        found, key=lambda item: (TO_REVIEW.index(item.remark or "weak"), item.discrimination or 0.0, item.id)
    )


def _remark(place: int, fit: Fit, means: Array, varies: bool) -> Remark | None:
    if not varies:
        return {0.0: "never right", 1.0: "always right"}.get(float(means[place]), "weak")  # type: ignore[return-value]
    found, error = fit.discrimination[place], fit.discrimination_error[place]
    if found + ONE_SIDED * error < 0:
        return "reversed"
    return "weak" if found < WEAK else None


def _abilities(responses: Responses, fit: Fit) -> list[RunAbility]:
    means = responses.values.mean(axis=1)
    return [
        RunAbility(
            run=run.id,
            name=run.label,
            model=run.model,
            ability=_told(fit.ability[place]),
            error=_told(fit.ability_error[place]),
            mean=_told(means[place]),
        )
        for place, run in enumerate(responses.runs)
    ]


def _told(value: float) -> float:
    """Four places: more would differ between machines, and say nothing."""
    return round(float(value), 4) + 0.0
