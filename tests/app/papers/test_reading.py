"""The tables of papers over tiny data sets whose every cell is computed by hand, from the database to the model."""

import csv
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest
from sqlalchemy import text

from app.benchmarks.urban_knowledge.paper_tables import TEMPLATES
from app.core.errors import Conflict, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.papers.cells import fill_cells
from app.papers.definitions import (
    TableAnswer,
    TableColumn,
    TableQuestion,
    TableRules,
    list_papers,
    paper_of,
)
from app.papers.models import PaperCell, PaperReport, PaperTable
from app.papers.reading import read_paper
from app.scores.intervals import wilson_of
from app.solvers.run_kinds import JUDGEMENT
from tests.conftest import SHARED
from tests.support.factories import (
    FAILED,
    MISSING,
    MadeVersion,
    QuestionSpec,
    area_question,
    azimuth_question,
    count_question,
    make_run,
    make_version,
    name_question,
    option_question,
)
from tests.support.scored_runs import make_knowledge_board, score


def fact_question(number: int) -> QuestionSpec:
    """A T7-like question."""
    asked = name_question(number, ("Adler",))
    fact = {"kind": "name", "names": ["Anna Muster"], "attribute": "architect", "value": None}
    return replace(asked, template="T7", answer_type="fact", gold={**asked.gold, "fact": fact})


QUESTIONS = [
    name_question(0, ("Krone",)),
    name_question(1, ("Linde",)),
    name_question(2, ("Roter Adler",)),
    name_question(3, ("Hirschen",), split="hidden"),
    fact_question(4),
    azimuth_question(5, 90.0),
    azimuth_question(6, 180.0),
    count_question(7, 4),
    count_question(8, 10),
    area_question(9, 100.0),
    replace(area_question(10, 200.0), parameters={"region": "r1", "semantics": "clipped"}),
]
# Krone: right. Linde: no answer. Roter Adler: one of two words, in a text of one. The hidden one: right. The fact: two of
# its four gold words. 90 and 180 degrees: right, and a quarter turn off. 4: right. 10: eleven, off by a tenth. Areas: 50
# for 100, and nothing that can be read.
ANSWERS = [
    "Krone",
    None,
    "Adler",
    "Hirschen",
    "Anna Muster",
    "90 degrees",
    "90 degrees",
    "4",
    "11",
    "50 m²",
    "large",
]


@dataclass(frozen=True)
class Made:
    """The data set and its run."""

    settings: Settings
    version: MadeVersion
    run: int

    def report(self) -> PaperReport:
        with connect(self.settings, Role.API) as connection:
            return read_paper(connection, "gsqa", [self.run])


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    version = make_version(settings, QUESTIONS, name="tiny")
    run = make_run(settings, version, ANSWERS, "by hand")
    score(settings, run)
    return Made(settings, version, run)


def find(report: PaperReport, number: int, measure: str) -> PaperTable:
    (found,) = [one for one in report.tables if (one.table, one.measure) == (number, measure)]
    return found


def mine(report: PaperReport, number: int, measure: str) -> dict[str, PaperCell | None]:
    (row,) = [row for row in find(report, number, measure).rows if row.kind == "mine"]
    return row.cells


def figures(cells: dict[str, PaperCell | None]) -> dict[str, tuple[float, int | None]]:
    """Value and n of the cells that have data."""
    return {name: (round(cell.value, 9), cell.n) for name, cell in cells.items() if cell is not None}


def test_table_7_counts_what_was_attempted(made: Made) -> None:
    """The fact has no parsed score; the hidden question is not there; an area that cannot be read is no attempt."""
    cells = mine(made.report(), 7, "share attempted")
    assert figures(cells) == {
        "name": (round(2 / 3, 9), 3),
        "angle": (1.0, 2),
        "count": (1.0, 2),
        "area": (0.5, 2),
        "average": (round((2 / 3 + 1 + 1 + 0.5) / 4, 9), 9),
    }
    assert {name for name, cell in cells.items() if cell is None} == {"location", "distance", "length"}
    name, average = cells["name"], cells["average"]
    assert name is not None
    assert (name.low, name.high) == pytest.approx(wilson_of(2 / 3, 3))
    # Four columns of weight 1: worth 4² / (1/3 + 1/2 + 1/2 + 1/2) questions.
    assert average is not None
    assert (average.low, average.high) == pytest.approx(
        wilson_of((2 / 3 + 1 + 1 + 0.5) / 4, 16 / (1 / 3 + 1.5))
    )
    assert (average.partial, name.partial) == (True, False)


