"""Rounds that are killed at every stage end in the version of a round that was not; runs are continued after one."""

import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Settings
from tests.commands import export, trigpoint
from tests.followed import Source, add_schedule
from tests.processes import (
    Workers,
    private_redis,
    query,
    scalar,
    scripted_endpoint,
    start_trigpoint,
    wait_until,
    with_short_leases,
)

pytestmark = pytest.mark.long
STAGES = ("found", "fetched", "imported", "refreshed")


def kill_at(settings: Settings, stage: str) -> None:
    """Run a round in a process, and kill it and what it began once it has come to a stage."""
    process = start_trigpoint(settings, "schedule", "run", "daily")
    wait_until(lambda: came_to(settings, stage, process), f"the stage {stage}")
    process.send_signal(signal.SIGKILL)
    process.wait()


def came_to(settings: Settings, stage: str, process: subprocess.Popen[Any]) -> bool:
    there = scalar(settings, "select stage from refresh_schedule")
    return there == stage or process.poll() is not None


def test_killed_at_each_stage(settings: Settings, source: Source, tmp_path: Path) -> None:
    add_schedule(settings)
    source.change(("Adler", "Zum Adler"))
    source.publish_whole()
    source.change(("Krone", "Neue Krone"))
    for stage in STAGES:
        kill_at(settings, stage)
        if stage == "fetched":
            shutil.rmtree(settings.local_dir / "extracts" / "followed")  # the next call is on another machine
    done = trigpoint(settings, "schedule", "run", "daily", "--json")
    assert done.status == 0, done.err
    assert scalar(settings, "select count(*) from dataset_version") == 2
    assert scalar(settings, "select count(*) from snapshot where state = 'published'") == 2
    killed = export(settings, "town_gsqa", tmp_path / "killed")
    (map_,) = [one for one in trigpoint(settings, "snapshots", "--json").json["snapshots"] if one["newest"]]

    again = settings.model_copy(update={"local_dir": tmp_path / "again"})
    (tmp_path / "again").mkdir()
    assert trigpoint(settings, "verify", "town_gsqa").status == 0
    source.change(("Zum Adler", "Goldener Adler"))
    source.publish_whole()
    assert trigpoint(again, "schedule", "run", "daily").status == 0
    whole = export(settings, "town_gsqa@2", tmp_path / "whole")
    assert killed["questions.jsonl"] == whole["questions.jsonl"], "a published version stays as it is"
    assert map_["replication_sequence"] == source.sequence - 1


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
