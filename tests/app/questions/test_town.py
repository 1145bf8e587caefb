"""Every template on the toy town: the truth by hand, and each reason of refusal where it must be, not beside it.

Distances in the comments are those that tests/support/town.py laid out; OSM's seven decimals cost up to a centimetre.
"""

from collections.abc import Iterator

import pytest
from pyproj import Geod

from tests.support.town import (
    CAMPUS,
    EMOJI_NAME,
    HARD_NAME,
    ISLET,
    LAKE,
    PARK_EDGE,
    PARK_ONE,
    PARK_TWO,
    QUAD,
    RTL_NAME,
    TOYVILLE,
    Asker,
    Imported,
    Map,
    apart,
    area_of,
    import_map,
)

CENTIMETRE = 0.02


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


def museum(town: Imported, name: str) -> str:
    return town.key(f"Museum {name}")


# --- nearest: T5, T22 -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cluster", "category", "name", "metres"),
    [
        ("Alpha", "restaurant", "Adler", 100),
        ("Alpha", "food", "Adler", 100),
        ("Alpha", "cafe", HARD_NAME, 1200),  # 700 m beyond the hotel at 500 m, all due east
        ("Beta", "fast_food", "Beta Snack One", 601),  # 614 - 601 = 13 m >= 2 % of 601 m
        ("Gamma", "cafe", "Gamma Cafe", 21),
        ("Epsilon", "restaurant", "Epsilon Inn", 150),
        ("Epsilon", "food", "Epsilon Inn", 150),
        ("Top", "restaurant", "Top Inn", 150),
        ("Bottom", "restaurant", "Bottom Inn", 150),
        ("Zeta", "restaurant", "Zeta Inn", 200),
        ("Eta", "cafe", "Eta Cafe Outside", 150),
    ],
)
def test_nearest_name(
    asker: Asker, town: Imported, cluster: str, category: str, name: str, metres: float
) -> None:
    one = asker.accepted("T5", anchor=museum(town, cluster), category=category)
    assert one.gold["names"] == [name]
    assert one.gold["tolerated"] == []
    (place,) = one.gold["objects"]
    assert place["osm_key"] == town.key(name)
    assert place["distance"] == pytest.approx(metres, abs=CENTIMETRE)


@pytest.mark.parametrize(
    ("template", "cluster", "category", "reason"),
    [
        ("T5", "Beta", "restaurant", "margin"),  # 100 and 109 m: less than 10 m
        ("T5", "Beta", "cafe", "margin"),  # 600 and 611 m: less than 2 %
        ("T22", "Beta", "cafe", "margin"),
        ("T5", "Gamma", "restaurant", "too_close"),  # 19 m
        ("T22", "Gamma", "restaurant", "too_close"),
        ("T5", "Delta", "restaurant", "unnamed_answer"),
        ("T5", "Delta", "cafe", "repaired_geometry"),
        ("T22", "Delta", "cafe", "repaired_geometry"),
        ("T5", "Epsilon", "cafe", "leaves_outline"),  # 195 + 10 m > 200 m
        ("T22", "Epsilon", "cafe", "leaves_outline"),
        ("T5", "Top", "cafe", "leaves_outline"),
        ("T5", "Bottom", "cafe", "leaves_outline"),
    ],
)
def test_nearest_is_refused(
    asker: Asker, town: Imported, template: str, cluster: str, category: str, reason: str
) -> None:
    assert asker.ask(template, anchor=museum(town, cluster), category=category) == reason


