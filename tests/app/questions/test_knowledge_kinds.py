"""Questions about kinds on the toy town: land use, category, a place of a category; gold by hand, every refusal."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.core.class_words import class_word
from app.questions.accepting import Acceptance, accept_questions
from app.questions.drawing import OptionsWanted
from app.questions.terms import Terms
from tests.support.town import SHOPS, Asker, Imported, template_of

CLASSES = {name: shop for name, (shop, _) in SHOPS.items()}


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield replace(Asker.on(connection, town.name), wanted=OptionsWanted("hard"))


def accept_all(asker: Asker, template: str, seed: int) -> Acceptance:
    terms = Terms(seed, wanted=asker.wanted)
    return accept_questions(asker.ground, template_of(template), terms, 10**6, set())


# --- Landuse_AOI ------------------------------------------------------------------------------------------

USES = {
    "Black Court": "residential",
    "White Court": "industrial",
    "Green Court": "commercial",
    "Brown Court": "religious",
    "Amber Court": "education",
    "Big Campus": "education",
    "Toy Clinic": "medical",
    "Small Quad": "park & green land",
}


@pytest.mark.parametrize("name", USES)
def test_the_land_use_of_an_area(asker: Asker, town: Imported, name: str) -> None:
    for one in asker.drawn("Landuse_AOI", 24, 1, aoi=town.key(name)):
        assert one.gold["text"] == USES[name]
        assert one.gold["objects"] == [town.key(name)]
        assert one.options
        assert len(set(one.options)) == 4
        assert one.options[one.gold["index"]] == USES[name]


@pytest.mark.parametrize(
    ("name", "reason"), [("Mixed Ground", "several_uses"), ("Water Works", "names_itself")]
)
def test_land_use_is_refused(asker: Asker, town: Imported, name: str, reason: str) -> None:
    assert asker.ask("Landuse_AOI", aoi=town.key(name)) == reason


def test_common_land_uses_are_asked_for_no_more_often_than_they_are_shown(
    asker: Asker, town: Imported
) -> None:
    """Most areas of the town are of one class; whenever it is shown, it is the key a quarter of the time."""
    shown: list[bool] = []
    for seed in range(60):
        for one in accept_all(asker, "Landuse_AOI", seed).accepted:
            if "agriculture & forest" in (one.options or ()):
                shown.append(one.gold["text"] == "agriculture & forest")
    assert len(shown) > 200
    assert 0.17 < sum(shown) / len(shown) < 0.33


# --- Classify_POI -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Haus Korn", "Haus Rosa", "Haus Klar", "Haus Naht", "Haus Gold"])
def test_the_category_of_a_place(asker: Asker, town: Imported, name: str) -> None:
    for one in asker.drawn("Classify_POI", 24, 1, poi=town.key(name)):
        word = class_word(CLASSES[name])
        assert one.gold["text"] == word
        assert one.options
        assert one.options[one.gold["index"]] == word
        assert set(one.options) <= {*map(class_word, CLASSES.values()), "kiosk"}, "other kinds of shops"
        assert one.picked.one("poi").label.startswith(f"{name} (Market Lane")


@pytest.mark.parametrize("template", ["Classify_POI", "Find_Instances_By_Type"])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Hospital Omega", "several_classes"),
        ("Hotel Post", "several_classes"),
        ("Haus Eck", "vague_class"),
        ("Toy Zoo", "names_itself"),
        ("Kiosk Corner", "names_itself"),
        ("Museum Alpha", "names_itself"),
    ],
)
def test_a_category_is_refused(asker: Asker, town: Imported, template: str, name: str, reason: str) -> None:
    assert asker.ask(template, poi=town.key(name)) == reason


# --- Find_Instances_By_Type -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Haus Korn", "Haus Rosa", "Haus Klar", "Haus Naht", "Haus Gold"])
def test_a_place_of_a_category(asker: Asker, town: Imported, name: str) -> None:
    classes = {**CLASSES, "Haus Brot": "bakery"}
    for one in asker.drawn("Find_Instances_By_Type", 24, 1, poi=town.key(name)):
        assert one.picked.one("poi").label == class_word(CLASSES[name])
        assert one.gold["text"] == name
        assert one.options
        assert one.options[one.gold["index"]] == name
        found = [classes.get(option, "kiosk") for option in one.options]
        assert len(set(found)) == 4, "each of another category"
