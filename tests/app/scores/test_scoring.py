"""Scoring runs in a real database: rows, repeatability, states, expectations, rights."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from app.core.errors import NotFound, ProofError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.intervals import METHOD
from app.scores.scoring import score_run
from app.solvers.base import QuestionView, RunView
from app.solvers.random import open_random
from tests.support.factories import (
    FAILED,
    MISSING,
    make_run,
    make_version,
    name_question,
    option_question,
    options_dataset,
)
from tests.support.scored_runs import make_gsqa_board, make_knowledge_board, score

TABLES = {
    "score": "prediction_id, profile, gold_key, scorer_version",
    "board_aggregate": "run_id, profile, scope",
    "expectation": "version_id, profile, scope, kind",
    "run_comparison": "run_id, other_id, profile, scope",
}


def dump(settings: Settings) -> dict[str, list[str]]:
    """Every row of the tables as text, floats in their shortest exact form."""
    with connect(settings, Role.WORKER) as connection:
        return {
            table: list(
                connection.execute(text(f"select {table}::text from {table} order by {order}")).scalars()
            )
            for table, order in TABLES.items()
        }


@pytest.fixture(scope="module")
def shared(make_database: Callable[[], Settings]) -> Settings:
    settings = make_database()
    make_knowledge_board(settings)
    make_gsqa_board(settings)
    return settings


def aggregate(settings: Settings, run_id: int, scope: str = "all") -> dict[str, object]:
    with connect(settings, Role.WORKER) as connection:
        row = connection.execute(
            text(
                "select * from board_aggregate"
                " where run_id = :run and scope = :scope and profile = 'trigpoint'"
            ),
            {"run": run_id, "scope": scope},
        ).one()
    return dict(row._mapping)


def test_the_oracle_gets_everything(database: Settings) -> None:
    for board in (make_knowledge_board(database), make_gsqa_board(database)):
        row = aggregate(database, board.runs["oracle"])
        assert row["score"] == 1.0
        assert row["states"]["correct"] == row["n"]


def test_again_gives_the_same_bits(shared: Settings) -> None:
    before = dump(shared)
    assert all(before.values())
    with connect(shared, Role.WORKER) as connection:
        for run_id in connection.execute(text("select id from run order by id desc")).scalars().all():
            score_run(connection, run_id)
        connection.commit()
    after = dump(shared)
    waiting = {row for row in after["board_aggregate"] if row not in before["board_aggregate"]}
    new = "only the run that was never scored has new rows: all, four templates, the city and the answer type"
    assert len(waiting) == 7, new
    for table in ("score", "expectation", "run_comparison"):
        assert after[table] == before[table]
    assert set(before["board_aggregate"]) <= set(after["board_aggregate"])


def test_another_database_gives_the_same_bits(shared: Settings, database: Settings) -> None:
    make_knowledge_board(database)
    make_gsqa_board(database)
    assert dump(database)["score"] == list(dump(shared)["score"])


def test_states_and_means(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run_id = make_run(database, version, ["A", "A", "A or B", None])
    score(database, run_id)
    row = aggregate(database, run_id)
    assert row["score"] == 0.25
    assert row["states"] == {
        "correct": 1,
        "wrong": 1,
        "unparseable": 1,
        "no_answer": 1,
        "error": 0,
        "missing": 0,
    }
    assert row["interval"] == METHOD
    assert row["low"] < 0.25 < row["high"]
    with connect(database, Role.WORKER) as connection:
        rows = connection.execute(
            text("select outcome, value, parsed, components from score order by 1")
        ).all()
    assert [(r.outcome, r.value) for r in rows] == [("correct", 1.0), ("unparseable", 0.0), ("wrong", 0.0)]
    assert rows[0].parsed == {"index": 0}
    assert rows[0].components == {"choice": {"value": 1.0, "maximum": 1.0, "attempted": True}}


def test_errors_and_gaps_leave_no_mean(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run_id = make_run(database, version, ["A", FAILED, "C", MISSING], status="incomplete")
    score(database, run_id)
    row = aggregate(database, run_id)
    assert (row["score"], row["low"], row["high"]) == (None, None, None)
    assert row["states"] == {
        "correct": 2,
        "wrong": 0,
        "unparseable": 0,
        "no_answer": 0,
        "error": 1,
        "missing": 1,
    }


def test_repeats_are_averaged(database: Settings) -> None:
    version = make_version(database, options_dataset(2))
    run_id = make_run(database, version, ["A", "B", "A", "A"])
    score(database, run_id)
    row = aggregate(database, run_id)
    assert (row["score"], row["n"], row["states"]["correct"]) == (0.75, 2, 3)


KEYS = "BDA"


def rotated_answers(say: Callable[[int, int], object]) -> list[object]:
    """What is said of each question in each rotation of four options, by the key's place as shown and the rotation."""
    return [say(("ABCD".index(key) - rotation) % 4, rotation) for rotation in range(4) for key in KEYS]


