"""Runs compared pair by pair, and boards over versions, as the api role reads them."""

from collections.abc import Callable

import pytest
from sqlalchemy import text

from app.core.errors import Conflict, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.board import read_board
from app.leaderboard.comparing import holm
from app.leaderboard.history import read_benchmark_board, read_history
from app.leaderboard.models import Comparisons
from app.leaderboard.pairwise import compare_board, compare_runs
from tests.support.command_line import trigpoint
from tests.support.factories import make_run, make_version, options_dataset
from tests.support.processes import query, scalar
from tests.support.scored_runs import fill_boards, runs_of, score

Shared = tuple[Settings, dict[str, int], dict[str, int]]


@pytest.fixture(scope="module")
def shared(fill_once: Callable[[str, Callable[[Settings], None]], Settings]) -> Shared:
    settings = fill_once("boards", fill_boards)
    return settings, runs_of(settings, "toy_knowledge"), runs_of(settings, "toy_gsqa")


def compare(settings: Settings, *runs: int, scope: str = "all", dataset: str | None = None) -> Comparisons:
    with connect(settings, Role.API) as connection:
        return compare_runs(connection, runs, scope, dataset)


def score_of(settings: Settings, run: int) -> list[float]:
    """Score a run; the value of each of its answers, in the questions' order."""
    score(settings, run)
    rows = query(
        settings,
        "select coalesce(score.value, 0) as value from prediction join question on question.id = question_id"
        " and question.version_id = prediction.version_id left join score on prediction_id = prediction.id"
        " where run_id = :run order by position",
        run=run,
    )
    return [row.value for row in rows]


def test_two_runs(shared: Shared) -> None:
    settings, runs_by, _ = shared
    garbage, oracle = runs_by["scripted:garbage"], runs_by["oracle"]
    found = compare(settings, garbage, oracle)
    assert [run.name for run in found.runs] == ["oracle", "scripted:garbage"]
    (pair,) = found.pairs
    assert (pair.run, pair.other, pair.n, pair.templates, pair.places) == (oracle, garbage, 44, 4, 44)
    assert pair.difference == pytest.approx(1 - 4 / 44)
    assert pair.p == pair.adjusted_p
    assert pair.tied is False
    assert compare(settings, oracle, garbage, oracle) == found, "in any order"
    assert pair.low is not None
    assert pair.high is not None
    assert 0 < pair.low < pair.difference <= pair.high <= 1


def test_the_adjustment_is_over_the_runs_that_were_asked_for(
    shared: Shared,
) -> None:
    settings, runs_by, _ = shared
    runs = [runs_by[name] for name in ("oracle", "random", "gemma-3-270m", "scripted:garbage")]
    found = compare(settings, *runs)
    assert len(found.pairs) == 6
    expected = holm({(pair.run, pair.other): pair.p for pair in found.pairs})
    assert {(pair.run, pair.other): pair.adjusted_p for pair in found.pairs} == pytest.approx(expected)
    scores = {run.run: run.score for run in found.runs}
    for pair in found.pairs:
        assert pair.difference == pytest.approx(scores[pair.run] - scores[pair.other])
        assert pair.difference >= 0
        assert pair.tied == ((pair.adjusted_p or 1) > 0.05)


def test_all_pairs_of_a_board(shared: Shared) -> None:
    settings, _, _ = shared
    with connect(settings, Role.API) as connection:
        whole = compare_board(connection, "toy_knowledge")
        best = compare_board(connection, "toy_knowledge", "template:Find_Nearest_POI", 3)
        board = read_board(connection, "toy_knowledge")
        with pytest.raises(NotFound, match="has no 'template:nope'"):
            compare_board(connection, "toy_knowledge", "template:nope")
        with pytest.raises(NotFound):
            compare_board(connection, "toy_knowledge", "nope")
        village = compare_board(connection, "toy_knowledge", "city:village")
    assert [run.run for run in whole.runs] == [row.run for row in board.rows if row.rank]
    assert (len(whole.pairs), whole.left_out) == (15, 0)
    assert (len(best.runs), len(best.pairs), best.left_out) == (3, 3, 3)
    assert {pair.n for pair in village.pairs} == {44}
    better = {run.run: 1 for run in whole.runs}
    for pair in whole.pairs:
        better[pair.other] += not pair.tied
    ranks = {row.run: row.rank for row in board.rows if row.rank}
    highest = 1
    for run in whole.runs:
        highest = max(highest, better[run.run])
        assert ranks[run.run] == highest


@pytest.mark.parametrize(
    ("labels", "error", "said"),
    [
        (["oracle"], UsageError, "two to 100"),
        (["oracle", "org/model-in-progress"], Conflict, "not complete"),
        (["oracle", "broken <b>model</b>"], Conflict, "not complete"),
        (["oracle", None], NotFound, "no run 999999"),
    ],
    ids=["one", "running", "incomplete", "unknown"],
)
def test_what_cannot_be_compared(
    shared: Shared,
    labels: list[str | None],
    error: type[Exception],
    said: str,
) -> None:
    settings, runs_by, _ = shared
    with pytest.raises(error, match=said):
        compare(settings, *(999999 if label is None else runs_by[label] for label in labels))


