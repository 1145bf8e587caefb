"""What somebody else gives a job is never read as an option, and never a file outside the folder of extracts."""

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from app.jobs.kinds import COMMANDS, Generate, Import, Kind, RefreshOf, Rescore, ScheduleRun


def test_commands() -> None:
    assert Import(region="europe/liechtenstein").command() == ["import", "--", "europe/liechtenstein"]
    assert Import(file="-map.osm.pbf"[1:], name="x").command() == [
        "import",
        "--name=x",
        "--",
        "./map.osm.pbf",
    ]
    assert ScheduleRun(schedule="daily").command() == ["schedule", "run", "--", "daily"]
    assert Rescore(run=7).command() == ["run", "rescore", "--", "7"]
    assert RefreshOf(dataset="x@1", snapshot="y", dry_run=True).command() == [
        "refresh",
        "--snapshot=y",
        "--dry-run",
        "--",
        "x@1",
    ]
    wanted = Generate(
        benchmark="--help", name="x", snapshots=["--json"], choose={"a": "b=c"}, five_options=True
    )
    command = wanted.command()
    assert command[-2:] == ["--", "--help"]
    assert {"--snapshot=--json", "--choose=a=b=c", "--five-options", "--bank=200"} <= set(command)
    assert not any(word.startswith("--variant") for word in command), "what is not told is left out"


@pytest.mark.parametrize(
    "source", ["--help", "/etc/passwd", "../x.osm.pbf", "x/y.osm.pbf", "~x.osm.pbf", "", "x.txt"]
)
def test_files_that_are_not_taken(source: str) -> None:
    with pytest.raises(ValidationError):
        Import(file=source)


@pytest.mark.parametrize(
    "source", ["--help", "/europe", "Europe", "europe/..", "a/b/c/d/e", "", "http://x/y"]
)
def test_regions_that_are_not_taken(source: str) -> None:
    with pytest.raises(ValidationError):
        Import(region=source)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"region": "europe", "file": "x.osm.pbf"},
        {"region": "europe", "name": "A b"},
        {"region": "europe", "other": 1},
    ],
    ids=["none", "both", "name", "more"],
)
def test_imports_that_are_not_taken(given: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Import(**given)


def test_each_kind_of_command_has_its_arguments() -> None:
    assert set(COMMANDS) == {*get_args(Kind)} - {"endpoint_check"}
