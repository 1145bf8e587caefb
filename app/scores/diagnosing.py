"""Diagnoses of a run's answers to public questions, written and read as rows of `score` that no board counts.

Made again from stored answers whenever a run is scored: the same answers and rules give the same rows.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, text

from app.core.identity import canonical_json
from app.db.naming import quoted
from app.map_tools.queries import LAYER_IS_THERE
from app.questions.prompts import prompt_as_text
from app.scores import queries, queries_diagnosing
from app.scores.diagnosis import (
    DIAGNOSED,
    DIAGNOSIS,
    NAMING,
    VERSION,
    Diagnosis,
    Named,
    Summary,
    diagnose_number,
    diagnose_place,
    forms_in,
    summarise,
)
from app.scores.profiles import TRIGPOINT

AT_ONCE = 500
"""Answers whose names are looked up together."""


def diagnose_run(connection: Connection, run_id: int) -> int:
    """Diagnose the scored answers of a run, as the worker role; how many. The caller commits."""
    ours = {"diagnosis": DIAGNOSIS, "version": VERSION}
    connection.execute(queries_diagnosing.DELETE_DIAGNOSES, {"run_id": run_id, **ours})
    binds = {"run_id": run_id, "diagnosed": list(DIAGNOSED), **TRIGPOINT.scorer_binds()}
    rows = connection.execute(queries_diagnosing.ANSWERS, binds).all()
    made: list[tuple[Row[Any], Diagnosis | None]] = [
        (row, diagnose_number(row.scorer, row.gold, row.parsed)) for row in rows if row.scorer not in NAMING
    ]
    by_map: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        if row.scorer in NAMING:
            by_map[row.schema_name].append(row)
    for schema, of_map in sorted(by_map.items()):
        for start in range(0, len(of_map), AT_ONCE):
            made += _diagnose_places(connection, schema, of_map[start : start + AT_ONCE])
    written = [_as_score(row, found) for row, found in made if found is not None]
    if written:
        upserted = {"profile": DIAGNOSIS, "gold_key": "default", "rows": canonical_json(written)}
        connection.execute(queries.UPSERT_SCORES, upserted)
    return len(written)


def summarise_run(connection: Connection, run_id: int) -> Summary | None:
    """What the diagnoses of a run say; None where it has none, such as a run that was scored before there were any."""
    binds = {"run_id": run_id, "diagnosis": DIAGNOSIS, "version": VERSION}
    rows = connection.execute(queries_diagnosing.DIAGNOSES, binds).mappings().all()
    return summarise([dict(row) for row in rows]) if rows else None


def _diagnose_places(
    connection: Connection, schema: str, rows: Sequence[Row[Any]]
) -> Iterable[tuple[Row[Any], Diagnosis]]:
    forms = {row.id: forms_in(row.answer or "", prompt_as_text(row.prompt)) for row in rows}
    known = _places_called(connection, schema, sorted({form for one in forms.values() for form in one}))
    return [(row, diagnose_place(forms[row.id], row.gold, known)) for row in rows]


def _places_called(
    connection: Connection, schema: str, forms: Sequence[str]
) -> Mapping[str, Sequence[Named]]:
    """The places of a map that are called so, by form; none of a map that was imported before names had a table."""
    there = connection.execute(LAYER_IS_THERE, {"relation": f"{schema}.place_name"}).scalar_one()
    if not there or not forms:
        return {}
    statement = text(queries_diagnosing.NAMED_PLACES.format(schema=quoted(schema)))
    found: dict[str, list[Named]] = defaultdict(list)
    for row in connection.execute(statement, {"forms": list(forms)}):
        found[row.form].append(Named(row.form, row.lon, row.lat))
    return found


def _as_score(row: Row[Any], found: Diagnosis) -> dict[str, Any]:
    return {
        "prediction_id": row.id,
        "scorer": row.scorer,
        "scorer_version": VERSION,
        "outcome": row.outcome,
        "value": found.credit,
        "components": {name: part.as_json() for name, part in found.components.items()},
        "parsed": dict(found.told),
    }
