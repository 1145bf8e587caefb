"""Reports of a tiny data set whose every number is computed by hand, from the database to the terminal."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest
from sqlalchemy import text

from app.core.errors import NotFound
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.report import report_dataset, report_run
from app.leaderboard.report_models import Cell, Report, RunReport
from tests.support.command_line import trigpoint
from tests.support.factories import (
    FAILED,
    MADE_AT,
    MadeVersion,
    QuestionSpec,
    make_map,
    make_run,
    make_version,
    option_question,
    options_dataset,
)
from tests.support.scored_runs import make_gsqa_board, make_knowledge_board, score

DIMENSIONS = {"Retrieve_Coordinates": "node", "Find_Nearest_POI": "node", "Compare_Area_Size": "area"}


def popularity(*objects: tuple[bool, int]) -> list[dict[str, Any]]:
    return [{"wikidata": wikidata, "tags": tags} for wikidata, tags in objects]


# Template, script, popularity, and what the scripted solver says: its key is A, so B is wrong. Six of the village, four
# of the hamlet. Of (no, 12) and (yes, 2) together the least known counts: no, 2.
ASKED: list[tuple[str, str | None, list[dict[str, Any]] | None, str]] = [
    ("Retrieve_Coordinates", "Latin", popularity((True, 2)), "A"),
    ("Retrieve_Coordinates", "Latin", popularity((True, 4)), "A"),
    ("Retrieve_Coordinates", "Arabic", popularity((False, 6)), "B"),
    ("Find_Nearest_POI", "Latin", popularity((False, 8)), "A"),
    ("Compare_Area_Size", "Latin", popularity((True, 2), (False, 12)), "B"),
    ("Compare_Area_Size", None, None, "A"),
    ("Retrieve_Coordinates", "Devanagari", popularity((True, 2)), "B"),
    ("Retrieve_Coordinates", "Latin", popularity((False, 6)), "A"),
    ("Find_Nearest_POI", "Latin", popularity((False, 6)), "lorem ipsum"),
    ("Compare_Area_Size", "Latin", popularity((True, 4)), "A"),
]
OF_THE_VILLAGE = 6


@dataclass(frozen=True)
class Made:
    """The data set and the scripted solver's run."""

    settings: Settings
    version: MadeVersion
    run: int


def questions() -> list[QuestionSpec]:
    return [
        replace(
            option_question(number, template=template),
            names={"form": "local", "script": script},
            popularity=known,
        )
        for number, (template, script, known, _) in enumerate(ASKED)
    ]


def spread_over_two_maps(settings: Settings, version: MadeVersion) -> None:
    """The questions after the village's stand on another map; then the version is published."""
    hamlet = make_map(settings)
    with connect(settings, Role.OWNER) as connection:
        connection.execute(text("update snapshot set name = 'hamlet' where id = :id"), {"id": hamlet.id})
        connection.commit()
    binds = {"version": version.id, "map": hamlet.id, "first": OF_THE_VILLAGE, "at": MADE_AT}
    with connect(settings, Role.WORKER) as connection:
        for statement in (
            "update question set snapshot_id = :map where version_id = :version and position >= :first",
            "insert into dataset_snapshot (version_id, position, snapshot_id) values (:version, 1, :map)",
            "update question set register = case when position < :first then 'precise' else 'everyday' end"
            " where version_id = :version",
            "update dataset_version set state = 'published', published_at = :at where id = :version",
        ):
            connection.execute(text(statement), binds)
        for template, dimension in DIMENSIONS.items():
            connection.execute(
                text(
                    "update template set header = jsonb_build_object('dimension', cast(:d as text)) where name = :t"
                ),
                {"d": dimension, "t": template},
            )
        connection.commit()


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    version = make_version(settings, questions(), name="cities", publish=False)
    spread_over_two_maps(settings, version)
    run = make_run(settings, version, [answer for _, _, _, answer in ASKED], "scripted")
    score(settings, run)
    return Made(settings, version, run)


def read(settings: Settings, what: str | int) -> Report:
    with connect(settings, Role.MAINTAINER) as connection:
        return report_run(connection, what) if isinstance(what, int) else report_dataset(connection, what)


def shares(cells: dict[str, Cell]) -> dict[str, tuple[int, float | None]]:
    """Questions and score, rounded, by group."""
    return {
        name: (cell.n, None if cell.score is None else round(cell.score, 9)) for name, cell in cells.items()
    }


def only_run(report: Report) -> RunReport:
    (run,) = report.runs
    return run


