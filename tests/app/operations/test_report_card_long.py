"""A report card from nothing to HTML: killed at each stage, it imports, generates and asks nothing twice."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.by_name import OPERATIONS
from app.predictions.progress import progress_of
from app.report_cards import suites
from tests.support.command_line import environment, trigpoint
from tests.support.forks import TRIGPOINT, Forked
from tests.support.planted_secrets import make_key
from tests.support.processes import (
    Scripted,
    Workers,
    private_redis,
    query,
    scalar,
    scripted_endpoint,
    wait_until,
    with_short_leases,
)
from tests.support.service import serving
from tests.support.tiny_suite import KEYS, TINY_SUITE
from tests.support.town import make_town

pytestmark = pytest.mark.long
STAGES = (
    ("the map", "select count(*) from snapshot where state = 'published'"),
    ("the first questions", "select count(*) from report_card_entry where version_id is not null"),
    ("all questions", "select count(*) from report_card where state <> 'begun'"),
    ("the first run", "select count(*) from report_card_entry where run_id is not null"),
    ("the first answers", "select count(*) from prediction"),
)

SCORED = """
select count(*) = (select count(*) from report_card_entry where run_id is not null)
from run_standing
where profile = 'trigpoint'
"""


@pytest.fixture
def settings(database: Settings, tmp_path: Path) -> Any:
    with private_redis(tmp_path) as broker:
        yield with_short_leases(database, broker, tmp_path)


@pytest.fixture
def command(tmp_path: Path) -> Callable[[Scripted], list[str]]:
    """The command that makes the card, by its endpoint."""
    extract, suite = make_town().write(tmp_path / "town.osm"), tmp_path / "tiny.toml"
    suite.write_text(TINY_SUITE)

    def asked(endpoint: Scripted) -> list[str]:
        options = {"endpoint": endpoint.url, "extract": extract, "suite": suite, "to": tmp_path / "card"}
        return ["report-card", *(str(one) for name, value in options.items() for one in (f"--{name}", value))]

    return asked


def kill_at(settings: Settings, command: list[str], log: Path, what: str, reached: str) -> None:
    """Start the command in a process, and kill it with its worker as soon as a stage is reached."""
    process = Forked(TRIGPOINT, command, environment(settings), log, log)
    try:
        wait_until(
            lambda: process.poll() is not None or scalar(settings, reached),
            what,
        )
        assert process.poll() is None, f"it ended before {what}: {log.read_text()}"
    finally:
        process.kill()
        process.wait()


def test_killed_at_each_stage(
    settings: Settings, command: Callable[[Scripted], list[str]], tmp_path: Path
) -> None:
    with scripted_endpoint(tmp_path, "slow", "--delay", "0.3") as endpoint:
        asked = command(endpoint)
        for what, reached in STAGES:
            kill_at(settings, asked, tmp_path / "killed.log", what, reached)
        done = trigpoint(settings, *asked, "--json")
        assert done.status == 0, done.err
        requests = len(endpoint.requests())
        again = trigpoint(settings, *asked, "--json")
        assert again.json == done.json
        assert len(endpoint.requests()) == requests, "what is complete is not asked again"
    card = done.json
    assert card["state"] == "complete"
    assert tuple(one["key"] for one in card["entries"]) == KEYS
    left_out = {one["key"]: one["left_out"] for one in card["entries"] if one["left_out"]}
    runs = [one["run"] for one in card["entries"] if one["run"]]
    assert {one["status"] for one in card["entries"] if one["run"]} == {"complete"}
    assert "evgeoqa gives no question" in left_out.pop("evgeoqa/georover")
    assert left_out == {"gsqa/direct:order": "No question has options."}
    assert scalar(settings, "select count(*) from snapshot where state = 'published'") == 1
    assert scalar(settings, "select count(*) from dataset_version") == 3
    assert scalar(settings, "select count(*) from run") == len(runs) == 5
    # A request that was in flight at a kill is made again, and counted as such; no other is.
    ((calls,),) = query(
        settings,
        "select count(*) from (select distinct run_id, question_id, ordinal from step where kind = 'chat') as call",
    )
    with connect(settings, Role.WORKER) as connection:
        found = [progress_of(connection, one) for one in runs]
    sent, reasked = sum(one.endpoint_requests for one in found), sum(one.reasked for one in found)
    assert sent == calls + reasked
    assert calls <= requests <= sent

    page = (tmp_path / "card" / "report-card.html").read_text()
    figures = json.loads((tmp_path / "card" / "report-card.json").read_text())
    assert "evgeoqa/georover" in page
    by_key = {one["key"]: one["run"] for one in card["entries"]}
    assert [one["run"] for one in figures["runs"]] == [run for run in runs if run != by_key["gsqa/oracle"]]
    assert [one["name"] for one in figures["references"]] == ["oracle"]
    assert [one["form"] for one in figures["forms"]] == ["units"]
    assert figures["fresh"][0]["gap"]["pairing"] == "twins"
    for run in figures["runs"]:
        shown = trigpoint(settings, "report", str(run["run"]), "--json").json["runs"][0]
        assert run["figure"]["score"] == pytest.approx(shown["overall"]["score"], abs=1e-9)


def test_over_rest(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A maintainer asks for a card; its job makes the questions, and workers answer and score the runs."""
    monkeypatch.setattr(suites, "FOLDER", tmp_path)
    (tmp_path / "tiny.toml").write_text(TINY_SUITE)
    town = make_town().write(tmp_path / "town.osm")
    assert trigpoint(settings, "import", str(town)).status == 0
    with scripted_endpoint(tmp_path, "first_option") as endpoint:
        add = ("endpoint", "add", "local", "--url", endpoint.url, "--model", "scripted:first_option")
        assert trigpoint(settings, *add).status == 0
        assert trigpoint(settings, "endpoint", "check", "local").status == 0
        headers = {"Authorization": f"Bearer {make_key(settings, 'maintainer')}"}
        asked = {"endpoint": "local", "snapshot": "town", "suite": "tiny"}
        workers = Workers(settings, tmp_path)
        with (
            serving(settings) as address,
            httpx.Client(base_url=address, headers=headers, timeout=60) as client,
        ):
            made = client.post("/v1/report-cards", json=asked)
            assert (made.status_code, made.json()["kind"]) == (202, "report_card"), made.text
            assert client.post(f"/v1/jobs/{made.json()['job']}/cancel").json()["state"] == "cancelled"
            # What the job's process does, here, where the suite is.
            operation = OPERATIONS["report_card"]
            begun = operation.work(settings, operation.read(made.json()["arguments"]), print)
            try:
                workers.start()
                wait_until(partial(scalar, settings, SCORED), "the runs", patience=120)
            finally:
                workers.kill_all()
            card = client.get(f"/v1/report-cards/{begun['card']}").json()
        assert (begun["state"], card["state"]) == ("started", "complete")
        asked_so_far = len(endpoint.requests())
        options = {**asked, "to": str(tmp_path / "card")}
        given = [part for name, value in options.items() for part in (f"--{name}", value)]
        written = trigpoint(settings, "report-card", *given, "--json")
        assert written.status == 0, written.err
        assert len(endpoint.requests()) == asked_so_far
    assert written.json == card
    assert (tmp_path / "card" / "report-card.html").is_file()
