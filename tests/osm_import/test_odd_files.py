"""Files from editors, from Overpass and from broken tools: what is left out, what dates them, what is refused."""

import bz2
import gzip
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

import osmium
import pytest

from app.core.clock import SystemClock
from app.core.errors import BadExtract
from app.core.settings import Settings
from osm_import.extracts import Extract, open_extract
from osm_import.features import Feature, Reject
from osm_import.progress import Silent
from osm_import.reading import ExtractReader
from tests.osm_import import raw_maps
from tests.osm_import.conftest import read_all
from tests.osm_import.raw_maps import Thing, again, node, outers, relation, way

PACKED: dict[str, Callable[[bytes], bytes]] = {
    "x.osm": lambda data: data,
    "x.osm.gz": gzip.compress,
    "x.osm.bz2": bz2.compress,
}
packed = pytest.mark.parametrize("name", PACKED)
PLACES = [node(1, 9.0, 47.0), node(2, 9.1, 47.0), node(3, 9.1, 47.1)]
CAFE = node(4, 9.05, 47.05, amenity="cafe", name="One")
STREET = way(5, [1, 2], highway="residential", name="Street")
PARK = way(6, [1, 2, 3, 1], leisure="park", name="Park")
SHORE = way(7, [1, 2, 3, 1])
LAKE = relation(8, outers(7), type="multipolygon", natural="water", name="Lake")
SCHOOL = relation(9, outers(6), type="multipolygon", amenity="school", name="School")
TOWN = relation(10, outers(7), type="boundary", boundary="administrative", admin_level="8", name="Town")
TOWN_MAP = [*PLACES, CAFE, STREET, PARK, SHORE, LAKE, SCHOOL, TOWN]


@pytest.fixture
def describe(tmp_path: Path) -> Callable[..., Extract]:
    """A function that writes a file and describes it."""

    def write(data: bytes, name: str = "x.osm") -> Extract:
        path = tmp_path / name
        path.write_bytes(PACKED[name](data) if name in PACKED else data)
        return open_extract(str(path), Settings(local_dir=tmp_path / "local"), Silent(), SystemClock())

    return write


def read_rows(extract: Extract) -> list[Feature | Reject]:
    with ExtractReader(extract.path, Silent(), in_memory=extract.in_memory) as reader:
        return [*reader.rows(), *reader.relation_rows()]


def keys(rows: list[Feature | Reject]) -> set[str]:
    return {f"{row.osm_type}{row.osm_id}" for row in rows}


# --- deleted in an editor ---------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "quote"), [*zip(PACKED, "'\"'", strict=True)])
def test_what_an_editor_deleted_is_left_out_and_counted(
    describe: Callable[..., Extract], name: str, quote: str
) -> None:
    things = [*TOWN_MAP, *(again(one, id=one.id + 100) for one in (CAFE, STREET, PARK, LAKE, SCHOOL, TOWN))]
    data = raw_maps.xml(sorted(things, key=lambda one: ("nwr".index(one.kind), one.id))).decode()
    for gone in (CAFE, STREET, PARK, LAKE, SCHOOL, TOWN):
        begin = f'<{raw_maps.KINDS[gone.kind]} id="{gone.id + 100}" '
        assert begin in data
        marks = f"action={quote}delete{quote} visible={quote}true{quote} id={quote}{gone.id + 100}{quote} "
        data = data.replace(begin, begin[: begin.index(" ") + 1] + marks)
    extract = describe(data.encode(), name)
    assert keys(read_rows(extract)) == {one.key for one in (CAFE, STREET, PARK, LAKE, SCHOOL, TOWN)}
    assert extract.deleted == 6
    assert "6 objects that are marked as deleted" in extract.notes[0]


def test_a_text_that_looks_like_a_deletion_is_none(describe: Callable[..., Extract]) -> None:
    odd = again(
        CAFE,
        tags=(("amenity", "cafe"), ("name", "<node id='9' action='delete'>"), ("note", 'action="delete"')),
    )
    extract = describe(raw_maps.xml([*PLACES, odd]))
    assert (extract.deleted, extract.notes) == (0, ())
    assert "n4" in keys(read_rows(extract))


@pytest.mark.parametrize("before", [(1 << 20) - 90, (1 << 20) - 60, (1 << 20) - 30])
def test_a_deletion_across_two_pieces_of_the_file_is_seen(
    describe: Callable[..., Extract], before: int
) -> None:
    data = raw_maps.xml([*PLACES, CAFE]).replace(b'<node id="4"', b'<node action="delete" id="4"')
    start = data.index(b"<node action")
    padded = data[:start] + b" " * (before - start) + data[start:]
    extract = describe(padded)
    assert extract.deleted == 1
    assert "n4" not in keys(read_rows(extract))


# --- not uploaded -----------------------------------------------------------------------------------------


