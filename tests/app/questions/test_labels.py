"""How texts name places and classes: words, addresses in the order of their country, states and countries by name."""

from typing import Any

import pytest

from app.questions.labels import everyday_label_of, label_of
from app.questions.labels.class_words import CLASS_WORDS, class_word
from app.questions.labels.countries import COUNTRIES, NUMBER_FIRST, STATES_OF_USA


def place(**columns: Any) -> str:
    told = dict.fromkeys(("street", "housenumber", "city", "state", "country")) | columns
    return label_of("place", {"name": "Rose", "class": "hotel", **told})


@pytest.mark.parametrize(
    ("columns", "label"),
    [
        ({"street": "Lindenweg", "housenumber": "3", "city": "Vaduz", "country": "LI"}, "Lindenweg 3, Vaduz, Liechtenstein"),
        ({"street": "Main Street", "housenumber": "12", "city": "Baltimore", "state": "md"}, "12 Main Street, Baltimore, Maryland"),
        ({"street": "Main Street", "housenumber": "12", "country": "us"}, "12 Main Street, United States"),
        ({"street": "Rua Direita", "housenumber": "s/n", "country": "PT"}, "Rua Direita, Portugal"),
        ({"housenumber": "4", "city": "HELSINKI", "country": "FI"}, "Helsinki, Finland"),
        ({"city": "Singapore", "country": "SG"}, "Singapore"),
        ({"city": "Bregenz", "state": "Vorarlberg", "country": "AT"}, "Bregenz, Vorarlberg"),
        ({"country": "Narnia"}, "Narnia"),
        ({"city": "7", "country": "FI"}, "Finland"),
    ],
)  # fmt: skip
def test_a_place_by_its_address(columns: dict[str, str], label: str) -> None:
    assert place(**columns) == f"Rose (hotel, {label})"


@pytest.mark.parametrize(
    ("klass", "word"),
    [
        ("townhall", "town hall"),
        ("hifi", "hi-fi shop"),
        ("car", "car dealer"),
        ("fast_food", "fast food place"),
        ("alpine_hut", "alpine hut"),
    ],
)
def test_classes_have_words(klass: str, word: str) -> None:
    assert class_word(klass) == word
    assert label_of("class", {"value": klass}) == word


def test_no_word_is_a_tag() -> None:
    assert not [word for word in CLASS_WORDS.values() if "_" in word or word != word.strip()]


def test_the_tables_of_countries_fit_each_other() -> None:
    assert COUNTRIES.keys() >= NUMBER_FIRST
    assert len(COUNTRIES) == 249
    assert len(STATES_OF_USA) == 51


def test_a_place_by_what_is_said_of_it() -> None:
    told = {"class": "gallery", "words": "architect", "credit": "the register", "shown": "A. Mair"}
    assert label_of("described", told) == (
        "the art gallery whose architect (as given by the register) is A. Mair"
    )
    assert everyday_label_of("described", told) == "the art gallery whose architect is A. Mair"
    of_the_map = {**told, "credit": "OpenStreetMap"}
    assert label_of("described", of_the_map) == everyday_label_of("described", of_the_map)
