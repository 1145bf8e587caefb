"""Tables of the Spatial-Agent paper: figures as they are printed, means that follow from them, and runs by hand."""

import csv
from collections.abc import Callable, Mapping

import pytest

from app.benchmarks.mapeval.paper_tables.spatial_agent import (
    QUESTIONS,
    TABLE_1,
    TABLE_1_CHANGES,
    TABLE_3,
    mean_by_questions,
    plain_mean,
)
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.papers.cells import fill_cells
from app.papers.definitions import TableAnswer, TableQuestion, TableRun
from app.papers.models import PaperReport, PaperTable
from app.papers.reading import read_paper
from tests.conftest import SHARED
from tests.support.factories import make_run, make_version, option_question
from tests.support.scored_runs import score
from tests.support.stored_episodes import add_steps, chat, search

CLASSES = dict(zip(("place_info", "nearby", "routing", "trip"), QUESTIONS))
TRAINING = {"all": "overall"} | dict(zip(("poi", "near", "route", "trip"), QUESTIONS))
LONGER = {"Qwen2.5-72B": "Qwen2.5-72B-Instruct", "Qwen2.5-32B": "Qwen2.5-32B-Instruct"}
AGENT = {"agent": {"tools": "spatial_agent", "manner": "json"}}


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    return make_database()


@pytest.fixture(scope="module")
def published(settings: Settings) -> PaperReport:
    with connect(settings, Role.API) as connection:
        return read_paper(connection, "spatial-agent", [])


def printed(name: str) -> list[dict[str, str]]:
    path = SHARED / "papers" / f"spatial-agent-{name}.csv"
    if not path.exists():
        pytest.skip(f"{path} is not here: the papers' figures are not part of the project")
    with path.open() as file:
        return list(csv.DictReader(file))


def find(report: PaperReport, number: int, measure: str) -> PaperTable:
    (found,) = [one for one in report.tables if one.table == number and one.measure.startswith(measure)]
    return found


def values(table: PaperTable, key: str) -> dict[str, float]:
    (row,) = [one for one in table.rows if one.key == key]
    return {name: cell.value for name, cell in row.cells.items() if cell is not None}


def percents(table: PaperTable, columns: Mapping[str, str], suffix: str = "") -> list[dict[str, float]]:
    """The printed columns of every row, by the names in the file of the paper's figures."""
    return [
        {
            f"{theirs}{suffix}": round(100 * values(table, row.key)[ours], 2)
            for theirs, ours in columns.items()
        }
        for row in table.rows
    ]


def of_file(
    lines: list[dict[str, str]], columns: Mapping[str, str], suffix: str = ""
) -> list[dict[str, float]]:
    names = [f"{theirs}{suffix}" for theirs in columns]
    return [{name: float(line[name]) for name in names} for line in lines if line[names[0]]]


def test_accuracies_and_changes_are_those_of_the_paper(published: PaperReport) -> None:
    first, third = printed("table1"), printed("table3")
    accuracy, change = find(published, 1, "accuracy"), find(published, 1, "change")
    columns = {"overall": "overall", **CLASSES}
    methods = [row.name for row in accuracy.rows]
    for ours, theirs in LONGER.items():
        methods = [one.replace(ours, theirs) for one in methods]
    assert methods == [line["method"].replace("Direct LLM", "Direct") for line in first]
    assert percents(accuracy, columns) == of_file(first, columns)
    assert percents(change, columns, "_change") == of_file(first, columns, "_change")
    accuracy, change = find(published, 3, "accuracy"), find(published, 3, "change")
    assert percents(accuracy, TRAINING) == of_file(third, TRAINING)
    assert percents(change, TRAINING, "_change") == of_file(third, TRAINING, "_change")


def test_latency_and_cost_are_those_of_the_paper(published: PaperReport) -> None:
    names = {"POI": "place info", "Nearby": "nearby", "Routing": "routing", "Trip": "trip", "": "any"}
    rows = {"Direct LLM": "D", "ReAct": "R", "Reflexion": "X", "Spatial-Agent": "S4"}
    seconds, tokens = find(published, 0, "seconds"), find(published, 0, "tokens")
    cost = find(published, 0, "US dollars")
    assert (seconds.place, tokens.place, cost.place) == ("Figure 4", "Section 4.3", "Section 4.3")
    told = [(line["method"], names[line["task"]], float(line["seconds"])) for line in printed("figure4")]
    found = {(key, name): value for key in "D R S4".split() for name, value in values(seconds, key).items()}
    assert found == {(rows[method], name): value for method, name, value in told}
    for line in printed("cost"):
        key, given, said = rows[line["method"]], float(line["input_tokens"]), float(line["output_tokens"])
        assert values(tokens, key) == {"input tokens": given, "output tokens": said}
        assert values(cost, key)["by tokens"] == pytest.approx((0.15 * given + 0.6 * said) / 1e6)
        assert values(cost, key).get("printed") == (
            float(line["usd_per_query"]) if line["usd_per_query"] else None
        )
    assert round(values(cost, "S4")["by tokens"], 4) == 0.0022


def test_table_2_is_the_one_of_mapqa(published: PaperReport) -> None:
    assert [one.table for one in published.tables] == [1, 1, 2, 3, 3, 0, 0, 0]
    assert values(find(published, 2, "accuracy"), "S4")["distance"] == 0.40
    assert published.benchmarks == ["mapeval", "mapqa"]
    assert published.systems["S4"] == "Spatial-Agent (GPT-4o-mini)"


