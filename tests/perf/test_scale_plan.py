"""The simulated plan: it keeps to what a calculation by hand gives where one thing alone limits the calls."""

import pytest

from app.db.pools import WORKER_CONNECTIONS
from perf.scale_plan import Plan, cities, connections, simulate

PLAN = Plan(
    workers=4,
    endpoints=4,
    in_flight=16,
    latency=0.5,
    worker_cpu=0.001,
    postgresql_cpu=0.0005,
    postgresql_cores=2,
    seconds=50.0,
)


def test_endpoints_limit_the_calls_where_all_else_is_idle() -> None:
    found = simulate(PLAN)
    assert found["calls_a_second"] == pytest.approx(64 / (0.5 + 0.001 + 0.0005), rel=0.05)
    assert found["postgresql_busy"] == pytest.approx(found["calls_a_second"] * 0.0005 / 2, rel=0.1)


def test_postgresql_limits_them_where_it_needs_long() -> None:
    found = simulate(PLAN._replace(postgresql_cpu=0.05))
    assert found["calls_a_second"] == pytest.approx(2 / 0.05, rel=0.05)
    assert found["postgresql_busy"] == pytest.approx(1.0, abs=0.02)


def test_workers_limit_them_where_reading_takes_long() -> None:
    found = simulate(PLAN._replace(worker_cpu=0.1))
    assert found["calls_a_second"] == pytest.approx(4 / 0.1, rel=0.05)
    assert found["busiest_worker"] == pytest.approx(1.0, abs=0.05)


def test_every_worker_needs_its_connections() -> None:
    assert connections(PLAN._replace(workers=5)) - connections(PLAN) == WORKER_CONNECTIONS


def test_cities_are_done_one_after_the_other_on_each_processor() -> None:
    assert cities(100, 6.0, 30.0, 2) == {"cities": 100, "at_once": 2, "hours": 0.5}