def test_direction_to_the_nearest(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T22", anchor=museum(town, "Alpha"), category="restaurant")
    assert one.gold["azimuth"] == pytest.approx(80, abs=0.01)  # a centimetre at 100 m is 0.006 degrees
    # Delta's nearest has no name, which a direction does not need.
    one = asker.accepted("T22", anchor=museum(town, "Delta"), category="restaurant")
    assert one.gold["azimuth"] == pytest.approx(90, abs=0.02)
    # West of north stays below 360.
    one = asker.accepted("T22", anchor=museum(town, "Zeta"), category="fast_food")
    assert one.gold["azimuth"] == pytest.approx(350, abs=0.01)


def test_an_anchor_is_never_its_own_answer(asker: Asker, town: Imported) -> None:
    hospital = town.key("Hospital Omega")  # hospital and restaurant in one
    one = asker.accepted("T5", anchor=hospital, category="restaurant")
    assert one.gold["names"] == ["Omega Inn"]
    assert one.gold["objects"][0]["distance"] == pytest.approx(120, abs=CENTIMETRE)
    # The hotel, whose first class is restaurant, is an answer for others. Adler 100, Krone 250, Hotel Post 500 m.
    around = asker.accepted("T1", anchor=museum(town, "Alpha"), category="restaurant", distance=600.0)
    assert around.gold["names"] == ["Adler", "Hotel Post", "Krone"]


# --- sectors: T9 ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cluster", "category", "sector", "name"),
    [
        ("Alpha", "restaurant", 2, "Adler"),  # 80 degrees
        ("Zeta", "cafe", 0, "Zeta Cafe"),  # 21.0 degrees: 1.5 from the edge
        ("Zeta", "fast_food", 0, "Zeta Snack"),  # 350 degrees is north
        ("Eta", "restaurant", 2, "Eta Inn"),  # the one at 67 degrees lies beyond 220 + 10 m
        ("Beta", "fast_food", 4, "Beta Snack Two"),  # 190 degrees, the farther of the two
    ],
)
def test_nearest_in_a_sector(
    asker: Asker, town: Imported, cluster: str, category: str, sector: int, name: str
) -> None:
    one = asker.accepted("T9", anchor=museum(town, cluster), category=category, sector=sector)
    assert one.gold["names"] == [name]
    metres, azimuth = apart(town.map.places[museum(town, cluster)], town.map.places[town.key(name)])
    assert -22.5 <= (azimuth - 45 * sector + 180) % 360 - 180 < 22.5
    assert one.gold["objects"][0]["distance"] == pytest.approx(metres, abs=1e-3)


@pytest.mark.parametrize(
    ("cluster", "category", "sector", "reason"),
    [
        ("Zeta", "restaurant", 0, "near_sector_edge"),  # 22.0 degrees
        ("Eta", "cafe", 2, "near_sector_edge"),  # the rival at 67.0 degrees is nearer
        ("Eta", "cafe", 1, "near_sector_edge"),  # and it is itself half a degree from this sector's edge
        ("Delta", "restaurant", 2, "unnamed_answer"),
        ("Gamma", "restaurant", 0, "too_close"),
        ("Delta", "cafe", 0, "repaired_geometry"),
        ("Epsilon", "restaurant", 2, "no_answer"),  # nothing between there and the edge of the map
    ],
)
def test_sector_is_refused(
    asker: Asker, town: Imported, cluster: str, category: str, sector: int, reason: str
) -> None:
    assert asker.ask("T9", anchor=museum(town, cluster), category=category, sector=sector) == reason


# --- range: T1 --------------------------------------------------------------------------------------------


