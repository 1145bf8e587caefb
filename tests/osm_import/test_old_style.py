"""Multipolygons of the old style: the tags stand on the outer ways."""

from collections.abc import Callable

import pytest
import shapely

from osm_import.features import Feature, Reject
from tests.osm_import.test_relations import HOLE, WHOLE

Read = Callable[..., list[Feature | Reject]]

TAGS = {
    "park": ("leisure=park,name=Green", "park"),
    "school": ("amenity=school,name=School", "aoi"),
    "water": ("natural=water,name=Blue", "water"),
    "forest": ("landuse=forest,name=Wood", "aoi"),
}


def rows_of(rows: list[Feature | Reject], layer: str) -> dict[str, tuple[float, bool]]:
    """Square degrees of each area of a layer, and whether it is kept out of gold."""
    return {
        row.osm_key: (
            pytest.approx(shapely.from_wkb(bytes.fromhex(row.wkb)).area, rel=1e-6),  # type: ignore[dict-item]
            row.repaired,
        )
        for row in rows
        if isinstance(row, Feature) and row.layer == layer
    }


def square(way_id: int, tags: str) -> str:
    return f"w{way_id} v1 T{tags} Nn11,n91,n99,n19,n11"


def half(way_id: int, tags: str) -> str:
    return f"w{way_id} v1 T{tags} Nn11,n91,n99"


def rest(way_id: int, tags: str = "") -> str:
    return f"w{way_id} v1 T{tags} Nn99,n19,n11"


def inner(way_id: int, tags: str = "") -> str:
    return f"w{way_id} v1 T{tags} Nn33,n53,n55,n35,n33"


def test_what_is_made_of_old_multipolygons(read: Read) -> None:
    """One map with five of each kind of thing, the numbers of each beginning with another ten."""
    other = "amenity=hospital,name=Other"
    lines = []
    for ten, (tags, _) in enumerate(TAGS.values()):
        hole, halves, silent, against, cut = (100 * ten + 10 * one for one in range(1, 6))
        lines += [
            square(hole, tags), inner(hole + 1), f"r{hole} v4 Ttype=multipolygon,source=survey Mw{hole}@outer,w{hole + 1}@inner",
            half(halves, tags), rest(halves + 1, tags), f"r{halves} v1 Ttype=multipolygon Mw{halves}@outer,w{halves + 1}@outer",
            half(silent, tags), rest(silent + 1), f"r{silent} v1 Ttype=multipolygon Mw{silent}@outer,w{silent + 1}@outer",
            square(against, tags), inner(against + 1, other), f"r{against} v1 Ttype=multipolygon Mw{against}@outer,w{against + 1}@outer",
            square(cut, tags), f"r{cut} v1 Ttype=multipolygon Mw{cut}@outer,w9999@inner",
        ]  # fmt: skip
    rows = read(*lines)
    assert not [row for row in rows if isinstance(row, Reject)]
    for ten, (_, layer) in enumerate(TAGS.values()):
        hole, halves, silent, against, cut = (100 * ten + 10 * one for one in range(1, 6))
        mine = {key: one for key, one in rows_of(rows, layer).items() if int(key[1:]) // 100 == ten}
        assert mine == {
            f"r{hole}": (WHOLE - HOLE, False),
            f"r{halves}": (WHOLE, False),
            f"r{silent}": (WHOLE, True),
            f"w{against}": (WHOLE, True),
            f"w{cut}": (WHOLE, True),
            **({f"w{against + 1}": (HOLE, True)} if layer == "aoi" else {}),
        }
    versions = {row.version for row in rows if isinstance(row, Feature) and row.osm_key == "r10"}
    assert versions == {4}


def test_an_inner_way_keeps_its_own_meaning_unless_it_repeats_the_outer_one(read: Read) -> None:
    pond = "w2 v1 Tnatural=water,name=Pond Nn33,n53,n55,n35,n33"
    relation = "r1 v1 Ttype=multipolygon Mw1@outer,w2@inner"
    rows = read(square(1, "leisure=park,name=Green"), pond, relation)
    assert rows_of(rows, "water") == {"w2": (HOLE, False)}
    rows = read(square(1, "leisure=park"), "w2 v1 Tleisure=park Nn33,n53,n55,n35,n33", relation)
    assert rows_of(rows, "park") == {"r1": (WHOLE - HOLE, False)}


def test_a_road_around_it_stays_a_road(read: Read) -> None:
    rows = read(
        square(1, "highway=residential,landuse=forest,name=Wood"),
        inner(2),
        "r1 v1 Ttype=multipolygon Mw1@outer,w2@inner",
    )
    assert "w1" in {row.osm_key for row in rows if isinstance(row, Feature) and row.layer == "road"}
    assert {row.osm_key for row in rows if isinstance(row, Feature) and row.layer == "aoi"} <= {"r1"}


def test_a_relation_with_tags_of_its_own_says_nothing_of_its_ways(read: Read) -> None:
    rows = read(
        square(1, "leisure=park"), inner(2), "r1 v1 Ttype=multipolygon,building=yes Mw1@outer,w2@inner"
    )
    assert rows_of(rows, "park") == {"w1": (WHOLE, False)}
