"""Leases, fencing and the sweep, on a real database with a clock that the test moves."""

import itertools
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import HealthCheck, given, settings, strategies
from sqlalchemy import Connection, text

from app.core.clock import ManualClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions import queries_sweeping
from app.predictions.leases import Claimable, Lease, claim, guard, renew
from app.predictions.presentations import ROTATED, Presentation, presentations
from app.predictions.progress import progress_of
from app.predictions.runs import RunPlan, finish_if_done, plan_run, reopen_errors
from app.predictions.sweeping import sweep
from app.predictions.units import Kind, Unit, Write, write_units
from tests.support.factories import make_version, options_dataset

START = datetime(2026, 5, 1, tzinfo=UTC)
SECONDS = 60.0
(PLAIN,) = presentations({}, 4)
TURNED = presentations(ROTATED, 4)
NAMES = itertools.count()


def new_run(
    settings: Settings, questions: int, batch_size: int, repeats: int = 1, *, rotated: bool = False
) -> tuple[int, list[str]]:
    version = make_version(settings, options_dataset(questions), name=f"toy{next(NAMES)}")
    with connect(settings, Role.WORKER) as connection:
        presentation = dict(ROTATED) if rotated else {}
        plan = RunPlan(version.id, "oracle", 1, "oracle", repeats=repeats, presentation=presentation)
        run_id = plan_run(connection, plan, START, batch_size).id
        connection.commit()
    return run_id, version.questions


def take(
    connection: Connection, clock: ManualClock, owner: str = "me", *, suspects: bool = True
) -> Lease | None:
    lease = claim(connection, owner, clock.now(), SECONDS, Claimable(suspects=suspects))
    connection.commit()
    return lease


def predict(
    connection: Connection,
    lease: Lease,
    question: str,
    clock: ManualClock,
    state: str = "answered",
    shown: Presentation = PLAIN,
) -> bool:
    """Write one prediction under a lease as the ledger does; whether the lease held."""
    row = connection.execute(
        text(
            "select run.version_id, question.revision from run join question using (version_id)"
            " where run.id = :run and question.id = :question"
        ),
        {"run": lease.run_id, "question": question},
    ).one()
    prediction = {
        "run_id": lease.run_id,
        "version_id": row.version_id,
        "question_id": question,
        "question_revision": row.revision,
        "presentation_key": shown.key,
        "rotation": shown.rotation,
        "repeat": 0,
        "state": state,
        "answer": "A" if state == "answered" else None,
        "detail": "{}",
        "error": "a reason" if state == "error" else None,
        "created_at": clock.now(),
    }
    refused = write_units(connection, [Unit(lease, [Write(Kind.PREDICTED, prediction)])])
    connection.commit()
    return not refused


def close(connection: Connection, lease: Lease) -> None:
    write_units(connection, [Unit(lease, [Write(Kind.ENDED, {"state": "done"})])])
    connection.commit()


def test_a_batch_has_one_holder(database: Settings) -> None:
    new_run(database, questions=6, batch_size=2)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as one, connect(database, Role.WORKER) as other:
        first = take(one, clock)
        # Neither of these two has committed when the other claims.
        second = claim(one, "one", clock.now(), SECONDS, Claimable(suspects=True))
        third = claim(other, "other", clock.now(), SECONDS, Claimable(suspects=True))
        assert len({lease.batch_id for lease in (first, second, third) if lease}) == 3
        assert claim(other, "other", clock.now(), SECONDS, Claimable(suspects=True)) is None


def test_a_lease_expires_only_after_its_deadline(database: Settings) -> None:
    new_run(database, questions=2, batch_size=2)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        lease = take(connection, clock)
        assert lease is not None
        clock.advance(SECONDS)
        assert sweep(connection, clock.now()).expired == 0
        clock.advance(0.001)
        assert sweep(connection, clock.now()).expired == 1
        assert guard(connection, [lease]) == set()


