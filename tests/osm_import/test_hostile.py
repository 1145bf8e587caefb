"""The hostile corpus, imported by the real command: a clean refusal, or a snapshot in which nothing is lost in silence."""

import json
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.core.settings import Settings
from app.db.naming import quoted, reference_schema
from osm_import.tag_tables import LAYERS
from tests.osm_import.hostile import CASES, Case
from tests.osm_import.isolated import Finished, run_command
from tests.osm_import.raw_maps import layers_of

AT_ONCE = 2
SECONDS, LONG_SECONDS = 20.0, 120.0
NAMES = {case: f"h{number}" for number, case in enumerate(CASES)}


def marked(case: str) -> Any:
    marks = [pytest.mark.long] if CASES[case].long else []
    return pytest.param(case, marks=marks)


def attempt(settings: Settings, folder: Path, case: str) -> Finished:
    folder.mkdir()
    one = CASES[case]
    source = one.write(folder)
    options = [NAMES[case] if word == "OUTLINE" else word for word in one.options or ()]
    arguments = ["import", "--json", *(["--name", NAMES[case]] if one.options is None else options)]
    seconds = LONG_SECONDS if one.long else SECONDS
    return run_command(settings, [*arguments, "--", str(source)], folder, seconds)


@pytest.fixture(scope="module")
def corpus(
    request: pytest.FixtureRequest,
    make_database: Callable[[], Settings],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Settings, dict[str, Future[Finished]]]]:
    """Every case that is asked for, under way; two at a time."""
    settings, root = make_database(), tmp_path_factory.mktemp("hostile")
    asked = [item.callspec.params["case"] for item in request.session.items if item.name.startswith("test_hostile[")]  # type: ignore[attr-defined]  # fmt: skip
    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield settings, {case: pool.submit(attempt, settings, root / NAMES[case], case) for case in asked}


@pytest.mark.parametrize("case", [marked(case) for case in CASES])
def test_hostile(
    case: str,
    corpus: tuple[Settings, dict[str, Future[Finished]]],
    superuser_of: Callable[[Settings], str],
) -> None:
    settings, futures = corpus
    one, done = CASES[case], futures[case].result()
    assert done.code is not None, f"hangs: {done.err[-300:]}"
    assert done.code >= 0, f"ended by signal {-done.code}: {done.err[-300:]}"
    assert "Traceback" not in done.err, done.err[-2000:]
    assert done.left == [], "processes are left"
    with psycopg.connect(superuser_of(settings), autocommit=True) as connection:
        if done.code:
            check_refused(connection, one, case, done)
        else:
            check_published(connection, one, done)


# --- refused ----------------------------------------------------------------------------------------------


def check_refused(connection: psycopg.Connection[Any], one: Case, case: str, done: Finished) -> None:
    """One sentence, the right status, and nothing left."""
    assert one.refused or one.either, f"was refused: {done.sentence}"
    assert done.code == one.code, done.sentence
    assert re.search(one.refused, done.sentence, re.DOTALL), done.sentence
    assert 30 < len(done.sentence) < 500, done.sentence
    assert done.sentence.endswith((".", ")")), done.sentence
    assert done.out == ""
    rows = connection.execute(
        "select id, state, schema_name from trigpoint.snapshot where name = %s", (NAMES[case],)
    ).fetchall()
    assert {row[1] for row in rows} <= {"failed"}, rows
    assert not schemas_of(connection) & {
        name for row in rows for name in (row[2], reference_schema(row[0]))
    }, rows


def schemas_of(connection: psycopg.Connection[Any]) -> set[str]:
    found = connection.execute("select nspname from pg_namespace where nspname ~ '^(osm|reference)_'")
    return {row[0] for row in found}


# --- published --------------------------------------------------------------------------------------------


def check_published(connection: psycopg.Connection[Any], one: Case, done: Finished) -> None:
    """Every thing whose tags belong to a layer is there once: kept or rejected; and as the case foretells."""
    assert not one.refused, done.out
    answer = json.loads(done.out)
    assert answer["published"] is True
    fates = fates_in(connection, answer["schema"])
    assert one.things is not None
    expected = {(layer, thing.key) for thing in one.things() for layer in layers_of(thing)}
    assert set(fates) == expected, (
        f"lost {sorted(expected - set(fates))[:9]}, invented {sorted(set(fates) - expected)[:9]}"
    )
    wrong = [
        f"{layer} {key}: {fate}, not {allowed}"
        for (layer, key), fate in fates.items()
        if (allowed := one.fates.get(f"{layer} {key}", one.fates.get(key))) and fate not in allowed.split("|")
    ]
    assert wrong == []
    check_counts(answer["layers"], fates)
    if one.options and "OUTLINE" in one.options:
        assert answer["outline_source"] == "poly"


def fates_in(connection: psycopg.Connection[Any], schema: str) -> dict[tuple[str, str], str]:
    """(layer, key) -> `kept`, `repaired` or the reason; an object that stands in both fails."""
    connection.execute(f"set search_path = {quoted(schema)}, public".encode())
    found: dict[tuple[str, str], str] = {}
    for layer in LAYERS:
        statement = f"select osm_key, repaired from {layer}"
        found |= {
            (layer, key): "repaired" if repaired else "kept"
            for key, repaired in connection.execute(statement.encode())
        }
    for layer, key, reason, detail in connection.execute("select layer, osm_key, reason, detail from reject"):
        assert (layer, key) not in found, f"{layer} {key} is kept and rejected"
        assert len(detail) > 10, (layer, key, detail)
        found[layer, key] = reason
    return found


def check_counts(layers: dict[str, dict[str, int]], fates: dict[tuple[str, str], str]) -> None:
    """The figures of the answer are those of the tables."""
    for layer in LAYERS:
        own = [fate for (where, _), fate in fates.items() if where == layer]
        kept = sum(fate in ("kept", "repaired") for fate in own)
        assert layers[layer] == {
            "found": len(own), "kept": kept, "repaired": own.count("repaired"), "rejected": len(own) - kept
        }, layer  # fmt: skip
