"""The ledger on a real database: groups, fencing, rows that cannot be stored, a database that goes away."""

import asyncio
import gc
import weakref
from collections.abc import Callable

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core.errors import Fenced
from app.core.settings import Settings
from app.predictions.ledger import Ledger
from app.predictions.sweeping import sweep
from tests.support.leased_run import START, Bench


@pytest.fixture
def bench(database: Settings) -> Bench:
    return Bench(database)


def test_what_is_awaited_is_committed(bench: Bench) -> None:
    async def work(ledger: Ledger) -> None:
        await ledger.write(bench.one, [bench.prediction(bench.one, 0)])
        assert bench.predicted() == 1
        await asyncio.gather(
            *(ledger.write(bench.two, [bench.prediction(bench.two, place)]) for place in range(3))
        )

    bench.run(work)
    assert bench.predicted() == 4


def test_what_is_committed_is_freed_without_a_search_for_garbage(bench: Bench) -> None:
    """A worker's search stops all its threads: what each call leaves behind must not bring it about."""

    async def work(ledger: Ledger) -> None:
        ends = [ledger.enter(bench.one, [bench.prediction(bench.one, place)]) for place in range(3)]
        left = [weakref.ref(end) for end in ends]
        await asyncio.gather(*ends)
        ends.clear()
        await ledger.write(bench.two, [bench.prediction(bench.two, 0)])
        assert [end() for end in left] == [None, None, None]

    gc.disable()
    try:
        bench.run(work)
    finally:
        gc.enable()


def test_a_lost_lease_fences_its_own_units_only(bench: Bench) -> None:
    async def work(ledger: Ledger) -> None:
        with bench.engine.begin() as connection:
            connection.execute(
                text("update batch set fencing_token = 9 where id = :id"), {"id": bench.one.batch_id}
            )
        results = await asyncio.gather(
            ledger.write(bench.one, [bench.prediction(bench.one, 0)]),
            ledger.write(bench.two, [bench.prediction(bench.two, 0)]),
            return_exceptions=True,
        )
        assert isinstance(results[0], Fenced)
        assert results[1] is None

    bench.run(work)
    assert bench.predicted() == 1


def test_a_row_that_cannot_be_stored_fails_alone(bench: Bench) -> None:
    async def work(ledger: Ledger) -> None:
        results = await asyncio.gather(
            ledger.write(bench.one, [bench.prediction(bench.one, 0)]),
            ledger.write(bench.one, [bench.prediction(bench.one, 1, answer="nul \0")]),
            ledger.write(bench.one, [bench.prediction(bench.one, 2)]),
            return_exceptions=True,
        )
        assert [type(result) for result in results][::2] == [type(None), type(None)]
        assert isinstance(results[1], DBAPIError)

    bench.run(work)
    assert bench.predicted() == 2


def test_a_unit_is_whole_or_absent(bench: Bench) -> None:
    async def work(ledger: Ledger) -> None:
        with pytest.raises(DBAPIError):
            await ledger.write(
                bench.one, [bench.prediction(bench.one, 0), bench.prediction(bench.one, 1, answer="\0")]
            )

    bench.run(work)
    assert bench.predicted() == 0


def test_writing_twice_is_writing_once(bench: Bench) -> None:
    async def work(ledger: Ledger) -> None:
        for _ in range(2):
            await ledger.write(bench.one, [bench.prediction(bench.one, 0)])

    bench.run(work)
    assert bench.predicted() == 1


def test_terminated_connections_are_made_again(
    bench: Bench, database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    async def work(ledger: Ledger) -> None:
        await ledger.write(bench.one, [bench.prediction(bench.one, 0)])
        with psycopg.connect(superuser_of(database), autocommit=True) as connection:
            connection.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where datname = current_database() and usename = 'trigpoint_worker'"
            )
        await ledger.write(bench.one, [bench.prediction(bench.one, 1)])

    bench.run(work)
    assert bench.predicted() == 2


def test_leases_are_renewed_while_a_write_fails_again_and_again(
    bench: Bench, database: Settings, superuser_of: Callable[[Settings], str]
) -> None:
    """As on a full disk: one statement cannot be carried out, others can."""
    deadline = text("select deadline from batch where id = :id")

    async def work(ledger: Ledger) -> None:
        ledger.hold(bench.one)
        with psycopg.connect(superuser_of(database)) as blocker:
            blocker.execute("lock table trigpoint.prediction in share row exclusive mode")
            written = asyncio.create_task(ledger.write(bench.one, [bench.prediction(bench.one, 0)]))
            for seconds in (100, 200):
                bench.clock.advance(100)
                with bench.engine.connect() as connection:
                    while (
                        connection.execute(deadline, {"id": bench.one.batch_id}).scalar_one() - START
                    ).total_seconds() < seconds:
                        connection.rollback()
                        await asyncio.sleep(0.02)
            assert not written.done()
        await written

    with psycopg.connect(superuser_of(database), autocommit=True) as connection:
        name = sql.Identifier(connection.info.dbname)
        impatient = sql.SQL("alter role trigpoint_worker in database {} set lock_timeout = '20ms'")
        connection.execute(impatient.format(name))
    bench.engine.dispose()
    bench.run(work, lease_seconds=0.3)
    assert (bench.predicted(), bench.lost) == (1, [])


def test_leases_are_renewed_while_held_and_losses_are_told(bench: Bench) -> None:
    async def work(ledger: Ledger) -> None:
        bench.clock.advance(30)
        ledger.hold(bench.one)
        ledger.hold(bench.two)
        with bench.engine.begin() as connection:
            connection.execute(
                text("update batch set fencing_token = 9 where id = :id"), {"id": bench.two.batch_id}
            )
        while not bench.lost:
            await asyncio.sleep(0.02)

    bench.run(work, lease_seconds=0.3)
    assert set(bench.lost) == {bench.two.batch_id}
    with bench.engine.begin() as connection:
        deadline = connection.execute(
            text("select deadline from batch where id = :id"), {"id": bench.one.batch_id}
        ).scalar_one()
        assert (deadline - START).total_seconds() == pytest.approx(30.3)
    with bench.engine.connect() as connection:
        assert sweep(connection, bench.clock.now()).expired == 0
