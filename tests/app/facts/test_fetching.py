"""Wikidata over real HTTP on the loopback: politely asked, dated, cached, resumed; what is no fact is none."""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.core.clock import ManualClock
from app.core.errors import EndpointRefused, EndpointUnavailable, SettingsError
from app.core.polite_http import WAITS
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.facts.fetching import Fetched, fetch_facts
from app.facts.wikidata import WikidataClient
from app.questions.snapshots import find_snapshots
from tests.app.facts.wikidata_server import Wikidata, amount, item, serving_wikidata, statement, time
from tests.support.command_line import trigpoint
from tests.support.town import Map, import_map

NOW = datetime(2026, 1, 2, tzinfo=UTC)
METRE, FOOT, KILOGRAM = "Q11573", "Q3710", "Q11570"
MONTH = timedelta(days=30)
ITEMS = 120


@pytest.fixture(scope="module")
def imported(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """Museums with the items Q1 to Q120, two of one, and one whose tag is no item."""
    toy = Map()
    for number in [*range(1, ITEMS + 1), 1]:
        place = (round(10 + 0.001 * number, 7), 50.0)
        toy.node(place, tourism="museum", name=f"Museum {number}", wikidata=f"Q{number}")
    toy.node((10.0, 50.01), tourism="museum", name="Odd", wikidata="Q1;Q2")
    settings = make_database()
    import_map(settings, toy.write(tmp_path_factory.mktemp("items") / "items.osm"), "items")
    return settings


@pytest.fixture
def wikidata() -> Iterator[Wikidata]:
    with serving_wikidata() as server:
        server.claims = {f"Q{number}": {} for number in range(1, ITEMS + 1)}
        yield server


@pytest.fixture
def settings(imported: Settings, wikidata: Wikidata) -> Settings:
    with connect(imported, Role.WORKER) as connection:
        connection.execute(text("delete from fact"))
        connection.execute(text("delete from wikidata_item"))
        connection.commit()
    return imported.model_copy(update={"wikidata_url": wikidata.url, "contact": "tests@example.org"})


def fetch(settings: Settings, at: datetime = NOW, max_age: timedelta = MONTH) -> Fetched:
    with connect(settings, Role.WORKER) as connection:
        (found,) = find_snapshots(connection, ["items"])
        use_schema(connection, found.schema)
        client = WikidataClient(settings)
        return fetch_facts(connection, client, ManualClock(at), max_age, lambda done, total: None)


def facts(settings: Settings) -> dict[tuple[str, str], str]:
    with connect(settings, Role.WORKER) as connection:
        rows = connection.execute(text("select subject, attribute, value, unit from fact"))
        return {(row.subject, row.attribute): f"{row.value} {row.unit}".strip() for row in rows}


def test_items_are_asked_for_politely_in_batches(settings: Settings, wikidata: Wikidata) -> None:
    wikidata.claims["Q3"] = {"P571": [statement(time("+1984-05-06T00:00:00Z", 11))]}
    result = fetch(settings)
    assert (result.items, result.asked, result.unreadable, result.facts) == (ITEMS, ITEMS, 1, 1)
    assert [len(query["ids"].split("|")) for query in wikidata.asked] == [50, 50, 20]
    assert {query["maxlag"] for query in wikidata.asked} == {"5"}
    assert all(agent.startswith("trigpoint/") and "tests@example.org" in agent for agent in wikidata.agents)
    with connect(settings, Role.WORKER) as connection:
        (row,) = connection.execute(text("select * from fact")).mappings()
    assert row["value"] == "1984"
    assert row["source_url"] == f"{wikidata.url}/wiki/Q3"
    assert (row["licence"], row["retrieved_at"], row["credit"]) == ("CC0-1.0", NOW, "Wikidata")


@pytest.mark.parametrize(
    ("claims", "expected"),
    [
        ({"P571": [statement(time("+1984-00-00T00:00:00Z"))]}, {"start_year": "1984"}),
        ({"P571": [statement(time("+1984-00-00T00:00:00Z", 8))]}, {}),  # a decade
        ({"P571": [statement(time("-0050-00-00T00:00:00Z"))]}, {}),
        ({"P571": [statement(None)]}, {}),  # "unknown value"
        ({"P571": [statement(time("+1984-00-00T00:00:00Z")), statement(time("+1990-00-00T00:00:00Z"))]}, {}),
        (
            {
                "P571": [
                    statement(time("+1984-00-00T00:00:00Z")),
                    statement(time("+1984-05-00T00:00:00Z", 10)),
                ]
            },
            {"start_year": "1984"},  # the same year twice
        ),
        (
            {
                "P571": [
                    statement(time("+1984-00-00T00:00:00Z")),
                    statement(time("+1990-00-00T00:00:00Z"), rank="preferred"),
                ]
            },
            {"start_year": "1990"},
        ),
        ({"P571": [statement(time("+1984-00-00T00:00:00Z"), rank="deprecated")]}, {}),
        ({"P2048": [statement(amount("+12.5", METRE))]}, {"height": "12.5 m"}),
        ({"P2048": [statement(amount("+100", FOOT))]}, {"height": "30.48 m"}),
        ({"P2048": [statement(amount("+12.5", KILOGRAM))]}, {}),
        ({"P2048": [statement(amount("+12.5"))]}, {}),
        ({"P1083": [statement(amount("+0"))]}, {}),
        ({"P1083": [statement(amount("nan"))]}, {}),
        ({"P1083": [statement(amount("+120"))]}, {"capacity": "120"}),
        ({"P84": [statement(item("Q900"))]}, {"architect": "Hans Meier"}),
        ({"P84": [statement(item("Q901"))]}, {}),  # a label in no language that is read
        ({"P84": [statement(item("Q900")), statement(item("Q902"))]}, {}),  # two architects
        ({"P822": [statement("Bär [1]")]}, {"mascot": "Bär"}),
        ({"P822": [statement({"text": "nan", "language": "en"}, "monolingualtext")]}, {}),
        ({"P822": [{"rank": "normal"}, "odd", statement({"text": ["x"]})]}, {}),
        ({"P822": [statement("\u0000")]}, {}),
    ],
)
def test_what_a_statement_says(
    settings: Settings, wikidata: Wikidata, claims: dict[str, Any], expected: dict[str, str]
) -> None:
    wikidata.label("Q900", "Hans Meier", "H. Meier", "nan\u0000")
    wikidata.label("Q901", "Anna Beck", language="xx")
    wikidata.label("Q902", "Carl Beck")
    wikidata.claims["Q5"] = claims
    fetch(settings)
    assert facts(settings) == {("Q5", name): value for name, value in expected.items()}


def test_names_keep_their_aliases(settings: Settings, wikidata: Wikidata) -> None:
    wikidata.label("Q900", "Hans Meier", "H. Meier")
    wikidata.claims["Q5"] = {"P84": [statement(item("Q900"))]}
    fetch(settings)
    with connect(settings, Role.WORKER) as connection:
        assert connection.execute(text("select names from fact")).scalar_one() == ["Hans Meier", "H. Meier"]


def test_what_is_known_is_not_asked_again_until_it_is_old(settings: Settings, wikidata: Wikidata) -> None:
    wikidata.claims["Q5"] = {"P1083": [statement(amount("+120"))]}
    fetch(settings)
    asked = len(wikidata.asked)
    wikidata.claims["Q5"] = {"P1083": [statement(amount("+150"))]}
    later = fetch(settings, NOW + timedelta(days=29))
    assert (later.asked, later.cached, len(wikidata.asked)) == (0, ITEMS, asked)
    assert facts(settings) == {("Q5", "capacity"): "120"}
    renewed = fetch(settings, NOW + timedelta(days=31))
    assert renewed.asked == ITEMS
    assert facts(settings) == {("Q5", "capacity"): "150"}
    wikidata.claims["Q5"] = {}
    fetch(settings, NOW + timedelta(days=99))
    assert facts(settings) == {}


def test_a_fetch_that_broke_off_goes_on_with_the_rest(settings: Settings, wikidata: Wikidata) -> None:
    wikidata.script = [(200, {}, b""), (500, {}, b"")]
    with pytest.raises(EndpointRefused, match="HTTP 500"):
        fetch(settings)
    result = fetch(settings)
    assert (result.cached, result.asked) == (50, ITEMS - 50)


def test_absent_merged_and_impossible_items(settings: Settings, wikidata: Wikidata) -> None:
    del wikidata.claims["Q7"]
    wikidata.redirects["Q8"] = "Q700"
    wikidata.claims["Q700"] = {"P1083": [statement(amount("+8"))]}
    result = fetch(settings)
    assert result.absent == 1
    assert facts(settings) == {("Q8", "capacity"): "8"}


def test_one_impossible_item_does_not_cost_the_others(settings: Settings, wikidata: Wikidata) -> None:
    found = WikidataClient(settings).entities(["Q1", "Q4040", "Q2"], "claims")
    assert sorted(found) == ["Q1", "Q2"]


MAXLAG = json.dumps({"error": {"code": "maxlag", "info": "Waiting", "lag": 6.1}}).encode()


@pytest.mark.parametrize("busy", [(429, b""), (503, b""), (200, MAXLAG)])
def test_a_busy_server_is_waited_for(settings: Settings, wikidata: Wikidata, busy: tuple[int, bytes]) -> None:
    wikidata.script = [(busy[0], {"Retry-After": "1"}, busy[1])]
    assert fetch(settings).asked == ITEMS
    assert wikidata.asked[0] == wikidata.asked[1]


def test_a_server_that_asks_for_an_hour_is_left_alone(settings: Settings, wikidata: Wikidata) -> None:
    wikidata.script = [(429, {"Retry-After": "3600"}, b"")]
    with pytest.raises(EndpointUnavailable, match="later"):
        fetch(settings)
    assert len(wikidata.asked) == 1 < WAITS


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"<html>", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"[]", "not a JSON object"),
        (b"{}", "says nothing of"),
        (b'{"entities": {"Q1": 1}}', "says nothing of"),
        (b'{"error": {"code": "badvalue"}}', "refuses the request"),
        (b'{"error": "odd"}', "refuses the request"),
    ],
)
def test_odd_answers_are_said(settings: Settings, wikidata: Wikidata, body: bytes, fault: str) -> None:
    wikidata.script = [(200, {}, body)]
    with pytest.raises(EndpointRefused, match=fault):
        fetch(settings)
    assert facts(settings) == {}


