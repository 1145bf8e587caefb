from typing import Any

import pytest
import shapely

from tests.support.second_path import answer, wrong_options


@pytest.fixture
def shops(town: Any) -> Any:
    """One shop of each kind, one of two, one of none, and one whose name says its kind."""
    for number, (name, classes) in enumerate(
        (
            ("Korn", ("bakery",)),
            ("Rosa", ("florist",)),
            ("Wort", ("books",)),
            ("Naht", ("tailor", "bakery")),
            ("Eck", ("shop",)),
            ("Bakery Brot", ("bakery",)),
            ("Doktor", ("doctor",)),
            ("Praxis", ("doctors",)),
        )
    ):
        town.poi(f"n{10 + number}", 10 + number, 0, name, classes)
    return town


def judged(town: Any, template: str, key: str, *options: str) -> list[bool]:
    layers, parameters = town.layers(), {"aoi" if template == "Landuse_AOI" else "poi": key}
    found = answer(layers, template, parameters)
    verdicts = wrong_options(layers, template, parameters, found, [found.value["text"], *options], 0)
    return [one.wrong for one in verdicts]


@pytest.mark.parametrize("template", ["Classify_POI", "Find_Instances_By_Type"])
@pytest.mark.parametrize(
    ("key", "refusal"),
    [
        ("n10", None),
        ("n13", "several_classes"),
        ("n14", "vague_class"),
        ("n15", "names_itself"),
        ("n99", "unknown_object"),
    ],
)
def test_who_may_be_asked_about(shops: Any, template: str, key: str, refusal: str | None) -> None:
    assert answer(shops.layers(), template, {"poi": key}).refusal == refusal


def test_categories_are_wrong_when_no_class_of_the_place_says_them(shops: Any) -> None:
    assert answer(shops.layers(), "Classify_POI", {"poi": "n10"}).value["text"] == "bakery"
    assert judged(shops, "Classify_POI", "n10", "florist", "shop", "castle") == [True, False, False]
    assert judged(shops, "Classify_POI", "n16", "florist", "doctors") == [True, False]


def test_instances_are_wrong_when_no_bearer_is_of_the_category(shops: Any) -> None:
    found = answer(shops.layers(), "Find_Instances_By_Type", {"poi": "n10"})
    assert found.value == {"text": "Korn", "objects": ["n10"]}
    options = ("Rosa", "Naht", "Nobody")
    assert judged(shops, "Find_Instances_By_Type", "n10", *options) == [True, False, False]
    shops.poi("n30", 30, 0, "ROSA", ("bakery",))
    assert judged(shops, "Find_Instances_By_Type", "n10", *options) == [False, False, False]


def test_land_uses(town: Any) -> None:
    for key, name, klass, said in (
        ("w1", "Hof", "Commercial", {"landuse": "retail"}),
        ("w2", "Feld", "Residential", {"landuse": "residential", "natural": "wood"}),
        ("w3", "Wiese", "Agriculture&Forest", {"landuse": "meadow;grass"}),
        ("w4", "Water Works", "Water", {"landuse": "basin"}),
    ):
        shape = shapely.MultiPolygon([town.square(100, 300 * int(key[1:]))])
        town.add("aoi", key, shape, name, klass, tags=said)
    layers = town.layers()
    assert answer(layers, "Landuse_AOI", {"aoi": "w1"}).value == {"text": "commercial", "objects": ["w1"]}
    assert [answer(layers, "Landuse_AOI", {"aoi": f"w{i}"}).refusal for i in range(1, 5)] == [
        None,
        "several_uses",
        "several_uses",
        "names_itself",
    ]
    assert judged(town, "Landuse_AOI", "w1", "industrial", "farm", "commercial") == [True, False, False]


def test_classes_by_what_people_call_them(town: Any) -> None:
    """Two tags may be one word: then a wrong option is wrong only if the place is neither."""
    for key, metres, name, klass, said in (
        ("n1", 0, "Eins", "fuel", {"amenity": "fuel"}),
        ("n2", 100, "Zwei", "bag", {"shop": "bag"}),
        ("n3", 200, "Drei", "handbags", {"shop": "handbags"}),
        ("n4", 300, "Vier", "books", {"shop": "books", "old": "handbags"}),
    ):
        town.add("poi", key, shapely.Point(*town.at(metres, 0)), name, klass, tags=said)
    layers = town.layers()
    assert answer(layers, "Classify_POI", {"poi": "n1"}).value["text"] == "petrol station"
    assert judged(town, "Classify_POI", "n1", "bag shop", "fuel", "zeppelin hangar") == [True, False, False]
    assert judged(town, "Classify_POI", "n4", "bag shop", "petrol station") == [False, True]
