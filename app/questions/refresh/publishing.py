"""Write a refreshed version and publish it, all in the caller's transaction: readers see all of it or nothing."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from psycopg.types.json import Jsonb
from sqlalchemy import Connection

from app.core.clock import Clock
from app.core.errors import Conflict
from app.core.identity import canonical_json
from app.core.memory import uncollected
from app.db.copying import copy_rows
from app.db.engine import use_service_tables, without_nested_loops
from app.questions import queries as questions_queries
from app.questions import queries_versions
from app.questions.records import QuestionRecord, TemplateReport
from app.questions.refresh import queries as reading
from app.questions.refresh import queries_publishing as queries
from app.questions.refresh.refreshing import Fate, Refreshed
from app.questions.storing import canary, copy_questions, licence_with, template_ids
from app.questions.versions import PublishedVersion, stored_reports

NO_QUESTIONS = (
    "Of {version} no question is left on {map}, and none takes the place of any: an empty version is none."
)


def publish(connection: Connection, refreshed: Refreshed, clock: Clock) -> PublishedVersion:
    """Write and publish the version after the refreshed one, which is the newest and whose name is locked.

    Raises Conflict where no question is left.
    """
    use_service_tables(connection)
    version, recipe, now = refreshed.version, refreshed.recipe, clock.now()
    later = [fate for fate in refreshed.fates if fate.later_id is not None]
    if not later:
        raise Conflict(NO_QUESTIONS.format(version=version.reference, map=refreshed.pair.new.reference))
    number = version.number + 1
    reports = stored_reports(connection, version)
    described = {
        "name": version.name,
        "number": number,
        "seed": recipe.seed,
        "hidden_fraction": recipe.hidden,
        "recipe": _json(recipe.as_json()),
        "templates": _json(
            {key: one.as_json() for key, one in later_reports(reports, _shown(refreshed)).items()}
        ),
        "engine_versions": _json(
            dict(connection.exec_driver_sql(questions_queries.ENGINE_VERSIONS).mappings().one())
        ),
        "licence": _json({}),
        "canary": canary(version.name, number, recipe.as_json()),
        "now": now,
    }
    new_id: int = connection.exec_driver_sql(queries_versions.INSERT_VERSION, described).scalar_one()
    connection.exec_driver_sql(
        queries_versions.INSERT_SNAPSHOTS,
        {"version_id": new_id, "snapshot_ids": [one.id for one in recipe.snapshots]},
    )
    with uncollected():
        _write_questions(connection, refreshed, new_id, later)
        _write_lineage(connection, refreshed, new_id)
    _write_licence(connection, refreshed, new_id)
    connection.exec_driver_sql(queries_versions.PUBLISH, {"version_id": new_id, "now": now})
    return PublishedVersion(new_id, version.name, number, version.benchmark)


def later_reports(
    reports: Mapping[str, TemplateReport], shown: Iterable[tuple[str, int]]
) -> dict[str, TemplateReport]:
    """The reports with the questions that there are now, told by template and number of options.

    Capacity and refusals stay those of the map that the first version was generated on.
    """
    counts: dict[str, Counter[int]] = defaultdict(Counter)
    for template, options in shown:
        counts[template][options] += 1
    return {
        name: replace(
            one,
            selected=counts[name].total(),
            options=None if one.options is None else {str(n): counts[name][n] for n in sorted(counts[name])},
        )
        for name, one in reports.items()
    }


def _shown(refreshed: Refreshed) -> Iterable[tuple[str, int]]:
    for fate, one in zip(refreshed.fates, refreshed.asked, strict=True):
        if fate.record is not None:
            yield fate.template, len(fate.record.options or ())
        elif fate.later_id is not None:
            yield fate.template, len(one.options or ())


def _write_questions(connection: Connection, refreshed: Refreshed, new_id: int, later: list[Fate]) -> None:
    carried = [(fate.id, position) for position, fate in enumerate(later) if fate.record is None]
    old, new = refreshed.pair.old, refreshed.pair.new
    binds = {
        "version_id": refreshed.version.id,
        "new_id": new_id,
        "ids": [one for one, _ in carried],
        "positions": [position for _, position in carried],
        "old_map": old.id,
        "new_map": new.id,
        "old_maps": _json([old.as_json()]),
        "new_maps": _json([new.as_json()]),
        "facts": _json(new.facts) if new.facts else None,
    }
    with without_nested_loops(connection):
        for statement in queries.COPIES:
            connection.exec_driver_sql(statement, binds)
    _renew_evidence(connection, refreshed, new_id, {one for one, _ in carried})
    retold = [(fate.id, canonical_json(fate.popularity)) for fate in later if fate.popularity is not None]
    if retold:
        ids, popularity = zip(*retold, strict=True)
        connection.exec_driver_sql(
            queries.RETELL, {"new_id": new_id, "ids": list(ids), "popularity": list(popularity)}
        )
    made: list[tuple[int, QuestionRecord]] = [
        (position, fate.record) for position, fate in enumerate(later) if fate.record is not None
    ]
    copy_questions(connection, new_id, template_ids(connection, refreshed.recipe.benchmark), made)


def _renew_evidence(connection: Connection, refreshed: Refreshed, new_id: int, carried: set[str]) -> None:
    old, new = refreshed.pair.old, refreshed.pair.new
    statement = reading.newer_objects(old.schema, new.schema, old.layers)
    newer = connection.exec_driver_sql(statement).all()
    keys = {row.osm_key for row in newer}
    standing = [one.id for one in refreshed.asked if one.id in carried and not keys.isdisjoint(one.osm_keys)]
    if standing:
        told = {
            "layers": [row.layer for row in newer],
            "osm_keys": [row.osm_key for row in newer],
            "versions": [row.version for row in newer],
            "hashes": [row.content_hash for row in newer],
        }
        connection.exec_driver_sql(queries.NEWER_EVIDENCE, {"new_id": new_id, "ids": standing, **told})


def _write_lineage(connection: Connection, refreshed: Refreshed, new_id: int) -> None:
    columns = (
        "to_version_id", "to_question_id", "from_version_id", "from_question_id", "outcome", "reason", "origin"
    )  # fmt: skip
    rows = (
        (new_id, fate.later_id, refreshed.version.id, fate.id, fate.outcome, fate.reason, "refresh")
        for fate in refreshed.fates
    )
    copy_rows(connection, "trigpoint", "lineage", columns, rows)


def _write_licence(connection: Connection, refreshed: Refreshed, new_id: int) -> None:
    sets = {snapshot.facts for snapshot in refreshed.recipe.snapshots if snapshot.facts is not None}
    used = set(connection.exec_driver_sql(queries.FACTS_USED, {"new_id": new_id}).scalars())
    licence = licence_with(connection, sets, used)
    connection.exec_driver_sql(queries.SET_LICENCE, {"new_id": new_id, "licence": _json(licence)})


def _json(value: Any) -> Jsonb:
    return Jsonb(value, dumps=canonical_json)
