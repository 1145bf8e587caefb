"""The figures of papers: what their file must hold, and what is known of GS-QA's."""

from pathlib import Path

import pytest
import yaml

from app.core.errors import TemplateError
from app.templates.catalogue import find_benchmark, find_reference, load_benchmarks
from app.templates.reference import Reference, ReferencePart, read_reference

GOOD = {
    "paper": "A paper",
    "url": "https://example.org",
    "map": "Somewhere",
    "source": "https://example.org/tables",
    "columns": {"M": "a model", "R": "random answers"},
    "parts": [
        {
            "table": 7,
            "title": "Attempted",
            "measure": "share",
            "better": "higher",
            "file": "x.tex",
            "columns": ["M", "R"],
            "rows": {"name": [0.5, None], "average": [0.5, 1.0]},
        }
    ],
}
SPECIFIED = {
    **dict.fromkeys((7, 8), "M MT MR S ST SR G GT GR R"),
    **dict.fromkeys((9, 10, 11, 12), "M S G MT ST GT MR SR GR R"),
    13: "M S G",
}


@pytest.fixture
def gsqa() -> Reference:
    found = find_reference("gsqa")
    assert found is not None
    return found


def part(reference: Reference, table: int, measure: str) -> ReferencePart:
    (found,) = [one for one in reference.parts if (one.table, one.measure) == (table, measure)]
    return found


def mean(figures: list[float | None]) -> float:
    known = [figure for figure in figures if figure is not None]
    return sum(known) / len(known)


def test_every_table_has_the_papers_columns_in_its_order(gsqa: Reference) -> None:
    assert {one.table: " ".join(one.columns) for one in gsqa.parts} == SPECIFIED


def test_the_rows_are_templates_of_the_benchmark_or_answer_types(gsqa: Reference) -> None:
    templates = set(find_benchmark("gsqa").templates)
    told = {name for one in gsqa.parts if 9 <= one.table <= 12 for name in one.rows} - {"average"}
    assert told == templates
    types = {"name", "location", "angle", "area", "count", "distance", "length", "average"}
    assert all(set(one.rows) == types for one in gsqa.parts if one.table in (7, 8))


def test_random_answers_pass_eight_of_nine_baselines_of_free_text(gsqa: Reference) -> None:
    free_text = part(gsqa, 8, "F1")
    by_column = dict(zip(free_text.columns, free_text.rows["average"], strict=True))
    random = by_column.pop("R")
    assert random == 0.19
    assert sum(random > other for other in by_column.values() if other is not None) == 8


def test_averages_are_those_of_their_rows(gsqa: Reference) -> None:
    """To what rounding leaves; the parsed names' average has all of T6 in it, which is not here."""
    for one in gsqa.parts:
        if "average" not in one.rows or one.note:
            continue
        for place, average in enumerate(one.rows["average"]):
            figures = [row[place] for name, row in one.rows.items() if name != "average"]
            assert average == pytest.approx(mean(figures), abs=0.011), (one.table, one.columns[place])


def test_t6s_parsed_row_lacks_the_figures_that_cannot_be_told(gsqa: Reference) -> None:
    """The paper has nine figures for ten columns; the averages say which six of them are certain."""
    names = part(gsqa, 9, "F1 of the parsed answer")
    assert names.rows["T6"] == [*[None] * 4, 0.47, 0.56, 0.13, 0.16, 0.14, 0.19]
    assert names.note is not None
    nulls = [row for one in gsqa.parts for row in one.rows.values() if None in row]
    assert nulls == [names.rows["T6"]]


def test_statements_are_valid_or_invalid_by_kind(gsqa: Reference) -> None:
    sql = part(gsqa, 13, "share of the questions").rows
    for place in range(3):
        share = {name: row[place] or 0.0 for name, row in sql.items()}
        assert share["valid"] + share["invalid"] == pytest.approx(1, abs=1e-9)
        assert share["timeout"] + share["correct"] + share["incorrect"] == pytest.approx(
            share["valid"], abs=0.002
        )
        kinds = [
            n
            for name, n in share.items()
            if name not in ("valid", "invalid", "timeout", "correct", "incorrect")
        ]
        assert sum(kinds) == pytest.approx(share["invalid"], abs=0.002)


def test_the_knowledge_modules_overall_row() -> None:
    found = find_reference("urban_knowledge")
    assert found is not None
    (table,) = found.parts
    assert list(table.rows) == ["node", "area", "road", "type", "function", "surroundings", "overall"]
    dimensions = [row for name, row in table.rows.items() if name != "overall"]
    for place, overall in enumerate(table.rows["overall"]):
        plain = mean([row[place] for row in dimensions])
        # GPT-4o's is weighted by templates: its plain mean is a point below.
        assert overall == pytest.approx(plain + (0.01 if place == 0 else 0), abs=1e-4)
    assert dict(zip((found.columns[name] for name in table.columns), table.rows["overall"], strict=True)) == {
        "GPT-4o": 0.5449,
        "Qwen2.5-72B": 0.4890,
        "Llama-3.1-70B": 0.4672,
        "Qwen2.5-7B": 0.4256,
        "Llama-3.1-8B": 0.3457,
    }


def test_others_have_none() -> None:
    """What is made after no paper has no figures of one."""
    without = [name for name in load_benchmarks() if find_reference(name) is None]
    assert without == ["map_tools_check", "mapeval_visual"]
    assert find_reference("../gsqa") is None
    assert find_reference("nope") is None


def test_a_file_that_is_whole(tmp_path: Path) -> None:
    (tmp_path / "reference.yaml").write_text(yaml.safe_dump(GOOD))
    found = read_reference(tmp_path)
    assert found is not None
    assert found.parts[0].rows["name"] == [0.5, None]


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("null", "2.5", "less than or equal to 1"),
        ("null", "-0.1", "greater than or equal to 0"),
        ("null", ".nan", "finite"),
        ("null", "'0.5'", "valid number"),
        ("- 0.5\n    - null\n", "- 0.5\n", "1 figures for 2 columns"),
        ("- R\n", "- Q\n", "not above"),
        ("- R\n", "- M\n", "named twice"),
        ("paper: A paper\n", "", "paper"),
        ("table: 7", "tables: 7", "parts.0.table"),
        ("better: higher", "better: bigger", "better"),
        ("map: Somewhere", "map: [", "YAML"),
        ("map: Somewhere", "map: Somewhere\nmap: Elsewhere", "stands here twice"),
    ],
    ids=range(12),
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, old: str, new: str, fault: str) -> None:
    good = yaml.safe_dump(GOOD)
    assert old in good
    (tmp_path / "reference.yaml").write_text(good.replace(old, new, 1))
    with pytest.raises(TemplateError, match=rf"reference\.yaml:\d+: .*{fault}"):
        read_reference(tmp_path)