def test_every_number_by_hand(made: Made) -> None:
    report = read(made.settings, made.run)
    run = only_run(report)
    assert (report.dataset, report.n, report.hidden, report.chance) == ("cities", 10, 0, 0.25)
    assert (run.overall.n, run.overall.score) == (10, 0.6)
    # Wilson's interval of 6 of 10: templates have 2 of 3, 1 of 2 and 3 of 5 right, which is no more alike than all are.
    assert (run.overall.low, run.overall.high) == pytest.approx((0.312674, 0.831820), abs=1e-5)
    assert (run.parse_rate, run.badly_read) == (0.9, True)
    assert shares(run.dimensions) == {"area": (3, round(2 / 3, 9)), "node": (7, round(4 / 7, 9))}
    assert run.averages is not None
    assert run.averages.dimension_mean == pytest.approx((2 / 3 + 4 / 7) / 2)
    assert run.averages.template_weighted == pytest.approx((2 / 3 + 2 * 4 / 7) / 3)
    assert run.means is not None
    assert (run.means.questions, run.means.answerable_questions) == (0.6, 0.6)
    assert run.means.dimensions == pytest.approx((2 / 3 + 4 / 7) / 2)
    assert shares(run.templates) == {
        "Compare_Area_Size": (3, round(2 / 3, 9)),
        "Find_Nearest_POI": (2, 0.5),
        "Retrieve_Coordinates": (5, 0.6),
    }
    assert shares(run.registers) == {"everyday": (4, 0.5), "precise": (6, round(4 / 6, 9))}
    assert shares(run.cities) == {"hamlet": (4, 0.5), "village": (6, round(4 / 6, 9))}
    assert shares(run.scripts) == {
        "Arabic": (1, 0.0),
        "Devanagari": (1, 0.0),
        "Latin": (7, round(5 / 7, 9)),
        "no name": (1, 1.0),
    }
    assert run.positions is not None
    assert shares(run.positions) == {"A": (10, 0.6), "B": (0, None), "C": (0, None), "D": (0, None)}
    assert shares(run.answer_types) == {"option": (10, 0.6)}
    assert shares(run.wikidata) == {"no": (5, 0.4), "yes": (4, 0.75)}
    # 2, 2, 2, 4, 4, 6, 6, 6, 8: quartiles 2, 4 and 6.
    assert shares(run.tags) == {
        "1 of 4: 2": (3, round(1 / 3, 9)),
        "2 of 4: 4": (2, 1.0),
        "3 of 4: 6": (3, round(1 / 3, 9)),
        "4 of 4: 8": (1, 1.0),
    }


def test_cities_at_matched_popularity_by_hand(made: Made) -> None:
    """Both cities have well-known places of 2 and of 4 tags, and others of 6: 2, 2 and 3 questions."""
    matched = only_run(read(made.settings, "cities")).matched
    assert matched is not None
    assert matched.weights == {
        "wikidata no, tags 3 of 4: 6": pytest.approx(3 / 7),
        "wikidata yes, tags 1 of 4: 2": pytest.approx(2 / 7),
        "wikidata yes, tags 2 of 4: 4": pytest.approx(2 / 7),
    }
    village, hamlet = matched.cities["village"], matched.cities["hamlet"]
    assert (village.n, village.score, village.crude) == pytest.approx((3, 4 / 7, 2 / 3))
    assert (hamlet.n, hamlet.score, hamlet.crude) == pytest.approx((4, 2 / 7 + 3 / 14, 0.5))


def test_a_data_set_reports_the_runs_of_its_board(database: Settings) -> None:
    version = make_version(database, options_dataset(8), name="plain")
    for label, answers in (("first", ["A"] * 8), ("second", ["A", "B", "C", "D"] * 2)):
        score(database, make_run(database, version, answers, label))
    broken = make_run(database, version, ["A"] * 7 + [FAILED], "broken", status="incomplete")
    score(database, broken)
    report = read(database, "plain")
    assert [(run.name, run.overall.score) for run in report.runs] == [
        ("second", 1.0),
        ("first", 0.25),
        ("broken", None),
    ]
    unranked = report.runs[-1]
    assert {cell.score for cell in unranked.templates.values()} == {None}
    assert (unranked.states.error, unranked.matched) == (1, None)


def test_several_runs_of_one_version_stand_side_by_side(database: Settings) -> None:
    version = make_version(database, options_dataset(8), name="plain")
    runs = [
        make_run(database, version, answers, label)
        for label, answers in (
            ("first", ["A"] * 8),
            ("second", ["A", "B", "C", "D"] * 2),
            ("third", ["B"] * 8),
        )
    ]
    other = make_run(database, make_version(database, options_dataset(4), name="other"), ["A"] * 4, "else")
    for run in (*runs, other):
        score(database, run)
    numbers = [str(runs[2]), str(runs[0]), str(runs[2])]
    done = trigpoint(database, "report", *numbers, "--json")
    assert done.status == 0, done.err
    assert [one["run"] for one in done.json["runs"]] == [runs[2], runs[0]]
    for one in done.json["runs"]:
        assert trigpoint(database, "report", str(one["run"]), "--json").json["runs"] == [one]
    mixed = trigpoint(database, "report", str(runs[0]), str(other))
    assert (mixed.status, "of plain@1, other@1" in mixed.err) == (2, True)
    both = trigpoint(database, "report", str(runs[0]), "plain")
    assert (both.status, "Give run numbers, or one data set" in both.err) == (2, True)


