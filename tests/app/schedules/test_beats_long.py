"""Two beats and two workers: one round, one version."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli.local_worker import worker_environment
from app.core.settings import Settings
from tests.support.extract_server import Source, add_schedule, stamp
from tests.support.processes import (
    Worker,
    Workers,
    private_redis,
    query,
    scalar,
    start_beat,
    wait_until,
    with_short_leases,
)

pytestmark = pytest.mark.long


@pytest.fixture
def busy(settings: Settings, tmp_path: Path) -> Iterator[Settings]:
    with private_redis(tmp_path) as broker:
        yield with_short_leases(settings, broker, tmp_path)


@pytest.fixture
def two_beats(busy: Settings, tmp_path: Path) -> Iterator[list[Worker]]:
    beats = [start_beat(worker_environment(busy), tmp_path / f"beat-{number}.log") for number in range(2)]
    yield beats
    for beat in beats:
        beat.process.terminate()
        beat.process.wait(20)


def test_two_beats_do_no_harm(
    busy: Settings, source: Source, tmp_path: Path, two_beats: list[Worker]
) -> None:
    add_schedule(busy)
    source.change(("Adler", "Zum Adler"))
    source.publish_whole()
    workers = Workers(busy, tmp_path, imports=True)
    try:
        workers.start()
        workers.start()
        wait_until(lambda: query(busy, "select 1 from refresh_schedule where result is not null"), "a round")
        result, told = query(busy, "select result, told from refresh_schedule")[0]
        assert result == "refreshed", told
        assert "town_gsqa@2" in told
        job = "select state from job where kind = 'refresh_schedule'"
        wait_until(lambda: scalar(busy, job) == "done", "the job's end")
    finally:
        workers.kill_all()
    assert all(beat.process.poll() is None for beat in two_beats), "both live"
    assert scalar(busy, "select count(*) from job") == 1
    assert scalar(busy, "select data_timestamp from snapshot order by id desc limit 1").isoformat() == stamp(
        source.sequence
    ).replace("Z", "+00:00")