def test_renewing_moves_the_deadline_and_tells_what_is_lost(database: Settings) -> None:
    new_run(database, questions=4, batch_size=2)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        kept, lost = take(connection, clock), take(connection, clock)
        assert kept is not None
        assert lost is not None
        clock.advance(SECONDS * 0.9)
        assert renew(connection, [kept], clock.now(), SECONDS) == {kept.batch_id}
        connection.commit()
        clock.advance(SECONDS * 0.9)
        assert sweep(connection, clock.now()).expired == 1
        assert renew(connection, [kept, lost], clock.now(), SECONDS) == {kept.batch_id}
        connection.commit()


def test_an_old_holder_is_fenced_even_when_the_batch_is_leased_again(database: Settings) -> None:
    _, questions = new_run(database, questions=1, batch_size=1)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        old = take(connection, clock, "old")
        clock.advance(SECONDS + 1)
        sweep(connection, clock.now())
        new = take(connection, clock, "new")
        assert old is not None
        assert new is not None
        assert new.batch_id == old.batch_id
        assert new.token > old.token
        assert not predict(connection, old, questions[0], clock)
        assert predict(connection, new, questions[0], clock)
        tokens = connection.execute(text("select fencing_token from prediction")).scalars().all()
        assert tokens == [new.token]


def test_a_holder_that_writes_cannot_be_swept_meanwhile(database: Settings) -> None:
    new_run(database, questions=1, batch_size=1)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as writer, connect(database, Role.WORKER) as sweeper:
        lease = take(writer, clock)
        assert lease is not None
        clock.advance(SECONDS + 1)
        assert guard(writer, [lease]) == {lease.batch_id}
        assert sweep(sweeper, clock.now()).expired == 0
        writer.commit()
        assert sweep(sweeper, clock.now()).expired == 1


def test_a_question_that_kills_workers_takes_nothing_with_it(database: Settings) -> None:
    run_id, questions = new_run(database, questions=6, batch_size=3)
    poison = questions[1]
    clock = ManualClock(START)
    deaths = 0
    with connect(database, Role.WORKER) as connection:
        for _ in range(50):
            lease = take(connection, clock)
            if lease is None:
                break
            if poison in lease.question_ids:
                # The worker dies with the whole batch in its hands.
                deaths += 1
                clock.advance(SECONDS + 1)
                sweep(connection, clock.now())
                continue
            for question in lease.question_ids:
                assert predict(connection, lease, question, clock)
            close(connection, lease)
        sweep(connection, clock.now())
        found = progress_of(connection, run_id)
        assert deaths == 3
        assert found.states == {"answered": 5, "no_answer": 0, "error": 1}
        assert found.status == "incomplete"
        failed = connection.execute(
            text("select question_id, error from prediction where state = 'error'")
        ).all()
    assert [row.question_id for row in failed] == [poison]
    assert "3 workers in a row were lost" in failed[0].error


def test_rotations_that_kill_workers_become_errors_and_the_others_stay(database: Settings) -> None:
    run_id, (poison, other) = new_run(database, questions=2, batch_size=2, rotated=True)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        assert progress_of(connection, run_id).total == 8
        lease = take(connection, clock)
        assert lease is not None
        # All but the last two of one question, and the whole of the other.
        for shown in TURNED:
            assert predict(connection, lease, other, clock, shown=shown)
        for shown in TURNED[:2]:
            assert predict(connection, lease, poison, clock, shown=shown)
        for _ in range(3):
            clock.advance(SECONDS + 1)
            sweep(connection, clock.now())
            lease = take(connection, clock)
            assert lease is None or lease.question_ids == [poison]
        assert lease is None
        found = progress_of(connection, run_id)
        assert (found.states, found.status) == ({"answered": 6, "no_answer": 0, "error": 2}, "incomplete")
        failed = connection.execute(
            text(
                "select question_id, rotation, presentation_key from prediction where state = 'error' order by 2"
            )
        ).all()
        assert failed == [(poison, shown.rotation, shown.key) for shown in TURNED[2:]]
        assert reopen_errors(connection, run_id, 10) == 1
        again = take(connection, clock)
        assert again is not None
        for shown in TURNED[2:]:
            predict(connection, again, poison, clock, shown=shown)
        close(connection, again)
        sweep(connection, clock.now())
        assert progress_of(connection, run_id).status == "complete"


