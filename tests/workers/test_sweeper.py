"""The sweeper after an outage: leases that nobody could renew are left alone for as long as a lease lasts."""

import psycopg
import pytest

from app.core.clock import ManualClock
from app.core.settings import Role, Settings
from app.db.engine import make_engine
from app.predictions.messages import Messenger, make_celery
from tests.support.leased_run import SECONDS, START, Bench
from tests.support.processes import scalar, wait_until
from tests.workers.fault_plans import away
from workers.sweeper import Patience, sweep_once

LEASED = "select count(*) from batch where state = 'leased'"


@pytest.fixture
def bench(quick: Settings) -> Bench:
    return Bench(quick)


def test_leases_outlive_an_outage(quick: Settings, bench: Bench, superuser: str) -> None:
    patience = Patience(0.5)
    clock = ManualClock(START)
    clock.advance(2 * SECONDS)
    database = make_engine(quick, Role.WORKER, pool_size=1)

    def sweep() -> int:
        sweep_once(database, quick, clock, Messenger(make_celery(quick)), patience)
        return int(scalar(quick, LEASED))

    with away(quick, superuser):
        sweep_once(database, quick, clock, Messenger(make_celery(quick)), patience)
    assert not patience.is_over
    assert sweep() == 2
    wait_until(lambda: patience.is_over, "patience to end")
    assert sweep() == 0


def test_a_worker_that_starts_after_the_outage_knows_by_the_age_of_the_server(
    quick: Settings, bench: Bench, superuser: str
) -> None:
    with psycopg.connect(superuser) as connection:
        row = connection.execute(
            "select extract(epoch from clock_timestamp() - pg_postmaster_start_time())"
        ).fetchone()
    assert row is not None
    clock = ManualClock(START)
    clock.advance(2 * SECONDS)
    database, messenger = make_engine(quick, Role.WORKER, pool_size=1), Messenger(make_celery(quick))
    sweep_once(database, quick, clock, messenger, Patience(float(row[0]) + 3600))
    assert scalar(quick, LEASED) == 2
    sweep_once(database, quick, clock, messenger, Patience(float(row[0]) / 2))
    assert scalar(quick, LEASED) == 0