def negative(thing: Thing, number: int) -> Thing:
    return again(thing, id=number, stamp=0)


NEW = {
    "a node with tags": [*PLACES, negative(CAFE, -4), CAFE],
    "a node of a street": [again(PLACES[0], id=-1), *PLACES[1:], CAFE, way(5, [-1, 2], highway="residential")],
    "a node of a park": [again(PLACES[0], id=-1), *PLACES[1:], CAFE, way(6, [-1, 2, 3, -1], leisure="park")],
    "a node of a lake": [again(PLACES[0], id=-1), *PLACES[1:], CAFE, way(7, [-1, 2, 3, -1]), LAKE],
    "a street": [*PLACES, CAFE, negative(STREET, -5)],
    "a park": [*PLACES, CAFE, negative(PARK, -6)],
    "a shore": [*PLACES, CAFE, negative(SHORE, -7), relation(8, outers(-7), type="multipolygon", natural="water")],
    "a region": [*PLACES, CAFE, SHORE, negative(TOWN, -10)],
    "two shores, ascending": [
        *PLACES, CAFE, negative(SHORE, -8), negative(SHORE, -7), relation(8, outers(-7), type="multipolygon", natural="water")
    ],
}  # fmt: skip


@pytest.mark.parametrize("file", ["x.osm.gz", "x.osm.pbf"])
@pytest.mark.parametrize("things", NEW.values(), ids=NEW)
def test_edits_that_are_not_uploaded_get_one_sentence(
    describe: Callable[..., Extract], things: list[Thing], file: str
) -> None:
    data = raw_maps.pbf(things) if file.endswith(".pbf") else raw_maps.xml(things)
    with pytest.raises(BadExtract, match=r"holds unsaved edits: .* has a negative id.*Upload them.*renumber"):
        read_rows(describe(data, file))


# --- dates ------------------------------------------------------------------------------------------------

AT = datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)
OBJECTS = "2020-01-01T00:00:00Z"
STAMP = 1_577_836_800
LATER = (datetime.now(UTC) + timedelta(days=3)).strftime("%Y-%m-%dT%H:%M:%SZ")


@packed
@pytest.mark.parametrize(
    "head",
    [
        '<note>The data</note>\n<meta osm_base="2020-01-02T03:04:05Z"/>',
        "<meta osm_base='2020-01-02T03:04:05Z' areas='2019-01-01T00:00:00Z'/>",
        '<note>a > b</note><bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/><meta  osm_base = "2020-01-02T03:04:05Z"></meta>',
    ],
)
def test_overpass_dates_a_map(describe: Callable[..., Extract], name: str, head: str) -> None:
    undated = [again(thing, stamp=0) for thing in [*PLACES, CAFE]]
    assert describe(raw_maps.xml(undated, head), name).timestamp == AT


def test_the_root_of_a_file_dates_it(describe: Callable[..., Extract]) -> None:
    data = raw_maps.xml([CAFE]).replace(b"<osm ", b'<osm timestamp="2020-01-02T03:04:05Z" ')
    assert describe(data).timestamp == AT


def test_a_date_in_an_object_is_no_date_of_the_file(describe: Callable[..., Extract]) -> None:
    odd = again(
        CAFE, stamp=0, tags=(("amenity", "cafe"), ("note", '<meta osm_base="2020-01-02T03:04:05Z"/>'))
    )
    assert describe(raw_maps.xml([odd])).timestamp is None


@pytest.mark.parametrize("stamp", [0, -1, 99_999_999_999, 2**32 - 1, 1_072_915_199])
def test_no_impossible_date_of_a_pbf_is_believed(describe: Callable[..., Extract], stamp: int) -> None:
    extract = describe(raw_maps.pbf([*PLACES, CAFE], raw_maps.header(stamp=stamp)), "x.osm.pbf")
    assert extract.timestamp == datetime(2020, 1, 1, tzinfo=UTC)
    if stamp == 2**32 - 1:
        (note,) = extract.notes
        assert "its header says 2106-02-07" in note
        assert "The latest of its objects is of 2020-01-01" in note


@pytest.mark.parametrize(
    "stamp",
    [
        "1970-01-01T00:00:00Z",
        "2003-12-31T23:59:59Z",
        "2106-02-07T06:28:15Z",
        pytest.param(LATER, id="in three days"),
    ],
)
def test_no_impossible_date_of_an_xml_file_is_believed(describe: Callable[..., Extract], stamp: str) -> None:
    data = raw_maps.xml([CAFE], f'<meta osm_base="{stamp}"/>').replace(
        raw_maps.NOW.encode(), OBJECTS.encode()
    )
    extract = describe(data)
    assert extract.timestamp == datetime(2020, 1, 1, tzinfo=UTC)
    assert f"its header says {stamp[:10]}" in extract.notes[0]