STEP = text(
    "insert into step (run_id, batch_id, fencing_token, version_id, question_id, question_revision, presentation_key,"
    " repeat, ordinal, attempt, kind, state, request_hash, request, sent_at)"
    " select :run, :batch, :token, version_id, id, revision, :key, 0, :ordinal, 0, 'chat', :state, 'h', '{}', :now"
    " from question where id = :question"
)


def add_step(connection: Connection, lease: Lease, question: str, ordinal: int, state: str) -> None:
    connection.execute(
        STEP,
        {"run": lease.run_id, "batch": lease.batch_id, "token": lease.token, "key": PLAIN.key, "now": START}
        | {"question": question, "ordinal": ordinal, "state": state},
    )


def test_an_episode_that_moves_on_outlives_its_workers(database: Settings) -> None:
    """Only deaths under which it made no step are deaths in a row; then it counts as their cause."""
    run_id, (question,) = new_run(database, questions=1, batch_size=1)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        for ordinal in range(6):
            lease = take(connection, clock)
            assert lease is not None
            assert not lease.is_suspect
            add_step(connection, lease, question, 2 * ordinal, "done")
            add_step(connection, lease, question, 2 * ordinal + 1, "sent")
            connection.commit()
            clock.advance(SECONDS + 1)
            assert sweep(connection, clock.now()).given_up == 0
        for given_up in (0, 0, 1):
            assert take(connection, clock) is not None
            clock.advance(SECONDS + 1)
            assert sweep(connection, clock.now()).given_up == given_up
        assert progress_of(connection, run_id).states == {"answered": 0, "no_answer": 0, "error": 1}


def test_a_question_that_stands_still_is_suspected_beside_those_that_move(database: Settings) -> None:
    _, questions = new_run(database, questions=2, batch_size=2)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        for ordinal in range(2):
            lease = take(connection, clock)
            assert lease is not None
            add_step(connection, lease, questions[0], ordinal, "done")
            add_step(connection, lease, questions[1], ordinal, "sent")
            connection.commit()
            clock.advance(SECONDS + 1)
            sweep(connection, clock.now())
        lease = take(connection, clock, suspects=False)
        assert lease is not None
        assert lease.question_ids == [questions[0]]


def test_a_suspect_is_not_claimed_beside_other_work(database: Settings) -> None:
    new_run(database, questions=2, batch_size=2)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        for _ in range(2):
            assert take(connection, clock) is not None
            clock.advance(SECONDS + 1)
            sweep(connection, clock.now())
        assert take(connection, clock, suspects=False) is None
        lease = take(connection, clock, suspects=True)
    assert lease is not None
    assert lease.is_suspect
    assert len(lease.question_ids) == 1


def test_steps_in_flight_are_lost_and_counted_once(database: Settings) -> None:
    run_id, questions = new_run(database, questions=2, batch_size=2)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        lease = take(connection, clock)
        assert lease is not None
        add_step(connection, lease, questions[0], 0, "sent")
        connection.commit()
        clock.advance(SECONDS + 1)
        assert sweep(connection, clock.now()).reasked == 1
        assert sweep(connection, clock.now()).reasked == 0
        assert progress_of(connection, run_id).reasked == 1


def test_a_run_is_finished_by_a_count_and_asks_for_scores(database: Settings) -> None:
    run_id, questions = new_run(database, questions=2, batch_size=1)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        for question in questions:
            lease = take(connection, clock)
            assert lease is not None
            assert not finish_if_done(connection, run_id, clock.now())
            predict(connection, lease, question, clock, "answered" if question == questions[0] else "error")
            close(connection, lease)
        swept = sweep(connection, clock.now())
        assert swept.to_score == [run_id]
        assert progress_of(connection, run_id).status == "incomplete"
        assert sweep(connection, clock.now()).to_score == []
        clock.advance(11)
        assert sweep(connection, clock.now()).to_score == [run_id]


def test_errors_are_asked_again_and_nothing_else(database: Settings) -> None:
    run_id, questions = new_run(database, questions=3, batch_size=3)
    clock = ManualClock(START)
    with connect(database, Role.WORKER) as connection:
        lease = take(connection, clock)
        assert lease is not None
        for question in questions:
            predict(connection, lease, question, clock, "error" if question == questions[2] else "answered")
        close(connection, lease)
        sweep(connection, clock.now())
        assert reopen_errors(connection, run_id, 10) == 1
        connection.commit()
        again = take(connection, clock)
        assert again is not None
        assert again.question_ids == [questions[2]]
        predict(connection, again, questions[2], clock)
        close(connection, again)
        sweep(connection, clock.now())
        assert progress_of(connection, run_id).status == "complete"


