"""Dimensions and strategies are those of the paper's Tables 2 and 6, and its Table 4 stands under boards."""

import csv
from pathlib import Path

import pytest

from app.core.settings import PROJECT_ROOT
from app.templates.catalogue import find_benchmark, find_reference

PAPERS = PROJECT_ROOT.parent / "shared" / "papers"


def rows_of(name: str) -> list[dict[str, str]]:
    path: Path = PAPERS / name
    if not path.is_file():
        pytest.skip(f"{path} is absent")
    return list(csv.DictReader(path.read_text().splitlines()))


def test_each_template_has_the_papers_dimension_and_strategy() -> None:
    printed = {
        row["template"]: (row["dimension"].lower(), row["strategy"].lower())
        for row in rows_of("urbangeoeval-table2.csv")
    }
    templates = find_benchmark("urban_knowledge").templates
    ours = {name: (one.header.dimension, one.header.strategy) for name, one in templates.items()}
    assert ours == printed


def test_groups_are_part_of_what_versions_store() -> None:
    """So a version that was made before shows the dimensions that it was made with, and no strategies."""
    header = find_benchmark("urban_knowledge").templates["Find_Nearest_POI"].header.as_json()
    assert (header["dimension"], header["strategy"]) == ("surroundings", "spatial")
    assert "strategy" not in find_benchmark("gsqa").templates["T5"].header.as_json()


def test_table_4_by_dimension() -> None:
    found = find_reference("urban_knowledge")
    assert found
    (table,) = found.parts
    printed = {row["model"].removesuffix("-Instruct"): row for row in rows_of("urbangeoeval-table4.csv")}
    for place, column in enumerate(table.columns):
        row = printed[found.columns[column]]
        assert {name: round(100 * (figures[place] or 0), 2) for name, figures in table.rows.items()} == {
            name: float(row[name]) for name in table.rows
        }
    dimensions = {one.header.dimension for one in find_benchmark("urban_knowledge").templates.values()}
    assert table.rows.keys() == dimensions | {"overall"}