def test_what_is_said_of_means_follows_from_the_printed_classes(published: PaperReport) -> None:
    table = find(published, 1, "accuracy")
    means = {
        row.key: [f"{100 * values(table, row.key)[name]:.2f}" for name in ("plain mean", "by questions")]
        for row in table.rows
    }
    assert (means["M4"], means["S4"]) == (["24.88", "24.29"], ["45.15", "44.29"])
    assert (means["S35"], means["S5"]) == (["36.51", "35.71"], ["73.08", "71.79"])
    fits = [
        key
        for key, (plain, _) in means.items()
        if abs(float(plain) - 100 * values(table, key)["overall"]) < 0.011
    ]
    assert len(fits) == 8
    copied = {key for key in means if "with unanswerable" in values(table, key)}
    assert copied == {"M35", "M4", "ML"}
    assert all(values(table, key)["with unanswerable"] == values(table, key)["overall"] for key in copied)
    said = " ".join(TABLE_1_CHANGES.notes)
    for after, before in (("S4", "M4"), ("SL", "ML"), ("S35", "M35")):
        gain = values(table, after)["plain mean"] / values(table, before)["plain mean"] - 1
        assert f"+{100 * gain:.2f}" in said
    by_questions = values(table, "S4")["by questions"] / values(table, "M4")["by questions"] - 1
    assert f"+{100 * by_questions:.2f}" in said
    assert f"+{100 * (0.4515 / 0.23 - 1):.2f}" == "+96.30"


def test_a_mean_needs_every_class() -> None:
    assert plain_mean({"place info": 0.5, "nearby": None}) is None
    assert mean_by_questions({}) is None


def question(number: int, template: str) -> TableQuestion:
    return TableQuestion(str(number), template, None, None, {})


def answer(value: float) -> TableAnswer:
    return TableAnswer("answered", True, "correct", value, {}, None)


def test_the_three_means_of_a_run_are_told_apart() -> None:
    """Two of place info, one right; a nearby, a routing and a trip, the last one right; one without answer, right."""
    templates = (
        "textual_poi textual_poi textual_nearby textual_routing textual_trip textual_unanswerable".split()
    )
    asked = [question(number, name) for number, name in enumerate([*templates, "visual_poi"])]
    right = (1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0)
    answers = {one.id: [answer(value)] for one, value in zip(asked, right)}
    cells = fill_cells(TABLE_1, asked, answers)
    assert {name: (round(cell.value, 9), cell.n) for name, cell in cells.items() if cell is not None} == {
        "overall": (0.375, 5),
        "place info": (0.5, 2),
        "nearby": (0.0, 1),
        "routing": (0.0, 1),
        "trip": (1.0, 1),
        "plain mean": (0.375, 5),
        "by questions": (0.4, 5),
        "with unanswerable": (0.5, 6),
    }


def test_a_run_stands_in_the_table_of_its_solver_and_its_way_of_asking() -> None:
    without = {"agent": {**AGENT["agent"], "without": ["templates"]}}
    runs = {
        "whole": TableRun("geoflow", AGENT),
        "ablated": TableRun("geoflow", without),
        "loop": TableRun("react", AGENT),
        "alone": TableRun("direct", {"question_context": "left out"}),
        "context": TableRun("direct", {}),
    }
    assert [name for name, run in runs.items() if TABLE_1.takes(run)] == ["whole", "loop", "alone"]
    assert [name for name, run in runs.items() if TABLE_3.takes(run)] == ["whole", "ablated"]
    assert not any(TABLE_1_CHANGES.takes(run) for run in runs.values())


def test_a_run_has_what_its_calls_took(settings: Settings) -> None:
    """Calls of half a second and of 100 and 20 tokens: two of the model and one of a tool, and one of the model."""
    asked = [option_question(number, template="Nearest_Of_Type") for number in range(3)]
    version = make_version(settings, asked, name="taken", benchmark="mapeval")
    run = make_run(settings, version, ["A", "B", "A"], "by hand", "geoflow", presentation=AGENT)
    score(settings, run)
    first, second, _ = version.questions
    add_steps(settings, run, first, [chat("I look."), search("Museum", "n1"), chat("A")])
    add_steps(settings, run, second, [chat("B")])
    with connect(settings, Role.API) as connection:
        report = read_paper(connection, "spatial-agent", [run])
    key = str(run)
    assert values(find(report, 0, "seconds"), key) == {"nearby": 1.0, "any": 1.0}
    assert values(find(report, 0, "tokens"), key) == {"input tokens": 150.0, "output tokens": 30.0}
    assert values(find(report, 0, "US dollars"), key) == {
        "by tokens": pytest.approx((0.15 * 150 + 0.6 * 30) / 1e6)
    }
    (row,) = [one for one in find(report, 0, "seconds").rows if one.key == key]
    cell = row.cells["nearby"]
    assert cell is not None
    assert (cell.n, cell.low, cell.high) == (2, None, None)
    assert values(find(report, 1, "accuracy"), key)["nearby"] == pytest.approx(2 / 3)
    assert "Of these in one of the four classes: 3." in report.runs[0].notes