def test_the_same_plan_is_the_same_run(database: Settings) -> None:
    version = make_version(database, options_dataset(3))
    plan = RunPlan(version.id, "direct", 1, "m", sampling={"temperature": 0.0})
    with connect(database, Role.WORKER) as connection:
        first = plan_run(connection, plan, START, 2)
        second = plan_run(connection, plan, START, 2)
        warmer = plan_run(
            connection, RunPlan(version.id, "direct", 1, "m", sampling={"temperature": 0.5}), START, 2
        )
        reseeded = plan_run(
            connection, RunPlan(version.id, "direct", 1, "m", 1, None, {"temperature": 0.0}), START, 2
        )
        rotated = plan_run(connection, replace(plan, presentation=dict(ROTATED)), START, 2)
        connection.commit()
    assert (first.was, second.was, rotated.was) == ("new", "open", "new")
    assert first.id == second.id
    assert len({first.id, warmer.id, reseeded.id, rotated.id}) == 4


@pytest.fixture(scope="module")
def simulated(make_database: Callable[[], Settings]) -> Settings:
    return make_database()


MOVES = strategies.lists(
    strategies.tuples(
        strategies.sampled_from(["claim", "predict", "close", "renew", "wait", "sweep", "forget"]),
        strategies.integers(0, 2),
    ),
    max_size=40,
)


@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
    derandomize=True,
)
@given(moves=MOVES)
def test_whatever_the_workers_do_each_question_ends_with_one_prediction(
    simulated: Settings, moves: list[tuple[str, int]]
) -> None:
    """Three workers claim, write, stall, forget and wake in any order; then one healthy worker ends the run."""
    run_id, questions = new_run(simulated, questions=5, batch_size=2)
    clock = ManualClock(START)
    hands: list[list[Lease]] = [[], [], []]
    with connect(simulated, Role.WORKER) as connection:
        for move, who in moves:
            _do(connection, clock, move, hands[who])
            holders = connection.execute(MOST_HOLDERS, {"run": run_id}).scalar()
            assert holders in (None, 1)
        for _ in range(40):
            clock.advance(SECONDS + 1)
            sweep(connection, clock.now())
            while lease := take(connection, clock, "healthy"):
                for question in lease.question_ids:
                    predict(connection, lease, question, clock)
                close(connection, lease)
            sweep(connection, clock.now())
            if progress_of(connection, run_id).status in ("complete", "incomplete"):
                break
        counted = connection.execute(
            text("select question_id, count(*) from prediction where run_id = :run group by 1"),
            {"run": run_id},
        ).all()
        assert sorted(row[0] for row in counted) == sorted(questions)
        assert {row[1] for row in counted} == {1}


MOST_HOLDERS = text(
    "select max(n) from (select count(*) as n from batch, unnest(question_ids) as question"
    " where run_id = :run and state <> 'done' group by question) as held"
)


def _do(connection: Connection, clock: ManualClock, move: str, mine: list[Lease]) -> None:
    if move == "claim" and (lease := take(connection, clock)):
        mine.append(lease)
    elif move == "predict" and mine:
        predict(connection, mine[0], mine[0].question_ids[0], clock)
    elif move == "close" and mine:
        _close_if_whole(connection, mine.pop(0))
    elif move == "renew" and mine:
        renew(connection, mine, clock.now(), SECONDS)
        connection.commit()
    elif move == "forget":
        mine.clear()
    elif move == "wait":
        clock.advance(SECONDS * 0.6)
    elif move == "sweep":
        sweep(connection, clock.now())


def _close_if_whole(connection: Connection, lease: Lease) -> None:
    left = connection.execute(
        queries_sweeping.UNFINISHED_QUESTIONS,
        {"run_id": lease.run_id, "question_ids": lease.question_ids},
    ).all()
    if not left:
        close(connection, lease)
    connection.commit()
