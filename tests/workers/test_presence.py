"""Who lives, by the locks that workers hold in PostgreSQL, and whether there is room for one more."""

import signal

import pytest

from app.core.errors import Conflict
from app.core.settings import Role, Settings
from app.db import room
from app.db.engine import connect
from app.db.pools import COMMAND_CONNECTIONS, SERVER_CONNECTIONS, WORKER_CONNECTIONS
from app.db.presence import living_workers
from app.db.room import Room, refuse_without_room, room_of
from tests.support.command_line import trigpoint
from tests.support.factories import make_version, options_dataset
from tests.support.processes import PrivateRedis, Workers, query, wait_until

OTHERS = SERVER_CONNECTIONS + COMMAND_CONNECTIONS


def living(settings: Settings) -> int:
    with connect(settings, Role.WORKER) as connection:
        return living_workers(connection, settings)


@pytest.mark.long
def test_workers_are_known_while_redis_is_away_and_until_they_die(
    quick: Settings, workers: Workers, broker: PrivateRedis
) -> None:
    assert living(quick) == 0
    one, other = workers.start(), workers.start()
    wait_until(lambda: living(quick) == 2, "both workers")
    broker.kill()
    assert living(quick) == 2
    one.kill()
    wait_until(lambda: living(quick) == 1, "one to be gone", 5)
    other.signal(signal.SIGSTOP)
    wait_until(lambda: living(quick) == 0, "the other to be missed")
    other.signal(signal.SIGCONT)
    wait_until(lambda: living(quick) == 1, "it to be back")


def test_a_worker_opens_no_more_connections_than_it_says(quick: Settings, workers: Workers) -> None:
    workers.start()
    wait_until(lambda: living(quick) == 1, "the worker")
    assert room_of(quick).taken >= WORKER_CONNECTIONS
    make_version(quick, options_dataset(40), name="toy")
    done = trigpoint(quick, "evaluate", "toy", "--solver", "random", "--json")
    assert done.status == 0, done.err
    sessions = (
        "select count(*) from pg_stat_activity where datname = current_database() and usename = current_user"
    )
    assert query(quick, sessions)[0][0] <= WORKER_CONNECTIONS + 2


@pytest.mark.parametrize(
    ("total", "taken", "more"),
    [
        (97, 0, 4),
        (97, 3 * WORKER_CONNECTIONS, 1),
        (97, 5 * WORKER_CONNECTIONS, 0),
        (WORKER_CONNECTIONS + OTHERS, 0, 1),
        (WORKER_CONNECTIONS + OTHERS - 1, 0, 0),
        (20, 500, 0),
    ],
)
def test_room_for_workers(total: int, taken: int, more: int) -> None:
    assert Room(total, 3, taken).workers == more


def test_no_room_is_one_sentence(database: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if a server of pages needed all connections that there are."""
    refuse_without_room(database)
    monkeypatch.setattr(room, "OTHERS", 10_000)
    with pytest.raises(Conflict, match=r"max_connections to 100\d\d or more"):
        refuse_without_room(database)
    done = trigpoint(database, "worker")
    assert (done.status, done.out) == (1, "")
    assert f"No room for another worker: it may open {WORKER_CONNECTIONS} connections" in done.err


def test_evaluate_without_room_leaves_its_run(
    quick: Settings, monkeypatch: pytest.MonkeyPatch, workers: Workers
) -> None:
    make_version(quick, options_dataset(4), name="toy")
    with monkeypatch.context() as patch:
        patch.setattr(room, "OTHERS", 10_000)
        done = trigpoint(quick, "evaluate", "toy", "--solver", "random", "--json")
    assert done.status == 1
    assert "No room for another worker" in done.err
    workers.start()
    again = trigpoint(quick, "evaluate", "toy", "--solver", "random", "--json")
    assert again.status == 0, again.err
    assert again.json["status"] == "complete"


def test_doctor_says_how_many_more(database: Settings) -> None:
    done = trigpoint(database, "doctor", "--json")
    (check,) = [one for one in done.json["checks"] if one["name"] == "connections"]
    assert check["state"] == "ok"
    assert "more workers can start" in check["said"]