def test_names_within_a_distance(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T1", anchor=museum(town, "Theta"), category="restaurant", distance=400.0)
    assert one.gold["names"] == ["Kette"]  # two of that name, counted once; the unnamed one does not count
    assert [place["distance"] for place in one.gold["objects"]] == [
        pytest.approx(100, abs=CENTIMETRE),
        pytest.approx(300, abs=CENTIMETRE),
    ]
    assert [place["name"] for place in one.gold["tolerated"]] == ["Theta Inside Edge", "Theta Outside Edge"]


def test_at_twice_the_distance_all_are_certain(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T1", anchor=museum(town, "Theta"), category="restaurant", distance=800.0)
    assert one.gold["names"] == ["Kette", "Theta Beyond", "Theta Inside Edge", "Theta Outside Edge"]
    assert one.gold["tolerated"] == []


@pytest.mark.parametrize(
    ("cluster", "category", "distance", "reason"),
    [
        ("Theta", "restaurant", 100.0, "no_answer"),  # 100 m is tolerated, 95 m would be certain
        ("Theta", "restaurant", 5000.0, "vacuous"),  # more than a quarter of the town's named restaurants
        ("Iota", "cafe", 200.0, "too_many_answers"),  # 22
        ("Delta", "cafe", 200.0, "repaired_geometry"),
        ("Epsilon", "restaurant", 200.0, "leaves_outline"),  # 205 m
    ],
)
def test_range_is_refused(
    asker: Asker, town: Imported, cluster: str, category: str, distance: float, reason: str
) -> None:
    outcome = asker.ask("T1", anchor=museum(town, cluster), category=category, distance=distance)
    assert outcome == reason


def test_a_circle_that_just_fits_the_outline(asker: Asker, town: Imported) -> None:
    # 190 + 5 m < 200 m
    one = asker.accepted("T1", anchor=museum(town, "Epsilon"), category="restaurant", distance=190.0)
    assert one.gold["names"] == ["Epsilon Inn"]


# --- regions: T24, T27 ------------------------------------------------------------------------------------


def test_which_regions_are_asked_for(asker: Asker, town: Imported) -> None:
    """Not those without an item, of a name that another has, or reaching beyond the outline."""
    expected = sorted([town.key("Toyville"), town.key("Longshire")])
    assert asker.values("T24", "region") == expected
    assert asker.values("T27", "region") == expected


def test_count_in_a_region(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T24", region=town.key("Toyville"), category="restaurant")
    assert one.gold == {"count": 3}  # one of them without a name; Ville Outside is 50 m beyond the edge


def test_inside_is_decided_in_lon_lat_even_along_a_long_edge(asker: Asker, town: Imported) -> None:
    assert asker.accepted("T24", region=town.key("Longshire"), category="restaurant").gold == {"count": 1}
    assert asker.accepted("Find_Cover_AOI", poi=town.key("Shire Inn")).gold["text"] == "Shire Farm"


def test_count_is_refused(asker: Asker, town: Imported) -> None:
    assert asker.ask("T24", region=town.key("Toyville"), category="cafe") == "near_region_edge"  # 0.5 m
    assert asker.ask("T24", region=town.key("Toyville"), category="food") == "near_region_edge"
    assert asker.ask("T24", region=town.key("Toyville"), category="fast_food") == "zero"


def test_area_of_parks_in_a_region(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T27", region=town.key("Toyville"), surface="park")
    # Two squares of 200 m that overlap by half are 300 by 200; of 300 by 100 m, half lies beyond the edge.
    (west, south), (_, north), edge = PARK_ONE[0], PARK_ONE[2], TOYVILLE[1][0]
    union = area_of([(west, south), (PARK_TWO[1][0], south), (PARK_TWO[1][0], north), (west, north)])
    (west, south), (_, north) = PARK_EDGE[0], PARK_EDGE[2]
    clipped = area_of([(west, south), (edge, south), (edge, north), (west, north)])
    assert one.gold["area"] == pytest.approx(union + clipped, rel=1e-6)
    assert one.gold["area"] == pytest.approx(300 * 200 + 150 * 100, rel=1e-3)


def test_area_of_water_leaves_the_islet_out(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T27", region=town.key("Toyville"), surface="water")
    assert one.gold["area"] == pytest.approx(area_of(LAKE) - area_of(ISLET), rel=1e-6)


def test_area_is_refused(asker: Asker, town: Imported) -> None:
    assert asker.ask("T27", region=town.key("Toyville"), surface="garden") == "zero"
    assert asker.ask("T27", region=town.key("Toyville"), surface="nature_reserve") == "repaired_geometry"


# --- options: the Knowledge Module ------------------------------------------------------------------------


def test_coordinates(asker: Asker, town: Imported) -> None:
    one = asker.accepted("Retrieve_Coordinates", poi=museum(town, "Alpha"))
    assert one.gold["text"] == "(10.00000, 50.00000)"
    assert one.options[one.gold["index"]] == one.gold["text"]
    corners = {f"({lon}, {lat})" for lon in ("9.99000", "10.01000") for lat in ("49.99000", "50.01000")}
    assert len(set(one.options)) == 4
    assert set(one.options) - {one.gold["text"]} <= corners


def test_nearest_named_place(asker: Asker, town: Imported) -> None:
    one = asker.accepted("Find_Nearest_POI", poi=town.key("Toy Zoo"))
    assert one.gold["text"] == "Kiosk Corner"  # the nameless one at 40 m does not count
    assert one.options[one.gold["index"]] == "Kiosk Corner"
    wrong = set(one.options) - {"Kiosk Corner"}
    assert len(wrong) == 3
    assert wrong <= {"Bank NE", "Bank SE", "Bank SW", "Bank NW"}  # one of a quarter; Bar Behind is too near


def test_nearest_named_place_is_refused(asker: Asker, town: Imported) -> None:
    assert asker.ask("Find_Nearest_POI", poi=museum(town, "Beta")) == "margin"
    # Alpha: within 500 to 1,000 m there is the hotel alone.
    assert asker.ask("Find_Nearest_POI", poi=museum(town, "Alpha")) == "too_few_distractors"
    assert asker.ask("Find_Nearest_POI", poi=museum(town, "West")) == "leaves_outline"


def test_smallest_area_around(asker: Asker, town: Imported) -> None:
    one = asker.accepted("Find_Cover_AOI", poi=museum(town, "Quad"))
    assert one.gold["text"] == "Small Quad"
    assert area_of(QUAD) < area_of(CAMPUS) / 20
    assert "Big Campus" not in one.options  # it covers the museum too
    assert one.options[one.gold["index"]] == "Small Quad"
    assert len(set(one.options)) == 4


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Gallery Edge", "near_area_edge"),  # half a metre inside
        ("Toy Clinic", "names_itself"),
        ("Museum Meadow", "margin"),  # two areas, half a per cent apart
        ("Lonely Statue", "no_answer"),
    ],
)
def test_smallest_area_is_refused(asker: Asker, town: Imported, name: str, reason: str) -> None:
    assert asker.ask("Find_Cover_AOI", poi=town.key(name)) == reason


def test_what_is_asked_about(asker: Asker, town: Imported) -> None:
    """Subjects have a name that no other place has; anchors a class that people travel to."""
    subjects = asker.values("Retrieve_Coordinates", "poi")
    assert town.key("Kette") not in subjects
    assert town.key("Adler") in subjects
    anchors = asker.values("T5", "anchor")
    assert town.key("Adler") not in anchors
    assert museum(town, "Alpha") in anchors
    assert anchors == sorted(anchors)


# --- maps that lack something -----------------------------------------------------------------------------


def hamlet(**options: object) -> Map:
    """A museum in a square, two more areas, one restaurant."""
    place = Map(**options)  # type: ignore[arg-type]
    geod = Geod(ellps="WGS84")
    lon, lat, _ = geod.fwd(10, 50, 90, 120)
    place.node((10.0, 50.0), tourism="museum", name="Museum")
    place.node((round(lon, 7), round(lat, 7)), amenity="restaurant", name="Inn")
    for number in range(3):
        west = 9.999 + 0.01 * number
        ring = [(west, 49.999), (west + 0.002, 49.999), (west + 0.002, 50.001), (west, 50.001)]
        place.way([(round(x, 7), y) for x, y in ring], landuse="forest", name=f"Wood {number}")
    return place


def test_too_few_areas_for_wrong_options(database, tmp_path) -> None:
    file = hamlet(box=(9.9, 49.9, 10.1, 50.1)).write(tmp_path / "hamlet.osm")
    import_map(database, file, "hamlet")
    with Imported(database, "hamlet", file).connect() as connection:
        asker = Asker.on(connection, "hamlet")
        assert asker.ask("Find_Cover_AOI", poi="n1") == "too_few_distractors"
        assert asker.accepted("T5", anchor="n1", category="restaurant").gold["names"] == ["Inn"]


def test_names_stand_in_options_and_gold_as_written(asker: Asker, town: Imported) -> None:
    odd = town.key("Galerie {region} %d")
    assert asker.accepted("T5", anchor=odd, category="restaurant").gold["names"] == [RTL_NAME]
    assert asker.accepted("T5", anchor=odd, category="fast_food").gold["names"] == [EMOJI_NAME]
