"""Endpoints as records: named, limited and priced. Reads and writes `endpoint`.

What a model's answers depend on (URL, model, revision) never changes in a row that runs stand on: a record that names
another is another row, and the one before it is called NAME#1, NAME#2, … Limits, prices and the key's variable change;
so does the body of its calls, since a run's sampling holds the one that it began with.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row

from app.core.errors import Conflict, UsageError
from app.core.identity import canonical_json
from app.core.words import is_printable, mixed_scripts
from app.inference.limits import Limits
from app.inference.probing import Guide, chosen_guide
from app.predictions import queries_endpoints as queries
from app.predictions.costs import Prices
from app.predictions.queries_runs import HAS_OPTIONS
from app.predictions.runs import EndpointRow, find_endpoint

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
Added = Literal["new", "same", "changed", "another", "earlier"]
"""`changed`: limits, prices, body, key; `another`: a new URL, model or revision; `earlier`: one there was before."""


@dataclass(frozen=True)
class EndpointSpec:
    """What a record is to say."""

    name: str
    url: str
    model: str
    revision: str | None = None
    key_variable: str | None = None
    limits: Limits = field(default_factory=Limits)
    prices: Prices | None = None
    body: Mapping[str, Any] | None = None
    """Fields that chat calls set, and leave away where they are null; runs hold what they began with."""

    @property
    def identity(self) -> tuple[str, str, str | None]:
        """What answers depend on."""
        return self.url, self.model, self.revision


@dataclass(frozen=True)
class EndpointRecord(EndpointSpec):
    """An endpoint as stored; `by_name` is false for one that was only ever given by its URL."""

    id: int = 0
    by_name: bool = True
    runs: int = 0
    health: Mapping[str, Any] | None = None
    checked_at: datetime | None = None

    def as_json(self) -> dict[str, Any]:
        """What `endpoint … --json` prints of it."""
        return {
            "name": self.name,
            "url": self.url,
            "model": self.model,
            "revision": self.revision,
            "key_variable": self.key_variable,
            "limits": self.limits.as_json(),
            "prices": self.prices.as_json() if self.prices else None,
            "body": self.body,
            "by_name": self.by_name,
            "runs": self.runs,
            "health": self.health,
            "checked_at": self.checked_at.isoformat() if self.checked_at else None,
        }


def check_name(name: str) -> None:
    """Raise UsageError for a name that could pass for a URL or for an endpoint that was given by one."""
    if not NAME.fullmatch(name):
        raise UsageError(
            f"{name!r} is not a name for an endpoint: take letters, digits, dots, dashes and underscores, at most 64."
        )


def add_endpoint(connection: Connection, wanted: EndpointSpec, now: datetime) -> tuple[EndpointRecord, Added]:
    """Store a record, or what has changed of it. The caller commits.

    Raises Conflict where runs look up by the embeddings of the one that it would replace.
    """
    check_name(wanted.name)
    for told in (wanted.model, wanted.revision or ""):
        if not is_printable(told) or mixed_scripts(told) is not None:
            raise UsageError(
                f"{told!r} is not a name for a model or its revision, which boards show: it must be printable, and"
                " must not mix alphabets in one word, whose letters look alike."
            )
    connection.execute(queries.LOCK_RECORD, {"name": wanted.name})
    row = connection.execute(queries.READ_RECORD, {"name": wanted.name}).one_or_none()
    added: Added = "new"
    endpoint_id = None
    if row is not None and _record(row).identity == wanted.identity:
        endpoint_id, added = row.id, "same" if _says_the_same(_record(row), wanted) else "changed"
    elif row is not None:
        endpoint_id = _make_room(connection, row, wanted)
        added = "another" if endpoint_id is None else "earlier"
    values = {
        "name": wanted.name,
        "url": wanted.url,
        "model": wanted.model,
        "revision": wanted.revision,
        "key_variable": wanted.key_variable,
        "limits": canonical_json(wanted.limits.as_json()),
        "prices": canonical_json(wanted.prices.as_json() if wanted.prices else {}),
        "body": canonical_json(wanted.body) if wanted.body else None,
    }
    if endpoint_id is None:
        connection.execute(queries.INSERT_RECORD, values | {"now": now})
    else:
        connection.execute(queries.CHANGE_RECORD, values | {"id": endpoint_id})
    return read_endpoint(connection, wanted.name), added


def _says_the_same(there: EndpointRecord, wanted: EndpointSpec) -> bool:
    return (there.key_variable, there.limits, there.prices, there.body) == (
        wanted.key_variable,
        wanted.limits,
        wanted.prices,
        wanted.body or None,
    )


def _make_room(connection: Connection, row: Row[Any], wanted: EndpointSpec) -> int | None:
    """Give the name up for another endpoint; the id of an earlier one that is wanted again and now bears the name."""
    name = wanted.name
    if connection.execute(queries.EMBEDS_FOR_RUNS, {"name": name}).scalar_one():
        raise Conflict(
            f"Runs look up by the embeddings of {name!r} as it is: store the other under another name."
        )
    earlier = connection.execute(queries.EARLIER_RECORDS, {"name": name}).all()
    back = next((one for one in earlier if (one.url, one.model, one.revision) == wanted.identity), None)
    retired = f"{name}#{len(earlier) + 1}"
    if back is not None:
        retired = connection.execute(queries.READ_BY_ID, {"id": back.id}).one().name
        connection.execute(queries.RENAME_RECORD, {"id": back.id, "name": f"{name}#"})
    connection.execute(queries.RENAME_RECORD, {"id": row.id, "name": retired})
    if back is not None:
        connection.execute(queries.RENAME_RECORD, {"id": back.id, "name": name})
    return None if back is None else int(back.id)


def read_endpoint(connection: Connection, name: str) -> EndpointRecord:
    """The endpoint called `name`. Raises NotFound naming those there are."""
    row = connection.execute(queries.READ_RECORD, {"name": find_endpoint(connection, name).name}).one()
    return _record(row)


def list_endpoints(connection: Connection) -> list[EndpointRecord]:
    """All records, then those that were given by their URL; without the earlier ones of a name."""
    return [_record(row) for row in connection.execute(queries.LIST_RECORDS)]


def guide_for(connection: Connection, version_id: int, known: EndpointRow | None) -> Guide:
    """The form of guided choice that an endpoint keeps to, as its last check found.

    Raises UsageError where it keeps to none, was never checked, or no question of the version has options.
    """
    if not connection.execute(HAS_OPTIONS, {"version_id": version_id}).scalar_one():
        raise UsageError("No question of this data set has options to choose from; remove --guided.")
    if known is None:
        raise UsageError(
            "--guided wants an endpoint that was checked: `trigpoint endpoint add NAME --url …`, "
            "`trigpoint endpoint check NAME`, then --endpoint NAME."
        )
    health = read_endpoint(connection, known.name).health
    guide = chosen_guide(health)
    if guide is None:
        found = "has not been checked" if health is None else "kept to no guided choice when it was checked"
        raise UsageError(
            f"The endpoint {known.name!r} {found}: remove --guided, or run `trigpoint endpoint check {known.name}`."
        )
    return guide


def _record(row: Row[Any]) -> EndpointRecord:
    return EndpointRecord(
        row.name,
        row.url,
        row.model,
        row.revision,
        row.key_variable,
        Limits.of(row.limits),
        Prices.of(row.prices),
        row.body,
        row.id,
        row.record is not None,
        row.runs,
        row.health,
        row.checked_at,
    )
