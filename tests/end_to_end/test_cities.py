"""Two municipalities of Liechtenstein as cities: fetched from a server on the loopback, cut, asked about, proved."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import shapely

from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.questions.picking import open_space
from app.questions.second_path import Layers
from app.questions.snapshots import find_snapshots
from app.templates.catalogue import find_benchmark
from tests.support.command_line import Done, export, lines, trigpoint
from tests.support.http_server import Answer, Request, serving_http
from tests.support.second_path import answer

pytestmark = pytest.mark.long
PBF = "/europe/liechtenstein-latest.osm.pbf"
DATE = "2022-07-24"
CITIES = "".join(
    f'[{key}]\nname = "{key.title()}"\ncountry = "Liechtenstein"\nregion = "europe/liechtenstein"\nboundary = "{boundary}"\n'
    for key, boundary in (("vaduz", "r1155956"), ("schaan", "r1155952"))
)


class Journey:
    """A database, a server with one map, and the commands of somebody who wants questions about two cities."""

    def __init__(self, settings: Settings, superuser: str, asked: Counter[str]) -> None:
        self.settings, self.superuser, self.asked = settings, superuser, asked

    def run(self, *arguments: str) -> Done:
        """`trigpoint …`, with the server and the cities in its environment."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TRIGPOINT_GEOFABRIK_URL", self.settings.geofabrik_url)
            patch.setenv("TRIGPOINT_LOCAL_DIR", str(self.settings.local_dir))
            patch.setenv("TRIGPOINT_CITIES_FILE", str(self.settings.cities_file))
            return trigpoint(self.settings, *arguments)

    def query(self, statement: str) -> list[Any]:
        """Rows, as superuser."""
        with psycopg.connect(self.superuser) as connection:
            return connection.execute(statement.encode()).fetchall()

    def schema(self, name: str) -> str:
        """Of the newest snapshot of a name."""
        found: str = self.query(
            f"select schema_name from trigpoint.snapshot where name = '{name}' and state = 'published' order by id desc"
        )[0][0]
        return found


@pytest.fixture(scope="module")
def journey(
    make_database: Callable[[], Settings],
    superuser_of: Callable[[Settings], str],
    extracts: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Journey]:
    file = extracts / "liechtenstein-2022-07-24.osm.pbf"
    if not file.is_file():
        pytest.skip(f"{file} is absent")
    body = file.read_bytes()
    url = "https://download.geofabrik.de" + PBF
    index = {"features": [{"properties": {"id": "liechtenstein", "urls": {"pbf": url}}}]}
    files = {
        "/index-v1-nogeom.json": json.dumps(index).encode(),
        PBF: body,
        PBF + ".md5": hashlib.md5(body, usedforsecurity=False).hexdigest().encode(),
    }
    asked: Counter[str] = Counter()

    def answer(request: Request) -> Answer:
        asked[request.path] += 1
        found = files.get(request.path)
        return Answer(404, {}, b"") if found is None else Answer(200, {}, found)

    folder = tmp_path_factory.mktemp("cities")
    (folder / "cities.toml").write_text(CITIES)
    with serving_http(answer) as server:
        changes = {
            "geofabrik_url": server,
            "local_dir": folder / "local",
            "cities_file": folder / "cities.toml",
        }
        settings = make_database().model_copy(update=changes)
        journey = Journey(settings, superuser_of(settings), asked)
        options = ("--out", "towns", "--bank", "3", "--per-template", "3", "--json")
        done = journey.run("generate", "urban_knowledge", "--cities", "vaduz,schaan", *options)
        assert done.status == 0, done.err
        assert [one.split("@")[0] for one in done.json["snapshots"]] == ["vaduz", "schaan"]
        assert asked[PBF] == 1
        yield journey


def test_every_question_is_proved(journey: Journey) -> None:
    checked = journey.run("verify", "towns", "--json")
    assert (checked.status, checked.json["failures"]) == (0, []), checked.err
    assert checked.json["questions"] > 20
    assert checked.json["second_path"] == {"agree": checked.json["questions"], "differ": 0}
    assert checked.json["distractors"]["checked"] > 60


def test_the_version_is_made_again_to_the_byte(journey: Journey) -> None:
    again = journey.run("reproduce", "towns", "--json")
    assert (again.status, again.json["identical"]) == (0, True), again.err


def test_the_same_command_asks_nobody_and_adds_nothing(journey: Journey) -> None:
    journey.asked.clear()
    options = ("--out", "towns", "--bank", "3", "--per-template", "3")
    done = journey.run("generate", "urban_knowledge", "--cities", "vaduz,schaan", *options)
    assert (done.status, "towns@1 was made by this recipe already" in done.err) == (0, True), done.err
    assert journey.asked == {}


