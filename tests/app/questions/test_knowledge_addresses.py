"""Questions for addresses and for what is at one, on the toy town: gold by hand, every refusal, every wrong option."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from app.questions.drawing import OptionsWanted
from tests.support.town import COURTS, SHOPS, Asker, Imported


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield replace(Asker.on(connection, town.name), wanted=OptionsWanted("hard"))


def shown(house: str) -> str:
    return f"Market Lane {house}, 9999 Toyville"


# --- Retrieve_POI_Address ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Haus Korn", "Haus Klar", "Haus Band"])
def test_the_address_of_a_place(asker: Asker, town: Imported, name: str) -> None:
    one = asker.accepted("Retrieve_POI_Address", poi=town.key(name))
    assert one.gold["text"] == shown(SHOPS[name][1] or "")
    assert one.gold["objects"] == [town.key(name)]
    assert one.options
    assert one.options[one.gold["index"]] == one.gold["text"]
    assert {re.sub(r"[0-9]\S*,", "#,", option, count=1) for option in one.options} == {shown("#")}
    assert "Market" not in one.picked.one("poi").label


def test_houses_that_may_be_the_same_are_no_wrong_options(asker: Asker, town: Imported) -> None:
    books = asker.drawn("Retrieve_POI_Address", 16, 8, poi=town.key("Haus Wort"))
    assert shown("11a") not in {text for one in books for text in one.options or ()}
    butcher = asker.drawn("Retrieve_POI_Address", 16, 8, poi=town.key("Haus Wurst"))
    assert shown("3-5") not in {text for one in butcher for text in one.options or ()}
    assert len({text for one in butcher for text in one.options or ()}) > 4, "seeds draw others"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Haus Naht", "no_housenumber"),
        ("Market Lane", "names_itself"),
        ("Museum Alpha", "too_few_distractors"),  # nobody else within 500 m has an address
        (
            "Haus Gold",
            "too_few_distractors",
        ),  # 3-5 may be any house of its street, and there is no other street
    ],
)
def test_an_address_is_refused(asker: Asker, town: Imported, name: str, reason: str) -> None:
    assert asker.ask("Retrieve_POI_Address", poi=town.key(name)) == reason


def test_who_is_asked_about(asker: Asker, town: Imported) -> None:
    offered = asker.values("Retrieve_POI_Address", "poi")
    assert town.key("Haus Korn") in offered
    assert town.key("Museum Beta") not in offered  # without a street


# --- Retrieve_POI_Name ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Haus Korn", "Haus Rosa", "Haus Klar", "Haus Band"])
def test_the_place_at_an_address(asker: Asker, town: Imported, name: str) -> None:
    for one in asker.drawn("Retrieve_POI_Name", 16, 8, poi=town.key(name)):
        assert one.gold["text"] == name
        assert one.gold["objects"] == [town.key(name)]
        assert one.options
        assert one.options[one.gold["index"]] == name
        assert set(one.options) < {"Haus Korn", "Haus Rosa", "Haus Klar", "Haus Band", "Museum Alpha"}
        assert one.picked.one("poi").label == shown(SHOPS[name][1] or "")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Haus Wurst", "shared_address"),  # 5, and somebody is at 3-5
        ("Haus Gold", "shared_address"),
        ("Haus Wort", "shared_address"),  # 11, and somebody is at 11a
        ("Haus Naht", "no_housenumber"),
        ("Market Lane", "names_itself"),
    ],
)
def test_a_place_at_an_address_is_refused(asker: Asker, town: Imported, name: str, reason: str) -> None:
    assert asker.ask("Retrieve_POI_Name", poi=town.key(name)) == reason


# --- Retrieve_AOI_Address, Retrieve_AOI_Name --------------------------------------------------------------

FORUM = {
    f"{colour} Court": f"Forum Way {2 * number + 1}, 9999 Toyville" for number, colour in enumerate(COURTS)
}


@pytest.mark.parametrize("name", FORUM)
def test_the_address_of_an_area_and_back(asker: Asker, town: Imported, name: str) -> None:
    for template, key, others, label in (
        ("Retrieve_AOI_Address", FORUM[name], set(FORUM.values()), name),
        ("Retrieve_AOI_Name", name, set(FORUM), FORUM[name]),
    ):
        one = asker.accepted(template, aoi=town.key(name))
        assert one.gold["text"] == key
        assert one.gold["objects"] == [town.key(name)]
        assert one.options
        assert one.options[one.gold["index"]] == key
        assert set(one.options) < others
        assert one.picked.one("aoi").label == label


@pytest.mark.parametrize("template", ["Retrieve_AOI_Address", "Retrieve_AOI_Name"])
@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Grey Yard", "no_housenumber"),
        ("Red Forum", "names_itself"),
        ("Blue Barn", "shared_address"),
        ("Pink Barn", "shared_address"),
    ],
)
def test_the_address_of_an_area_is_refused(
    asker: Asker, town: Imported, template: str, name: str, reason: str
) -> None:
    assert asker.ask(template, aoi=town.key(name)) == reason