@pytest.mark.parametrize(
    ("said", "score_", "right"),
    [
        (lambda shown, rotation: "ABCD"[shown], 1.0, 12),
        (lambda shown, rotation: "A", 0.25, 3),
        (lambda shown, rotation: "ABCD"[shown] if rotation == 2 else "ABCD"[shown - 1], 0.25, 3),
        (lambda shown, rotation: "ABCD"[shown] if rotation else None, 0.75, 9),
    ],
    ids=["oracle", "always-a", "one-rotation", "silent-once"],
)
def test_answers_to_rotations_are_read_as_they_were_shown(
    database: Settings, said: Callable[[int, int], object], score_: float, right: int
) -> None:
    version = make_version(
        database, [option_question(i, key="ABCD".index(key)) for i, key in enumerate(KEYS)]
    )
    run_id = make_run(database, version, rotated_answers(said), rotated=True)
    score(database, run_id)
    row = aggregate(database, run_id)
    assert (row["score"], row["n"], row["states"]["correct"]) == (score_, 3, right)
    before = dump(database)
    score(database, run_id)
    assert dump(database) == before


def test_what_was_chosen_is_stored_as_a_place_of_the_questions_own(database: Settings) -> None:
    version = make_version(database, [option_question(0, key=1)])
    run_id = make_run(database, version, ["A", "A", "Linde", "D. Linde"], rotated=True)
    score(database, run_id)
    with connect(database, Role.WORKER) as connection:
        rows = connection.execute(
            text(
                "select rotation, outcome, parsed from prediction join score on score.prediction_id = id order by 1"
            )
        ).all()
    # Shown: Adler first, Krone first, Linde first, Bohne first: then Linde is D.
    assert rows == [
        (0, "wrong", {"index": 0}),
        (1, "correct", {"index": 1}),
        (2, "wrong", {"index": 2}),
        (3, "wrong", {"index": 2}),
    ]


def test_a_rotation_that_is_missing_leaves_no_mean(database: Settings) -> None:
    version = make_version(database, options_dataset(2))
    run_id = make_run(database, version, [*["A"] * 7, MISSING], status="running", rotated=True)
    score(database, run_id)
    row = aggregate(database, run_id)
    assert (row["score"], row["states"]["missing"]) == (None, 1)


def test_an_answer_that_became_an_error_loses_its_score(database: Settings) -> None:
    version = make_version(database, options_dataset(2))
    run_id = make_run(database, version, ["A", "B"])
    score(database, run_id)
    with connect(database, Role.WORKER) as connection:
        connection.execute(
            text("update prediction set state = 'error', error = 'lost' where repeat = 0 and answer = 'B'")
        )
        connection.commit()
    score(database, run_id)
    assert len(dump(database)["score"]) == 1
    assert aggregate(database, run_id)["score"] is None


def test_expectations_are_stored_with_the_first_run(shared: Settings) -> None:
    with connect(shared, Role.WORKER) as connection:
        rows = connection.execute(
            text("select scope, kind, value, n from expectation where scope = 'all' order by n, kind")
        ).all()
    gsqa, chance, random = rows
    assert (gsqa.kind, gsqa.n) == ("random", 12)
    assert 0 < gsqa.value < 1
    assert (chance.kind, chance.value, chance.n) == ("chance", 0.25, 44)
    assert (random.kind, random.value, random.n) == ("random", 0.25, 44)


