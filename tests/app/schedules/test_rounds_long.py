"""Rounds that are killed at every stage end in the version that the recipe makes; runs are continued after one."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from app.core.settings import PROJECT_ROOT, Settings
from tests.support.command_line import environment, trigpoint
from tests.support.extract_server import Source, add_schedule, stamp
from tests.support.processes import (
    Workers,
    private_redis,
    query,
    scalar,
    scripted_endpoint,
    wait_until,
    with_short_leases,
)

pytestmark = pytest.mark.long
STAGES = ("found", "fetched", "imported", "refreshed")


HELD = 4711
"""The lock that the trigger below waits for."""
HOLD = f"""
create function trigpoint.hold_stage() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared({HELD});
    return new;
end
$$;
create trigger hold_stage before update on trigpoint.refresh_schedule
for each row when (old.stage = '{{stage}}') execute function trigpoint.hold_stage()
"""
LET_GO = "drop trigger hold_stage on trigpoint.refresh_schedule; drop function trigpoint.hold_stage()"


def kill_at(settings: Settings, superuser: str, stage: str) -> None:
    """Run a round in a process, and kill it at a stage, which it cannot leave."""
    with psycopg.connect(superuser, autocommit=True) as holder:
        holder.execute(f"select pg_advisory_lock({HELD})")
        holder.execute(HOLD.format(stage=stage).encode())
        while not killed_at(settings, stage):
            pass
        holder.execute(f"select pg_advisory_unlock({HELD})")
        holder.execute(LET_GO.encode())


def killed_at(settings: Settings, stage: str) -> bool:
    """False where the process that was killed before is not gone yet."""
    command = [sys.executable, "-c", "from app.cli.main import main; main()", "schedule", "run", "daily"]
    with subprocess.Popen(
        command,
        cwd=PROJECT_ROOT,
        env=environment(settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        wait_until(partial(came_to, settings, stage, process), f"the stage {stage}")
        if process.poll() is None:
            process.kill()
            return True
        _, said = process.communicate()
    assert "Another process is running a schedule" in said
    return False


def came_to(settings: Settings, stage: str, process: subprocess.Popen[str]) -> bool:
    return process.poll() is not None or scalar(settings, "select stage from refresh_schedule") == stage


def test_killed_at_each_stage(
    settings: Settings, source: Source, superuser_of: Callable[[Settings], str]
) -> None:
    add_schedule(settings)
    source.change(("Adler", "Zum Adler"))
    source.publish_whole()
    source.change(("Krone", "Neue Krone"))
    for stage in STAGES:
        kill_at(settings, superuser_of(settings), stage)
        if stage == "fetched":
            shutil.rmtree(settings.local_dir / "extracts" / "followed")  # the next call is on another machine
    done = trigpoint(settings, "schedule", "run", "daily", "--json")
    assert done.status == 0, done.err
    assert scalar(settings, "select count(*) from dataset_version") == 2
    assert scalar(settings, "select count(*) from snapshot where state = 'published'") == 2
    (map_,) = [one for one in trigpoint(settings, "snapshots", "--json").json["snapshots"] if one["newest"]]
    assert (map_["replication_sequence"], map_["timestamp"]) == (source.sequence, stamp(source.sequence))
    for command in ("verify", "reproduce"):
        done = trigpoint(settings, command, "town_gsqa")
        assert done.status == 0, done.err
    assert "identical bytes" in done.out
    assert trigpoint(settings, "schedule", "run", "daily", "--json").json["result"] == "nothing_new"


@pytest.fixture
def busy(settings: Settings, tmp_path: Path) -> Any:
    with private_redis(tmp_path) as broker:
        yield with_short_leases(settings, broker, tmp_path)


def test_runs_are_continued(busy: Settings, source: Source, tmp_path: Path) -> None:
    with scripted_endpoint(tmp_path, "first_option") as endpoint:
        add = ("endpoint", "add", "local", "--url", f"{endpoint.url}", "--model", "scripted:first_option")
        done = trigpoint(busy, *add)
        assert done.status == 0, done.err
        workers = Workers(busy, tmp_path)
        try:
            workers.start()
            first = trigpoint(
                busy,
                "evaluate",
                "town_gsqa",
                "--solver",
                "direct",
                "--endpoint",
                "local",
                "--seed",
                "7",
                "--json",
            )
            assert first.status == 0, first.err
            asked = len(endpoint.requests())
            add_schedule(busy, "--run", "direct:local", "--budget-tokens", "1000000")
            source.change(("Adler", "Zum Adler"), ("Museum Alpha", "Museum Omega"))
            source.publish_whole()
            told = trigpoint(busy, "schedule", "run", "daily", "--json")
            assert told.status == 0, told.err
            (run,) = told.json["runs"]
            wait_until(
                lambda: scalar(busy, f"select status from run where id = {run['run']}") == "complete",
                "the run",
            )
        finally:
            workers.kill_all()
        changed = scalar(
            busy,
            "select count(*) from question where version_id = (select max(id) from dataset_version)"
            " and prompt_hash not in (select prompt_hash from question"
            " where version_id < (select max(id) from dataset_version))",
        )
        assert 0 < changed < 30
        assert len(endpoint.requests()) - asked == changed
    reused, seed = query(
        busy,
        "select (select count(*) from step where run_id = run.id and reused_from is not null), seed"
        f" from run where id = {run['run']}",
    )[0]
    total = scalar(busy, f"select total from run where id = {run['run']}")
    assert (reused, seed) == (total - changed, 7)
