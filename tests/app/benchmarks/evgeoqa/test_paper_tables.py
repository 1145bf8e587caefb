"""Tables 1 to 3 of EVGeoQA: published figures as they are printed, and those of a run by hand."""

import csv
from collections.abc import Callable, Mapping, Sequence

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.papers.cells import fill_cells
from app.papers.definitions import PaperTables, TableAnswer, TableQuestion, find_paper
from app.papers.models import PaperReport, PaperTable
from app.papers.reading import count_moves, read_paper
from tests.conftest import SHARED
from tests.support.factories import make_run, make_version, name_question
from tests.support.scored_runs import score
from tests.support.stored_episodes import add_steps, chat, tool

FIGURES = SHARED / "papers"
NAMES = {
    "Qwen25-72b": "Qwen2.5-72B",
    "Qwen3-8b": "Qwen3-8B",
    "Qwen3-30b-a3b": "Qwen3-30B-a3b",
    "Average": "average",
}
TIERS = {"under_10km": "<10 km", "under_20km": "<20 km", "no_limit": "no limit"}


@pytest.fixture(scope="module")
def report(make_database: Callable[[], Settings]) -> PaperReport:
    with connect(make_database(), Role.API) as connection:
        return read_paper(connection, "evgeoqa", [])


def rows_of(number: int) -> list[dict[str, str]]:
    path = FIGURES / f"evgeoqa-table{number}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not here: the papers' figures are not part of the project")
    with path.open() as file:
        return list(csv.DictReader(file))


def label(row: Mapping[str, str]) -> str:
    model = row["model"].rstrip("*")
    return f"{row['city']} {NAMES.get(model, model)}{'*' if row['model'].endswith('*') else ''}"


def shown(table: PaperTable) -> dict[str, dict[str, float]]:
    return {
        row.key: {name: cell.value for name, cell in row.cells.items() if cell is not None}
        for row in table.rows
    }


def test_published_figures_are_those_of_the_paper(report: PaperReport) -> None:
    size, found, moves = report.tables
    assert shown(size) == {
        row["city"]: {
            "stations": float(row["stations"]),
            "user places": float(row["locations"]),
            "kinds of places": float(row["pois"]),
            "questions": float(row["qa_pairs"]),
        }
        for row in rows_of(1)
    }
    assert shown(found) == {
        label(row): {
            f"{name} Hits@{rank}": float(row[f"{tier}_hits_{rank}"])
            for tier, name in TIERS.items()
            for rank in (1, 2, 3)
        }
        for row in rows_of(2)
    }
    assert shown(moves) == {
        label(row): {name: float(row[tier]) for tier, name in TIERS.items()} for row in rows_of(3)
    }


def test_what_the_tables_do_not_give_is_said(report: PaperReport) -> None:
    said = " ".join(note for table in report.tables for note in table.notes)
    for part in (
        "from 48.6 to 32.6",
        "Qwen3-8B is better without thinking in 7 of 9",
        "GPT-OSS-120B is below",
    ):
        assert part in said
    averages = [row for row in rows_of(2) if row["model"] == "Average"]
    means = [sum(float(row[f"{tier}_hits_2"]) for row in averages) / 3 for tier in ("under_10km", "no_limit")]
    assert [f"{100 * one:.2f}" for one in means] == ["48.55", "32.63"]
    by_name = {label(row): row for row in rows_of(2)}
    columns = [f"{tier}_hits_{rank}" for tier in TIERS for rank in (1, 2, 3)]
    plain, thinking = by_name["Qingdao Qwen3-8B"], by_name["Qingdao Qwen3-8B*"]
    assert sum(plain[name] > thinking[name] for name in columns) == 7
    small, large = by_name["Hangzhou GPT-OSS-20B*"], by_name["Hangzhou GPT-OSS-120B*"]
    assert all(large[name] < small[name] for name in columns)


def question(number: int, tier: str, stations: Sequence[str], **parameters: str) -> TableQuestion:
    return TableQuestion(
        str(number), "Destination_With_Activity", None, None, parameters, None, tier, stations
    )


def answer(first: int, moves: int) -> TableAnswer:
    """An answer whose first right station is the one of that rank; 0 for none."""
    parts = {
        f"hits_{rank}": {"value": float(0 < first <= rank), "maximum": 1.0, "attempted": True}
        for rank in (1, 2, 3)
    }
    return TableAnswer("answered", True, None, float(first > 0), parts, None, "trigpoint", moves)


QUESTIONS = [
    question(1, "10", ["n1", "n2"], user="9.5,47.1,top", activity="cafe"),
    question(2, "10", ["n2"], user="9.5,47.1,top", activity="bank"),
    question(3, "20", ["n3"], user="9.6,47.2,low", activity="cafe"),
    question(4, "none", ["n4"], user="9.6,47.2,low", activity="bank"),
]
ANSWERS = {
    "1": [answer(1, 0)],
    "2": [answer(3, 2)],
    "3": [answer(2, 4)],
    "4": [TableAnswer("no_answer", False, None, 0.0, {}, None, "trigpoint", 25)],
}


@pytest.fixture
def paper() -> PaperTables:
    (found,) = find_paper("evgeoqa")
    return found


def test_tiers_are_nested_and_silence_counts_as_nothing(paper: PaperTables) -> None:
    cells = fill_cells(paper.tables[0], QUESTIONS, ANSWERS)
    assert {name: (round(cell.value, 6), cell.n) for name, cell in cells.items() if cell} == {
        "<10 km Hits@1": (0.5, 2),
        "<10 km Hits@2": (0.5, 2),
        "<10 km Hits@3": (1.0, 2),
        "<20 km Hits@1": (0.333333, 3),
        "<20 km Hits@2": (0.666667, 3),
        "<20 km Hits@3": (1.0, 3),
        "no limit Hits@1": (0.25, 4),
        "no limit Hits@2": (0.5, 4),
        "no limit Hits@3": (0.75, 4),
    }


def test_moves_are_means_of_at_most_twenty(paper: PaperTables) -> None:
    cells = fill_cells(paper.tables[1], QUESTIONS, ANSWERS)
    assert {name: round(cell.value, 6) for name, cell in cells.items() if cell} == {
        "<10 km": 1.0,  # 0 and 2
        "<20 km": 2.0,  # and 4
        "no limit": 6.5,  # and 25, of which 20 count
    }


def test_the_size_of_the_data_is_counted(paper: PaperTables) -> None:
    (size,) = paper.counts
    assert {name: count(QUESTIONS) for name, count in size.columns.items()} == {
        "stations": 4,
        "user places": 2,
        "kinds of places": 2,
        "questions": 4,
    }


def test_moves_are_read_from_the_calls_of_a_run(make_database: Callable[[], Settings]) -> None:
    settings = make_database()
    version = make_version(settings, [name_question()], name="moved", benchmark="evgeoqa")
    run = make_run(settings, version, ["Adler"], "by hand", "georover")
    score(settings, run)
    steps = [chat("I go."), tool("Change_Current_Location", {}, {}), tool("Search_Stations", {}, {})]
    add_steps(settings, run, version.questions[0], steps)
    (paper,) = find_paper("evgeoqa")
    with connect(settings, Role.API) as connection:
        assert list(count_moves(connection, run, paper).values()) == [1]
