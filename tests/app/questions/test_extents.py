"""T11, T12, T27 and T28 on the toy town: what is largest, longest and how much there is of it in Toyville, by hand."""

from collections.abc import Iterator

import pytest

from app.core.errors import UsageError
from tests.support.second_path import answer
from tests.support.town import PARK_EDGE, PARK_ONE, PARK_TWO, STREETS, Asker, Imported, apart, area_of

MILLIMETRES = 0.05
"""OSM's seven decimals cost a centimetre at each end."""


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


@pytest.fixture(scope="module")
def toyville(town: Imported) -> str:
    return town.key("Toyville")


def test_the_largest_by_its_part_inside(asker: Asker, town: Imported, toyville: str) -> None:
    """Reserve Wide has 160,000 m2, 8,000 of them inside; Reserve Small has 10,000."""
    one = asker.accepted("T11", region=toyville, ground="protected_area")
    assert one.gold["names"] == ["Reserve Small"]
    (place,) = one.gold["objects"]
    assert place["osm_key"] == town.key("Reserve Small")
    assert place["area"] == pytest.approx(10_000, rel=1e-3)
    assert one.derived.margin["behind"] == pytest.approx(2_000, rel=0.1)


def test_the_largest_of_whole_areas(asker: Asker, town: Imported, toyville: str) -> None:
    one = asker.accepted("T11", region=toyville, ground="protected_area", semantics="intersects")
    (place,) = one.gold["objects"]
    assert place["osm_key"] == town.key("Reserve Wide")
    assert place["area"] == pytest.approx(160_000, rel=1e-3)
    asked = {"region": toyville, "ground": "national_park"}
    assert asker.ask("T11", **asked, semantics="intersects") == "no_answer", "what only touches is not in it"


def test_the_longest_of_whole_ways(asker: Asker, town: Imported, toyville: str) -> None:
    """Border Road has 1,000 m, 200 of them inside. Stub, three times as long, ends on the border: does it reach inside?"""
    asked = {"region": toyville, "semantics": "intersects"}
    one = asker.accepted("T12", line="waterway", **asked)
    assert {way["osm_key"] for way in one.gold["objects"]} == {town.key("Toy River")}
    assert asker.ask("T12", line="residential", **asked) == "along_border"
    found = answer(asker.layers, "T12", {**asked, "line": "residential"})
    assert found.refusal == "along_border"
    (way,) = found.value["objects"]
    assert way["osm_key"] == town.key("Border Road")
    assert way["length"] == pytest.approx(1000, abs=MILLIMETRES)


def test_the_plain_sum_counts_overlaps_twice(asker: Asker, toyville: str) -> None:
    one = asker.accepted("T27", region=toyville, surface="park", semantics="intersects")
    plain = one.derived.gold_keys["plain_sum"]
    parks = sum(map(area_of, (PARK_ONE, PARK_TWO, PARK_EDGE)))
    assert plain["kind"] == "value"
    assert plain["value"]["area"] == pytest.approx(parks, rel=1e-3)
    assert plain["value"]["area"] > one.gold["area"] + 1000
    assert not asker.accepted("T27", region=toyville, surface="park").derived.gold_keys


def test_only_the_named_compete(asker: Asker, toyville: str) -> None:
    assert asker.accepted("T11", region=toyville, ground="park").gold["names"] == ["Park One"]


@pytest.mark.parametrize(
    ("ground", "reason"),
    [
        ("national_park", "no_answer"),  # shares the east edge and nothing else
        ("nature_reserve", "repaired_geometry"),
        ("golf_course", "no_answer"),
    ],
)
def test_the_largest_is_refused(asker: Asker, toyville: str, ground: str, reason: str) -> None:
    assert asker.ask("T11", region=toyville, ground=ground) == reason


def test_the_longest_of_ways_joined_by_name(asker: Asker, toyville: str) -> None:
    """300 and 400 m of Toy Street; the longest way, Long Lane, has 600, and Border Road 1,000, of them 200 inside."""
    one = asker.accepted("T12", region=toyville, line="residential")
    assert one.gold["names"] == ["Toy Street"]
    lengths = sorted(way["length"] for way in one.gold["objects"])
    assert lengths == [pytest.approx(metres, abs=MILLIMETRES) for metres in STREETS["Toy Street"]]
    assert one.derived.margin["behind"] == pytest.approx(100, abs=MILLIMETRES)
    assert asker.accepted("T12", region=toyville, line="waterway").gold["names"] == ["Toy River"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("footway", "margin"),  # 300 and 305 m
        ("tertiary", "no_answer"),  # its one way has no name
        ("primary", "zero"),  # 50 m
    ],
)
def test_the_longest_is_refused(asker: Asker, toyville: str, line: str, reason: str) -> None:
    assert asker.ask("T12", region=toyville, line=line) == reason


@pytest.mark.parametrize(
    ("line", "semantics", "metres"),
    [
        ("residential", "clipped", 300 + 400 + 600 + 200),
        ("residential", "intersects", 300 + 400 + 600 + 1000),
        ("tertiary", "clipped", 500),
        ("waterway", "clipped", 400 + 150),
    ],
)
def test_total_length(asker: Asker, toyville: str, line: str, semantics: str, metres: float) -> None:
    """Rand on the boundary and Stub, which leaves it, are not in Toyville."""
    one = asker.accepted("T28", region=toyville, line=line, semantics=semantics)
    assert one.gold["length"] == pytest.approx(metres, abs=0.5)  # the east edge is a meridian


def test_total_length_is_refused(asker: Asker, toyville: str) -> None:
    assert asker.ask("T28", region=toyville, line="motorway") == "zero"
    assert asker.ask("T28", region=toyville, line="primary") == "zero"


def test_whole_objects_on_request(asker: Asker, town: Imported, toyville: str) -> None:
    clipped = asker.accepted("T27", region=toyville, surface="park")
    whole = asker.accepted("T27", region=toyville, surface="park", semantics="intersects")
    assert clipped.picked.parameters["semantics"] == "clipped"
    assert whole.gold["area"] - clipped.gold["area"] == pytest.approx(area_of(PARK_EDGE) / 2, rel=5e-3)
    assert clipped.id != whole.id
    for semantics in ("clipped", "intersects"):
        outcome = asker.ask("T27", region=toyville, surface="national_park", semantics=semantics)
        assert outcome == "zero", "what only touches the boundary is not in the region"
    with pytest.raises(UsageError, match="semantics=driving: there are clipped, intersects"):
        asker.ask("T27", region=toyville, surface="park", semantics="driving")


def test_the_way_on_the_edge_is_on_the_edge(town: Imported) -> None:
    """What the tests above rest on: Rand runs from corner to corner."""
    assert town.map
    assert apart(*(town.map.places[f"n{number}"] for number in _nodes(town, "Rand")))[0] > 1900


def _nodes(town: Imported, name: str) -> list[str]:
    assert town.map
    way = int(town.key(name)[1:])
    return [str(way - 2), str(way - 1)]
