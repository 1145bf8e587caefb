"""What somebody else gives a job is never a file outside the folder of extracts."""

from typing import Any, get_args

import pytest
from pydantic import ValidationError

from app.jobs.kinds import ARGUMENTS, Import, Kind
from app.operations.by_name import OPERATIONS


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


def test_each_kind_is_an_operation_with_its_arguments() -> None:
    assert set(ARGUMENTS) == {*get_args(Kind)} - {"endpoint_check"}
    assert set(ARGUMENTS) <= set(OPERATIONS)
