"""The answer that a value is: which option, by which rule, and where no rule decides."""

from typing import Any

import pytest

from app.geoflow.matching import match_form, match_option
from app.geoflow.operators.base import Value
from app.geoflow.quantities import Quantity, read_clock, read_quantity


def value(kind: str, **data: Any) -> Value:
    return Value(kind, data)


def members(*names: str) -> Value:
    return value("OBJECT", members=[{"name": one} for one in names])


FOUR = ["North", "East", "South", "West"]
EIGHT = ["north", "northeast", "east", "southeast"]


@pytest.mark.parametrize(
    ("found", "options", "option", "rule"),
    [
        (value("FIELD", value=269.26, unit="m"), ["0.12 km", "0.27 km", "2.69 km", "No answer"], 1, "number"),
        (value("AMOUNT", value=3900, unit="s"), ["1 hour 5 minutes", "1 hour", "65 hours", "5 min"], 0, "number"),
        (value("AMOUNT", value=4, unit="places"), ["3", "4", "5", "6"], 1, "number"),
        (value("AMOUNT", value=12.4), ["12 minutes", "13 minutes"], 0, "number"),
        (value("AMOUNT", value=60, unit="s"), ["1 km", "2 km"], None, None),
        (value("AMOUNT", value=4, unit="places"), ["3", "5"], None, None),
        (value("AMOUNT", value=4, unit="places"), ["3 of 4", "4 of 5", "4", "2"], None, None),
        (value("FIELD", value=359.0, unit="degrees"), ["1 degrees", "350 degrees"], 0, "number"),
        (value("FIELD", value=350.0, unit="degrees"), FOUR, 0, "direction"),
        (value("FIELD", value=40.0, unit="degrees"), EIGHT, 1, "direction"),
        (value("FIELD", value="east"), FOUR, 1, "direction"),
        (value("FIELD", value="northeast"), FOUR, None, None),
        (value("EVENT", time="09:22"), ["9:22 AM", "9:22 PM", "09:32"], 0, "time"),
        (value("EVENT", time="2024-09-17T21:22"), ["9:22 AM", "9:22 PM"], 1, "time"),
        (value("EVENT", time="09:23"), ["09:22", "09:24"], None, None),
        (value("EVENT", time="2024-09-17T10:00", state="open"), ["Yes", "No"], 0, "yes_no"),
        (value("EVENT", time="2024-09-17T10:00", state="unknown"), ["Yes", "No"], None, None),
        (value("EVENT", time="10:00", feasible=False), ["Yes, in time", "No, too late", "No"], None, None),
        (value("LOCATION", name="Café Élan"), ["cafe elan", "CAFÉ  ÉLAN", "Krone"], 1, "name"),
        (value("LOCATION", name="Café Élan"), ["Cafe Elan", "Krone"], 0, "name"),
        (value("LOCATION", name="Kron"), ["Krone", "Kron AG"], None, None),
        (value("LOCATION", name="Krone"), ["Krone", "krone"], None, None),
        (members("Krone", "Linde"), ["Krone -> Linde", "Linde -> Krone"], 0, "order"),
        (members("Krone", "Linde"), ["Bahnhof → Linde → Krone", "Bahnhof → Krone → Linde"], 1, "order"),
        (members("Linde", "Krone"), ["Krone and Linde", "Krone", "Krone, Linde and Sonne"], 0, "set"),
        (members("Krone"), ["Krone", "Linde"], 0, "name"),
        (value("NETWORK", routes=[{"seconds": 5, "via": ["Linde"]}]), ["Krone", "Linde"], 1, "name"),
        (value("FIELD", value={"a": 1}), ["a", "1"], None, None),
        (value("PROPORTION", value=0.25), ["0.2", "0.25", "0.3"], 1, "number"),
    ],
)  # fmt: skip
def test_the_option_that_a_value_is(
    found: Value, options: list[str], option: int | None, rule: str | None
) -> None:
    match = match_option(found, options)
    assert (match and match.option, match and match.rule) == (option, rule)


@pytest.mark.parametrize(
    ("found", "answer_type", "text"),
    [
        (value("AMOUNT", value=4, unit="places"), "count", "4"),
        (value("AMOUNT", value=4.5), "count", None),
        (value("AMOUNT", value=4, unit="s"), "distance", None),
        (value("FIELD", value=0.269, unit="km"), "distance", "269.00 m"),
        (value("FIELD", value=12.5, unit="degrees"), "azimuth", "12.5000 degrees"),
        (value("LOCATION", name="Krone", lat=50.1, lon=10.2), "location", "latitude 50.1, longitude 10.2"),
        (value("LOCATION", name="Krone"), "name", "Krone"),
        (members("Krone", "Linde"), "names", "Krone; Linde"),
        (members(), "names", "none"),
        (members("Krone", "Linde"), "order", "Krone->Linde"),
        (members("Krone", "Linde"), "name", None),
        (value("LOCATION", name="Krone"), "destinations", None),
    ],
)
def test_an_answer_without_options_has_the_form_that_is_asked_for(
    found: Value, answer_type: str, text: str | None
) -> None:
    match = match_form(found, answer_type)
    assert (match and match.text) == text


@pytest.mark.parametrize(
    ("text", "quantity"),
    [
        ("1,234.5 m", Quantity(1234.5, "m")),
        ("about 2 km", Quantity(2000, "m")),
        ("2 hours and 10 minutes", Quantity(7800, "s")),
        ("4 cafes", Quantity(4, "")),
        ("Route 66", None),
        ("3 of 4", None),
        ("10:30", None),
        ("", None),
    ],
)
def test_quantities(text: str, quantity: Quantity | None) -> None:
    assert read_quantity(text) == quantity


def test_times_of_the_clock() -> None:
    assert [read_clock(one) for one in ("12:05 AM", "12:05 PM", "24:00", "9.30", "25:00", "0:30 PM")] == [
        5, 725, 0, 570, None, None,
    ]  # fmt: skip
