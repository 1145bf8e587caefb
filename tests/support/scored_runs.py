"""A data set with scored runs of every kind, for tests of scores, boards, REST and pages."""

from dataclasses import dataclass

from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.scoring import score_run
from tests.support.factories import (
    FAILED,
    MISSING,
    MadeMap,
    MadeVersion,
    area_question,
    azimuth_question,
    count_question,
    make_map,
    make_run,
    make_version,
    name_question,
    option_question,
)

KNOWLEDGE = ("Retrieve_Coordinates", "Find_Nearest_POI", "Find_Cover_AOI", "Compare_Area_Size")


@dataclass(frozen=True)
class MadeBoard:
    """A data set version and its runs by label."""

    version: MadeVersion
    runs: dict[str, int]


def score(settings: Settings, run_id: int) -> None:
    """Score a run as the worker does, and commit."""
    with connect(settings, Role.WORKER) as connection:
        score_run(connection, run_id)
        connection.commit()


def make_knowledge_board(
    settings: Settings, made_map: MadeMap | None = None, name: str = "toy_knowledge"
) -> MadeBoard:
    """48 option questions, a quarter of them hidden; runs that are perfect, middling, silent, broken and waiting."""
    questions = [
        option_question(
            i, key=(i * 7) % 4, template=KNOWLEDGE[i % 4], split="hidden" if i % 12 == 5 else "public"
        )
        for i in range(48)
    ]
    version = make_version(settings, questions, name=name, made_map=made_map)
    keys = ["ABCD"[question.gold["index"]] for question in questions]
    guesses = ["ABCD"[(i * i + i // 3) % 4] for i in range(48)]
    answers: dict[str, tuple[str, list[object], str]] = {
        "oracle": ("oracle", list(keys), "complete"),
        "random": ("random", list(guesses), "complete"),
        "gemma-3-270m": (
            "direct",
            [key if i % 5 < 3 else guesses[i] for i, key in enumerate(keys)],
            "complete",
        ),
        "scripted:first-option": ("direct", ["A"] * 48, "complete"),
        "scripted:does-not-know": ("direct", [None] * 48, "complete"),
        "scripted:garbage": ("direct", ["lorem ipsum", "A or B", "B"] * 16, "complete"),
        "broken <b>model</b>": ("direct", [*keys[:40], FAILED, FAILED, *([MISSING] * 6)], "incomplete"),
    }
    runs = {}
    for label, (solver, given, status) in answers.items():
        runs[label] = make_run(settings, version, given, label, solver, status)
        score(settings, runs[label])
    runs["org/model-in-progress"] = make_run(
        settings, version, [MISSING] * 48, "org/model-in-progress", "direct", "running"
    )
    return MadeBoard(version, runs)


def make_gsqa_board(settings: Settings, made_map: MadeMap | None = None, name: str = "toy_gsqa") -> MadeBoard:
    """Twelve questions of free answers, three a type; two runs, one of them with partly right answers."""
    questions = [
        *(name_question(i, names=("Krone", "Linde")[: i % 2 + 1]) for i in range(3)),
        *(azimuth_question(10 + i, azimuth=119.5 * i) for i in range(3)),
        *(count_question(20 + i, count=1 + 4 * i) for i in range(3)),
        *(area_question(30 + i, area=1234.5 * (1 + i)) for i in range(3)),
    ]
    version = make_version(settings, questions, name=name, made_map=made_map or make_map(settings))
    right = ["Krone", "Linde", "Krone", "0 degrees", "119.5°", "239", "1", "five", "9 restaurants"]
    right += ["1234.5 m2", "0.2469 ha", "0.0037035 km²"]
    partly = [
        "Krone",
        "Adler",
        "?",
        "north-east",
        "130",
        "239 degrees",
        "2",
        "4",
        "nine",
        "1000",
        "2400 m²",
        "ten",
    ]
    runs = {}
    for label, given in (("oracle", right), ("toy model", partly)):
        runs[label] = make_run(settings, version, given, label, "oracle" if label == "oracle" else "direct")
        score(settings, runs[label])
    return MadeBoard(version, runs)


def fill_boards(settings: Settings) -> None:
    """Both data sets; for databases that several tests read and none changes."""
    make_knowledge_board(settings)
    make_gsqa_board(settings)


def runs_of(settings: Settings, dataset: str) -> dict[str, int]:
    """The data set's runs by label."""
    statement = (
        "select run.label, run.id from run join dataset_version on dataset_version.id = run.version_id"
        " join dataset on dataset.id = dataset_version.dataset_id where dataset.name = :name order by run.id"
    )
    with connect(settings, Role.API) as connection:
        return {row.label: row.id for row in connection.execute(text(statement), {"name": dataset})}
