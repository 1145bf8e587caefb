"""What changed between two maps: hand-made edits of the town, random edit scripts, refusals, and two real maps."""

import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import osmium
import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.clock import ManualClock
from app.core.errors import Conflict, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from osm_import.comparing import MOVED_METRES, Comparison, compare_snapshots
from osm_import.importing import import_extract
from osm_import.keeping import drop_snapshot
from osm_import.progress import Silent
from tests.support.command_line import trigpoint
from tests.support.town import TIMESTAMP, Map, make_town, offset, write_poly

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
BOX = (9, 47, 9.01, 47.01)
LATER = "2025-01-02T03:04:05Z"


def load(database: Settings, file: Path, name: str, **options: Any) -> str:
    return import_extract(database, str(file), name, ManualClock(NOW), Silent(), **options).reference


def compare(database: Settings, old: str, new: str) -> Comparison:
    return compare_snapshots(database, old, new, ManualClock(NOW))


CHANGES = """
select layer, osm_key, kinds, old_class, new_class, classes, names, ST_AsText(area), ST_Area(area::geography)
from trigpoint.snapshot_change
where comparison_id = %(id)s
order by layer, osm_key
"""


def changes_of(database: Settings, done: Comparison) -> dict[tuple[str, str], Any]:
    """Each changed object by layer and key."""
    with connect(database, Role.WORKER) as connection:
        rows = connection.exec_driver_sql(CHANGES, {"id": done.id}).all()
    return {(row[0], row[1]): row for row in rows}


def kinds_of(database: Settings, done: Comparison) -> dict[tuple[str, str], list[str]]:
    return {key: row.kinds for key, row in changes_of(database, done).items()}


# --- the town, with an edit of each kind ----------------------------------------------------------------------------


class Edited:
    """The town's file, to be edited by hand."""

    def __init__(self, town: Map) -> None:
        self.town = town
        self.root = ET.fromstring(town.xml().replace(TIMESTAMP, LATER))  # noqa: S314 - our own town

    def find(self, key: str) -> ET.Element:
        kind = {"n": "node", "w": "way", "r": "relation"}[key[0]]
        (found,) = [one for one in self.root.findall(kind) if one.get("id") == key[1:]]
        return found

    def remove(self, key: str) -> None:
        self.root.remove(self.find(key))

    def move(self, key: str, azimuth: float, metres: float) -> None:
        node = self.find(key)
        place = offset((float(node.attrib["lon"]), float(node.attrib["lat"])), azimuth, metres)
        node.set("lon", f"{place[0]:.7f}")
        node.set("lat", f"{place[1]:.7f}")

    def tag(self, key: str, **tags: str) -> None:
        there = self.find(key)
        for name, value in tags.items():
            for old in [one for one in there.findall("tag") if one.get("k") == name]:
                there.remove(old)
            ET.SubElement(there, "tag", k=name, v=value)

    def corners(self, way: str) -> list[str]:
        return list(dict.fromkeys("n" + nd.attrib["ref"] for nd in self.find(way).findall("nd")))

    def write(self, path: Path) -> Path:
        ET.ElementTree(self.root).write(path, encoding="utf-8", xml_declaration=True)
        write_poly(path, self.town.box)
        return path


@pytest.fixture(scope="module")
def town(module_database: Settings, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Edited]:
    made = make_town()
    file = made.write(tmp_path_factory.mktemp("town") / "town.osm")
    return load(module_database, file, "town"), Edited(make_town())


