"""Relations as areas: which members make rings, whatever the relation is."""

from collections.abc import Callable

import pytest
import shapely

from osm_import.features import Feature, Reject
from osm_import.reasons import Reason
from osm_import.relations import is_untagged

Read = Callable[..., list[Feature | Reject]]

# A square of 8 by 8 thousandths of a degree, one of 2 by 2 inside it, one of 1 by 1 apart from both (on nodes of its own).
SQUARE, INNER, APART = (
    "w1 v1 Nn11,n91,n99,n19,n11",
    "w2 v1 Nn33,n53,n55,n35,n33",
    "w3 v1 Nn201,n202,n203,n201",
)
FAR = ("n201 v1 x9.5 y47.5", "n202 v1 x9.501 y47.5", "n203 v1 x9.501 y47.501")
WHOLE, HOLE, TRIANGLE = 64e-6, 4e-6, 0.5e-6

KINDS = {
    "region": "type=boundary,boundary=administrative,admin_level=8,name=Town",
    "park": "type=multipolygon,leisure=park,name=Green",
    "school": "type=multipolygon,amenity=school,name=Hill%20%School",
    "water": "type=multipolygon,natural=water,name=Blue",
}
LAYER = {"region": "region", "park": "park", "school": "aoi", "water": "water"}


def area_of(rows: list[Feature | Reject], layer: str, key: str = "r1") -> float:
    """Square degrees of the one row of a relation in a layer."""
    (found,) = [row for row in rows if isinstance(row, Feature) and (row.layer, row.osm_key) == (layer, key)]
    assert not found.repaired
    return float(shapely.from_wkb(bytes.fromhex(found.wkb)).area)


MEMBERS = {
    "w1@outer,w2@inner": WHOLE - HOLE,
    "w1@,w2@": WHOLE - HOLE,
    "w1@exclave,w2@enclave": WHOLE - HOLE,
    "w1@outer,w3@exclave": WHOLE + TRIANGLE,
    "w1@outer,w2@admin_centre": WHOLE,
    "w1@outer,w3@label": WHOLE,
    "w1@outer,w2@inner,w3@entrance": WHOLE - HOLE,
    "w1@outer,w2@Inner": WHOLE,
    "w1@outer,w2@inner,w2@inner": WHOLE - HOLE,
    "w1@outer,w1@outer,w2@inner": WHOLE - HOLE,
    "w1@outer,w99@building": WHOLE,
    "w2@outline": None,
    "w1@part,w2@part": None,
}
"""Members: the area that they enclose, in square degrees; None where none has a role of a ring."""


def test_rings_are_made_of_members_with_a_role_of_rings(read: Read) -> None:
    cases = [(kind, members) for kind in KINDS for members in MEMBERS]
    relations = [f"r{number} v1 T{KINDS[kind]} M{members}" for number, (kind, members) in enumerate(cases, 1)]
    rows = read(SQUARE, INNER, APART, *FAR, *relations)
    rejects = {
        (row.layer, row.osm_id): row for row in rows if isinstance(row, Reject) and row.osm_type == "r"
    }
    for number, (kind, members) in enumerate(cases, 1):
        if MEMBERS[members] is None:
            reject = rejects[LAYER[kind], number]
            assert reject.reason == Reason.NO_MEMBERS
            assert "outer or inner" in reject.detail
        else:
            found = area_of(rows, LAYER[kind], f"r{number}")
            assert found == pytest.approx(MEMBERS[members], rel=1e-6), (kind, members)


def test_a_missing_way_of_another_role_is_not_missed(read: Read) -> None:
    rows = read(
        SQUARE,
        f"r1 v1 T{KINDS['region']} Mw1@outer,w7@admin_centre",
        f"r2 v1 T{KINDS['region']} Mw1@outer,w7@outer",
    )
    assert area_of(rows, "region") == pytest.approx(WHOLE)
    (reject,) = [row for row in rows if isinstance(row, Reject)]
    assert (reject.osm_id, reject.reason) == (2, Reason.MISSING_MEMBERS)
    assert reject.detail == "1 of 2 member ways are not in the extract, w7 first"


def test_tags_that_say_what_a_thing_is_not() -> None:
    assert is_untagged(["type", "source", "source:date", "name", "note", "FIXME"])
    assert not is_untagged(["type", "building"])
