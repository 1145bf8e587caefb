"""Every statement of the tools finds its rows by an index: none reads a large table of the map whole (Liechtenstein)."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Row, TextClause, text

from app.agent_tools import queries_around, scope
from app.agent_tools.calling import call_tool
from app.core.settings import Role
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.routing.routers import Routers
from tests.support.routers import own_routers
from tests.support.town import Imported

LARGE = {"poi", "poi_class", "poi_area", "water", "road", "aoi", "address", "road_node", "search_name", "street_name",
         "poi_address", "road_edge"}  # fmt: skip
HERE = "47.14,9.52"
CALLS: Sequence[tuple[str, dict[str, Any]]] = (
    ("place_search", {"query": "Kunstmuseum, Vaduz"}),
    ("place_search", {"query": "Kunstmusem, Vaduz", "near": HERE, "region": "Vaduz"}),
    ("place_search", {"query": "Städtle 5, Vaduz", "near": HERE}),
    ("place_search", {"query": "Landstrase", "region": "Schaan"}),
    ("reverse_geocode", {"where": HERE}),
    ("place_details", {"place": "w28712148"}),
    ("nearby", {"where": HERE, "type": "restaurant"}),
    (
        "nearby",
        {"where": "w28712148", "type": "restaurant", "radius_m": 500, "attributes": {"cuisine": "pizza"}},
    ),
    ("nearby", {"where": HERE, "type": "park", "limit": 1}),
    ("nearby", {"where": HERE, "type": "river", "limit": 1}),
    ("nearby", {"where": HERE, "keyword": "pizza", "radius_m": 500}),
    ("distance", {"origin": HERE, "destination": "r1155956"}),
    ("area_of", {"place": "r1155956"}),
    ("places_in", {"area": "r1155956", "type": "cafe"}),
    ("intersection_of", {"street": "Landstrasse", "other": "Bahnhofstrasse"}),
    ("directions", {"origin": HERE, "destination": "w28712148"}),
    ("directions", {"origin": HERE, "destination": "47.22,9.52", "mode": "foot"}),
)


class Explained:
    """Takes the place of Scope.rows: notes which tables the plan of each statement reads whole."""

    def __init__(self) -> None:
        self.whole: list[tuple[str, str]] = []
        self.statements = 0

    def rows(self, asked: scope.Scope, statement: TextClause, binds: Mapping[str, Any]) -> Sequence[Row[Any]]:
        connection: Connection = asked._connection
        if statement is not queries_around.ALL_CLASSES:
            self.statements += 1
            plan = connection.execute(
                text(f"explain (format json) {statement.text}"), dict(binds)
            ).scalar_one()
            scans = [node for node in nodes(plan[0]["Plan"]) if node["Node Type"] == "Seq Scan"]
            self.whole += [(node["Relation Name"], statement.text[:200]) for node in scans]
        return connection.execute(statement, dict(binds)).all()


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for child in plan.get("Plans", []):
        yield from nodes(child)


@pytest.mark.parametrize(
    ("tool", "arguments"), CALLS, ids=[f"{number}-{tool}" for number, (tool, _) in enumerate(CALLS)]
)
def test_no_large_table_is_read_whole(
    liechtenstein: Imported,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tool: str,
    arguments: dict[str, Any],
) -> None:
    explained = Explained()
    monkeypatch.setattr(
        scope.Scope, "rows", lambda self, statement, binds: explained.rows(self, statement, binds)
    )
    with (
        own_routers(liechtenstein.settings, tmp_path) as own,
        connect(own, Role.MAINTAINER) as connection,
    ):
        (snapshot,) = find_snapshots(connection, ["liechtenstein"])
        call_tool(connection, snapshot, Routers(own), tool, arguments)
    assert explained.statements
    assert not [one for one in explained.whole if one[0] in LARGE]