def test_table_8_counts_silence_as_nothing(made: Made) -> None:
    """F1 by hand: Krone 1, silence 0, Adler of two words 2/3; `Anna Muster` has two of five words of the fact."""
    cells = mine(made.report(), 8, "F1")
    name = cells["name"]
    assert name is not None
    values = [
        1.0,
        0.0,
        2 / 3,
        2 / 3,
    ]  # "Adler architect: Anna Muster": four words, two of them said: P 1, R 1/2
    assert (name.value, name.n) == (pytest.approx(sum(values) / 4), 4)
    # With a 0 and a 1 beside them the values show this share of the variance that their mean allows.
    padded = [0.0, 1.0, *values]
    mean = sum(padded) / 6
    share = sum((value - mean) ** 2 for value in padded) / 6 / (mean * (1 - mean))
    assert (name.low, name.high) == pytest.approx(wilson_of(sum(values) / 4, 4 / share))


def test_tables_9_to_12_leave_out_what_was_not_attempted(made: Made) -> None:
    report = made.report()
    # The silent answer has no text: the recall is over two of three names.
    assert figures(mine(report, 9, "recall of the text")) == {
        "T5": (0.75, 2),
        "T7": (0.5, 1),
        "average": (0.625, 3),
    }
    parsed = mine(report, 9, "F1 of the parsed answer")
    assert figures(parsed) == {
        "T5": (round((1 + 2 / 3) / 2, 9), 2),
        "average": (round((1 + 2 / 3) / 2, 9), 2),
    }
    assert parsed["average"] is not None
    assert parsed["average"].partial
    assert figures(mine(report, 11, "F1 of the parsed direction")) == {"T22": (0.5, 2)}
    assert figures(mine(report, 11, "angle error")) == {"T22": (0.25, 2)}
    assert figures(mine(report, 12, "relative error")) == {"T24": (0.05, 2), "T27": (0.5, 1)}


def test_a_run_without_sql_has_an_empty_table_13_and_others_have_empty_cells(made: Made) -> None:
    report = made.report()
    assert set(mine(report, 13, "share of the questions").values()) == {None}
    assert set(mine(report, 10, "distance error").values()) == {None}


def test_published_rows_are_the_figures_of_the_paper(made: Made) -> None:
    table = find(made.report(), 9, "F1 of the parsed answer")
    published = {row.key: row for row in table.rows if row.kind == "published"}
    assert list(published) == "M S G MT ST GT MR SR GR R".split()
    st, m = published["ST"].cells, published["M"].cells
    assert (st["T1"], st["T6"], m["T6"]) == (PaperCell(value=0.81), PaperCell(value=0.47), None)


@pytest.mark.parametrize("number", range(7, 14))
def test_published_figures_agree_with_the_shared_tables(made: Made, number: int) -> None:
    """Every printed cell of Tables 7 to 13; what is not printed is empty."""
    if not SHARED.is_dir():
        pytest.skip("the papers' tables are not here")
    with (SHARED / "papers" / f"gsqa-table{number}.csv").open() as file:
        lines = list(csv.DictReader(file))
    for table in [one for one in made.report().tables if one.table == number]:
        for row in [row for row in table.rows if row.kind == "published"]:
            prefix = PREFIXES.get((number, table.measure), "")
            column = f"{prefix}{row.key.lower()}"
            printed = [float(line[column]) / SCALE.get(number, 1) if line[column] else None for line in lines]
            ours = [None if cell is None else cell.value for cell in row.cells.values()]
            assert ours == [
                None if one is None else pytest.approx(one, abs=1e-9) for one in arranged(number, printed)
            ]


PREFIXES = {
    (9, "recall of the text"): "recall_",
    (9, "F1 of the parsed answer"): "f1_",
    (10, "F1 of the address"): "address_f1_",
    (10, "distance error"): "distance_error_",
    (11, "F1 of the parsed direction"): "direction_f1_",
    (11, "angle error"): "angle_error_",
}
SCALE = {13: 100}
TABLE_13 = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]


