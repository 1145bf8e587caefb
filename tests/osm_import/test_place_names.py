"""Official and alternative names as they stand in OpenStreetMap."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from osm_import.place_names import alt_names, official_name


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("Städtle;Altstadt", ["Städtle", "Altstadt"]),
        (" Rhein ; ;Rhein;Alpenrhein;", ["Rhein", "Alpenrhein"]),
        ("Bank, die", ["Bank, die"]),
        (";", []),
        ("", []),
    ],
)
def test_alternative_names(value: str, expected: list[str]) -> None:
    assert alt_names({"alt_name": value}) == expected


@given(st.lists(st.text(alphabet=st.characters(exclude_characters=";"))))
def test_alternative_names_of_any_text(names: list[str]) -> None:
    found = alt_names({"alt_name": ";".join(names)})
    assert found == list(dict.fromkeys(found))
    assert set(found) == {name.strip() for name in names} - {""}


def test_official_name() -> None:
    assert official_name({"official_name": " Fürstentum Liechtenstein "}) == "Fürstentum Liechtenstein"
    assert official_name({"official_name": "  "}) is None
    assert official_name({"name": "Liechtenstein"}) is None
    assert alt_names({}) == []