def test_both_cities_are_asked_about(journey: Journey, tmp_path: Path) -> None:
    maps = Counter(
        one["snapshots"][0]["snapshot"].split("@")[0]
        for one in lines(export(journey.settings, "towns", tmp_path))
    )
    assert set(maps) == {"vaduz", "schaan"}
    assert min(maps.values()) > 10


def test_a_city_stays_as_long_as_a_version_needs_it(journey: Journey) -> None:
    kept = journey.run("snapshot", "drop", "vaduz")
    assert (kept.status, "towns@1 uses it" in kept.err) == (1, True)
    gone = journey.run("snapshot", "drop", "geofabrik_liechtenstein")
    assert gone.status == 0, gone.err
    assert journey.run("verify", "towns", "--json").status == 0, "the cities stand on their own"
    again = journey.run(
        "generate", "urban_knowledge", "--cities", "vaduz", "--out", "one", "--bank", "1", "--json"
    )
    assert again.status == 0, again.err
    whole = journey.run("import", "europe/liechtenstein", "--name", "geofabrik_liechtenstein", "--json")
    assert whole.status == 0, whole.err


def test_areas_that_reach_beyond_the_city_are_not_compared(journey: Journey) -> None:
    """Neither offered, nor, if they were, accepted: nobody counted what they hold beyond."""
    city = journey.schema("vaduz")
    crossing, *whole = [
        row[0]
        for row in journey.query(
            f"select osm_key from {city}.aoi order by at_edge desc, area_m2 desc limit 4"
        )
    ]
    benchmark = find_benchmark("urban_knowledge")
    with connect(journey.settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["vaduz"])
        use_schema(connection, snapshot.schema)
        for template in ("Compare_Area_Size", "Compare_POI_Count", "Compare_Type_Diversity"):
            space = open_space(connection, benchmark.templates[template], 0, snapshot.outline)
            assert crossing not in {pick.value for pick in space.choices["aois"]}
        assert snapshot.outline is not None
        layers = Layers(connection, snapshot.schema, bytes.fromhex(snapshot.outline))
        found = answer(layers, "Compare_POI_Count", {"aois": sorted([crossing, *whole]), "rank": "largest"})
        assert found.refusal == "leaves_outline"


def test_layers_hold_what_shapely_finds(journey: Journey) -> None:
    """Every row by a second way: shapely on the whole map's rows, without an index."""
    parent, city = journey.schema("geofabrik_liechtenstein"), journey.schema("vaduz")
    outline = shapely.from_wkb(
        bytes(
            journey.query(f"select ST_AsBinary(geom) from {parent}.region where osm_key = 'r1155956'")[0][0]
        )
    )
    shapely.prepare(outline)

    def keys(schema: str, layer: str) -> set[str]:
        return {row[0] for row in journey.query(f"select osm_key from {schema}.{layer}")}

    def rows(layer: str) -> list[tuple[str, Any]]:
        found = journey.query(f"select osm_key, ST_AsBinary(geom) from {parent}.{layer}")
        return [(key, shapely.from_wkb(bytes(wkb))) for key, wkb in found]

    assert keys(city, "poi") == {key for key, place in rows("poi") if outline.covers(place)}
    assert keys(city, "road") == {key for key, way in rows("road") if outline.intersects(way)}
    for layer in ("aoi", "park", "water", "region"):
        expected = {
            key
            for key, shape in rows(layer)
            if outline.intersects(shape)
            and (shapely.get_dimensions(shape) < 2 or outline.intersection(shape).area > 1e-14)
        }
        assert keys(city, layer) == expected, layer
        assert expected
    ways = {int(key[1:]) for key in keys(city, "road")}
    shared = {
        node: sorted(ways & set(way_ids))
        for node, way_ids in journey.query(f"select node_id, way_ids from {parent}.road_node")
        if len(ways & set(way_ids)) > 1
    }
    found = journey.query(f"select node_id, way_ids from {city}.road_node")
    assert {node: sorted(way_ids) for node, way_ids in found} == shared


def test_places_keep_their_addresses(journey: Journey) -> None:
    parent, city = journey.schema("geofabrik_liechtenstein"), journey.schema("vaduz")
    same = f"select count(*) from {city}.poi_address inner join {parent}.poi_address using (osm_key, source, address_key, distance_m)"
    of_own = f"select count(*) from {city}.poi_address inner join {parent}.poi_address using (osm_key, source) where {city}.poi_address.address_key is null and {parent}.poi_address.address_key is null"
    total = journey.query(f"select count(*) from {city}.poi_address")[0][0]
    assert (
        journey.query(same)[0][0] + journey.query(of_own)[0][0]
        == total
        == len(journey.query(f"select osm_key from {city}.poi"))
    )
