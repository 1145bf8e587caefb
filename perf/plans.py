"""Benchmarks: what the planner would do with a template's SELECT, asked for one tuple and for many."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from app.questions.instantiate import types_used
from app.templates.statements import as_batch, as_single
from app.templates.templates import Template

LARGE_LAYERS = frozenset(
    {
        "poi",
        "poi_class",
        "park",
        "water",
        "road",
        "region",
        "aoi",
        "address",
        "other_place",
        "road_node",
        "road_edge",
    }
)
"""Tables of a snapshot that no question may read whole."""


def plan_faults(
    connection: Connection, template: Template, binds: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """What is wrong with the plans of both forms, `one` and `batch`, for real tuples; nothing where both are good.

    A plan is good where it uses an index and reads no layer whole.
    """
    types = types_used(template.header, template.body)
    single = {name: binds[0][name] for name in types}
    many = {name: [one[name] for one in binds] for name in types}
    plans = {
        "one": explain(connection, as_single(template.body, types), single),
        "batch": explain(connection, as_batch(template.body, types), many),
    }
    return {form: faults for form, plan in plans.items() if (faults := faults_of(plan))}


def explain(connection: Connection, statement: str, binds: Mapping[str, Any]) -> dict[str, Any]:
    """The plan of a statement, as PostgreSQL draws it in JSON."""
    found = connection.exec_driver_sql(f"explain (format json) {statement}", dict(binds)).scalar_one()
    plan: dict[str, Any] = found[0]["Plan"]
    return plan


def faults_of(plan: Mapping[str, Any]) -> list[str]:
    """The layers that a plan reads whole, sorted, and `no index` where it uses none."""
    nodes = list(_nodes(plan))
    whole = {
        f"reads {node['Relation Name']} whole"
        for node in nodes
        if node["Node Type"] == "Seq Scan" and node["Relation Name"] in LARGE_LAYERS
    }
    return sorted(whole) + ([] if any("Index Name" in node for node in nodes) else ["no index"])


def _nodes(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from _nodes(child)