def arranged(number: int, printed: list[float | None]) -> list[float | None]:
    """The paper's lines in the order of our columns, which is its own."""
    return [printed[place] for place in TABLE_13] if number == 13 else printed


def test_what_differs_is_told(made: Made) -> None:
    report = made.report()
    (run,) = report.runs
    assert (run.questions, run.dataset, run.solver, run.model) == (10, "tiny@1", "direct", None)
    told = " ".join(run.notes)
    assert "Public questions: 10 (in the paper: 2,800)." in told
    assert "Hidden questions of the data set that are left out: 1." in told
    assert "It has no public question of T1, T2, T3, T4, T6, T8," in told
    assert "Questions of T27 that count only what lies inside a region: 1. The paper counts the whole" in told
    assert any("another map (OpenStreetMap of the United States)" in note for note in report.notes)


def test_hidden_answers_change_nothing(made: Made, database: Settings) -> None:
    version = make_version(database, QUESTIONS, name="tiny")
    wrong = [*ANSWERS[:3], "Adler", *ANSWERS[4:]]
    run = make_run(database, version, wrong, "by hand")
    score(database, run)
    with connect(database, Role.API) as connection:
        other = read_paper(connection, "gsqa", [run])
    assert [table.rows[-1].cells for table in other.tables] == [
        table.rows[-1].cells for table in made.report().tables
    ]


def test_table_13_counts_statements_by_what_became_of_them(database: Settings) -> None:
    """Valid are three of five: one ran out of time, one led to the right answer, one to a wrong one."""
    version = make_version(database, [count_question(i, 4) for i in range(5)], name="tiny")

    def sql(state: str, valid: bool, kind: str | None = None) -> dict[str, object]:
        return {"sql": {"state": state, "valid": valid, "kind": kind}}

    details = [
        sql("timeout", True),
        sql("rows", True),
        sql("rows", True),
        sql("failed", False, "column"),
        sql("failed", False, "resource"),
    ]
    run = make_run(database, version, ["4", "4", "7", "4", "4"], "by hand", details=details)
    score(database, run)
    with connect(database, Role.API) as connection:
        cells = mine(read_paper(connection, "gsqa", [run]), 13, "share of the questions")
    shares = {name: cell.value for name, cell in cells.items() if cell is not None}
    assert shares["valid"] == 0.6
    assert (shares["timeout"], shares["correct"], shares["incorrect"], shares["invalid"]) == (
        0.2,
        0.2,
        0.2,
        0.4,
    )
    assert (shares["column not found"], shares["other"], shares["syntax"]) == (0.2, 0.2, 0.0)


def test_repeats_count_once_a_question(database: Settings) -> None:
    version = make_version(
        database, [name_question(0, ("Krone",)), name_question(1, ("Linde",))], name="tiny"
    )
    run = make_run(database, version, ["Krone", "Linde", "Krone", "Adler"], "twice")
    score(database, run)
    with connect(database, Role.API) as connection:
        cells = mine(read_paper(connection, "gsqa", [run]), 9, "F1 of the parsed answer")
    assert figures(cells)["T5"] == (0.75, 2)


def test_an_average_of_questions_about_one_place_is_less_sure() -> None:
    """Ten questions of a template, five about either of two places, all right about one and wrong about the other."""

    def questions(template: str, place: Callable[[int], str]) -> list[TableQuestion]:
        return [TableQuestion(f"{template} {i}", template, place(i), None, {}) for i in range(10)]

    def answered(value: float) -> TableAnswer:
        return TableAnswer("answered", True, "correct", value, {}, None)

    rules = TableRules(
        1,
        "share",
        {
            name: TableColumn(lambda one, name=name: one.template == name, lambda one: one.value)  # type: ignore[misc]
            for name in ("T1", "T2")
        },
        {"average": {"T1": 1.0, "T2": 1.0}},
    )

    def width(place: Callable[[int], str]) -> float:
        asked = [*questions("T1", place), *questions("T2", place)]
        answers = {one.id: [answered(float(int(one.id[-1]) < 5))] for one in asked}
        average = fill_cells(rules, asked, answers)["average"]
        assert average is not None
        assert (average.value, average.n) == (0.5, 20)
        assert average.low is not None
        assert average.high is not None
        return average.high - average.low

    assert width(lambda i: f"n{i // 5}") > 1.3 * width(lambda i: f"n{i}")