def test_every_kind_of_edit_in_the_town(
    town: tuple[str, Edited], module_database: Settings, tmp_path: Path
) -> None:
    old, edited = town
    key = edited.town.names
    edited.remove(key["Krone"])
    edited.move(key["Adler"], 90, 0.5)
    edited.tag(key["Beta One"], name="Beta Uno")
    edited.tag(key["Beta Snack One"], amenity="cafe")
    edited.move(key["Beta Two"], 0, 40)
    edited.tag(key["Beta Two"], cuisine="greek")
    edited.find(key["Gamma Inn"]).set("version", "7")
    edited.find(key["Park One"]).set("version", "2")
    edited.move(edited.corners(key["Park One"])[0], 0, 3)
    for corner in edited.corners(key["Small Quad"]):
        edited.move(corner, 90, MOVED_METRES + 5)
    new = load(module_database, edited.write(tmp_path / "new.osm"), "town")
    done = compare(module_database, old, new)

    found = changes_of(module_database, done)
    assert {one: row.kinds for one, row in found.items()} == {
        ("poi", key["Krone"]): ["removed"],
        ("poi", key["Adler"]): ["moved"],
        ("poi", key["Beta One"]): ["retagged"],
        ("poi", key["Beta Snack One"]): ["retagged"],
        ("poi", key["Beta Two"]): ["moved", "retagged"],
        ("park", key["Park One"]): ["reshaped"],
        ("park", key["Small Quad"]): ["moved"],
        # named parks are areas of interest and places too; a place is a point on the area's surface
        ("aoi", key["Park One"]): ["reshaped"],
        ("aoi", key["Small Quad"]): ["moved"],
        ("poi", key["Park One"]): ["moved"],
        ("poi", key["Small Quad"]): ["moved"],
    }
    snack = found["poi", key["Beta Snack One"]]
    assert (snack.old_class, snack.new_class) == ("fast_food", "cafe")
    assert {"cafe", "fast_food"} <= set(snack.classes)
    assert found["poi", key["Beta One"]].names == ["Beta One", "Beta Uno"]
    assert found["poi", key["Adler"]].st_astext.startswith("MULTIPOINT")
    # the quad is 200 m square, and its ground reaches 15 m further
    assert found["park", key["Small Quad"]].st_area == pytest.approx(200 * 215, rel=0.001)
    assert done.counts["poi"]["cafe"]["retagged"] == 1
    assert (done.counts["poi"]["fast_food"]["old"] - done.counts["poi"]["fast_food"]["new"]) == 1
    layer = done.by_layer()["poi"]
    assert (layer["changed"], layer["removed"], layer["moved"], layer["retagged"]) == (7, 1, 4, 3)
    assert layer["old"] - 1 == layer["new"]
    assert done.suspicious == []


# --- random edit scripts: what was edited is what is reported -------------------------------------------------------

PLACES = [f"n{500 + i}" for i in range(8)]
DOCKS = [f"w{600 + i}" for i in range(4)]
ROADS = [f"w{700 + i}" for i in range(4)]
LAYER = {**dict.fromkeys(PLACES, "poi"), **dict.fromkeys(DOCKS, "water"), **dict.fromkeys(ROADS, "road")}
POINT_EDITS = ("none", "version", "removed", "moved", "named", "tagged", "reclassed", "moved+tagged")
DRAWN_EDITS = (*POINT_EDITS, "reshaped", "reshaped+named")
KINDS = {"none": [], "version": [], "named": ["retagged"], "tagged": ["retagged"], "reclassed": ["retagged"]}
EDGE_KINDS = {
    **{key: [] for key in ("none", "version", "tagged")},
    **{key: ["reshaped"] for key in ("moved", "moved+tagged", "reshaped")},
    **{key: ["retagged"] for key in ("named", "reclassed")},
    "reshaped+named": ["retagged", "reshaped"],
    "removed": ["removed"],
}
"""What an edit of a road changes in the road network."""
KINDS |= {"moved+tagged": ["moved", "retagged"], "reshaped+named": ["retagged", "reshaped"]}
CLASSES = {
    "poi": ("amenity=cafe", "amenity=bank"),
    "water": ("waterway=dock", "waterway=riverbank"),
    "road": ("highway=residential", "highway=service"),
}


