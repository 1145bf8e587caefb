"""The board as read by the api role."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from app.core.errors import NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard import formatting
from app.leaderboard.board import list_datasets, read_board
from app.leaderboard.keeping import Kept
from app.leaderboard.models import Board, Spent, Sql, SqlFaults
from app.scores.intervals import METHOD
from tests.app.scores.test_verdicts import judged, means, verdict
from tests.support.factories import FAILED, MISSING, count_question, make_run, make_version, options_dataset
from tests.support.scored_runs import make_gsqa_board, make_knowledge_board, score


def read(settings: Settings, reference: str) -> Board:
    with connect(settings, Role.API) as connection:
        return read_board(connection, reference)


@pytest.fixture(scope="module")
def shared(make_database: Callable[[], Settings]) -> Settings:
    settings = make_database()
    make_knowledge_board(settings)
    make_gsqa_board(settings)
    return settings


def test_rows_ranks_and_states(shared: Settings) -> None:
    board = read(shared, "toy_knowledge")
    assert [(row.name, row.rank) for row in board.rows] == [
        ("oracle", 1),
        ("gemma-3-270m", 2),
        ("scripted:first-option", 3),
        ("random", 3),
        ("scripted:garbage", 4),
        ("scripted:does-not-know", 5),
        ("broken <b>model</b>", None),
        ("org/model-in-progress", None),
    ]
    *scored, broken, waiting = board.rows
    assert all(sum(row.states.model_dump().values()) == board.n for row in scored)
    assert (
        broken.status,
        broken.score,
        broken.states.correct,
        broken.states.error,
        broken.states.missing,
    ) == ("incomplete", None, 37, 2, 6), "errors and gaps of hidden questions, too"
    assert (waiting.status, waiting.score, waiting.states.missing) == ("running", None, 44)


def test_what_stands_beside_the_rows(shared: Settings) -> None:
    board = read(shared, "toy_knowledge@1")
    assert (board.dataset, board.version, board.n) == ("toy_knowledge", 1, 44)
    assert (board.hidden, board.left_out, board.hidden_step) == (4, 4, None)
    assert (board.metric, board.interval) == ("accuracy", METHOD)
    assert (board.chance, board.random_expectation) == (0.25, 0.25)
    assert board.attribution == "© OpenStreetMap contributors, ODbL 1.0"
    assert [(s.name, s.timestamp.year if s.timestamp else None) for s in board.snapshots] == [
        ("village", 2026)
    ]
    assert list(board.templates) == [
        "Retrieve_Coordinates",
        "Find_Nearest_POI",
        "Find_Cover_AOI",
        "Compare_Area_Size",
    ]
    for section in board.templates.values():
        assert (section.n, section.left_out) in {(12, 0), (8, 4)}
        assert (section.chance, section.random_expectation) == (0.25, 0.25)
        assert {row.run for row in section.rows} == {row.run for row in board.rows}


def test_templates_add_up_to_the_whole(shared: Settings) -> None:
    for name in ("toy_knowledge", "toy_gsqa"):
        board = read(shared, name)
        for row in board.rows:
            if row.score is None:
                continue
            parts = [(s.n, one) for s in board.templates.values() for one in s.rows if one.run == row.run]
            assert sum(n * one.score for n, one in parts) / board.n == pytest.approx(row.score, abs=1e-12)
            assert sum(one.states.correct for _, one in parts) == row.states.correct


def test_a_graded_board_names_its_metric_and_interval(shared: Settings) -> None:
    board = read(shared, "toy_gsqa")
    assert (board.metric, board.interval, board.chance) == (
        "mean_value",
        METHOD,
        None,
    )
    assert board.random_expectation is not None
    assert 0.1 < board.random_expectation < 0.3


def test_the_newest_complete_run_of_a_label_counts(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    for answers, status in (
        (["A"] * 4, "complete"),
        (["A", "B", "C", "D"], "complete"),
        (["A", "B", "C", FAILED], "incomplete"),
        (["A"] * 4, "cancelled"),
    ):
        score(database, make_run(database, version, answers, status=status))
    rows = read(database, "toy").rows
    assert [(row.score, row.status) for row in rows] == [(1.0, "complete"), (None, "incomplete")]


def test_a_run_that_is_complete_but_not_scored_is_not_ranked(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    make_run(database, version, ["A"] * 4)
    (row,) = read(database, "toy").rows
    assert (row.rank, row.score, row.states.missing) == (None, None, 4)


def test_rotated_runs_are_told_apart_and_count_questions(database: Settings) -> None:
    version = make_version(database, [*options_dataset(3), count_question(3)], benchmark="urban_knowledge")
    label = "toy model (rotated)"
    answers = ["A", "B", "C", "4", *["A", "B", "C", MISSING] * 3]
    done = make_run(database, version, answers, label, rotated=True)
    score(database, done)
    score(database, make_run(database, version, ["A", "B", "C", "4"]))
    make_run(database, version, [MISSING] * 16, "waiting (rotated)", status="running", rotated=True)
    rows = {row.name: row for row in read(database, "toy").rows}
    assert [(rows[name].rotated, rows[name].n) for name in ("toy model", label)] == [(False, 4), (True, 4)]
    assert [rows[name].score for name in ("toy model", label)] == [1.0, (3 * 0.25 + 1) / 4]
    assert sum(rows[label].states.model_dump().values()) == 13
    assert rows["waiting (rotated)"].states.missing == 13
    section = read(database, "toy").templates["Find_Nearest_POI"]
    assert [row.states.missing for row in section.rows if row.name.startswith("waiting")] == [12]


def test_the_newest_version_is_meant_by_the_bare_name(database: Settings) -> None:
    first = make_version(database, options_dataset(4))
    make_version(database, options_dataset(2), number=2, made_map=first.map)
    make_version(database, options_dataset(2), number=3, made_map=first.map, publish=False)
    assert read(database, "toy").version == 2
    assert read(database, "toy@1").n == 4
    with connect(database, Role.API) as connection:
        found = list_datasets(connection)
    assert [(d.name, [v.version for v in d.versions]) for d in found.datasets] == [("toy", [2, 1])]


def test_a_data_set_without_questions_has_an_empty_board(database: Settings) -> None:
    version = make_version(database, [])
    score(database, make_run(database, version, []))
    board = read(database, "toy")
    assert (board.n, board.templates, board.chance) == (0, {}, None)
    assert [row.score for row in board.rows] == [None]


@pytest.mark.parametrize(
    "reference", ["nope", "toy_knowledge@9", "", "a\x00b", "x" * 10_000, "toy_knowledge@99999999999999999999"]
)
def test_an_unknown_data_set_is_not_found(shared: Settings, reference: str) -> None:
    with pytest.raises(NotFound):
        read(shared, reference)


def test_a_version_that_is_no_number_is_refused(shared: Settings) -> None:
    with pytest.raises(UsageError, match="version number"):
        read(shared, "toy_knowledge@new")


def test_the_board_is_of_one_moment(shared: Settings) -> None:
    """A run that is scored between two statements of one board does not show in half of it."""
    with connect(shared, Role.API) as connection:
        before = read_board(connection, "toy_gsqa")
        with connect(shared, Role.WORKER) as other:
            other.execute(text("update run set label = 'renamed' where label = 'toy model'"))
            other.commit()
        assert read_board(connection, "toy_gsqa") == before
    with connect(shared, Role.WORKER) as other:
        other.execute(text("update run set label = 'toy model' where label = 'renamed'"))
        other.commit()


def test_sql_of_runs_is_summed_hidden_questions_too(database: Settings) -> None:
    questions = [count_question(i, count=3, split="hidden" if i == 3 else "public") for i in range(6)]
    version = make_version(database, questions, name="with_sql")
    went = [
        {"state": "rows", "valid": True, "kind": None},
        {"state": "timeout", "valid": True, "kind": None},
        {"state": "invalid", "valid": False, "kind": "missing_from"},
        {"state": "invalid", "valid": False, "kind": "column"},
        {"state": "refused", "valid": False, "kind": "function"},
    ]
    details = [{"sql": one, "finish_reason": "stop"} for one in went]
    answers = ["3"] * 5 + [FAILED]
    score(database, make_run(database, version, answers, "m (text_to_sql)", "text_to_sql", details=details))
    score(database, make_run(database, version, ["3"] * 6, "m"))
    rows = {row.name: row for row in read(database, "with_sql").rows}
    assert rows["m"].sql is None
    assert rows["m (text_to_sql)"].sql == Sql(
        statements=5,
        valid=2,
        timeouts=1,
        refused=1,
        kinds=SqlFaults(missing_from=1, column=1, function=1),
    )


def test_groups(shared: Settings) -> None:
    with connect(shared, Role.API) as connection:
        by_city = read_board(connection, "toy_gsqa", "city")
        by_type = read_board(connection, "toy_gsqa", "answer_type")
        by_dimension = read_board(connection, "toy_gsqa", "dimension")
        hidden = read_board(connection, "toy_knowledge", "answer_type")
    assert (by_city.by, by_dimension.groups) == ("city", {})
    (village,) = by_city.groups.values()
    assert [row.score for row in village.rows] == [row.score for row in by_city.rows]
    assert {name: section.n for name, section in by_type.groups.items()} == {
        "area": 3,
        "azimuth": 3,
        "count": 3,
        "name": 3,
    }
    for row in by_type.rows:
        parts = [
            one.score for section in by_type.groups.values() for one in section.rows if one.run == row.run
        ]
        assert sum(3 * part for part in parts if part is not None) / 12 == pytest.approx(row.score)
    (options,) = hidden.groups.values()
    assert (options.n, options.left_out, options.chance, options.random_expectation) == (44, 4, 0.25, 0.25)
    assert {row.n for row in options.rows} == {44}
    assert all(row.rank is not None for row in options.rows if row.status == "complete")


def test_what_is_kept_follows_what_changes(database: Settings) -> None:
    """Scored, scored again, answered anew, withdrawn, deleted: each is seen by who reads next."""
    kept = Kept()

    def shown() -> list[tuple[str, float | None, int | None]]:
        with connect(database, Role.API) as connection:
            board = read_board(connection, "toy", kept=kept)
            assert board == read_board(connection, "toy"), "the same as without anything kept"
            assert read_board(connection, "toy", kept=kept) is board
        return [(row.name, row.score, row.rank) for row in board.rows]

    def change(statement: str) -> None:
        with connect(database, Role.OWNER) as connection:
            connection.execute(text(f"set search_path = trigpoint; {statement}"))
            connection.commit()

    version = make_version(database, options_dataset(8))
    assert shown() == []
    runs = [
        make_run(database, version, answers, label) for label, answers in (("a", ["A"] * 8), ("b", ["D"] * 8))
    ]
    assert shown() == [("a", None, None), ("b", None, None)]
    score(database, runs[0])
    assert shown() == [("a", 0.25, 1), ("b", None, None)]
    score(database, runs[1])
    assert shown() == [("a", 0.25, 1), ("b", 0.25, 1)]
    change(f"update prediction set answer = 'nothing' where run_id = {runs[1]}")
    score(database, runs[1])
    assert shown() == [("a", 0.25, 1), ("b", 0.0, 1)]
    change(f"delete from board_aggregate where run_id = {runs[1]}")
    assert shown() == [("a", 0.25, 1), ("b", None, None)]
    score(database, runs[1])
    change(f"update run set status = 'cancelled' where id = {runs[1]}")
    assert shown() == [("a", 0.25, 1)]
    change(
        f"delete from score using prediction where prediction_id = id; delete from run where id = {runs[1]}"
    )
    change(f"update run set label = 'renamed' where id = {runs[0]}")
    assert shown() == [("renamed", 0.25, 1)]


def test_cost_latency_and_spread(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run = make_run(database, version, ["A", "B", "C", "D", "A", "A", "A", "A"])
    prices = '{"prompt": "1", "completion": "2", "currency": "USD"}'
    with connect(database, Role.WORKER) as connection:
        connection.execute(
            text("update run set prices = cast(:prices as jsonb) where id = :run"),
            {"prices": prices, "run": run},
        )
        connection.execute(
            text(
                "insert into step (run_id, batch_id, fencing_token, version_id, question_id, question_revision,"
                " presentation_key, repeat, ordinal, attempt, kind, state, request_hash, request, usage, sent_at,"
                " latency_ms) select :run, 1, 1, version_id, id, revision, 'default', 0, 0, 0, 'chat', 'done', 'x',"
                """ '{}', '{"prompt_tokens": 1000000, "completion_tokens": 500000}', now(), 100 * (position + 1)"""
                " from question where version_id = :version"
            ),
            {"run": run, "version": version.id},
        )
        connection.commit()
    score(database, run)
    (row,) = read(database, "toy").rows
    assert row.spent == Spent(
        calls=4,
        prompt_tokens=4_000_000,
        completion_tokens=2_000_000,
        cost=8.0,
        cost_per_question=2.0,
        currency="USD",
        latency_median_ms=250.0,
        latency_p95_ms=385.0,
    )
    assert row.spread is not None
    assert (row.spread.repeats, row.spread.lowest, row.spread.highest) == (2, 0.25, 1.0)
    assert row.spread.deviation == pytest.approx(0.75 / 2**0.5)
    (section,) = read(database, "toy").templates.values()
    assert (section.rows[0].spent, section.rows[0].spread) == (None, None)


def test_runs_of_judges_have_a_board_of_their_own_and_no_rank(database: Settings) -> None:
    run_id = judged(database, [verdict("DS"), verdict("NV")], ["two", "2"])
    with connect(database, Role.API) as connection:
        usual = read_board(connection, "toy")
        pure, hybrid = (
            read_board(connection, "toy", profile=name) for name in ("judge_pure", "judge_hybrid")
        )
    assert run_id not in [row.run for row in usual.rows]
    found = means(database, run_id)
    for board in (pure, hybrid):
        (row,) = board.rows
        assert (row.run, row.rank, row.score, formatting.status(row)) == (
            run_id,
            None,
            found[board.profile],
            "not ranked",
        )
        assert board.metric == "mean_value"
