"""Makes a lite set of a version from its runs, and estimates a run's score by one.

Reads stored scores as the api role; writes nothing.
"""

from typing import NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection

from app.core.errors import Conflict, UsageError
from app.core.identity import digest
from app.item_response.lite import (
    LEAST_GROUPS,
    LEAST_RUNS,
    LEVEL,
    estimate_ability,
    estimate_score,
    make_lite,
)
from app.item_response.lite_file import LiteItem, LiteRecipe, LiteSet
from app.item_response.reading import Responses, find_runs, read_items, read_responses, why_unscored
from app.questions.versions import PublishedVersion, find_version
from app.scores.comparing import public_values
from app.scores.profiles import default_profile

PLACES = 6
"""Decimal places of numbers in the file."""


class LiteEstimate(BaseModel):
    """A run's mean over all public questions, estimated from its values on those of a lite set."""

    model_config = ConfigDict(frozen=True)

    run: int
    name: str
    dataset: str
    items: int
    questions: int
    estimate: float
    low: float
    high: float
    level: float
    ability: float
    ability_error: float
    plain: float = Field(description="the plain mean over the chosen questions")
    full: float | None = Field(
        description="the mean over all questions; null where the run was not asked all"
    )
    was_used: bool = Field(
        description="whether the set was chosen with this run: then the interval is too narrow"
    )


class _Asked(NamedTuple):
    name: str
    values: dict[str, float]


def make_lite_set(
    connection: Connection, version: PublishedVersion, size: int, seed: int = 0, runs: tuple[int, ...] = ()
) -> LiteSet:
    """Choose `size` questions over all runs that can be used, or over `runs`, and find the error of their estimates.

    Raises UsageError for a size that is not below the number of questions, Conflict for too few runs or models.
    """
    rules = default_profile()
    responses = read_responses(connection, version, rules, runs, LEAST_RUNS)
    models = [run.model for run in responses.runs]
    if len(set(models)) < LEAST_GROUPS:
        raise Conflict(
            f"The {len(models)} runs of {version.reference} are of {len(set(models))} models; {LEAST_GROUPS} are "
            "needed: the error is found by keeping whole models aside."
        )
    if size >= len(responses.items):
        raise UsageError(f"--size {size}: there are {len(responses.items)} public questions; choose fewer.")
    found = make_lite(responses.values, [item.template for item in responses.items], models, size, seed)
    recipe = LiteRecipe(
        dataset=version.reference,
        profile=rules.name,
        profile_version=rules.version,
        size=size,
        seed=seed,
        runs=[run.id for run in responses.runs],
        scores=_hash_scores(responses),
    )
    chosen = found.chosen
    return LiteSet(
        format="trigpoint lite set 1",
        recipe=recipe,
        recipe_hash=digest(recipe.model_dump()),
        questions=len(responses.items),
        level=LEVEL,
        error=round(found.error, PLACES),
        mean_error=round(found.mean_error, PLACES),
        plain_error=round(found.plain_error, PLACES),
        mix=found.mix,
        items=[
            LiteItem(
                id=responses.items[place].id,
                template=responses.items[place].template,
                weight=round(float(weight), PLACES),
                discrimination=round(float(a), PLACES),
                intercept=round(float(d), PLACES),
            )
            for place, weight, a, d in zip(
                chosen.places.tolist(), chosen.weights, chosen.discrimination, chosen.intercept, strict=True
            )
        ],
        expected=[round(float(one), PLACES) for one in chosen.expected],
    )


def estimate_run(connection: Connection, run_id: int, lite: LiteSet) -> LiteEstimate:
    """Estimate a complete run's score; it was asked the lite set's questions, or all of them.

    Raises NotFound for a run that there is not, Conflict for one of another version, one without scores by the rules
    of the set, or one that lacks a question of it.
    """
    version = find_version(connection, lite.recipe.dataset)
    asked = _read_run(connection, version, run_id, lite)
    values = np.array([[asked.values[item.id] for item in lite.items]])
    chosen = lite.chosen()
    estimate = float(estimate_score(chosen, lite.mix, values)[0])
    ability, error = estimate_ability(chosen, values)
    return LiteEstimate(
        run=run_id,
        name=asked.name,
        dataset=version.reference,
        items=len(lite.items),
        questions=lite.questions,
        estimate=estimate,
        low=max(0.0, estimate - lite.error),
        high=min(1.0, estimate + lite.error),
        level=lite.level,
        ability=round(float(ability[0]), PLACES),
        ability_error=round(float(error[0]), PLACES),
        plain=float(values.mean()),
        full=float(np.mean(list(asked.values.values()))) if len(asked.values) == lite.questions else None,
        was_used=run_id in lite.recipe.runs,
    )


def _read_run(connection: Connection, version: PublishedVersion, run_id: int, lite: LiteSet) -> _Asked:
    rules = default_profile()
    if (rules.name, rules.version) != (lite.recipe.profile, lite.recipe.profile_version):
        raise Conflict(
            f"The lite set is of scores by {lite.recipe.profile} {lite.recipe.profile_version}, and runs are scored by "
            f"{rules.name} {rules.version}: choose a new one with `trigpoint lite choose`."
        )
    (run,) = find_runs(connection, rules, None, [run_id])
    reason = why_unscored(run)
    if run.version_id != version.id:
        reason = f"it is not of {version.reference}"
    if reason is not None:
        raise Conflict(f"Run {run_id} cannot be estimated: {reason}.")
    known = {item.position: item.id for item in read_items(connection, version, rules)}
    values = {
        known[place]: value
        for _, places, means in public_values(connection, rules, [run_id])
        for place, value in zip(places.tolist(), means.tolist(), strict=True)
        if place in known
    }
    missing = [item.id for item in lite.items if item.id not in values]
    if missing:
        raise Conflict(
            f"Run {run_id} lacks {len(missing)} of the {len(lite.items)} questions of the lite set: run "
            f"`trigpoint evaluate {version.reference} --only FILE`."
        )
    return _Asked(run.label, values)


def _hash_scores(responses: Responses) -> str:
    return digest([item.id for item in responses.items], responses.values.tolist())