def draw(key: str, edit: str) -> list[str]:
    """The OPL lines of one object after an edit; nodes of its own, so that no other object changes with it."""
    if edit == "removed":
        return []
    layer, number = LAYER[key], int(key[1:])
    east = 9 + (number % 100 + 1) / 2000 + (0.0003 if "moved" in edit else 0)
    north = 47 + number / 100_000
    klass = CLASSES[layer]["reclassed" in edit]
    name = f"New{number}" if "named" in edit else f"Old{number}"
    tags = f"T{klass},name={name}" + (",note=x" if "tagged" in edit else "")
    version = "v9" if edit == "version" else "v1"
    if layer == "poi":
        return [f"{key} {version} x{east:.7f} y{north:.7f} {tags}"]
    # the corner that is drawn anew is two metres away
    corners = [(0, 0), (0.0001, 0), (0.0001, 0.0001 + (0.00002 if "reshaped" in edit else 0))]
    refs = [f"n{number * 10 + i}" for i in range(3)]
    nodes = [
        f"{ref} {version} x{east + x:.7f} y{north + y:.7f}" for ref, (x, y) in zip(refs, corners, strict=True)
    ]
    closed = refs[:1] if layer == "water" else []
    return [*nodes, f"{key} {version} {tags} N{','.join(refs + closed)}"]


scripts = st.fixed_dictionaries(
    {key: st.sampled_from(POINT_EDITS if key in PLACES else DRAWN_EDITS) for key in LAYER}
)
names = (f"edit{number}" for number in count())


@pytest.fixture(scope="module")
def write_script(tmp_path_factory: pytest.TempPathFactory) -> Callable[[dict[str, str], str], Path]:
    folder = tmp_path_factory.mktemp("scripts")

    def write(script: dict[str, str], timestamp: str) -> Path:
        lines = [line for key, edit in script.items() for line in draw(key, edit)]
        # one place that no script touches
        lines.append("n499 v1 x9.009 y47.009 Tamenity=cafe,name=Stays")
        ordered = sorted(lines, key=lambda line: ("nwr".index(line[0]), int(line.split()[0][1:])))
        header = osmium.io.Header()
        header.set("osmosis_replication_timestamp", timestamp)
        header.add_box(osmium.osm.Box(*BOX))
        target = folder / "map.osm.pbf"
        data = ("\n".join(ordered) + "\n").encode()
        with osmium.SimpleWriter(str(target), header=header, overwrite=True) as writer:
            for entity in osmium.FileProcessor(osmium.io.FileBuffer(data, "opl")):
                writer.add(entity)
        return target

    return write


@pytest.fixture(scope="module")
def base(write_script: Callable[..., Path], module_database: Settings) -> str:
    return load(module_database, write_script(dict.fromkeys(LAYER, "none"), "2024-05-06T07:08:09Z"), "base")


@pytest.mark.long
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(script=scripts)
def test_what_was_edited_is_what_is_reported(
    script: dict[str, str], base: str, write_script: Callable[..., Path], module_database: Settings
) -> None:
    new = load(module_database, write_script(script, "2024-05-07T07:08:09Z"), next(names))
    done = compare(module_database, base, new)
    expected = {(LAYER[key], key): KINDS.get(edit, [edit]) for key, edit in script.items()}
    expected |= {("road_edge", key): EDGE_KINDS[script[key]] for key in ROADS}
    assert kinds_of(module_database, done) == {key: kinds for key, kinds in expected.items() if kinds}
    for layer, counts in done.by_layer().items():
        told = [kinds for (of, _), kinds in expected.items() if of == layer]
        for kind in ("added", "removed", "moved", "retagged", "reshaped"):
            assert counts[kind] == sum(kind in kinds for kinds in told), (layer, kind)
        assert counts["old"] - counts["removed"] + counts["added"] == counts["new"]
    drop_snapshot(module_database, new)
    left = (
        "select (select count(*) from trigpoint.snapshot_change where comparison_id = %(id)s)"
        " + (select count(*) from trigpoint.snapshot_comparison where id = %(id)s)"
    )
    with connect(module_database, Role.OWNER) as connection:
        assert connection.exec_driver_sql(left, {"id": done.id}).scalar() == 0, "dropped with either map"


def test_backwards_in_time_what_was_removed_is_added(
    base: str, write_script: Callable[..., Path], module_database: Settings
) -> None:
    fewer = dict.fromkeys(LAYER, "removed") | {"n500": "none"}
    old = load(module_database, write_script(fewer, "2024-05-01T07:08:09Z"), "earlier")
    kinds = kinds_of(module_database, compare(module_database, old, base))
    there = {(LAYER[key], key) for key in LAYER if key != "n500"} | {("road_edge", key) for key in ROADS}
    assert kinds == {key: ["added"] for key in there}