def test_objects_of_the_future_date_nothing(describe: Callable[..., Extract]) -> None:
    later = again(CAFE, id=11, stamp=4_102_444_800)
    extract = describe(raw_maps.pbf([*PLACES, CAFE, later], raw_maps.header(stamp=None)), "x.osm.pbf")
    assert extract.timestamp == datetime(2020, 1, 1, tzinfo=UTC)
    assert "1 of its objects says a day after tomorrow" in extract.notes[0]
    extract = describe(raw_maps.pbf([later], raw_maps.header(stamp=None)), "x.osm.pbf")
    assert extract.timestamp is None
    assert "Nothing else dates the map" in extract.notes[0]


def test_tomorrow_is_believed(describe: Callable[..., Extract]) -> None:
    soon = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=20)
    extract = describe(raw_maps.xml([CAFE], f'<meta osm_base="{soon:%Y-%m-%dT%H:%M:%SZ}"/>'))
    assert (extract.timestamp, extract.notes) == (soon, ())


# --- order ------------------------------------------------------------------------------------------------

ORDERS = {
    "nodes": [PLACES[2], CAFE, *PLACES[:2], STREET, PARK, SHORE, LAKE, SCHOOL, TOWN],
    "ways": [*PLACES, CAFE, SHORE, STREET, PARK, LAKE, SCHOOL, TOWN],
    "ways of one relation": [*PLACES, CAFE, SHORE, PARK, STREET, SCHOOL, LAKE],
    "relations": [*PLACES, CAFE, STREET, PARK, SHORE, TOWN, LAKE, SCHOOL],
    "everything backwards": TOWN_MAP[::-1],
    "ways first": [STREET, PARK, SHORE, *PLACES, CAFE, LAKE, SCHOOL, TOWN],
    "a shore first": [SHORE, *PLACES, CAFE, STREET, PARK, LAKE, SCHOOL, TOWN],
    "a node last": [*PLACES[:2], CAFE, STREET, PARK, SHORE, LAKE, SCHOOL, TOWN, PLACES[2]],
    "a node between ways": [*PLACES[:2], CAFE, STREET, PARK, PLACES[2], SHORE, LAKE, SCHOOL, TOWN],
    "a shore last": [*PLACES, CAFE, STREET, PARK, LAKE, SCHOOL, TOWN, SHORE],
    "relations first": [LAKE, SCHOOL, TOWN, *PLACES, CAFE, STREET, PARK, SHORE],
    "relations between": [*PLACES, CAFE, STREET, LAKE, PARK, SCHOOL, SHORE, TOWN],
    "mixed": [CAFE, STREET, PLACES[2], LAKE, PLACES[0], SHORE, PARK, TOWN, PLACES[1], SCHOOL],
}


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> set[tuple[str, ...]]:
    """What the sorted file gives."""
    path = tmp_path_factory.mktemp("sorted") / "x.osm"
    path.write_bytes(raw_maps.xml(TOWN_MAP))
    return rows_told(read_all(path))


def rows_told(rows: list[Feature | Reject]) -> set[tuple[str, ...]]:
    return {
        (row.layer, row.osm_key, row.wkb)
        if isinstance(row, Feature)
        else (row.layer, f"{row.osm_type}{row.osm_id}", row.reason)
        for row in rows
    }


FILES = ("x.osm", "sorted by its header.osm.pbf", "written.osm.pbf")


@pytest.mark.parametrize(
    ("order", "file"),
    [*product(ORDERS, FILES), ("mixed", "x.osm.gz"), ("a node last", "x.osm.bz2"), ("ways", "x.osm.pbf")],
)
def test_an_unsorted_file_is_read_right_or_refused(
    describe: Callable[..., Extract], right: set[tuple[str, ...]], tmp_path: Path, order: str, file: str
) -> None:
    things = ORDERS[order]
    if file == "written.osm.pbf":
        with osmium.SimpleWriter(str(tmp_path / "other.osm.pbf")) as writer:
            for entity in osmium.FileProcessor(osmium.io.FileBuffer(raw_maps.xml(things), "osm")):
                writer.add(entity)
        data = (tmp_path / "other.osm.pbf").read_bytes()
    elif file.endswith(".pbf"):
        says = ["Sort.Type_then_ID"] if file.startswith("sorted") else []
        data = raw_maps.pbf(things, raw_maps.header(optional=says), size=1)
    else:
        data = raw_maps.xml(things)
    told: set[tuple[str, ...]] | str
    try:
        told = rows_told(read_rows(describe(data, file)))
    except BadExtract as error:
        told = str(error)
    if isinstance(told, str):
        assert re.search("is not sorted: .*Sort it first .osmium sort", told)
        assert order not in ("nodes", "relations")
    else:
        assert told == right
