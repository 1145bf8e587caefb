"""Parts of a sorted PBF: the same relations and ways as the whole file gives, whatever file it is."""

from pathlib import Path

import osmium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from osmium.osm import RELATION, WAY

from osm_import.features import Feature
from osm_import.pbf_parts import SortedPbf
from tests.osm_import.conftest import read_all
from tests.osm_import.raw_maps import Thing, blob, block, header, node, outers, relation, way

Ways = dict[int, tuple[int, ...]]
PLACES = [node(1, 9.5, 47.1), node(2, 9.6, 47.1), node(3, 9.6, 47.2)]
RING = way(7, [1, 2, 3, 1], natural="water")
LAKE = relation(9, outers(7), type="multipolygon", natural="water", name="Blue Lake")


def read_ways(source: str | osmium.io.FileBuffer) -> Ways:
    return {one.id: tuple(ref.ref for ref in one.nodes) for one in osmium.FileProcessor(source, WAY)}


def read_relations(source: str | osmium.io.FileBuffer) -> list[int]:
    return [one.id for one in osmium.FileProcessor(source, RELATION)]


def write_blocks(folder: Path, *blocks: list[Thing], says_sorted: bool = False) -> Path:
    path = folder / "map.osm.pbf"
    head = header(optional=["Sort.Type_then_ID"] if says_sorted else [])
    data = [blob("OSMData", block(things, together=True)) for things in blocks]
    path.write_bytes(b"".join([blob("OSMHeader", head), *data]))
    return path


@pytest.mark.parametrize("name", ["liechtenstein-2013-08-03.osm.pbf", "liechtenstein-2022-07-24.osm.pbf"])
def test_real_maps_have_the_same_relations_and_ways_in_parts(extracts: Path, name: str) -> None:
    path = extracts / name
    parts, whole = SortedPbf(path), read_ways(str(path))
    assert read_relations(parts.relations()) == read_relations(str(path))
    every_third = {way_id: nodes for way_id, nodes in whole.items() if way_id % 3 == 0}
    assert read_ways(parts.ways(every_third)) == every_third
    assert read_ways(parts.ways([])) == {}


IDS = st.integers(min_value=-(2**40), max_value=2**40) | st.integers(-300, 300)
OTHER = way(2**41, [1])
"""A way whose id is none of IDS."""


@settings(max_examples=60, deadline=None)
@given(
    ways=st.dictionaries(IDS, st.lists(st.integers(1, 3), max_size=200), max_size=12),
    wanted=st.sets(IDS),
    data=st.data(),
)
def test_ways_of_any_ids_are_found_however_they_are_written(
    tmp_path_factory: pytest.TempPathFactory,
    ways: dict[int, list[int]],
    wanted: set[int],
    data: st.DataObject,
) -> None:
    things = data.draw(st.permutations([way(way_id, nodes) for way_id, nodes in ways.items()]))
    path = write_blocks(tmp_path_factory.mktemp("ways"), PLACES, [*things, OTHER], [LAKE])
    wanted |= set(list(ways)[::2])
    expected = {way_id: tuple(nodes) for way_id, nodes in ways.items() if way_id in wanted}
    assert read_ways(SortedPbf(path).ways(wanted)) == expected


def test_a_block_may_begin_with_what_the_one_before_ended_with(tmp_path: Path) -> None:
    path = write_blocks(tmp_path, PLACES, [RING], [way(8, [1, 2])], [LAKE])
    parts = SortedPbf(path)
    assert read_ways(parts.ways([7, 8])) == {7: (1, 2, 3, 1), 8: (1, 2)}
    assert read_relations(parts.relations()) == [9]


@pytest.mark.parametrize("says_sorted", [False, True])
def test_of_mixed_blocks_nothing_is_lost(tmp_path: Path, says_sorted: bool) -> None:
    pond = relation(10, outers(7), type="multipolygon", natural="water")
    path = write_blocks(tmp_path, PLACES, [LAKE], [RING], [pond], says_sorted=says_sorted)
    with pytest.raises(ValueError, match="in another order"):
        SortedPbf(path)
    assert {row.osm_type + str(row.osm_id) for row in read_all(path) if isinstance(row, Feature)} == {
        "w7", "r9", "r10"
    }  # fmt: skip


@pytest.mark.parametrize("name", ["liechtenstein-2022-07-24.osm.gz", "map.opl"])
def test_other_formats_have_no_parts(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    with pytest.raises(ValueError, match="is no PBF"):
        SortedPbf(tmp_path / name)