# --- roads that meet ------------------------------------------------------------------------------------------------


def test_a_place_with_another_area_is_reshaped_though_its_point_stays(
    write_map: Callable[..., Path], module_database: Settings
) -> None:
    """The first museum has a porch in the south on the second map; half way up, where its point is, nothing changed."""
    porch = "n300 v1 x9.0020 y47.0005"
    before = (
        "w1 v1 Ttourism=museum,name=Museum Nn11,n31,n33,n13,n11",
        "w2 v1 Ttourism=museum,name=Other Nn41,n51,n53,n43,n41",
    )
    after = (
        "w1 v1 Ttourism=museum,name=Museum Nn11,n300,n31,n33,n13,n11",
        "w2 v1 Ttourism=museum,name=Other Nn41,n51,n53,n43,n41",
    )
    old = load(module_database, write_map(*before, porch, box=BOX), "porch")
    file = write_map(*after, porch, box=BOX, timestamp="2024-05-07T07:08:09Z")
    done = compare(module_database, old, load(module_database, file, "porch"))
    kinds = {key: told for key, told in kinds_of(module_database, done).items() if key[0] == "poi"}
    assert kinds == {("poi", "w1"): ["reshaped"]}
    with connect(module_database, Role.WORKER) as connection:
        where = "where comparison_id = %(id)s and layer = 'poi' and osm_key = 'w1'"
        wide = connection.exec_driver_sql(
            f"select ST_XMax(area) - ST_XMin(area) from trigpoint.snapshot_change {where}", {"id": done.id}
        ).scalar_one()
    assert wide == pytest.approx(0.002, abs=1e-9), "all of its ground has changed"


def test_nodes_where_roads_meet(write_map: Callable[..., Path], module_database: Settings) -> None:
    crossing = ("w1 v1 Thighway=service Nn11,n12,n13", "w2 v1 Thighway=service Nn12,n22")
    third = "w3 v1 Thighway=service Nn12,n32"
    ends = "w4 v1 Thighway=service Nn13,n23"
    old = load(module_database, write_map(*crossing, box=BOX), "crossing")
    file = write_map(*crossing, third, ends, box=BOX, timestamp="2024-05-07T07:08:09Z")
    new = load(module_database, file, "crossing")
    assert kinds_of(module_database, compare(module_database, old, new)) == {
        ("road", "w3"): ["added"],
        ("road", "w4"): ["added"],
        ("road_edge", "w3"): ["added"],
        ("road_edge", "w4"): ["added"],
        ("road_node", "n12"): ["reshaped"],
        ("road_node", "n13"): ["added"],
    }


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def later(base: str, write_script: Callable[..., Path], module_database: Settings) -> Iterator[str]:
    script = dict.fromkeys(LAYER, "none") | {"n500": "removed", "n501": "moved", "w700": "reshaped"}
    reference = load(module_database, write_script(script, "2024-06-07T07:08:09Z"), "later")
    yield reference
    drop_snapshot(module_database, reference)


def test_the_command(base: str, later: str, module_database: Settings) -> None:
    done = trigpoint(module_database, "snapshot", "compare", "base", later, "--json")
    assert (done.status, done.err) == (0, "")
    assert (done.json["old"], done.json["new"], done.json["reused"]) == (base, later, False)
    assert done.json["layers"]["poi"] == {
        "old": 9, "new": 8, "changed": 2, "added": 0, "removed": 1, "moved": 1, "retagged": 0, "reshaped": 0
    }  # fmt: skip
    assert done.json["figures"]["ground"]["of"] == "outlines"
    shown = trigpoint(module_database, "snapshot", "compare", "base", "later", COLUMNS="120")
    assert "compared already" in shown.err
    assert f"{base} → {later}" in shown.out
    lines = [line.split() for line in shown.out.splitlines()]
    assert ["poi", "9", "8", "2", "0", "1", "1", "0", "0"] in lines
    assert ["road", "residential", "4", "4", "1", "0", "0", "0", "0", "1"] in lines


