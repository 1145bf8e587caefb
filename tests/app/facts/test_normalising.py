"""Values as sources write them: what is a year, a number or a name, and what is no fact at all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.facts.attributes import ATTRIBUTES, BY_OSM_KEY
from app.facts.normalising import NoFact, normalise
from osm_import.publishing import read_facts as withheld

NOTHING = ["", " ", "nan", "NaN", "None", "null", "n/a", "unknown", "?", "-", "yes", "no", "\t"]


@pytest.mark.parametrize("name", sorted(ATTRIBUTES))
@pytest.mark.parametrize("text", [*NOTHING, "Hans Meier;Anna Beck", "1950;1951"])
def test_nothing_and_several_values_are_no_fact(name: str, text: str) -> None:
    with pytest.raises(NoFact):
        normalise(ATTRIBUTES[name], text)


@pytest.mark.parametrize(
    ("name", "text", "value", "key"),
    [
        ("start_year", "1984", "1984", "1984"),
        ("start_year", "1984-05", "1984", "1984"),
        ("start_year", " 1984-05-06 ", "1984", "1984"),
        ("start_year", "0984", "984", "984"),
        ("height", "12.50", "12.5", "12.5"),
        ("height", "12.5 m", "12.5", "12.5"),
        ("height", "100 ft", "30.48", "30.48"),
        ("elevation", "1.867 km", "1867", "1867"),
        ("capacity", "+35", "35", "35"),
        ("operator", "  Gemeinde   Vaduz [1]", "Gemeinde Vaduz", "gemeinde vaduz"),
        ("operator", "Stiftung 2000¹*", "Stiftung 2000", "stiftung 2000"),
        ("architect", "Hans Meier (3)", "Hans Meier", "hans meier"),
        ("mascot", "Bär [citation needed]", "Bär", "bär"),
    ],
)
def test_values_are_brought_into_one_form(name: str, text: str, value: str, key: str) -> None:
    found = normalise(ATTRIBUTES[name], text)
    assert (found.value, found.key) == (value, key)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        *(("start_year", text) for text in ("~1900", "C19", "1920s", "1900..1910", "before 1800", "1984-13")),
        *(("start_year", text) for text in ("1984-02-30", "99", "12345", "-50", "2999", "84")),
        *(
            ("capacity", text)
            for text in ("0", "-3", "10+", "3 m", "1,200", "1e400", "inf", "many", "12 cars")
        ),
        *(("height", text) for text in ("15 kg", "approx. 15", "15-20", "0 m", "99999999999")),
        *(
            ("operator", text)
            for text in ("[1]", "123", "mail@example.org", "https://example.org", "x" * 256)
        ),
    ],
)
def test_what_is_no_exact_value_is_no_fact(name: str, text: str) -> None:
    with pytest.raises(NoFact):
        normalise(ATTRIBUTES[name], text)


@given(st.text(max_size=300), st.sampled_from(sorted(ATTRIBUTES)))
def test_any_text_is_a_clean_value_or_no_fact(text: str, name: str) -> None:
    try:
        found = normalise(ATTRIBUTES[name], text)
    except NoFact:
        return
    assert found.value.isprintable()
    assert found.value == found.value.strip()
    assert found.key
    # what is normal stays as it is
    assert normalise(ATTRIBUTES[name], found.value).key == found.key


def test_every_osm_key_is_withheld_from_the_reference_views() -> None:
    assert [key for key in BY_OSM_KEY if not withheld().hides(key)] == []
