"""Runs: made once, found again, finished when a count says so. Reads questions; writes run, batch, endpoint.

The same question set asked of the same solver in the same way is one run: asking again goes on with it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, UsageError
from app.core.identity import canonical_json
from app.predictions import queries_control, queries_endpoints, queries_judge, queries_ledger, queries_runs
from app.predictions.accounts import Budget
from app.predictions.presentations import presentations
from app.predictions.sampling import draw_sample
from app.solvers.agents.terms import AgentTerms
from app.solvers.run_kinds import ANSWERS, RunKind

STORE_PRICES = (
    "store the endpoint's prices before the run is made "
    "(`trigpoint endpoint add NAME … --prompt-price P --completion-price Q`)"
)


@dataclass(frozen=True)
class RunPlan:
    """What makes a run the same run."""

    version_id: int
    solver: str
    solver_version: int
    label: str
    seed: int = 0
    endpoint_id: int | None = None
    sampling: dict[str, Any] = field(default_factory=dict)
    repeats: int = 1
    presentation: dict[str, Any] = field(default_factory=dict)
    sample: Sequence[str] | None = None
    """The ids of the questions that are asked; None for all."""
    kind: RunKind = ANSWERS


@dataclass(frozen=True)
class Terms:
    """What a run may take and take over; no part of what makes it the same run."""

    budget: Budget = field(default_factory=Budget)
    reuse: bool = False
    pace: Mapping[str, int] = field(default_factory=dict)
    """How its calls are paced, by the names of `Limits`; what is not named stays as the endpoint's record says."""


@dataclass(frozen=True)
class Planned:
    """A run that answers to a plan: made now, under way, paused, finished, or opened again.

    Opened again are a run whose command was interrupted, and one that has errors.
    """

    id: int
    was: Literal["new", "open", "paused", "interrupted", "finished", "errors"]


@dataclass(frozen=True)
class EndpointRow:
    """An endpoint as stored."""

    id: int
    name: str
    url: str
    model: str
    key_variable: str | None
    revision: str | None = None
    body: Mapping[str, Any] | None = None


def _binds(plan: RunPlan) -> dict[str, Any]:
    return {
        "version_id": plan.version_id,
        "kind": plan.kind,
        "solver": plan.solver,
        "solver_version": plan.solver_version,
        "endpoint_id": plan.endpoint_id,
        "label": plan.label,
        "seed": plan.seed,
        "sampling": canonical_json(plan.sampling),
        "repeats": plan.repeats,
        "presentation": canonical_json(plan.presentation),
        "sample": None if plan.sample is None else list(plan.sample),
    }


def check_rotation(connection: Connection, version_id: int) -> None:
    """Raise UsageError where no question of the version has options to rotate."""
    if not connection.execute(queries_runs.HAS_OPTIONS, {"version_id": version_id}).scalar_one():
        raise UsageError("No question of this data set has options to rotate; remove --rotate.")


def shows_pictures(connection: Connection, version_id: int) -> bool:
    """Whether a question of the version shows a picture."""
    found: bool = connection.execute(queries_runs.SHOWS_PICTURES, {"version_id": version_id}).scalar_one()
    return found


def tells_contexts(connection: Connection, version_id: int) -> bool:
    """Whether a question of the version has a context."""
    found: bool = connection.execute(queries_runs.TELLS_CONTEXTS, {"version_id": version_id}).scalar_one()
    return found


def find_complete(connection: Connection, plan: RunPlan) -> int | None:
    """The complete run of this plan, if there is one."""
    found = connection.execute(queries_runs.FIND_RUN, _binds(plan)).one_or_none()
    return found.id if found is not None and found.status == "complete" else None


