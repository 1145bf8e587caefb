from typing import Any

import pytest
import shapely

from app.benchmarks.urban_knowledge.second_path.addresses import address_from, may_be_one
from tests.support.second_path import answer, wrong_options


def tags(house: str | None, street: str | None = "Ring", **more: str) -> dict[str, str]:
    said = {"addr:housenumber": house, "addr:street": street, **{f"addr:{k}": v for k, v in more.items()}}
    return {key: value for key, value in said.items() if value is not None}


@pytest.mark.parametrize(
    ("house", "other", "may"),
    [
        ("5", "5", True),
        ("5", "5a", True),
        ("5", "7", False),
        ("5", "3-7", True),
        ("5", "7-9", False),
        ("2;8", "5", True),
        ("10", "1", False),
    ],
)
def test_which_numbers_may_be_one_house(house: str, other: str, may: bool) -> None:
    one, another = address_from(tags(house)), address_from(tags(other))
    assert one
    assert another
    assert may_be_one(one, another) is may_be_one(another, one) is may
    elsewhere = address_from(tags(other, "Gasse"))
    assert elsewhere
    assert not may_be_one(one, elsewhere)


def test_what_an_address_says() -> None:
    full = address_from(
        tags(" 5  a", "Am  Ring", city="Stadt", postcode="1234", suburb="Mitte", country="XX")
    )
    assert full
    assert full.text == "5 a Am Ring, Mitte, Stadt, 1234"
    assert full.parts == {"suburb", "city", "postcode"}
    assert address_from(tags("5", None)) is None
    assert address_from(tags(None)) is None
    assert address_from(tags("A5")) is None
    place = address_from({"addr:housenumber": "5", "addr:place": "Weiler"})
    assert place
    assert place.text == "5 Weiler"


@pytest.fixture
def street(town: Any) -> Any:
    """A subject at 5 Ring; others at 7, at 5a, without a number, without an address, and one 600 m away."""
    for key, metres, name, said in (
        ("n10", 10, "Adler", tags("5")),
        ("n11", 100, "Krone", tags("7")),
        ("n12", 100, "Linde", tags("5a")),
        ("n13", 100, "Rose", tags(None)),
        ("n14", 100, "Sonne", {}),
        ("n15", 620, "Stern", tags("9")),
        ("n16", 100, "Mond", tags("11", city="Stadt")),
        ("n17", 100, "Хутор", tags("13")),
    ):
        town.add("poi", key, shapely.Point(*town.at(metres, 0)), name, "restaurant", tags=said)
    return town


def verdicts(town: Any, template: str, parameters: dict[str, Any], *options: str) -> list[tuple[bool, str]]:
    layers = town.layers()
    found = answer(layers, template, parameters)
    judged = wrong_options(layers, template, parameters, found, [found.value["text"], *options], 0)
    return [(one.wrong, one.why) for one in judged]


def test_addresses_are_wrong_when_surely_another_house_near_by(street: Any) -> None:
    found = answer(street.layers(), "Retrieve_POI_Address", {"poi": "n10"})
    assert found.value == {"text": "Ring 5", "objects": ["n10"]}
    judged = verdicts(
        street,
        "Retrieve_POI_Address",
        {"poi": "n10"},
        "Ring 7",
        "Ring 5a",
        "Ring 9",
        "Ring 99",
        "Ring 11, Stadt",
    )
    assert [wrong for wrong, _ in judged] == [True, False, False, False, False]
    assert "may be the subject's house" in judged[1][1]
    assert "609" in judged[2][1] or "610" in judged[2][1]
    assert "no named object" in judged[3][1]
    assert "more than twice" in judged[4][1]


def test_names_are_wrong_when_every_bearer_is_surely_elsewhere(street: Any) -> None:
    street.rows["poi"] = [row for row in street.rows["poi"] if row.osm_key != "n12"]
    found = answer(street.layers(), "Retrieve_POI_Name", {"poi": "n10"})
    assert (found.value, found.refusal) == ({"text": "Adler", "objects": ["n10"]}, None)
    judged = verdicts(
        street, "Retrieve_POI_Name", {"poi": "n10"}, "Krone", "Rose", "Sonne", "Хутор", "Nobody"
    )
    assert [wrong for wrong, _ in judged] == [True, False, False, False, False]
    assert "no address" in judged[1][1]
    assert "CYRILLIC" in judged[3][1]


@pytest.mark.parametrize(
    ("template", "key", "refusal"),
    [
        ("Retrieve_POI_Name", "n10", "shared_address"),  # 5a
        ("Retrieve_POI_Address", "n13", "no_address"),
        ("Retrieve_POI_Name", "n14", "no_address"),
        ("Retrieve_POI_Address", "n99", "unknown_object"),
    ],
)
def test_what_should_not_be_asked(street: Any, template: str, key: str, refusal: str) -> None:
    assert answer(street.layers(), template, {"poi": key}).refusal == refusal


def test_areas_by_their_own_addresses(town: Any) -> None:
    for key, metres, name, said in (
        ("w1", 0, "Hof Eins", tags("1")),
        ("w2", 300, "Hof Zwei", tags("2")),
        ("w3", 600, "Hof Drei", tags("3")),
        ("w4", 900, "Hof Vier", {}),
        ("w5", 1200, "Ring Hof", tags("5")),
    ):
        shape = shapely.MultiPolygon([town.square(100, metres)])
        town.add("aoi", key, shape, name, "Commercial", tags=said)
    assert answer(town.layers(), "Retrieve_AOI_Address", {"aoi": "w1"}).value["text"] == "Ring 1"
    assert answer(town.layers(), "Retrieve_AOI_Name", {"aoi": "w1"}).value["text"] == "Hof Eins"
    assert answer(town.layers(), "Retrieve_AOI_Name", {"aoi": "w5"}).refusal == "names_itself"
    assert answer(town.layers(), "Retrieve_AOI_Name", {"aoi": "w9"}).refusal == "unknown_object"
    judged = verdicts(town, "Retrieve_AOI_Address", {"aoi": "w1"}, "Ring 2", "Ring 3", "Ring 9")
    assert [wrong for wrong, _ in judged] == [True, True, False]
    judged = verdicts(town, "Retrieve_AOI_Name", {"aoi": "w1"}, "Hof Zwei", "Hof Vier")
    assert [wrong for wrong, _ in judged] == [True, False]


def test_addresses_have_the_order_of_their_country(street: Any) -> None:
    """That of the object, else that of the first place on the map that has one."""
    street.add("poi", "n09", shapely.Point(*street.at(300, 0)), "Eiche", "hotel", tags={"addr:country": "US"})
    swiss = {**tags("21", city="Stadt"), "addr:postcode": "9490", "addr:country": "LI"}
    street.add("poi", "n20", shapely.Point(*street.at(310, 0)), "Ulme", "hotel", tags=swiss)
    assert answer(street.layers(), "Retrieve_POI_Address", {"poi": "n10"}).value["text"] == "5 Ring"
    assert (
        answer(street.layers(), "Retrieve_POI_Address", {"poi": "n20"}).value["text"] == "Ring 21, 9490 Stadt"
    )
    judged = verdicts(street, "Retrieve_POI_Address", {"poi": "n10"}, "7 Ring", "Ring 7")
    assert [wrong for wrong, _ in judged] == [True, False]
