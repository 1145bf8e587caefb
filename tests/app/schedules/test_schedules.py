"""Schedules by command: a region's changes come, are applied, imported and refreshed on; what goes wrong is told."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import osmium
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.doctor.registry import State
from app.doctor.schedules import check_schedules
from app.schedules.schedules import ask_for_due, list_schedules
from tests.support.command_line import trigpoint
from tests.support.extract_server import (
    FIRST,
    PBF,
    UPDATES,
    Source,
    add_schedule,
    stamp,
)
from tests.support.processes import query, scalar
from tests.support.service import serving


def run(settings: Settings, *more: str, status: int = 0) -> Any:
    done = trigpoint(settings, "schedule", "run", "daily", "--json", *more)
    assert done.status == status, done.err
    return done.json if status == 0 else done.err


def shown(settings: Settings) -> Any:
    return trigpoint(settings, "schedule", "show", "daily", "--json").json


def names_of(file: Path) -> set[str]:
    return {tag.v for one in osmium.FileProcessor(str(file)) for tag in one.tags if tag.k == "name"}


def check_churn(settings: Settings, last: dict[str, Any]) -> None:
    """Counted from lineage, told alike by command, REST and page."""
    told = trigpoint(settings, "churn", "town_gsqa", "--json").json
    asked = query(
        settings,
        "select question.template, outcome, coalesce(reason, '') like '%gold%' as gold, count(*) as number from lineage"
        " join question on version_id = from_version_id and question.id = from_question_id group by 1, 2, 3",
    )
    assert told["all"]["questions"] == sum(row.number for row in asked) > 100
    assert told["all"]["gold_updated"] == sum(
        row.number for row in asked if row.outcome == "updated" and row.gold
    )
    assert told["all"]["kept"] < told["all"]["questions"], "Adler has another name, and is a key"
    assert [one["later"] for one in told["refreshes"]] == ["town_gsqa@2", "town_gsqa@3"]
    assert told["refreshes"][0]["days"] == 1.0
    assert told["refreshes"][1]["days"] == 2.0
    for fate in ("kept", "replaced", "retired"):
        assert told["refreshes"][1][fate] == last[fate]
        counts = {one["template"]: one[fate] for one in told["templates"]}
        assert {name: number for name, number in counts.items() if number} == {
            name: sum(row.number for row in asked if (row.template, row.outcome) == (name, fate))
            for name in counts
            if counts[name]
        }
    first, *_, most = told["templates"]
    assert first["kept"] / first["questions"] < most["kept"] / most["questions"] == 1
    with serving(settings) as address:
        assert httpx.get(f"{address}/v1/datasets/town_gsqa/churn").json() == told
        page = httpx.get(f"{address}/datasets/town_gsqa/churn")
    assert page.status_code == 200
    rows = re.findall(
        r'<tr data-template="(\w+)">.*?data-cell="kept"><data value="(\d+)">', page.text, re.DOTALL
    )
    assert rows == [(one["template"], str(one["kept"])) for one in told["templates"]]
    assert "Churn of" in page.text
    assert "was not refreshed" not in trigpoint(settings, "churn", "town_gsqa").out


def test_a_region_is_followed_by_its_changes(settings: Settings, source: Source) -> None:
    add_schedule(settings, "--keep-snapshots", "1", "--keep-comparisons", "0")
    told = run(settings)
    assert (told["result"], source.fetched(".pbf")) == ("nothing_new", 0)

    source.change(("Adler", "Zum Adler"))
    dry = run(settings, "--dry-run")
    assert (dry["result"], shown(settings)["stage"], source.fetched(".pbf")) == ("would_import", "idle", 0)
    source.publish_whole()
    told = run(settings)
    assert (told["result"], told["refresh"]["to"], source.fetched(".pbf")) == ("refreshed", "town_gsqa@2", 1)
    assert told["snapshot"] == f"toyland@{stamp(FIRST + 1)}"
    assert run(settings)["result"] == "nothing_new"

    source.change(("Krone", "Neue Krone"))
    source.change(("Zum Adler", "Schwarzer Adler"))
    told = run(settings)
    assert (told["result"], told["refresh"]["to"]) == ("refreshed", "town_gsqa@3")
    assert (source.fetched(".pbf"), source.fetched(".osc.gz")) == (1, 2), (
        "by changes alone, each fetched once"
    )
    assert told["refresh"]["rerun"] < sum(
        told["refresh"][one] for one in ("kept", "updated", "retired", "replaced")
    )
    check_churn(settings, told["refresh"])
    (kept,) = (settings.local_dir / "extracts" / "followed" / "toyland").glob("*.pbf")
    assert kept.name == f"toyland-{FIRST + 3}.osm.pbf"
    assert {"Neue Krone", "Schwarzer Adler"} <= names_of(kept)
    (map_,) = [one for one in trigpoint(settings, "snapshots", "--json").json["snapshots"] if one["newest"]]
    assert (map_["timestamp"], map_["replication_sequence"]) == (stamp(FIRST + 3), FIRST + 3)
    assert scalar(settings, "select count(*) from snapshot_comparison") == 0


@pytest.mark.long
def test_maps_that_no_version_needs_go(settings: Settings, source: Source) -> None:
    add_schedule(settings, "--keep-snapshots", "1")
    source.change(("Krone", "Neue Krone"))
    file = settings.local_dir / "between.osm.pbf"
    source.publish_whole()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(source.files[PBF])
    assert trigpoint(settings, "import", str(file), "--name", "toyland").status == 0
    between = f"toyland@{stamp(FIRST + 1)}"
    source.change(("Adler", "Zum Adler"))
    told = run(settings)
    assert told["dropped"] == [between], "the first map is needed by version 1"
    left = {one["snapshot"] for one in trigpoint(settings, "snapshots", "--json").json["snapshots"]}
    assert left == {f"toyland@{stamp(FIRST)}", f"toyland@{stamp(FIRST + 2)}"}


@pytest.mark.long
def test_gaps_halves_and_strangers(settings: Settings, source: Source) -> None:
    add_schedule(settings)
    source.change(("Adler", "Zum Adler"))
    source.publish_whole()
    assert run(settings)["result"] == "refreshed"

    change = source.change(("Krone", "Neue Krone"))
    source.halved.add(change)
    assert "by half" in run(settings, status=1)
    failed = shown(settings)
    assert (failed["result"], failed["stage"]) == ("failed", "found")
    assert run(settings)["refresh"]["to"] == "town_gsqa@3", "it is fetched again, and whole"

    del source.files[source.change(("Zum Adler", "Adlerhof"))]
    assert f"The change {FIRST + 3} is missing" in run(settings, status=1), "and the whole file is older"
    source.publish_whole()
    assert run(settings)["refresh"]["to"] == "town_gsqa@4", "the whole file helps over a gap"

    del source.files[source.change(("Adlerhof", "Adler"))]
    source.publish_whole(followed="/europe/otherland-updates")
    assert "another region's map" in run(settings, status=1)
    (settings.local_dir / "extracts" / "followed" / "toyland" / "toyland-latest.osm.pbf").unlink()
    source.regions = ("newland",)
    assert "'europe/toyland' is neither a file nor a region" in run(settings, status=2)
    assert scalar(settings, "select count(*) from dataset_version") == 4


def test_an_older_state_is_told(settings: Settings, source: Source) -> None:
    add_schedule(settings)
    source.sequence -= 2
    source.publish_state()
    told = run(settings)
    assert (told["result"], "is older than the map in use" in told["told"]) == ("nothing_new", True)
    source.files[f"{UPDATES}/state.txt"] = b"<html>busy</html>"
    assert "not a replication state" in run(settings, status=1)


@pytest.mark.long
def test_vandalism_is_held_until_somebody_decides(settings: Settings, source: Source) -> None:
    add_schedule(settings)
    gone = [name for name in ("Adler", "Krone") if f'v="{name}"' in source.xml]
    source.change(*((name, None) for name in gone))
    source.xml = source.xml.replace('k="amenity"', 'k="disused"')
    source.publish_whole()
    told = run(settings)
    assert (told["result"], "before" in told["told"]) == ("held", True), told
    assert run(settings)["result"] == "nothing_new", "the same state is not imported twice"
    assert scalar(settings, "select count(*) from snapshot where state = 'held'") == 1
    held = f"toyland@{stamp(FIRST + 1)}"
    assert trigpoint(settings, "snapshot", "publish", held).status == 0
    told = run(settings)
    assert (told["result"], told["snapshot"]) == ("refreshed", held)


def test_whoever_looks_second_finds_nothing_due(settings: Settings, source: Source) -> None:
    add_schedule(settings, "--window", "01-05")
    now = datetime.now(UTC) + timedelta(minutes=1)
    with connect(settings, Role.WORKER) as one, connect(settings, Role.WORKER) as other:
        assert ask_for_due(one, now) == ["daily"]
        assert ask_for_due(other, now) == []
        one.commit()
        other.commit()
        assert ask_for_due(other, now) == [], "it is due a day later"
        later = now + timedelta(days=3)
        assert ask_for_due(other, later) == [], "its job is not done yet"
        (found,) = list_schedules(other, later)
        assert 1 <= found.due_at.hour < 5
    assert scalar(settings, "select count(*) from job where kind = 'refresh_schedule'") == 1


def test_a_stall_is_told(settings: Settings, source: Source) -> None:
    add_schedule(settings)
    with connect(settings, Role.WORKER) as connection:
        (found,) = list_schedules(connection, datetime.now(UTC) + timedelta(hours=71))
        assert found.alarm is None
        (found,) = list_schedules(connection, datetime.now(UTC) + timedelta(hours=73))
    assert "nobody has looked since" in str(found.alarm)
    with connect(settings, Role.OWNER) as connection:
        connection.execute(text("update trigpoint.refresh_schedule set well_at = '2024-05-01T00:00:00Z'"))
        connection.commit()
    assert "ALARM: daily is stalled" in trigpoint(settings, "schedule", "list").err
    assert [one.state for one in check_schedules(settings)] == [State.WARN]
    with serving(settings) as address:
        (followed,) = httpx.get(f"{address}/v1/freshness").json()["schedules"]
        told = httpx.get(f"{address}/metrics").text
    assert (followed["schedule"], followed["stalled"]) == ("daily", True)
    assert "told" not in followed
    assert 'trigpoint_schedules{state="stalled"} 1.0' in told
    assert 'trigpoint_map_in_use_age_seconds{map="toyland"}' in told
    trigpoint(settings, "schedule", "pause", "daily")
    with connect(settings, Role.WORKER) as connection:
        (found,) = list_schedules(connection, datetime.now(UTC) + timedelta(hours=73))
    assert (found.alarm, found.paused) == (None, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--window", "05-05"), "is empty"),
        (("--window", "25-03"), "window"),
        (("--region", "../etc"), "region"),
        (("--dataset", "nothing"), "nothing"),
        (("--dataset", "town_gsqa@1"), "names a version"),
        (("--run", "rag:local"), "reads the map or the gold"),
        (("--run", "direct:nowhere"), "no endpoint 'nowhere'"),
        (("--run", "direct"), "SOLVER:ENDPOINT"),
        (("--cadence", "0"), "cadence_hours"),
    ],
    ids=[
        "empty",
        "no hours",
        "region",
        "no data set",
        "version",
        "reads",
        "endpoint",
        "no endpoint",
        "cadence",
    ],
)
def test_what_is_no_schedule(settings: Settings, options: tuple[str, str], message: str) -> None:
    given = {"--dataset": "town_gsqa", "--region": "europe/toyland"} | dict([options])
    words = [word for pair in given.items() for word in pair]
    done = trigpoint(settings, "schedule", "add", "other", *words)
    assert done.status == 2
    assert message in done.err.replace("\n", " ")


def test_names_that_are_taken_or_unknown(settings: Settings) -> None:
    add_schedule(settings)
    again = ("--dataset", "town_gsqa", "--region", "europe/toyland")
    assert "already" in trigpoint(settings, "schedule", "add", "daily", *again).err
    assert trigpoint(settings, "schedule", "remove", "daily").status == 0
    for command in ("show", "pause", "resume", "remove", "run"):
        assert "There is no schedule daily" in trigpoint(settings, "schedule", command, "daily").err
