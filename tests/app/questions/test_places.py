"""Questions for a place, by name or location: the truth by hand on a map of its own, and each reason of refusal."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.benchmarks.gsqa.derivations.places import address_of
from tests.support.town import Asker, Imported, template_of

CENTIMETRE = 0.02


@pytest.fixture(scope="module")
def asker(places: Imported) -> Iterator[Asker]:
    with places.connect() as connection:
        yield Asker.on(connection, places.name)


def keys(one: Any, part: str = "objects") -> list[str]:
    return [place["osm_key"] for place in one.gold[part]]


def names(one: Any, part: str = "objects") -> list[str | None]:
    return [place["name"] for place in one.gold[part]]


# --- locations: T13, T17 ----------------------------------------------------------------------------------


def test_locations_in_range_keep_every_answer(asker: Asker, places: Imported) -> None:
    """With an address of its own, of which a house number or the street may do, with the nearest, without a name."""
    one = asker.accepted("T13", anchor=places.key("Museum Quay"), category="restaurant", distance=1000.0)
    found = {place["name"]: place for place in one.gold["objects"]}
    assert list(found) == [
        "Door Inn",
        "North by West",
        "Edge Inn",
        None,
        "North by East",
        "East Inn",
        "Hospital Quay",
        "South Inn",
    ]
    assert names(one, "tolerated") == ["Rim Inn"]
    assert found["North by West"]["address"] == {
        "source": "own",
        "housenumber": "1",
        "street": "Quay",
        "city": "Portville",
    }
    assert found["North by East"]["address"] == {"source": "own", "street": "Pier"}
    near = found["East Inn"]["address"]
    assert (near["source"], near["street"], near["housenumber"]) == ("near", "Long Road", "7")
    assert near["metres"] == pytest.approx(30, abs=CENTIMETRE)
    assert ("address", near["osm_key"]) in one.derived.evidence
    assert found[None]["address"]["source"] == "near"
    assert "names" not in one.gold


@pytest.mark.parametrize("name", ["T1", "T5", "T22", "T26"])
def test_an_address_is_kept_only_where_it_is_asked_for(asker: Asker, places: Imported, name: str) -> None:
    """Their SELECTs are those of locations, and give addresses too."""
    values = {"anchor": places.key("Museum Quay"), "category": "cafe", "distance": 1000.0}
    one = asker.accepted(name, **{key: values[key] for key in template_of(name).header.parameters})
    assert one.gold["objects"]
    assert not any("address" in place for place in one.gold["objects"] + one.gold.get("tolerated", []))
    assert {layer for layer, _ in one.derived.evidence} == {"poi"}


def test_versions_of_before_keep_their_addresses() -> None:
    """Their SQL gave addresses as gold keeps them; the row of poi_address, as it is given now, makes the same gold."""
    parts = {"housenumber": "7", "street": "Long Road"}
    unknown = dict.fromkeys(("suburb", "city", "postcode", "state", "country"))
    row = {"osm_key": "n1", "source": "near", "address_key": "w9", "distance_m": 30.5, **parts, **unknown}
    kept = {"source": "near", "osm_key": "w9", "metres": 30.5, **parts}
    own = {"osm_key": "n1", "source": "own", "address_key": None, "distance_m": 0.0, **parts, **unknown}
    assert address_of({"address": row}) == address_of({"address": kept}) == kept
    assert address_of({"address": own}) == {"source": "own", **parts}
    assert address_of({"address": None}) is None


def test_the_location_of_the_nearest_needs_no_name(asker: Asker, places: Imported) -> None:
    goal = places.key("Gallery Goal")
    one = asker.accepted("T17", anchor=places.key("Museum Quay"), category="cafe")
    assert names(one) == ["Cafe North"]
    (place,) = one.gold["objects"]
    lon, lat = places.map.places[place["osm_key"]]
    assert (place["lon"], place["lat"]) == (pytest.approx(lon, abs=1e-9), pytest.approx(lat, abs=1e-9))
    assert asker.ask("T17", anchor=goal, category="cafe") != "unnamed_answer"


def test_location_and_name_look_for_the_same(asker: Asker, places: Imported) -> None:
    """But for the places without a name, which a question for a location may have as its answer."""
    anchor = places.key("Museum Quay")
    for named, located, more in (
        ("T1", "T13", {"distance": 1000.0}),
        ("T5", "T17", {}),
    ):
        category = "restaurant" if more else "cafe"
        name = asker.accepted(named, anchor=anchor, category=category, **more)
        where = asker.accepted(located, anchor=anchor, category=category, **more)
        assert keys(name) == [key for key, one in zip(keys(where), names(where), strict=True) if one]


@pytest.mark.parametrize(
    ("template", "category", "more", "reason"),
    [
        ("T13", "restaurant", {"distance": 10.0}, "no_answer"),
        ("T13", "food", {"distance": 20_000.0}, "too_many_answers"),
        ("T17", "restaurant", {}, "too_close"),
    ],
)
def test_locations_are_refused(
    asker: Asker, places: Imported, template: str, category: str, more: dict[str, Any], reason: str
) -> None:
    assert asker.ask(template, anchor=places.key("Museum Quay"), category=category, **more) == reason


# --- in a direction: T3, T15, T19 -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sector", "certain", "tolerated"),
    [
        (0, ["North by West", None, "North by East"], ["Edge Inn", "Rim Inn"]),
        (1, None, None),  # the inn on the edge may not be counted on
        (2, ["East Inn", "Hospital Quay"], []),
        (4, ["South Inn"], ["Door Inn"]),  # 15 m from the museum, a direction says little
    ],
)
def test_places_in_a_range_and_a_sector(
    asker: Asker, places: Imported, sector: int, certain: list[str | None] | None, tolerated: list[str] | None
) -> None:
    tuple_of = {
        "anchor": places.key("Museum Quay"),
        "category": "restaurant",
        "sector": sector,
        "distance": 1000.0,
    }
    if certain is None or tolerated is None:
        assert asker.ask("T3", **tuple_of) == asker.ask("T15", **tuple_of) == "no_answer"
        return
    where = asker.accepted("T15", **tuple_of)
    assert (names(where), names(where, "tolerated")) == (certain, tolerated)
    named = asker.accepted("T3", **tuple_of)
    assert named.gold["names"] == sorted(name for name in certain if name)
    assert names(named, "tolerated") == tolerated


def test_the_location_of_the_nearest_in_a_sector(asker: Asker, places: Imported) -> None:
    anchor = places.key("Museum Quay")
    for category, sector, name in (("cafe", 0, "Cafe North"), ("cafe", 2, "Cafe East"), ("cafe", 4, None)):
        one = asker.accepted("T19", anchor=anchor, category=category, sector=sector)
        assert names(one) == [name]
    assert asker.ask("T9", anchor=anchor, category="cafe", sector=4) == "unnamed_answer"
    for template in ("T9", "T19"):
        assert asker.ask(template, anchor=anchor, category="fast_food", sector=4) == "near_sector_edge"


# --- towards: T4, T10, T16, T20 ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("goal", "certain", "tolerated"),
    [
        # 5 degrees: [342.5, 27.5); 22.0 is no edge here, and 350 wraps
        (
            "Gallery Goal",
            ["North by West", "Edge Inn", None, "North by East"],
            ["Rim Inn"],
        ),
        # 352 degrees: [329.5, 14.5); 15 lies half a degree outside, where it is tolerated
        ("Gallery West Goal", ["North by West", None], ["North by East", "Rim Inn"]),
    ],
)
def test_places_in_a_range_towards(
    asker: Asker, places: Imported, goal: str, certain: list[str | None], tolerated: list[str]
) -> None:
    tuple_of = {
        "anchor": places.key("Museum Quay"),
        "towards": places.key(goal),
        "category": "restaurant",
        "distance": 1000.0,
    }
    where = asker.accepted("T16", **tuple_of)
    assert (names(where), names(where, "tolerated")) == (certain, tolerated)
    named = asker.accepted("T4", **tuple_of)
    assert (names(named), names(named, "tolerated")) == ([name for name in certain if name], tolerated)


@pytest.mark.parametrize(
    ("goal", "name"),
    [("Gallery Goal", "Cafe North"), ("Gallery West Goal", "Cafe North"), ("Hospital Quay", "Cafe East")],
)
def test_the_nearest_towards(asker: Asker, places: Imported, goal: str, name: str) -> None:
    tuple_of = {"anchor": places.key("Museum Quay"), "towards": places.key(goal), "category": "cafe"}
    assert asker.accepted("T10", **tuple_of).gold["names"] == [name]
    assert keys(asker.accepted("T20", **tuple_of)) == [places.key(name)]


@pytest.mark.parametrize("template", ["T4", "T10", "T16", "T20"])
@pytest.mark.parametrize(
    ("anchor", "goal", "reason"),
    [
        ("Museum Quay", "Museum Quay", "anchors_too_near"),
        ("Museum Quay", "Gallery Close", "anchors_too_near"),  # 590 m: 10 m more or less are a degree
        ("Museum Quay", "Gallery Just Far Enough", "no_answer"),  # 610 m, and nothing to its south-east
        ("Museum Corner", "Museum Other Corner", "anchors_far_apart"),
    ],
)
def test_anchors_must_give_a_direction(
    asker: Asker, places: Imported, template: str, anchor: str, goal: str, reason: str
) -> None:
    more = {"distance": 1000.0} if template in ("T4", "T16") else {}
    tuple_of = {"anchor": places.key(anchor), "towards": places.key(goal), "category": "cafe"}
    assert asker.ask(template, **tuple_of, **more) == reason


def test_an_answer_that_the_question_names_is_none(asker: Asker, places: Imported) -> None:
    """The hospitals have restaurants, and are the places that the direction is named by."""
    anchor = {"anchor": places.key("Museum Quay"), "category": "restaurant"}
    east, west = ({"towards": places.key(f"Hospital {name}")} for name in ("Quay", "West"))
    assert asker.ask("T16", **anchor, **east, distance=1000.0) == "names_itself"
    assert keys(asker.accepted("T20", **anchor, **east)) == [places.key("East Inn")]
    assert asker.ask("T20", **anchor, **west) == asker.ask("T10", **anchor, **west) == "names_itself"


# --- narrowed categories: T2, T6, T14, T18 ----------------------------------------------------------------


def test_filters_are_those_of_the_map(asker: Asker) -> None:
    """At least two named places each; a fact of facts.toml is none, and a "no" is no service."""
    assert asker.values("T6", "category") == [
        "hospital:emergency=yes",
        "museum:museum=art",
        "museum:museum=history",
        "restaurant:cuisine=pizza",
        "restaurant:takeaway=yes",
    ]


@pytest.mark.parametrize(
    ("category", "name"),
    [
        ("restaurant:cuisine=pizza", "Kebab Corner"),  # the second of its cuisines
        ("restaurant:takeaway=yes", "Kebab Corner"),  # "only" is a takeaway too, "no" is none
        ("museum:museum=art", "Museum of Paint"),
        ("hospital:emergency=yes", "Dock Hospital"),
    ],
)
def test_the_nearest_of_a_narrowed_category(asker: Asker, places: Imported, category: str, name: str) -> None:
    tuple_of = {"category": category, "anchor": places.key("Gallery Dock")}
    assert asker.accepted("T6", **tuple_of).gold["names"] == [name]
    assert keys(asker.accepted("T18", **tuple_of)) == [places.key(name)]


def test_narrowed_places_in_a_range(asker: Asker, places: Imported) -> None:
    tuple_of = {"category": "restaurant:cuisine=pizza", "anchor": places.key("Gallery Dock")}
    for template in ("T2", "T14"):
        one = asker.accepted(template, **tuple_of, distance=500.0)
        assert names(one) == ["Kebab Corner", "Pizza Two"]
        # Three of twelve are a quarter, and that is allowed; of the three museums of art, one is not.
        assert names(asker.accepted(template, **tuple_of, distance=800.0))[2:] == ["Pizza Three"]
        museum = {**tuple_of, "category": "museum:museum=art"}
        assert asker.ask(template, **museum, distance=800.0) == "vacuous"


@pytest.mark.parametrize("template", ["T2", "T6", "T14", "T18"])
def test_a_category_is_never_the_anchors_own_class(asker: Asker, places: Imported, template: str) -> None:
    more = {"distance": 800.0} if template in ("T2", "T14") else {}
    tuple_of = {"category": "museum:museum=art", "anchor": places.key("Museum Dock")}
    assert asker.ask(template, **tuple_of, **more) == "own_class"