def test_two_at_once_compare_once(base: str, later: str, module_database: Settings) -> None:
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: compare(module_database, base, later), range(2)))
    assert sorted(one.reused for one in both) == [False, True]
    assert both[0].counts == both[1].counts


def test_what_cannot_be_compared_is_refused(
    base: str,
    later: str,
    write_map: Callable[..., Path],
    module_database: Settings,
    superuser_of: Callable[[Settings], str],
) -> None:
    with pytest.raises(Conflict, match=rf"{base} is older than {later}. Give the older map first"):
        compare(module_database, later, base)
    with pytest.raises(UsageError, match="are the same snapshot"):
        compare(module_database, base, "base")
    with pytest.raises(NotFound, match=r"There is no snapshot 'nowhere'. There are: "):
        compare(module_database, base, "nowhere")
    lines = ("n500 v1 x9.001 y47.001 Tamenity=cafe",)
    poor = load(module_database, write_map(*lines, box=BOX), "poor", layers=("poi", "road"))
    with pytest.raises(Conflict, match=r"poor@\S+ lacks address, aoi, .*Import both with the same --layers"):
        compare(module_database, base, poor)
    away = load(
        module_database,
        write_map("n500 v1 x19.001 y47.001 Tamenity=cafe", box=(19, 47, 19.01, 47.01), grid=False),
        "away",
    )
    with pytest.raises(Conflict, match=r"different regions: .* they share 0\.0 km²"):
        compare(module_database, base, away)
    with psycopg.connect(superuser_of(module_database)) as connection:
        connection.execute("update trigpoint.snapshot set layer_schema_version = 1 where name = 'away'")
    with pytest.raises(Conflict, match=r"away@\S+ of 1: .*Import the file of away@\S+ again"):
        compare(module_database, base, away)


# --- two real maps --------------------------------------------------------------------------------------------------

NOT_ROADS = {
    "platform", "proposed", "construction", "services", "rest_area", "elevator", "no", "razed", "bus_stop"
}  # fmt: skip


def read_roads(file: Path) -> dict[str, tuple[dict[str, str], list[tuple[int, int]]]]:
    """Tags and places of every way that may be a road, by pyosmium alone."""
    roads = {}
    for way in osmium.FileProcessor(str(file)).with_locations():
        if isinstance(way, osmium.osm.Way) and "highway" in way.tags and way.tags["highway"] not in NOT_ROADS:
            places = [(node.location.x, node.location.y) for node in way.nodes]
            points = [place for i, place in enumerate(places) if i == 0 or place != places[i - 1]]
            roads[f"w{way.id}"] = ({tag.k: tag.v for tag in way.tags}, points)
    return roads


@pytest.mark.long
def test_liechtenstein_after_nine_years(extracts: Path, make_database: Callable[[], Settings]) -> None:
    database = make_database()
    files = [extracts / f"liechtenstein-{day}.osm.pbf" for day in ("2013-08-03", "2022-07-24")]
    old, new = (load(database, file, f"li{file.name[14:18]}") for file in files)
    done = compare(database, old, new)
    found = kinds_of(database, done)
    told = {kind: {key for key, kinds in found.items() if kind in kinds} for kind in ("added", "removed")}

    before, after = map(read_roads, files)
    with connect(database, Role.OWNER) as connection:
        there = [
            set(connection.exec_driver_sql(f"select osm_key from {schema}.road").scalars())
            for (schema,) in connection.exec_driver_sql(
                "select schema_name from trigpoint.snapshot order by data_timestamp"
            ).all()
        ]
    assert there[0] <= {*before}
    assert there[1] <= {*after}
    assert {key for layer, key in told["added"] if layer == "road"} == there[1] - there[0]
    assert {key for layer, key in told["removed"] if layer == "road"} == there[0] - there[1]
    both = there[0] & there[1]
    redrawn = {key for key in both if before[key][1] != after[key][1]}
    assert {
        key for (layer, key), kinds in found.items() if layer == "road" and {*kinds} & {"moved", "reshaped"}
    } == redrawn
    retagged = {key for (layer, key), kinds in found.items() if layer == "road" and "retagged" in kinds}
    assert retagged == {key for key in both if before[key][0] != after[key][0]}
