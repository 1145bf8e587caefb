"""MapEval's tables: figures as the paper prints them, and cells of runs that are counted by hand."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import text

from app.benchmarks.mapeval.paper_tables.classes import class_of, kind_of, tools_of
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.report import report_run
from app.papers.definitions import TableQuestion, TableRun
from app.papers.models import PaperReport, PaperTable
from app.papers.reading import read_paper
from app.templates.catalogue import find_reference
from tests.conftest import SHARED
from tests.support.command_line import trigpoint
from tests.support.published_mapeval import visual, write_textual, write_visual

ROWS = {
    3: {"place info": "place_info"},
    4: {"place info": "place_info"},
    5: {"place info": "place_info"},
    6: {},
}
KINDS = {
    ("accuracy", "straight line"): "straight_line_llm",
    ("accuracy", "direction"): "cardinal_llm",
    ("accuracy with a calculator", "straight line"): "straight_line_llm_calculator",
    ("accuracy with a calculator", "direction"): "cardinal_llm_calculator",
}


@pytest.mark.parametrize("number", [3, 4, 5, 6])
def test_figures_are_the_papers(number: int) -> None:
    path = SHARED / "papers" / f"mapeval-table{number}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    with path.open(encoding="utf-8", newline="") as file:
        printed = list(csv.DictReader(file))
    reference = find_reference("mapeval")
    assert reference is not None
    parts = [part for part in reference.parts if part.table == number]
    assert parts
    for part in parts:
        assert len(part.columns) == len(printed)
        for row, figures in part.rows.items():
            column = KINDS[part.measure, row] if number == 6 else ROWS[number].get(row, row)
            assert figures == [round(float(one[column]) / 100, 4) for one in printed]


def test_people_and_models_are_named_as_they_are() -> None:
    reference = find_reference("mapeval")
    assert reference is not None
    assert (reference.columns["C35"], reference.columns["H"]) == (
        "Claude-3.5-Sonnet",
        "people who did not annotate",
    )


def test_templates_of_others_and_of_ours_have_a_class() -> None:
    names = ("textual_trip", "visual_counting", "Straight_Line_Distance", "Unknown")
    assert [class_of(one) for one in names] == ["trip", "counting", "poi", ""]
    published = TableQuestion("a", "textual_poi", None, None, {"kind": "direction"})
    assert kind_of(published) == "direction"
    assert kind_of(published._replace(template="Straight_Line_Distance", parameters={})) == "straight line"
    assert kind_of(published._replace(template="Count_Within", parameters={})) == "counting"
    assert kind_of(published._replace(parameters={"kind": None})) is None
    assert tools_of(TableRun("react", {"agent": {"tools": "calculator"}})) == "calculator"


def submit(settings: Settings, dataset: str, folder: Path) -> int:
    """The number of the run that answers every question by its first option."""
    statement = (
        "select question.id, options ->> 0 as first from question "
        "inner join dataset_version on question.version_id = dataset_version.id "
        f"inner join dataset on dataset_version.dataset_id = dataset.id where dataset.name = '{dataset}'"
    )
    with connect(settings, Role.WORKER) as connection:
        asked = connection.execute(text(statement)).all()
    path = folder / f"{dataset}.jsonl"
    path.write_text("\n".join(json.dumps({"id": row.id, "answer": row.first}) for row in asked))
    done = trigpoint(settings, "submit", dataset, str(path), "--name", "the first option", "--json")
    assert done.status == 0, done.err
    with connect(settings, Role.WORKER) as connection:
        run: int = connection.execute(text("select max(id) from run")).scalar_one()
    return run


@pytest.fixture(scope="module")
def made(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> tuple[Settings, list[int]]:
    """Both published data sets, and a run of each."""
    settings, folder = make_database(), tmp_path_factory.mktemp("release")
    assert trigpoint(settings, "load", "mapeval-textual", str(write_textual(folder))).status == 0
    path, root = write_visual(folder, [visual(), visual(answer="1", classification="poi")])
    command = ("load", "mapeval-visual", str(path), "--pictures", str(root))
    assert trigpoint(settings, *command).status == 0
    runs = [submit(settings, dataset, folder) for dataset in ("mapeval_textual", "mapeval_visual")]
    for dataset in ("mapeval_textual", "mapeval_visual"):
        assert trigpoint(settings, "imported", "open", dataset, "--licence", "CC-BY-4.0").status == 0
    return settings, runs


@pytest.fixture(scope="module")
def report(made: tuple[Settings, list[int]]) -> PaperReport:
    settings, runs = made
    with connect(settings, Role.API) as connection:
        return read_paper(connection, "mapeval", runs)


def mine(report: PaperReport, number: int) -> list[dict[str, float | None]]:
    (table,) = [one for one in report.tables if (one.table, one.measure) == (number, "accuracy")]
    return [
        {name: None if cell is None else cell.value for name, cell in row.cells.items()}
        for row in table.rows
        if row.kind == "mine"
    ]


def test_cells_of_runs_are_counted_by_class(report: PaperReport) -> None:
    # Five textual questions: the first is right by its first option; the one without an answer counts, and is wrong.
    textual, _ = mine(report, 3)
    assert textual["overall"] == pytest.approx(1 / 5)
    assert (textual["place info"], textual["routing"]) == (pytest.approx(1 / 3), 0.0)
    assert (textual["unanswerable"], textual["trip"]) == (0.0, None)
    _, pictures = mine(report, 5)
    assert (pictures["overall"], pictures["place info"], pictures["counting"]) == (0.5, 1.0, 0.0)


def test_runs_with_contexts_have_no_row_among_those_without(report: PaperReport) -> None:
    assert (mine(report, 4), mine(report, 6)) == ([], [])
    tables: list[PaperTable] = report.tables
    assert [one.table for one in tables] == [3, 4, 5, 6, 6]
    assert any("Chameleon" in note for one in tables for note in one.notes)


def test_notes_tell_what_is_not_like_for_like(report: PaperReport) -> None:
    told = [note for run in report.runs for note in run.notes]
    assert "Public questions: 5 (in the paper: 700)." in told
    assert "The data set was published by others and is not proved." in told
    assert not any("no public question of" in note for note in told)


def test_reports_tell_four_means_apart(made: tuple[Settings, list[int]]) -> None:
    """One of three questions of place info is right; that of routing is wrong, and the one without an answer, too."""
    settings, (textual, _) = made
    with connect(settings, Role.MAINTAINER) as connection:
        (run,) = report_run(connection, textual).runs
    assert run.means is not None
    assert run.means.model_dump() == {
        "questions": pytest.approx(1 / 5),
        "dimensions": pytest.approx((1 / 3 + 0 + 0) / 3),
        "answerable_questions": pytest.approx(1 / 4),
        "answerable_dimensions": pytest.approx((1 / 3 + 0) / 2),
    }
