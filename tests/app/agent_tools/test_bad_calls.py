"""Calls that cannot be answered: one clear sentence each, and the next call works."""

from typing import Any

import pytest
from sqlalchemy import text

from app.agent_tools.calling import call_tool
from app.agent_tools.errors import ToolError
from app.agent_tools.registry import UNAVAILABLE, all_tools
from app.core.settings import Role
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.app.agent_tools.conftest import Call
from tests.support.town import Imported

HERE = "50.0,10.0"
TIME = "2024-05-03T12:00"
LONG = "A" * 1_000_000

BAD: list[tuple[str, dict[str, Any], str]] = [
    ("teleport", {}, "There is no tool 'teleport'. The tools are: place_search, "),
    (LONG, {}, "There is no tool 'AAAA"),
    ("ratings", {}, "ratings is unavailable. OpenStreetMap holds no ratings"),
    ("nearby", {"where": HERE, "kind": "cafe"}, "there is no argument 'kind'. The arguments are: where, type,"),
    ("nearby", {"type": "cafe"}, "nearby: the argument where is missing."),
    ("nearby", {"where": HERE}, "nearby: give either a type or a keyword."),
    ("nearby", {"where": HERE, "type": "cafe", "keyword": "x"}, "give either a type or a keyword"),
    ("nearby", {"where": HERE, "type": "spaceport"}, "The map has no place of the type 'spaceport'."),
    ("nearby", {"where": HERE, "type": "cafe", "radius_m": 1e9}, "'radius_m' was '1000000000.0': input should be less"),
    ("nearby", {"where": HERE, "type": "cafe", "radius_m": float("nan")}, "'radius_m' was 'nan'"),
    ("nearby", {"where": HERE, "type": "cafe", "radius_m": -1}, "'radius_m' was '-1'"),
    ("nearby", {"where": HERE, "type": "cafe", "limit": 1000}, "'limit' was '1000'"),
    ("nearby", {"where": HERE, "type": "cafe", "attributes": {"capacity": "40"}}, "the attributes are access, "),
    ("nearby", {"where": "nan,nan", "type": "cafe"}, "write the id of a place, such as n123, or a point as"),
    ("nearby", {"where": "Café Élan", "type": "cafe"}, "write the id of a place, such as n123, or a point as"),
    ("nearby", {"where": "10.0,50.0", "type": "cafe"}, "10, 50 lies outside of the map, but 50, 10 lies in it: the two"),
    ("distance", {"origin": "10.0,50.0", "destination": HERE}, "the two numbers are swapped. Latitude comes first."),
    ("reverse_geocode", {"where": "120.5,45.0"}, "the two seem to be swapped: latitude comes first"),
    ("reverse_geocode", {"where": "95,200"}, "a latitude is at most 90 and a longitude at most 180 degrees"),
    ("reverse_geocode", {"where": "40,10"}, "40, 10 lies outside of the map tools@2024-05-06T07:08:09Z, which reaches from"),
    ("place_details", {"place": "n999999"}, "has no place n999999. Ids of other maps do not count here"),
    ("place_details", {"place": "n1; drop table poi"}, "write the id of a place, such as n123; place_search finds ids"),
    ("place_search", {"query": LONG}, "'query' was 'AAAA"),
    ("place_search", {"query": ""}, "'query' was ''"),
    ("place_search", {"query": "a\x00b"}, "a text must not hold control characters"),
    ("place_search", {"query": "..."}, "a text must hold a letter or a digit"),
    ("place_search", {"query": "x", "region": "Atlantis"}, "The map has no region that is called 'Atlantis'."),
    ("place_search", {"query": 5}, "'query' was '5': write a text"),
    ("bearing", {"origin": HERE, "destination": HERE}, "The two ends are the same point"),
    ("bearing", {"origin": HERE, "destination": "50.1,10", "names": 5}, "'names' was '5': input should be 4, 8 or 16"),
    ("move", {"origin": HERE, "direction": "up", "distance_m": 1}, "write degrees from 0 to 360, or the name of a dir"),
    ("move", {"origin": HERE, "direction": "nan", "distance_m": 1}, "write degrees from 0 to 360"),
    ("move", {"origin": HERE, "direction": "N", "distance_m": float("inf")}, "'distance_m' was 'inf'"),
    ("intersection_of", {"street": "Ring", "other": "Xyzzy"}, "The map has no street that is called 'Xyzzy'."),
    ("open_at", {"time": TIME}, "give a place or opening_hours"),
    ("open_at", {"opening_hours": "x" * 1001, "time": TIME}, "'opening_hours' was 'xxx"),
    ("open_at", {"opening_hours": "24/7", "time": "noon"}, "write a local time as 2024-05-31T14:30"),
    ("open_at", {"opening_hours": "24/7", "time": "2024-05-31T14:30Z"}, "without a time zone"),
    ("open_at", {"opening_hours": "24/7", "time": "9999-05-31T14:30"}, "the year must be 1950 to 2100"),
    ("hours_overlap", {"places": ["n1"], "start": TIME, "end": TIME}, "'places' was"),
    ("hours_overlap", {"places": ["n1", "n2"], "start": TIME, "end": TIME}, "the end must be later than the start"),
    ("place_search", {"query": None}, "'query' was 'null': write a text"),
    ("hours_overlap", {"places": [], "start": TIME, "end": TIME}, "'places' was '[]': give at least 2."),
    ("plan_trip", {"start": HERE, "stops": [True], "start_time": TIME}, "write an object"),
    ("open_at", {"opening_hours": "Mo-Fr 8am-5pm", "time": TIME}, "no opening hours as OpenStreetMap writes them"),
    ("calculator", {"expression": "sqrt(-4)"}, "sqrt takes no negative number: it has no square root."),
    ("calculator", {"expression": "sqrt(4, 9)"}, "sqrt takes 1 number, and here it has 2."),
    ("calculator", {"expression": "2^3"}, "A power is written with **, not with ^: 2**3."),
    ("calculator", {"expression": "1#c"}, "A calculation has no comments: leave out '#'"),
    ("calculator", {"expression": "9**9**9"}, "a number is too large"),
    ("calculator", {"expression": "abs(" * 40 + "1" + ")" * 40}, "nested more than 30 deep"),
    ("calculator", {"expression": "__import__('os').system('x')"}, "A calculation may have numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "arguments", "said"), BAD, ids=range(len(BAD)))
def test_a_bad_call_is_one_clear_sentence(
    call: Call, tool: str, arguments: dict[str, Any], said: str
) -> None:
    with pytest.raises(ToolError) as raised:
        call(tool, **arguments)
    message = str(raised.value)
    assert said in message
    assert len(message) < 1_000
    assert "\n" not in message
    assert call("calculator", expression="1 + 1").value == 2


@pytest.mark.parametrize(
    "words", ["'; drop table poi; --", "%", "\\", "_" * 50 + "a", "☃a", "😀 a", "a\u202eb"]
)
def test_any_words_are_only_words(call: Call, words: str) -> None:
    for tool, arguments in (
        ("place_search", {"query": f"{words}x"}),
        ("place_search", {"query": f"x, {words}x, {words}y"}),
        ("nearby", {"where": HERE, "keyword": f"{words}x"}),
        ("intersection_of", {"street": f"{words}x", "other": "Ring"}),
    ):
        try:
            call(tool, **arguments)
        except ToolError as error:
            assert "control characters" in str(error) or "no street" in str(error)  # noqa: PT017


def test_a_tool_changes_nothing_and_leaves_no_transaction(tool_town: Imported) -> None:
    with connect(tool_town.settings, Role.MAINTAINER) as connection:
        (snapshot,) = find_snapshots(connection, ["tools"])
        call_tool(connection, snapshot, Routers(tool_town.settings), "place_search", {"query": "Krone"})
        assert not connection.in_transaction()
        assert connection.execute(text("show statement_timeout")).scalar_one() == "0"
        assert connection.execute(text("show transaction_read_only")).scalar_one() == "off"


def test_a_statement_that_takes_too_long_is_ended(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "app.agent_tools.reversing.around.NEAREST_DOOR",
        text("select count(*) from generate_series(1, 1000000000)"),
    )
    with pytest.raises(ToolError, match="took more than 2 seconds") as raised:
        call("reverse_geocode", where=HERE)
    assert raised.value.kind == "too_slow"
    assert call("nearby", where=HERE, type="cafe").places


def test_a_map_without_search_names_says_what_to_do(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.agent_tools.searching.queries.NAMES", text("select 1 from search_name_of_old"))
    with pytest.raises(ToolError, match=r"Import its extract again with `trigpoint import`\.") as raised:
        call("place_search", query="Krone")
    assert raised.value.kind == "unavailable"
    assert call("nearby", where=HERE, type="cafe").places


def test_names_of_tools_and_of_what_is_unavailable_differ() -> None:
    assert not set(UNAVAILABLE) & set(all_tools())
