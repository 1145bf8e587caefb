"""The private PostgreSQL, Redis and sandbox: a whole life beside those of this checkout, in a folder with a space in its name."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import instances
import localenv
import psycopg
import pytest
import redis
import sandbox
import services
from instances import Place

PASSWORD = "0123456789abcdef"


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A place like that of a checkout; as root below /var/lib, where the servers' users may enter."""
    checkout = tmp_path / "a checkout"
    made = instances.place_of(checkout, checkout / ".local")
    made.local.mkdir(parents=True)
    yield made
    services.stop_all(made)
    shutil.rmtree(made.data, ignore_errors=True)


def test_all_start_answer_and_stop_and_repeat_harmlessly(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    services.start(place)
    pids = instances.postgres_pid(place), instances.redis_pid(place), sandbox.keeper_pid(place)
    assert all(pids)
    services.start(place)
    assert (instances.postgres_pid(place), instances.redis_pid(place), sandbox.keeper_pid(place)) == pids

    values = localenv.read(place.local / "env")
    with psycopg.connect(values["TRIGPOINT_SUPERUSER_URL"]) as connection:
        row = connection.execute(
            "select current_setting('listen_addresses'), current_setting('log_error_verbosity')"
        )
        assert row.fetchone() == ("127.0.0.1", "terse")
    wrong = values["TRIGPOINT_SUPERUSER_URL"].replace(values["TRIGPOINT_PASSWORD_SUPERUSER"], "wrong")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(wrong)
    redis_port = localenv.port_of(values["TRIGPOINT_REDIS_URL"])
    with redis.Redis(port=redis_port) as stranger, pytest.raises(redis.AuthenticationError):
        stranger.ping()
    assert instances.answers_ping(redis_port, values["TRIGPOINT_PASSWORD_REDIS"])

    assert services.stop_all(place) == ["the sandbox", "Redis", "PostgreSQL"]
    assert services.stop_all(place) == []
    assert (instances.postgres_pid(place), instances.redis_pid(place), sandbox.keeper_pid(place)) == (0, 0, 0)

    # a crash leaves a pid file behind, by now perhaps that of somebody else's process; data are kept
    (place.postgres / "postmaster.pid").write_text(f"{os.getpid()}\n{place.postgres}\n")
    services.start(place)
    assert localenv.read(place.local / "env") == values
    capsys.readouterr()


def test_a_taken_port_is_passed_over_and_written_down(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    services.start(place)
    port = localenv.port_of(localenv.read(place.local / "env")["TRIGPOINT_REDIS_URL"])
    services.stop_all(place)
    other = subprocess.Popen(["redis-server", "--port", str(port), "--save", ""], stdout=subprocess.DEVNULL)
    try:
        while localenv.is_free(port):
            assert other.poll() is None
        services.start(place)
        assert localenv.port_of(localenv.read(place.local / "env")["TRIGPOINT_REDIS_URL"]) != port
        assert "was taken by another program" in capsys.readouterr().err
        assert services.stop_all(place) == ["the sandbox", "Redis", "PostgreSQL"]
        assert other.poll() is None, "a stranger's Redis was stopped"
    finally:
        other.kill()
        other.wait()


def test_what_a_removal_left_that_was_cut_off_is_in_nobodys_way(tmp_path: Path) -> None:
    checkout = tmp_path / "checkout"
    place = instances.place_of(checkout, checkout / ".local", throwaway=True)
    place.local.mkdir(parents=True)
    (place.postgres / "base").mkdir(parents=True)
    (place.postgres / "trigpoint.conf").write_text("")
    try:
        services.start(place)
        assert instances.postgres_pid(place)
    finally:
        services.stop_all(place)
        instances.remove_data(place)
        left = sorted(path.name for path in place.data.iterdir() if path.name.startswith("postgres"))
        shutil.rmtree(place.data, ignore_errors=True)
    assert left == []
