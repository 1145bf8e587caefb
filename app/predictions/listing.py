"""Runs and endpoints as REST shows them: no addresses, no names of keys' variables. Reads as the api role."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.core.errors import NotFound
from app.inference.measuring import keeps_up
from app.predictions import queries_listing as queries
from app.predictions.endpoints import read_endpoint
from app.predictions.progress import progress_of
from app.predictions.runs import no_run
from app.solvers.run_kinds import RunKind

FIRST = 2**62
"""An id beyond all others: where a list that runs down begins."""
Status = Literal["queued", "running", "paused", "complete", "incomplete", "cancelled"]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class RunEndpoint(_Model):
    """Whom a run asks."""

    name: str | None = Field(description="null for an endpoint that was given by its URL")
    model: str
    revision: str | None


class RunEntry(_Model):
    """A run, without where it stands."""

    run: int
    dataset: str = Field(examples=["demo_gsqa@1"])
    kind: RunKind = Field(description="answers, or judgement: marks on another run's answers")
    solver: str
    solver_version: int
    label: str = Field(description="its name on boards")
    status: Status
    total: int = Field(description="number of answers that a complete run has")
    repeats: int
    seed: int
    sampling: dict[str, Any]
    presentation: dict[str, Any]
    sample: int | None = Field(description="number of questions, if the run asks only a sample")
    reuse: bool
    reasked: int = Field(description="number of requests that were in flight when their worker was lost")
    carried_from: int | None = Field(description="the run of an earlier version that gave the answers")
    endpoint: RunEndpoint | None
    created_at: datetime
    finished_at: datetime | None


class RunPage(_Model):
    """Runs, the newest first."""

    runs: list[RunEntry]
    next: str | None = Field(description="the cursor of the next page; null on the last page")


class RunProgress(_Model):
    """Where a run stands. Tokens are as the endpoint counted them, else as reckoned."""

    done: int
    waiting: int
    in_flight: int
    retrying: int = Field(description="number of missing answers whose calls failed before")
    errors: int
    reused: int = Field(description="number of answers that were reused from other runs")
    tokens: int
    cost: float | None = Field(description="null if the run was made without prices")
    currency: str | None
    seconds_left: float | None = Field(
        description="at the speed of the last minute; null if nothing is in progress"
    )
    paused: str | None = Field(description="request, interrupted or budget")
    budget: dict[str, Any] | None


class RunDetail(RunEntry):
    """A run and where it stands."""

    states: dict[str, int] = Field(description="answers there are: answered, no_answer, error")
    endpoint_requests: int
    scored: bool
    progress: RunProgress


class EndpointCard(_Model):
    """An endpoint by its name; `url` and the name of its key's variable are for maintainers. Keys are nowhere."""

    name: str
    model: str
    revision: str | None
    limits: dict[str, int] = Field(
        description="requests_per_minute, tokens_per_minute, concurrency, timeout_seconds, tries"
    )
    prices: dict[str, str] = Field(
        description="the prices of a million prompt tokens and of a million completion tokens, in currency"
    )
    state: str | None = Field(description="ok or failed, as the last check found; null before the first")
    engine: str | None
    latency_ms: int | None
    guides: list[str] | None = Field(description="forms of guided choice that it obeys")
    checked_at: datetime | None
    runs: int
    body: dict[str, Any] | None = Field(description="fields to set in chat calls; null removes a field")
    abilities: dict[str, str] | None = Field(
        description="what the last check found by trying: tools, results (of tools), parallel (several calls of tools"
        " in one answer), tool_choice_auto, tool_choice_required, tool_choice_none, tool_choice_named, json (one JSON"
        " object as an answer), pictures. Each is yes, no, unknown, or, for json, fenced. null if not looked at"
    )
    context: int | None = Field(
        description="tokens that a call may have together with its answer, as the server says; null if it does not"
    )
    url: str | None = None
    key_variable: str | None = None
    said: str | None = Field(default=None, description="what the last check found, in words")
    measured: dict[str, Any] | None = Field(
        default=None,
        description="how many calls at once it can work on, as the last check measured: rounds (at_once, calls,"
        " failures, median_seconds, slowest_seconds, per_second), ended (why there were no more), concurrency and"
        " timeout_seconds (the suggestion), requests, tokens and cost; for maintainers",
    )


class EndpointPage(_Model):
    """Endpoints, by name."""

    endpoints: list[EndpointCard]
    next: str | None


def list_runs(
    connection: Connection,
    version_id: int | None,
    status: str | None,
    solver: str | None,
    before: int | None,
    limit: int,
) -> list[RunEntry]:
    """At most `limit` runs, the newest first, only those made before run `before`."""
    binds = {
        "version_id": version_id,
        "status": status,
        "solver": solver,
        "before": FIRST if before is None else before,
        "limit": limit,
    }
    return [RunEntry(**_entry(row)) for row in connection.execute(queries.RUNS, binds)]


def read_run(connection: Connection, run_id: int, now: datetime) -> RunDetail:
    """A run and where it stands at `now`. Raises NotFound."""
    row = connection.execute(queries.RUN, {"run_id": run_id}).one_or_none()
    if row is None:
        raise no_run(run_id)
    found = progress_of(connection, run_id, now)
    return RunDetail(
        **_entry(row),
        states=found.states,
        endpoint_requests=found.endpoint_requests,
        scored=found.scored,
        progress=RunProgress(**found.told()),
    )


def list_cards(connection: Connection, after: str | None, limit: int) -> list[EndpointCard]:
    """At most `limit` endpoints by name, behind the one called `after`."""
    rows = connection.execute(queries.CARDS, {"after": after, "limit": limit})
    return [EndpointCard(**row._mapping) for row in rows]


def read_card(connection: Connection, name: str) -> EndpointCard:
    """The endpoint called `name`. Raises NotFound."""
    row = connection.execute(queries.CARD, {"name": name}).one_or_none()
    if row is None:
        raise NotFound(f"There is no endpoint {name!r}.")
    return EndpointCard(**row._mapping)


def read_whole(connection: Connection, name: str) -> EndpointCard:
    """The endpoint with its address, as the maintainer reads it. Raises NotFound."""
    card, record = read_card(connection, name), read_endpoint(connection, name)
    health = record.health
    said = measured = None
    if health:
        measured = health.get("measured")
        pace = [keeps_up(measured)] if measured else []
        told = [sentence.rstrip(".") for sentence in (*health.get("needs", ()), *health.get("remarks", ()))]
        said = ". ".join([health["said"], *told, *pace])
    further = {"url": record.url, "key_variable": record.key_variable, "said": said, "measured": measured}
    return card.model_copy(update=further)


def _entry(row: Row[Any]) -> dict[str, Any]:
    values = dict(row._mapping)
    name, model, revision = (values.pop(part) for part in ("endpoint", "model", "revision"))
    endpoint = None if model is None else RunEndpoint(name=name, model=model, revision=revision)
    return {"run": values.pop("id"), "endpoint": endpoint, **values}
