"""`trigpoint generate`: a value that a template leaves open, from the command to the proof; maps that it refuses."""

from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest

from app.core.settings import Settings
from tests.support.command_line import export, generate, lines, trigpoint
from tests.support.town import import_map, make_town


@pytest.mark.long
def test_whole_objects_on_request(database: Settings, tmp_path: Path) -> None:
    import_map(database, make_town().write(tmp_path / "town.osm"), "town")
    options = ("--bank", "20", "--per-template", "20", "--register", "precise")
    assert generate(database, "gsqa", "town", "parts", *options).status == 0
    same = generate(database, "gsqa", "town", "parts", *options, "--choose", "semantics=clipped")
    assert same.json["version"] == 1, "the default asked for is the default"
    whole = generate(database, "gsqa", "town", "wholes", *options, "--choose", "semantics=intersects")
    assert whole.status == 0, whole.err
    found = {}
    for name, words in (
        ("parts", "counting only the part inside"),
        ("wholes", "counting the whole of whatever lies partly inside"),
    ):
        questions = lines(export(database, name, tmp_path / name))
        found[name] = {one["id"] for one in questions if one["template"] in ("T27", "T28")}
        assert found[name]
        assert all(words in one["text"] for one in questions if one["template"] in ("T27", "T28"))
        verified = trigpoint(database, "verify", name, "--json")
        assert (verified.status, verified.json["failures"]) == (0, [])
        assert trigpoint(database, "reproduce", name).status == 0
    assert not found["parts"] & found["wholes"]


@pytest.mark.long
def test_what_cannot_be_chosen(database: Settings, tmp_path: Path) -> None:
    import_map(database, make_town().write(tmp_path / "town.osm"), "town")
    for choice, message in (
        ("semantics", "write NAME=VALUE"),
        ("region=r1", "gsqa has these choices: semantics"),
        ("semantics=driving", "semantics=driving: there are clipped, intersects"),
    ):
        done = generate(database, "gsqa", "town", "wrong", "--choose", choice)
        assert done.status == 2, choice
        assert message in done.err.replace("\n", " ")


def test_a_map_that_was_imported_too_long_ago(
    database: Settings, tmp_path: Path, superuser_of: Callable[[Settings], str]
) -> None:
    """It lacks tables that templates read."""
    import_map(database, make_town().write(tmp_path / "town.osm"), "town")
    with psycopg.connect(superuser_of(database)) as connection:
        connection.execute("update trigpoint.snapshot set layer_schema_version = 1")
    for benchmark in ("gsqa", "urban_knowledge"):
        done = generate(database, benchmark, "town", "early")
        assert done.status == 1
        assert "has layer schema 1; templates need 3 or later. Import its extract again" in " ".join(
            done.err.split()
        )