def plan_run(
    connection: Connection, plan: RunPlan, now: datetime, batch_size: int, terms: Terms | None = None
) -> Planned:
    """The run of this plan, made if there is none; one that is to go on goes on under `terms`. The caller commits.

    A finished run with errors is opened again for those alone. A paused run stays paused, unless it was paused because
    its command was interrupted. Raises Conflict where the version has no questions, UsageError for a budget of money
    without prices.
    """
    terms = terms or Terms()
    connection.execute(queries_runs.LOCK_RUN_CREATION, {"version_id": plan.version_id})
    binds = _binds(plan)
    found = connection.execute(queries_runs.FIND_RUN, binds).one_or_none()
    if found is not None:
        if found.status == "complete":
            return Planned(found.id, "finished")
        if found.status == "paused" and found.pause_reason != "interrupted":
            return Planned(found.id, "paused")
        set_terms(connection, found.id, terms)
        if found.status == "paused":
            connection.execute(queries_control.RESUME_RUN, {"run_id": found.id})
            finish_if_done(connection, found.id, now)
            return Planned(found.id, "interrupted")
        if found.status == "incomplete":
            reopen_errors(connection, found.id, batch_size)
            return Planned(found.id, "errors")
        return Planned(found.id, "open")
    rows = connection.execute(queries_runs.DISTINCT_QUESTIONS, {"version_id": plan.version_id}).all()
    if not rows:
        raise Conflict("The data set version has no questions: there is nothing to run.")
    if plan.sample is not None:
        rows = [row for row in rows if row.id in set(plan.sample)]
    questions = [row.id for row in sorted(rows, key=lambda row: row.position)]
    total = sum(len(presentations(plan.presentation, row.options)) for row in rows) * plan.repeats
    values = {"total": total, "now": now, "reuse": terms.reuse, "budget": None}
    run_id: int = connection.execute(queries_runs.INSERT_RUN, binds | values).scalar_one()
    row = set_terms(connection, run_id, terms)
    _refuse_cap_without_prices(plan, row)
    cut_batches(connection, run_id, questions, batch_size)
    return Planned(run_id, "new")


def _refuse_cap_without_prices(plan: RunPlan, row: Row[Any]) -> None:
    """Raise UsageError where an episode's money is capped and nobody knows what a call costs."""
    agent = AgentTerms.of(plan.presentation)
    if agent is not None and agent.money is not None and not row.prices:
        raise UsageError(f"The run knows no prices: remove --episode-money, or {STORE_PRICES}.")


def sample_of(connection: Connection, version_id: int, size: int, seed: int) -> list[str] | None:
    """The ids of `size` of a version's public questions; None where it has no more questions than that.

    A small sample with a hidden question would tell how that one was answered. Raises UsageError where all are hidden.
    """
    rows = connection.execute(queries_runs.DISTINCT_QUESTIONS, {"version_id": version_id}).all()
    if size >= len(rows):
        return None
    public = [(row.id, row.template) for row in rows if row.split == "public"]
    if not public:
        raise UsageError("A sample has only public questions, and all questions of this data set are hidden.")
    return draw_sample(public, size, seed)


def check_chosen(connection: Connection, version_id: int, ids: Sequence[str]) -> list[str]:
    """The ids, sorted. Raises UsageError for none, for one that the version does not ask, and for a hidden one.

    A few questions with a hidden one among them would tell how that one was answered.
    """
    rows = connection.execute(queries_runs.DISTINCT_QUESTIONS, {"version_id": version_id}).all()
    split_of = {row.id: row.split for row in rows}
    chosen = sorted(set(ids))
    if not chosen:
        raise UsageError("No question is chosen: there is nothing to ask.")
    for one in chosen:
        if split_of.get(one) != "public":
            what = "is hidden" if one in split_of else "is none that the data set version asks"
            raise UsageError(f"The chosen question {one[:40]!r} {what}: only public ones can be chosen.")
    return chosen


def set_terms(connection: Connection, run_id: int, terms: Terms) -> Row[Any]:
    """Give a run a budget, or parts of one, a pace, and have it reuse answers; its row as it was, locked.

    The caller commits. Raises NotFound, and UsageError for a budget or a pace of a run that asks no endpoint, or for a
    budget of money without prices.
    """
    budget = terms.budget
    row = connection.execute(queries_control.LOCK_RUN, {"run_id": run_id}).one_or_none()
    if row is None:
        raise no_run(run_id)
    stored = budget.over(Budget.of(row.budget)).as_json()
    if budget.as_json() is not None and row.endpoint_id is None:
        raise UsageError("The run does not use an endpoint, so it cannot have a budget.")
    if budget.money is not None and not row.prices:
        raise UsageError(f"The run knows no prices: give --budget-tokens, or {STORE_PRICES}.")
    if stored is not None:
        connection.execute(queries_control.SET_BUDGET, {"run_id": run_id, "budget": canonical_json(stored)})
    if terms.pace and row.endpoint_id is None:
        raise UsageError("The run does not use an endpoint; remove --concurrency, --timeout and --tries.")
    if terms.pace:
        connection.execute(
            queries_control.SET_PACE, {"run_id": run_id, "pace": canonical_json(dict(terms.pace))}
        )
    if terms.reuse:
        connection.execute(queries_control.SET_REUSE, {"run_id": run_id})
    return row