@pytest.mark.long
def test_the_expectation_is_what_random_scores_on_average(database: Settings) -> None:
    """The computed mean against 400 seeded draws of the solver itself, on free answers."""
    version = make_gsqa_board(database).version
    with connect(database, Role.WORKER) as connection:
        expected = connection.execute(
            text("select value from expectation where scope = 'all' and kind = 'random'")
        ).scalar_one()
        questions = connection.execute(
            text("select id, template, answer_type from question order by position")
        ).all()
        asked = [QuestionView(q.id, q.template, [], None, q.answer_type) for q in questions]
        runs = []
        for seed in range(400):
            next_step = open_random(connection, RunView(version.id, "gsqa", seed))
            runs.append([next_step(question, ()).text for question in asked])
    answers = [answer for row in runs for answer in row]
    run_id = make_run(database, version, answers, "random", "random")
    score(database, run_id)
    row = aggregate(database, run_id)
    assert row["score"] == pytest.approx(expected, abs=0.02)


def test_hidden_questions_enter_the_mean(database: Settings) -> None:
    version = make_version(database, [option_question(0, key=0), option_question(1, key=1, split="hidden")])
    run_id = make_run(database, version, ["A", "B"])
    score(database, run_id)
    assert aggregate(database, run_id)["score"] == 1.0


def test_nothing_is_committed_by_scoring_itself(database: Settings) -> None:
    run_id = make_run(database, make_version(database, options_dataset(2)), ["A", "B"])
    with connect(database, Role.WORKER) as connection:
        score_run(connection, run_id)
        connection.rollback()
    assert dump(database) == {"score": [], "board_aggregate": [], "expectation": [], "run_comparison": []}


def test_an_unknown_run_is_named(database: Settings) -> None:
    with connect(database, Role.WORKER) as connection, pytest.raises(NotFound, match="no run 99"):
        score_run(connection, 99)


def test_gold_that_no_scorer_reads_names_the_question(database: Settings) -> None:
    version = make_version(database, [name_question(0)], publish=False)
    with connect(database, Role.WORKER) as connection:
        connection.execute(text("""update gold set value = '{"name": "Adler"}'"""))
        connection.commit()
    run_id = make_run(database, version, ["Adler"])
    with connect(database, Role.WORKER) as connection, pytest.raises(ProofError, match=version.questions[0]):
        score_run(connection, run_id)


def test_hostile_answers_are_stored(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    answers = ["\u202eA", "😀" * 10000, "x" * 1_000_000, "'; drop table score; --"]
    run_id = make_run(database, version, answers)
    score(database, run_id)
    assert aggregate(database, run_id)["states"]["unparseable"] == 3


def test_gsqa_answers_are_scored_as_published_too(shared: Settings) -> None:
    with connect(shared, Role.WORKER) as connection:
        rows = connection.execute(
            text("""
                select dataset.name, ours.scorer, ours.outcome, theirs.outcome as published, theirs.components
                from score as ours
                join prediction on prediction.id = ours.prediction_id
                join run on run.id = prediction.run_id
                join dataset_version on dataset_version.id = run.version_id
                join dataset on dataset.id = dataset_version.dataset_id
                left join score as theirs on theirs.prediction_id = ours.prediction_id and theirs.profile = 'published'
                where ours.profile = 'trigpoint' and run.label = 'oracle'
            """)
        ).all()
    by_name = {row.name: [other for other in rows if other.name == row.name] for row in rows}
    assert {row.published for row in by_name["toy_knowledge"]} == {None}
    assert {row.published for row in by_name["toy_gsqa"]} == {"correct"}
    assert {row.scorer for row in by_name["toy_gsqa"]} == {"name", "angle", "count", "area"}
    for row in by_name["toy_gsqa"]:
        assert row.components["text_F1"]["attempted"]
        assert {"parsed_F1", "parsed_angle_error", "parsed_relative_error"} & row.components.keys()
