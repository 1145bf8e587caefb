"""Workers on machines whose clocks are wrong agree on the time: it is PostgreSQL's."""

from datetime import UTC, datetime, timedelta

from app.core.clock import ManualClock
from app.core.settings import Role, Settings
from app.db.clock import ServerClock
from app.db.engine import make_engine
from tests.workers.fault_plans import away

SECOND = timedelta(seconds=1)


def test_the_servers_time_counts(database: Settings) -> None:
    ahead = ManualClock(datetime.now(UTC) + timedelta(hours=1))
    clock = ServerClock(ahead)
    assert clock.now() == ahead.now(), "nothing else is known yet"
    engine = make_engine(database, Role.WORKER, pool_size=1)
    clock.read(engine)
    first = clock.now()
    assert abs(first - datetime.now(UTC)) < SECOND
    assert first.utcoffset() == timedelta(0)
    assert clock.now() > first, "it goes on between two readings"
    engine.dispose()


def test_what_was_read_stands_while_the_server_is_away(quick: Settings, superuser: str) -> None:
    clock = ServerClock()
    engine = make_engine(quick, Role.WORKER, pool_size=1)
    clock.read(engine)
    with away(quick, superuser):
        clock.read(engine)
        assert abs(clock.now() - datetime.now(UTC)) < SECOND
    engine.dispose()
