"""Second path of addresses: each rule from rows in memory, and every change of one is named."""

from typing import Any

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Geod

from app.questions.second_path import Layers, Row, disagreements
from app.questions.second_path.addresses import nearest_row
from tests.support.second_path import answer

GEOD = Geod(ellps="WGS84")
ASKED = {"anchor": "n1", "category": "restaurant"}


def inn(town: Any, **tags: str) -> None:
    """A hundred metres east of the museum."""
    place = shapely.Point(*town.at(100, 90))
    town.add("poi", "n2", place, "Inn", "restaurant", tags={k.replace("__", ":"): v for k, v in tags.items()})


def house(town: Any, key: str, metres: float, azimuth: float, **tags: str) -> None:
    place = shapely.Point(*town.at(metres, azimuth))
    said = {k.replace("__", ":"): v for k, v in tags.items()}
    town.add("address", key, place, None, "building", tags={"addr:housenumber": "1", **said})


def found_address(town: Any) -> Any:
    found = answer(town.layers(), "T17", ASKED)
    assert found.refusal is None
    return found.value["objects"][0]["address"]


@pytest.mark.parametrize(
    ("tags", "address"),
    [
        ({"addr__housenumber": "7"}, {"housenumber": "7"}),
        ({"addr__street": "Pier", "addr__city": "Vaduz"}, {"street": "Pier", "city": "Vaduz"}),
        ({"addr__place": "Hof", "addr__street": ""}, {"street": "Hof"}),
        ({"addr__place": "Hof", "addr__street": "Pier"}, {"street": "Pier"}),
        (
            {
                "addr__housenumber": "7",
                "addr__province": "FL",
                "addr__suburb": "Ebenholz",
                "addr__hamlet": "x",
            },
            {"housenumber": "7", "state": "FL", "suburb": "Ebenholz"},
        ),
        (
            {"addr__street": "Pier", "addr__postcode": "9490", "addr__country": "LI"},
            {"street": "Pier", "postcode": "9490", "country": "LI"},
        ),
    ],
)
def test_a_place_that_names_house_or_street_has_its_own(
    town: Any, tags: dict[str, str], address: dict[str, str]
) -> None:
    house(town, "w9", 100, 90, addr__street="Nearest")
    inn(town, **tags)
    assert found_address(town) == {"source": "own", **address}


@pytest.mark.parametrize("tags", [{}, {"addr__city": "Schaan"}, {"addr__housenumber": ""}])
def test_else_it_is_that_of_the_nearest(town: Any, tags: dict[str, str]) -> None:
    inn(town, **tags)
    house(town, "w8", 200, 90, addr__street="Far")
    house(town, "w9", 130, 90, addr__street="Near", addr__city="Vaduz")
    assert found_address(town) == {
        "source": "near",
        "osm_key": "w9",
        "metres": pytest.approx(30, abs=1e-6),
        "housenumber": "1",
        "street": "Near",
        "city": "Vaduz",
    }


def test_of_two_at_one_place_the_first_by_key(town: Any) -> None:
    inn(town)
    for key in ("w10", "n9", "w9"):
        house(town, key, 130, 90)
    assert found_address(town)["osm_key"] == "n9"


HOUSES = st.lists(
    st.tuples(st.floats(0, 30_000), st.floats(0, 360)).map(lambda one: (round(one[0], 3), round(one[1], 3))),
    min_size=1,
    max_size=12,
)


@given(
    lon=st.sampled_from([9.5, 179.9, -180.0, 0.0]),
    lat=st.sampled_from([47.1, 0.0, -84.9, 89.95]),
    houses=HOUSES,
)
@settings(max_examples=150, deadline=None)
def test_the_nearest_is_that_of_brute_force(
    lon: float, lat: float, houses: list[tuple[float, float]]
) -> None:
    """Wherever degrees mislead: at the poles, where longitudes start anew."""
    rows = []
    for number, (metres, azimuth) in enumerate(houses):
        there = GEOD.fwd(lon, lat, azimuth, metres)[:2]
        rows.append(
            Row(f"n{number:02}", None, "node", ("node",), {}, False, shapely.to_wkb(shapely.Point(there)))
        )
    found = nearest_row(Layers.from_rows({"address": rows})["address"], lon, lat)
    assert found is not None
    apart = [GEOD.inv(lon, lat, *shapely.from_wkb(row.wkb).coords[0])[2] for row in rows]
    assert found[0] == pytest.approx(min(apart), abs=1e-6)
    assert apart[int(found[1].osm_key[1:])] == pytest.approx(min(apart), abs=1e-6)


def test_a_map_without_addresses(town: Any) -> None:
    inn(town)
    assert found_address(town) is None


def test_names_take_no_address(town: Any) -> None:
    inn(town)
    house(town, "w9", 130, 90)
    assert "address" not in answer(town.layers(), "T5", ASKED).value["objects"][0]


@pytest.mark.parametrize(
    "change",
    [{"street": "near"}, {"osm_key": "w8"}, {"metres": 30.01}, {"metres": None}, {"source": "own"}, {"city": "Vaduz"}],
)  # fmt: skip
def test_every_change_of_an_address_is_named(town: Any, change: dict[str, Any]) -> None:
    inn(town)
    house(town, "w9", 130, 90, addr__street="Near")
    second = answer(town.layers(), "T17", ASKED)
    (place,) = second.value["objects"]
    gold = {**second.value, "objects": [{**place, "address": {**place["address"], **change}}]}
    (said,) = disagreements("T17", gold, second, None)
    assert said.startswith("objects n2, address: expected {'source': 'near'")


@pytest.mark.parametrize("address", [None, "Near 1", {}, []])
def test_what_is_no_address_is_named(town: Any, address: object) -> None:
    inn(town)
    house(town, "w9", 130, 90)
    second = answer(town.layers(), "T17", ASKED)
    (place,) = second.value["objects"]
    gold = {**second.value, "objects": [{**place, "address": address}]}
    assert disagreements("T17", gold, second, None) != []
    missing = {name: value for name, value in place.items() if name != "address"}
    assert disagreements("T17", {**second.value, "objects": [missing]}, second, None) != []


def test_metres_may_differ_by_rounding(town: Any) -> None:
    inn(town)
    house(town, "w9", 130, 90)
    second = answer(town.layers(), "T17", ASKED)
    (place,) = second.value["objects"]
    address = {**place["address"], "metres": place["address"]["metres"] + 0.0009}
    assert (
        disagreements("T17", {**second.value, "objects": [{**place, "address": address}]}, second, None) == []
    )
