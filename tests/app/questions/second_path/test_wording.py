"""Second path: names in English, rule by rule."""

import pytest
import shapely

from app.questions.second_path import Layers, named_as, wording_fault
from tests.app.questions.second_path.conftest import Town
from tests.support.second_path import rules_of

ONE = {"poi": "n2"}


def made(town: Town, *places: tuple[str, str | None, str | None]) -> Layers:
    """A town whose places n2, n3 … have these names and tags name:en."""
    for number, (key, name, english) in enumerate(places):
        point = shapely.Point(*town.at(100 * (number + 1), 90))
        town.add("poi", key, point, name, "cafe", tags={"name:en": english} if english is not None else {})
    return town.layers()


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([("n2", "Kauppa", "The  Shop ")], "The Shop"),
        ([("n2", "Kauppa", None)], None),
        ([("n2", "Kauppa", "  ")], None),
        ([("n2", None, "The Shop")], None),
        ([("n2", "Kauppa", "ＫＡＵＰＰＡ")], None),  # says nothing else
        ([("n2", "Kauppa", "The Shop"), ("n3", "the  shop", None)], None),
        ([("n2", "Kauppa", "The Shop"), ("n3", "Butik", "THE SHOP")], None),
        ([("n2", "Kauppa", "The Shop"), ("n3", "Butik", "The Shóp")], "The Shop"),
        ([("n2", "Kauppa", "The Shop"), ("n3", None, "The Shop")], None),
    ],
)
def test_english_names(
    town: Town, places: list[tuple[str, str | None, str | None]], expected: str | None
) -> None:
    layers = made(town, *places)
    assert named_as(layers, rules_of("Retrieve_Coordinates"), ONE, "en") == (expected and [expected])
    both = named_as(layers, rules_of("Retrieve_Coordinates"), ONE, "both")
    assert both == (expected and [f"Kauppa ({expected})"])


def test_all_objects_or_none(town: Town) -> None:
    layers = made(town, ("n2", "Kauppa", "Shop"), ("n3", "Torni", "Tower"), ("n4", "Silta", None))
    assert named_as(layers, rules_of("Calculate_Distance"), {"pois": ["n2", "n3"]}, "en") == ["Shop", "Tower"]
    assert named_as(layers, rules_of("Calculate_Distance"), {"pois": ["n2", "n4"]}, "en") is None


@pytest.mark.parametrize(
    ("template", "parameters", "form"),
    [
        ("Retrieve_Coordinates", ONE, "local"),
        ("Retrieve_Coordinates", ONE, "klingon"),
        ("Retrieve_Coordinates", {"poi": "n99"}, "en"),
        ("Retrieve_Coordinates", {"poi": 2}, "en"),
        ("Retrieve_Coordinates", {}, "en"),
        ("Find_Nearest_POI", ONE, "en"),  # its options are names
    ],
)
def test_what_is_not_named_in_english(
    town: Town, template: str, parameters: dict[str, object], form: str
) -> None:
    assert named_as(made(town, ("n2", "Kauppa", "Shop")), rules_of(template), parameters, form) is None


@pytest.mark.parametrize(
    ("form", "text", "fault"),
    [
        ("en", "Where is Shop?", None),
        ("both", "Where is Kauppa (Shop)?", None),
        ("both", "Where is Shop?", "no 'Kauppa (Shop)' in the text"),
        ("en", "Where is Kauppa?", "no 'Shop' in the text"),
        ("local", "Where?", None),
        ("fi", "Where is Shop?", "names in form 'fi', which is not proved here"),
    ],
)
def test_faults_of_a_text(town: Town, form: str, text: str, fault: str | None) -> None:
    layers = made(town, ("n2", "Kauppa", "Shop"))
    assert wording_fault(layers, rules_of("Retrieve_Coordinates"), ONE, form, text) == fault
