"""Tables 5, 8 and 9 of UrbanGeoEval: published figures agree with one another, and those of runs with hand counts."""

import csv
from collections.abc import Callable

import pytest

from app.benchmarks.urban_reasoning.paper_tables import QUESTIONS, total_of
from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.papers import figures
from app.papers.latex import as_latex
from app.papers.models import PaperCell, PaperReport, PaperTable
from app.papers.reading import read_paper
from app.papers.sheet import as_csv
from app.templates.catalogue import find_reference
from tests.conftest import SHARED
from tests.support.factories import make_run, make_version
from tests.support.judged_runs import judged_question, make_verdicts, verdicts_by

TASKS = ["DS", "DS", "PN", "NV"]
MISSES = "DeepSeek-R1-1.5B"
"""The model whose printed total does not follow from its points."""


@pytest.fixture(scope="module")
def report(make_database: Callable[[], Settings]) -> PaperReport:
    """Two runs of answers, both marked by two judges: the first run is better for one judge, the second for the other."""
    settings = make_database()
    version = make_version(
        settings,
        [
            *(judged_question(task, place) for place, task in enumerate(TASKS)),
            judged_question("RC", 9, "hidden"),
        ],
        benchmark="urban_reasoning",
    )
    runs = [make_run(settings, version, ["2", "3", "2", "2", "2"], label=label) for label in ("one", "two")]
    asked = [*TASKS, "RC"]

    def mild(place: int, task: str) -> dict[str, float]:
        return {"clarity": 1.0, "answer": 4.0} if task == "NV" else {"clarity": 1.0}

    def hard(place: int, task: str) -> dict[str, float]:
        return {"clarity": 2.0, "answer": 10.0}

    judged = [
        make_verdicts(settings, version, runs[0], verdicts_by(asked, mild), "first"),
        make_verdicts(settings, version, runs[1], verdicts_by(asked, hard), "first"),
        make_verdicts(settings, version, runs[0], verdicts_by(asked, hard), "second"),
        make_verdicts(settings, version, runs[1], verdicts_by(asked, mild), "second"),
    ]
    with connect(settings, Role.API) as connection:
        with pytest.raises(UsageError, match=rf"`trigpoint run judge {runs[0]} --endpoint URL` makes"):
            read_paper(connection, "urban", [runs[0]])
        return read_paper(connection, "urban", judged)


def find(report: PaperReport, number: int) -> PaperTable:
    (found,) = [one for one in report.tables if one.table == number]
    return found


def mine(table: PaperTable) -> list[dict[str, PaperCell | None]]:
    return [row.cells for row in table.rows if row.kind == "mine"]


def values(cells: dict[str, PaperCell | None]) -> dict[str, float]:
    return {name: round(cell.value, 6) for name, cell in cells.items() if cell is not None}


def test_published_totals_follow_from_the_published_points() -> None:
    found = find_reference("urban_reasoning")
    assert found is not None
    points, totals, _ = found.parts
    assert sum(QUESTIONS.values()) == 3148
    recomputed = {}
    for place, label in enumerate(points.columns):
        by_task = {
            task: points.rows[f"{task} reason"][place] + points.rows[f"{task} answer"][place]  # type: ignore[operator]
            for task in QUESTIONS
        }
        recomputed[found.columns[label]] = 100 * total_of(by_task)
    printed = {
        found.columns[label]: 100 * figure
        for label, figure in zip(totals.columns, totals.rows["hybrid"], strict=True)
        if figure is not None
    }
    assert {name for name, value in printed.items() if abs(recomputed[name] - value) > 0.02} == {MISSES}
    assert recomputed[MISSES] == pytest.approx(37.455, abs=1e-3)
    assert [round(recomputed[name], 2) for name in ("o3-mini", "Qwen3-32B", "DeepSeek-V3")] == [
        87.51,
        83.76,
        75.51,
    ]


def test_published_figures_are_those_of_the_shared_tables(report: PaperReport) -> None:
    if not SHARED.is_dir():
        pytest.skip("the papers' tables are not here")
    scale = {5: 1, 8: 100, 9: 1}
    names = {"pure judge": "pure_judge", "judge": "gpt4o_judge_rank", "second judge": "qwen3_judge_rank"}
    for number, most in scale.items():
        with (SHARED / "papers" / f"urbangeoeval-table{number}.csv").open() as file:
            lines = {_model(line["model"]): line for line in csv.DictReader(file)}
        rows = [row for row in find(report, number).rows if row.kind == "published"]
        assert len(rows) == (15 if number == 9 else 16)
        for row in rows:
            for name, value in values(row.cells).items():
                column = names.get(name, name.lower().replace(" ", "_"))
                slack = 0.011 if name == "difference" else 1e-6  # three differences are misrounded
                assert most * value == pytest.approx(float(lines[row.name][column]), abs=slack)


def _model(printed: str) -> str:
    short = printed.replace("-Instruct", "").replace("-Ins.", "").replace("Llama3.1", "Llama-3.1")
    return short.replace("DS-R1", "DeepSeek-R1")


def test_points_of_a_run_are_means_by_task(report: PaperReport) -> None:
    """The first judge takes a point off each reasoning; the second answer of DS is wrong, and NV's costs four points."""
    first = mine(find(report, 5))[0]
    assert values(first) == {
        "DS reason": 14.0,
        "DS answer": 5.0,
        "PN reason": 19.0,
        "PN answer": 10.0,
        "NV reason": 19.0,
        "NV answer": 6.0,
    }
    cell = first["DS reason"]
    assert cell is not None
    assert cell.n == 2
    assert cell.low is not None
    assert 0 < cell.low < 14.0


def test_totals_weigh_tasks_as_the_paper_does(report: PaperReport) -> None:
    first = mine(find(report, 8))[0]
    shares = {"DS": (24 + 14) / 50, "PN": 29 / 30, "NV": 25 / 30}
    weighed = sum(QUESTIONS[task] * share for task, share in shares.items()) / sum(
        QUESTIONS[task] for task in shares
    )
    pure = {"DS": 24 / 25, "PN": 29 / 30, "NV": 25 / 30}
    all_by_judge = sum(QUESTIONS[task] * share for task, share in pure.items()) / sum(
        QUESTIONS[task] for task in pure
    )
    assert values(first) == {
        "pure judge": round(all_by_judge, 6),
        "hybrid": round(weighed, 6),
        "difference": round(weighed - all_by_judge, 6),
        "hybrid, own counts": round((2 * shares["DS"] + shares["PN"] + shares["NV"]) / 4, 6),
    }
    hybrid = first["hybrid"]
    assert hybrid is not None
    assert hybrid.partial, "four of the paper's tasks have no question"


def test_ranks_under_two_judges(report: PaperReport) -> None:
    table = find(report, 9)
    ranks = list(map(values, mine(table)))
    assert ranks == [
        {"judge": 1.0, "second judge": 2.0, "shift": -1.0},
        {"judge": 2.0, "second judge": 1.0, "shift": 1.0},
    ]
    assert figures.value(table, table.rows[0].cells["judge"]) == "1"


def test_the_tables_can_be_written_as_files(report: PaperReport) -> None:
    assert as_latex(report).count(r"\begin{table}") == 4
    lines = list(csv.DictReader(as_csv(report).splitlines()))
    assert {line["table"] for line in lines} == {"4", "5", "8", "9"}
    told = " ".join(report.runs[0].notes)
    assert "Public questions: 4 (in the paper: 3,148)." in told
    assert "Hidden questions of the data set that are left out: 1." in told