def test_a_sample_is_compared_on_what_both_answered(database: Settings) -> None:
    """Twelve questions whose right option is B; the sample asks six of them, and hidden ones count for nothing."""
    version = make_version(database, options_dataset(12))
    whole = make_run(database, version, ["B"] * 6 + ["A"] * 6, "whole")
    sampled = make_run(database, version, ["A"] * 3 + ["B"] * 3, "sampled")
    with connect(database, Role.WORKER) as connection:
        connection.execute(
            text("update run set sample = cast(:ids as text[]), total = 6 where id = :run"),
            {"ids": version.questions[:6], "run": sampled},
        )
        connection.commit()
    right = {run: score_of(database, run) for run in (whole, sampled)}
    found = compare(database, whole, sampled)
    (pair,) = found.pairs
    assert found.common
    first = {run: values[:6] for run, values in right.items()}
    expected = (sum(first[pair.run]) - sum(first[pair.other])) / 6
    assert (pair.n, pair.difference) == (6, pytest.approx(expected))
    template = scalar(database, "select min(template) from question")
    assert compare(database, whole, sampled, scope=f"template:{template}").pairs[0].n > 0
    with pytest.raises(Conflict, match="no question of template:nope in common"):
        compare(database, whole, sampled, scope="template:nope")
    assert "questions in common" in trigpoint(database, "compare", str(whole), str(sampled)).out


def test_runs_of_two_data_sets(shared: Shared) -> None:
    settings, knowledge, gsqa = shared
    with pytest.raises(UsageError, match="toy_gsqa@1, toy_knowledge@1"):
        compare(settings, knowledge["oracle"], gsqa["oracle"])
    pair = gsqa["oracle"], gsqa["toy model"]
    assert compare(settings, *pair, dataset="toy_gsqa").version == 1
    with pytest.raises(UsageError, match="not of toy_knowledge"):
        compare(settings, *pair, dataset="toy_knowledge")
    with pytest.raises(NotFound, match="no score for"):
        compare(settings, *pair, scope="template:nope")


def test_a_pair_that_was_not_compared_yet(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    runs = [make_run(database, version, [answer] * 4, answer) for answer in "AB"]
    for run in runs:
        score(database, run)
    with connect(database, Role.WORKER) as connection:
        connection.execute(text("delete from run_comparison"))
        connection.commit()
    with pytest.raises(Conflict, match="not compared yet"):
        compare(database, *runs)
    with connect(database, Role.API) as connection:
        assert [row.rank for row in read_board(connection, "toy").rows] == [None, None]


def test_history_by_version(database: Settings) -> None:
    first = make_version(database, options_dataset(8))
    second = make_version(database, options_dataset(12), number=2, made_map=first.map)
    make_version(database, options_dataset(4), number=3, made_map=first.map, publish=False)
    for version, label, answers in (
        (first, "steady", ["A"] * 8),
        (first, "steady", ["A", "B"] * 4),
        (second, "steady", ["A", "B", "C"] * 4),
        (second, "new", ["B"] * 12),
    ):
        score(database, make_run(database, version, answers, label))
    make_run(database, second, ["A"], "waiting", status="running")
    with connect(database, Role.API) as connection:
        found = read_history(connection, "toy")
        assert read_history(connection, "toy@1") == found
        newest = read_history(connection, "toy", versions=1)
        boards = {number: read_board(connection, f"toy@{number}") for number in (1, 2)}
    assert (found.versions, newest.versions) == ([2, 1], [2])
    assert [(row.name, [entry.version for entry in row.entries]) for row in found.rows] == [
        ("new", [2]),
        ("steady", [2, 1]),
        ("waiting", [2]),
    ]
    for row in found.rows:
        for entry in row.entries:
            shown = next(one for one in boards[entry.version].rows if one.run == entry.run)
            assert (entry.rank, entry.score, entry.low, entry.high, entry.status) == (
                shown.rank,
                shown.score,
                shown.low,
                shown.high,
                shown.status,
            )
    with connect(database, Role.API) as connection, pytest.raises(NotFound):
        read_history(connection, "nope")


def test_a_benchmark_beside_its_data_sets(shared: Shared) -> None:
    settings, knowledge, _ = shared
    with connect(settings, Role.API) as connection:
        found = read_benchmark_board(connection, "urban_knowledge")
        board = read_board(connection, "toy_knowledge")
        with pytest.raises(NotFound, match="No data set of benchmark 'nope'"):
            read_benchmark_board(connection, "nope")
    assert [(one.dataset, one.version) for one in found.datasets] == [("toy_knowledge", 1)]
    assert {row.name: row.entries[0].run for row in found.rows} == knowledge
    assert {row.entries[0].run: row.entries[0].rank for row in found.rows} == {
        row.run: row.rank for row in board.rows
    }
