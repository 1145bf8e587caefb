"""Accuracy by the position of the key, and consistency over rotations: counted by hand."""

import pytest

from app.core.errors import NotFound
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.positions import Consistency, Positions, accuracy_by_position
from tests.support.factories import (
    FAILED,
    count_question,
    make_run,
    make_version,
    option_question,
    options_dataset,
)
from tests.support.scored_runs import score

KEYS = [0, 0, 0, 1, 2]


def positions(settings: Settings, run_id: int, *, scored: bool = True) -> Positions:
    if scored:
        score(settings, run_id)
    with connect(settings, Role.WORKER) as connection:
        return accuracy_by_position(connection, run_id)


def by_place(found: Positions) -> list[tuple[str, int, int, int, int, float | None]]:
    return [(one.position, one.n, one.answers, one.correct, one.said, one.rate) for one in found.positions]


def test_a_plain_run_by_where_its_keys_stand(database: Settings) -> None:
    version = make_version(database, [option_question(i, key=key) for i, key in enumerate(KEYS)])
    run_id = make_run(database, version, ["A", "A", "B", "C", "A or B"])
    found = positions(database, run_id)
    assert by_place(found) == [
        ("A", 3, 3, 2, 2, 2 / 3),
        ("B", 1, 1, 0, 1, 0.0),
        ("C", 1, 1, 0, 1, 0.0),
        ("D", 0, 0, 0, 0, None),
    ]
    assert (found.rotated, found.consistency) == (False, None)
    first = found.positions[0]
    assert first.low is not None
    assert first.high is not None
    assert 0 < first.low < 2 / 3 < first.high < 1


def test_whoever_always_says_a_is_right_where_the_key_is_a(database: Settings) -> None:
    version = make_version(database, options_dataset(6))
    found = positions(database, make_run(database, version, ["A"] * 24, rotated=True))
    assert by_place(found) == [
        ("A", 6, 6, 6, 24, 1.0),
        ("B", 6, 6, 0, 0, 0.0),
        ("C", 6, 6, 0, 0, 0.0),
        ("D", 6, 6, 0, 0, 0.0),
    ]
    assert found.consistency == Consistency(6, 0, 6, 0.0, 1.0)


def test_consistency_over_rotations(database: Settings) -> None:
    """The first question is always right, the second in the first two rotations, the third never."""
    version = make_version(database, [option_question(i, key=key) for i, key in enumerate((0, 3, 1))])
    answers = ["A", "D", "A", "D", "C", "B", "C", "C", "C", "B", "B", None]
    found = positions(database, make_run(database, version, answers, rotated=True))
    assert found.consistency == Consistency(3, 1, 2, 1 / 3, 2 / 3)
    assert [one.correct for one in found.positions] == [1, 1, 2, 2]
    assert sum(one.said for one in found.positions) == 11


def test_repeats_are_averaged_by_question(database: Settings) -> None:
    version = make_version(database, options_dataset(2))
    found = positions(database, make_run(database, version, ["A", "B", "A", "A", "B", "B", "B", "B"]))
    assert by_place(found)[:2] == [("A", 1, 4, 2, 3, 0.5), ("B", 1, 4, 3, 5, 0.75)]


def test_an_error_leaves_no_rate_where_it_is(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    run_id = make_run(
        database, version, ["A", FAILED, "C", "D"] + ["A"] * 12, status="incomplete", rotated=True
    )
    found = positions(database, run_id)
    # The one that failed shows its key as B.
    assert [one.rate is None for one in found.positions] == [False, True, False, False]
    assert found.consistency is not None
    assert found.consistency.questions == 3


def test_a_run_that_is_not_scored_has_no_rates(database: Settings) -> None:
    version = make_version(database, options_dataset(4))
    found = positions(database, make_run(database, version, ["A"] * 16, rotated=True), scored=False)
    assert {one.rate for one in found.positions} == {None}
    assert found.consistency == Consistency(0, 0, 0, None, None)


def test_without_options_there_are_no_positions(database: Settings) -> None:
    version = make_version(database, [count_question(0)])
    assert positions(database, make_run(database, version, ["4"])).positions == []
    with connect(database, Role.WORKER) as connection, pytest.raises(NotFound, match="no run 99"):
        accuracy_by_position(connection, 99)


def test_hidden_questions_are_left_out(database: Settings) -> None:
    version = make_version(database, [option_question(0, key=1), option_question(1, key=2, split="hidden")])
    found = positions(
        database, make_run(database, version, ["A", "B", "B", "A", "A", "A", "A", "A"], rotated=True)
    )
    assert [(one.n, one.correct, one.said) for one in found.positions] == [
        (1, 0, 3),
        (1, 0, 1),
        (1, 0, 0),
        (1, 0, 0),
    ]
    assert found.consistency == Consistency(1, 0, 0, 0.0, 0.0)


def test_five_options_have_five_positions(database: Settings) -> None:
    version = make_version(database, [option_question(0, key=4, options=tuple("vwxyz")), option_question(1)])
    found = positions(database, make_run(database, version, ["E", "A"]))
    assert [one.position for one in found.positions] == list("ABCDE")
    assert found.positions[4].correct == 1