def test_dimensions_of_the_knowledge_module_by_hand(database: Settings) -> None:
    templates = ["Retrieve_Coordinates"] * 3 + ["Find_Cover_AOI"] * 2
    version = make_version(
        database, [option_question(i, template=name) for i, name in enumerate(templates)], name="cities"
    )
    with connect(database, Role.OWNER) as connection:
        connection.execute(text("alter table dataset_version disable trigger published_is_immutable"))
        connection.execute(text('update dataset_version set recipe = \'{"variant": "hard"}\''))
        connection.commit()
    run = make_run(database, version, ["A", "B", "A", "A", None], "by hand")
    score(database, run)
    with connect(database, Role.API) as connection:
        report = read_paper(connection, "urban", [run])
    assert (
        "Wrong options: hard, made so that the options alone do not reveal the key." in report.runs[0].notes
    )
    cells = mine(report, 4, "accuracy")
    assert figures(cells) == {
        "node": (round(2 / 3, 9), 3),
        "area": (0.5, 2),
        "overall": (round((2 / 3 + 1 / 2) / 2, 9), 5),
        "by templates": (round((5 * 2 / 3 + 4 / 2) / 9, 9), 5),
    }
    assert TEMPLATES == {"node": 5, "area": 4, "road": 3, "type": 3, "function": 3, "surroundings": 2}
    table = report.tables[0]
    gpt = table.rows[0]
    assert (gpt.name, gpt.cells["node"], gpt.cells["overall"], gpt.cells["by templates"]) == (
        "GPT-4o",
        PaperCell(value=0.4159),
        PaperCell(value=0.5449),
        None,
    )


def test_table_4_agrees_with_the_shared_table(database: Settings) -> None:
    if not SHARED.is_dir():
        pytest.skip("the papers' tables are not here")
    with (SHARED / "papers" / "urbangeoeval-table4.csv").open() as file:
        lines = {line["model"].removesuffix("-Instruct"): line for line in csv.DictReader(file)}
    with connect(database, Role.API) as connection:
        table = read_paper(connection, "urban", []).tables[0]
    assert len(table.rows) == 5
    for row in table.rows:
        for name, cell in row.cells.items():
            if name != "by templates":
                assert cell is not None
                assert 100 * cell.value == pytest.approx(float(lines[row.name][name]), abs=1e-9)


def test_runs_that_cannot_stand_there_are_refused_with_what_to_do(database: Settings) -> None:
    board = make_knowledge_board(database)
    version = make_version(database, QUESTIONS, name="tiny")
    broken = make_run(database, version, [*ANSWERS[:9], FAILED, MISSING], "broken", status="incomplete")
    unscored = make_run(database, version, ANSWERS, "unscored")
    with connect(database, Role.API) as connection:
        with pytest.raises(UsageError, match=r"about gsqa. `trigpoint paper urban [0-9]+` shows it"):
            read_paper(connection, "gsqa", [board.runs["oracle"]])
        with pytest.raises(Conflict, match=rf"Run {broken} is incomplete: .*trigpoint run retry {broken}"):
            read_paper(connection, "gsqa", [broken])
        with pytest.raises(Conflict, match=rf"9 answers without scores .*trigpoint run rescore {unscored}"):
            read_paper(connection, "gsqa", [unscored])
        with pytest.raises(NotFound, match="no run 99999"):
            read_paper(connection, "gsqa", [99999])
        with pytest.raises(NotFound, match="there are: evgeoqa, gsqa, mapeval, mapqa, spatial-agent, urban"):
            read_paper(connection, "chess", [])


def test_papers_are_found_by_name() -> None:
    assert list_papers() == {
        "evgeoqa": ["evgeoqa"],
        "gsqa": ["gsqa"],
        "mapeval": ["mapeval"],
        "mapqa": ["mapqa"],
        "spatial-agent": ["mapeval", "mapqa"],
        "urban": ["urban_knowledge", "urban_reasoning"],
    }
    assert (paper_of("urban_knowledge"), paper_of("nothing")) == ("urban", None)
    assert (paper_of("mapeval"), paper_of("mapqa")) == ("mapeval", "mapqa")
    assert (paper_of("urban_reasoning"), paper_of("urban_reasoning", JUDGEMENT)) == (None, "urban")
