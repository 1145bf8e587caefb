"""How much the form of a question's text does: runs of one setup on the same questions in several forms of texts.

Reads run, question, prediction and score as the api role. Only public questions count, and of these only those whose
prompts differ: where a text has no length, another unit changes nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, UsageError
from app.leaderboard import queries_robustness as queries
from app.leaderboard.board import LICENCE_URL, attribution_of_versions
from app.leaderboard.robustness_models import FormCompared, OrderOfOptions, Robustness
from app.leaderboard.setups import differing, setup_of
from app.predictions.presentations import is_rotated
from app.scores.aggregating import strata_of_parts
from app.scores.comparing import part_of, public_values
from app.scores.grouping import read_traits
from app.scores.pairs import TEST, compare
from app.scores.profiles import Profile, default_profile

MOST_RUNS = 20
RIGHT = 0.5
"""From this value on, an answer counts as right where it is told whether it changed."""
FORMS = ("register", "names", "locale")
"""Keys of recipes that say in which words the same questions are asked, besides those of `text_form`."""
SIZES = (
    "bank",
    "per_template",
    "per_city",
    "shares",
    "hidden",
    "secret_draws",
    "earlier",
    "voided",
    "corrected",
)
"""Keys of recipes that decide which questions a version has, and nothing about any of them."""


class _Asked(NamedTuple):
    """The public questions of a version that a run answered: by id, its value and the hash of its prompt."""

    values: Mapping[str, float]
    prompts: Mapping[str, str]


def compare_forms(connection: Connection, runs: Sequence[int]) -> Robustness:
    """The first run against each of the others, two runs at least; rotated runs also by the order of options.

    Raises UsageError for runs that differ in more than the form of texts, NotFound for a run that there is not,
    Conflict for one that is not complete.
    """
    found = _read_runs(connection, runs)
    base, others = found[0], found[1:]
    for other in others:
        _check_pair(base, other)
    rules = default_profile()
    asked = {run.run: _read_answers(connection, run, rules) for run in found}
    parts = {
        one.id: part_of(one)
        for one in read_traits(connection, base.version_id)
        if one.id in asked[base.run].values
    }
    forms = []
    for other in others:
        differs = _forms_that_differ(base.recipe, other.recipe)
        both = [
            key
            for key in parts
            if key in asked[other.run].values
            and (not differs or asked[base.run].prompts[key] != asked[other.run].prompts[key])
        ]
        forms.append(_compare(base, other, differs, [parts[key] for key in both], asked))
    return Robustness(
        benchmark=base.benchmark,
        profile=rules.name,
        profile_version=rules.version,
        test=TEST,
        run=base.run,
        name=base.name,
        dataset=base.dataset,
        forms=forms,
        orders=_orders(connection, found, rules),
        attribution=attribution_of_versions(connection, sorted({run.version_id for run in found})),
        licence_url=LICENCE_URL,
    )


def _read_runs(connection: Connection, runs: Sequence[int]) -> list[Row[Any]]:
    """The runs in the order in which they were named."""
    wanted = list(dict.fromkeys(runs))
    if not wanted or len(wanted) > MOST_RUNS:
        raise UsageError(f"Name one to {MOST_RUNS} runs.")
    found = {row.run: row for row in connection.execute(queries.RUNS, {"runs": wanted})}
    missing = [run for run in wanted if run not in found]
    if missing:
        raise NotFound(f"There is no run {missing[0]}; `trigpoint run list` shows all runs.")
    rows = [found[run] for run in wanted]
    for row in rows:
        if row.status != "complete":
            raise Conflict(f"Run {row.run} is not complete: only complete runs can be compared.")
    if len(rows) == 1 and not is_rotated(rows[0].presentation):
        raise UsageError(
            f"Run {rows[0].run} alone tells nothing: name a second run on the same questions in another form "
            "(`trigpoint generate … --phrasing 1`), or a run with --rotate."
        )
    return rows


def _check_pair(base: Row[Any], other: Row[Any]) -> None:
    if base.solver != other.solver:
        raise UsageError(f"Run {base.run} is of the solver {base.solver}, run {other.run} of {other.solver}.")
    differs = differing(setup_of(one.model, one.sampling, one.presentation) for one in (base, other))
    if differs:
        raise UsageError(
            f"Runs {base.run} and {other.run} differ in {', '.join(differs)}: what the form of a text does cannot be "
            "told from that."
        )
    recipes = [_without_forms(one.recipe) for one in (base, other)]
    keys = sorted(
        key for key in recipes[0].keys() | recipes[1].keys() if recipes[0].get(key) != recipes[1].get(key)
    )
    if keys:
        raise UsageError(
            f"{base.dataset} and {other.dataset} differ in {', '.join(keys)}, so they do not ask the same. Make the "
            "second with the same options, and --phrasing, --lengths, --points, --register, --names or --locale."
        )


def _without_forms(recipe: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in recipe.items() if key not in (*FORMS, *SIZES, "text_form")}


def _forms_that_differ(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[str]:
    """What of the form of texts differs: keys of `text_form`, then of FORMS."""
    of_texts = (one.get("text_form", {}), other.get("text_form", {}))
    keys = sorted(of_texts[0].keys() | of_texts[1].keys())
    return [
        *(key for key in keys if of_texts[0].get(key) != of_texts[1].get(key)),
        *(key for key in FORMS if one.get(key) != other.get(key)),
    ]


def _read_answers(connection: Connection, run: Row[Any], rules: Profile) -> _Asked:
    rows = connection.execute(queries.QUESTIONS, {"version_id": run.version_id}).all()
    at = {row.position: row for row in rows}
    values: dict[str, float] = {}
    for _, positions, means in public_values(connection, rules, [run.run]):
        values = {at[place].id: mean for place, mean in zip(positions.tolist(), means.tolist(), strict=True)}
    return _Asked(values, {row.id: row.prompt_hash for row in rows})


def _compare(
    base: Row[Any], other: Row[Any], differs: Sequence[str], parts: Sequence[Any], asked: Mapping[int, _Asked]
) -> FormCompared:
    first, second = (
        np.array([asked[run.run].values[part.question_id] for part in parts]) for run in (base, other)
    )
    told = {"run": other.run, "name": other.name, "dataset": other.dataset, "differs": list(differs)}
    if not parts:
        return FormCompared(**told, n=0)
    paired = compare(second - first, strata_of_parts(parts))
    was, now = first >= RIGHT, second >= RIGHT
    return FormCompared(
        **told,
        n=paired.n,
        base_score=float(np.mean(first)),
        score=float(np.mean(second)),
        difference=paired.difference,
        low=paired.low,
        high=paired.high,
        p=paired.p,
        became_wrong=int(np.sum(was & ~now)),
        became_right=int(np.sum(~was & now)),
    )


def _orders(connection: Connection, runs: Sequence[Row[Any]], rules: Profile) -> list[OrderOfOptions]:
    rotated = [run.run for run in runs if is_rotated(run.presentation)]
    if not rotated:
        return []
    rows = connection.execute(queries.ROTATIONS, {**rules.scorer_binds(), "runs": rotated}).all()
    return [
        OrderOfOptions(run=row.run, n=row.n, right_in_all=row.right_in_all, right_in_any=row.right_in_any)
        for row in rows
    ]