def test_nobody_asks_without_saying_who(settings: Settings) -> None:
    with pytest.raises(SettingsError, match="TRIGPOINT_CONTACT"):
        WikidataClient(settings.model_copy(update={"contact": None}))
    with pytest.raises(SettingsError, match="TRIGPOINT_WIKIDATA_URL"):
        WikidataClient(settings.model_copy(update={"wikidata_url": "file:///etc"}))
    with pytest.raises(EndpointUnavailable, match="cannot be reached"):
        WikidataClient(settings.model_copy(update={"wikidata_url": "http://127.0.0.1:1"})).entities(
            ["Q1"], "claims"
        )


def test_the_command_says_what_it_did(settings: Settings, wikidata: Wikidata, tmp_path: Path) -> None:
    wikidata.claims["Q5"] = {"P1083": [statement(amount("+120"))], "P571": [statement(None)]}
    arguments = ["facts", "fetch", "--snapshot", "items", "--json"]
    environment = {"TRIGPOINT_WIKIDATA_URL": wikidata.url, "TRIGPOINT_CONTACT": "tests@example.org"}
    done = trigpoint(settings, *arguments, **environment)
    assert done.status == 0, done.err
    said = done.json
    assert (said["asked"], said["facts"], said["refused"], said["requests"]) == (ITEMS, 1, 1, 3)
    without = trigpoint(settings, *arguments, TRIGPOINT_CONTACT="")
    assert without.status == 2
    assert "TRIGPOINT_CONTACT" in without.err