def no_run(run_id: int) -> NotFound:
    """The error for a run that there is not."""
    return NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")


def cut_batches(connection: Connection, run_id: int, question_ids: Sequence[str], batch_size: int) -> None:
    """Waiting batches over `question_ids`, in their order."""
    number = connection.execute(queries_ledger.LAST_BATCH_NUMBER, {"run_id": run_id}).scalar_one() + 1
    rows = [
        {
            "run_id": run_id,
            "number": number + place,
            "question_ids": list(question_ids[start : start + batch_size]),
            "attempt": 0,
        }
        for place, start in enumerate(range(0, len(question_ids), batch_size))
    ]
    connection.execute(queries_ledger.INSERT_BATCH, rows)


def reopen_errors(connection: Connection, run_id: int, batch_size: int) -> int:
    """Open a finished run again for the questions that ended in an error; how many they are. The caller commits."""
    status = connection.execute(queries_runs.LOCK_RUN, {"run_id": run_id}).scalar_one()
    if status != "incomplete":
        return 0
    connection.execute(queries_runs.DELETE_AGGREGATES, {"run_id": run_id})
    connection.execute(queries_judge.FORGET_UNREAD_VERDICTS, {"run_id": run_id})
    failed = connection.execute(queries_runs.DELETE_ERRORS, {"run_id": run_id}).scalars().all()
    connection.execute(queries_runs.REOPEN_RUN, {"run_id": run_id})
    questions = sorted(set(failed))
    cut_batches(connection, run_id, questions, batch_size)
    return len(questions)


def finish_if_done(connection: Connection, run_id: int, now: datetime) -> bool:
    """Close the run if all of its predictions are there; whether this call closed it. The caller commits."""
    return (
        connection.execute(queries_runs.FINISH_RUN, {"run_id": run_id, "now": now}).one_or_none() is not None
    )


def find_endpoint(connection: Connection, name: str) -> EndpointRow:
    """The stored endpoint called `name`. Raises NotFound naming those there are."""
    row = connection.execute(queries_endpoints.FIND_ENDPOINT, {"name": name}).one_or_none()
    if row is None:
        known = ", ".join(connection.execute(queries_endpoints.ENDPOINT_NAMES).scalars())
        raise NotFound(
            f"There is no endpoint {name!r}; "
            + (f"there are: {known}; " if known else "none is stored; ")
            + "or give a URL such as http://127.0.0.1:8000/v1."
        )
    return EndpointRow(*row)


def _endpoint_name(url: str, model: str, key_variable: str | None) -> str:
    name = model if model.startswith("scripted:") else f"{model} at {url}"
    return name + (f" with {key_variable}" if key_variable else "")


def known_endpoint(
    connection: Connection, url: str, model: str, key_variable: str | None
) -> EndpointRow | None:
    """The stored endpoint of this URL, model and key variable, if it was used before."""
    row = connection.execute(
        queries_endpoints.FIND_ENDPOINT, {"name": _endpoint_name(url, model, key_variable)}
    ).one_or_none()
    return None if row is None else EndpointRow(*row)


def store_endpoint(
    connection: Connection, url: str, model: str, key_variable: str | None, now: datetime
) -> EndpointRow:
    """The endpoint of this URL, model and key variable, stored if it is new. The caller commits.

    A scripted endpoint is known by its policy alone: its port differs each time it is started, its answers do not.
    """
    name = _endpoint_name(url, model, key_variable)
    values = {"name": name, "url": url, "model": model, "key_variable": key_variable}
    endpoint_id: int = connection.execute(
        queries_endpoints.UPSERT_ENDPOINT, values | {"now": now}
    ).scalar_one()
    return EndpointRow(endpoint_id, name, url, model, key_variable)