def test_a_version_from_before_names_were_stored(database: Settings) -> None:
    make_knowledge_board(database)
    report = read(database, "toy_knowledge")
    assert not report.names_stored
    for run in report.runs:
        assert run.scripts == run.wikidata == run.tags == {}
        assert run.averages is not None
        assert run.averages.dimension_mean is None
        assert list(run.templates) == sorted(
            ["Retrieve_Coordinates", "Find_Nearest_POI", "Find_Cover_AOI", "Compare_Area_Size"]
        )
    done = trigpoint(database, "report", "toy_knowledge")
    assert (done.status, "does not store the writing system" in done.out) == (0, True)


def test_free_answers_have_reports_too(database: Settings) -> None:
    make_gsqa_board(database)
    report = read(database, "toy_gsqa")
    assert (report.metric, report.chance) == ("mean_value", None)
    for run in report.runs:
        assert run.averages is None
        assert run.registers == {}, "it was made without registers"
        assert {name: cell.n for name, cell in run.answer_types.items()} == {
            "area": 3,
            "azimuth": 3,
            "count": 3,
            "name": 3,
        }
    assert trigpoint(database, "report", "toy_gsqa").status == 0


def test_hidden_questions_count_in_the_whole_alone(database: Settings) -> None:
    """Thirty questions: 12 of the Latin ones are hidden and 3 of the Arabic ones; all hidden ones are answered right."""
    specs = [
        replace(
            option_question(number, split="hidden" if number % 20 < (12 if number < 20 else 3) else "public"),
            names={"form": "local", "script": "Latin" if number < 20 else "Arabic"},
        )
        for number in range(30)
    ]
    version = make_version(database, specs, name="veiled")
    run = make_run(database, version, ["A" if spec.split == "hidden" else "B" for spec in specs])
    score(database, run)
    report = read(database, run)
    found = only_run(report)
    assert (report.hidden, found.overall.n, found.overall.score, found.positions) == (15, 30, 0.5, None)
    assert {name: (cell.n, cell.left_out, cell.score) for name, cell in found.scripts.items()} == {
        "Arabic": (7, 3, 0.0),
        "Latin": (8, 12, 0.0),
    }
    told = trigpoint(database, "report", str(run), "--json")
    assert not [name for name in version.questions if name in told.out]
    shown = trigpoint(database, "report", str(run)).out
    assert "0.0 (0.0–32.4)*" in shown
    assert "15 questions are hidden. Rows with * leave out hidden questions" in shown


def test_the_terminal_shows_what_the_object_holds(made: Made) -> None:
    done = trigpoint(made.settings, "report", str(made.run))
    assert done.status == 0, done.err
    rows = [" ".join(line.split()) for line in done.out.splitlines()]
    assert "scripted 60.0 31.3–83.2 10 90.0 61.9 60.3" in rows
    assert "node 7 57.1 (25.0–84.2)" in rows
    assert "chance 25.0" in rows
    assert "overall" not in rows
    assert "GPT-4o 41.59 69.99 59.21 71.87 51.97 26.33 54.49" in rows
    assert "village 57.1" in " ".join(row[:12] for row in rows)
    assert any(row.startswith("scripted: only 9 of 10 answers could be read, less than 98 %") for row in rows)
    other = trigpoint(made.settings, "report", str(made.run), "--mean", "dimensions", "--unanswerable", "out")
    assert "scripted 60.0 31.3–83.2 10 90.0 61.9 60.3 61.9" in [
        " ".join(line.split()) for line in other.out.splitlines()
    ]
    assert "without those without an answer: each of dimensions counts once" in " ".join(other.out.split())
    held = trigpoint(made.settings, "report", "cities", "--json").json
    assert held["runs"][0]["averages"]["dimension_mean"] == pytest.approx(0.619, abs=5e-4)
    assert held["reference"]["parts"][0]["rows"]["overall"][0] == 0.5449


@pytest.mark.parametrize("what", ["99999", "nothing", "cities@9"])
def test_what_there_is_not(made: Made, what: str) -> None:
    done = trigpoint(made.settings, "report", what)
    assert (done.status, "There is no" in done.err) == (2, True)


def test_a_run_that_there_is_not(made: Made) -> None:
    with pytest.raises(NotFound, match="run list"):
        read(made.settings, 10**6)
