"""Questions whose options alone do not tell which of them is right."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

from app.questions.derivations import Case, derive

NAME = "map_tools_check"
HOURS = {
    "Office": "Mo-Fr 08:00-17:00",
    "Bakery": "Mo-Sa 07:00-12:00",
    "Bar": "Mo-Sa 18:00-24:00",
    "Kiosk": "Su 10:00-16:00",
}
"""Of 112 times, Office alone is open at 25, Bakery at 10, Bar at 30, Kiosk at 6."""


def asked(moment: str, derivation: str) -> Any:
    rows = [
        {"osm_key": f"n{place}", "name": name, "opening_hours": said, "moment": moment}
        for place, (name, said) in enumerate(HOURS.items())
    ]
    return derive(NAME, derivation, Case(rows, {}, {"minutes": 10}, {}))


def keys_of_the_week(derivation: str) -> Counter[str]:
    """How often each place is the answer, at all times that are asked."""
    monday = datetime.fromisoformat("2024-09-16T00:15")
    moments = [monday + timedelta(days=day, hours=hour) for day in range(7) for hour in range(7, 23)]
    found = (asked(one.isoformat(timespec="minutes"), derivation) for one in moments)
    return Counter(one.gold["text"] for one in found if one.refusal is None)


def test_each_of_four_places_is_the_answer_equally_often() -> None:
    assert keys_of_the_week("open_of_four") == {"Office": 25, "Bakery": 10, "Bar": 30, "Kiosk": 6}
    assert keys_of_the_week("open_of_four_evenly") == {"Office": 6, "Bakery": 6, "Bar": 6, "Kiosk": 6}


def lies_in(**said: bool) -> Any:
    row = {"doubtful": False, "inside": False, "region_name": "Balzers"}
    names = ("Feuerwehr Balzers", "Adler", "Krone", "Linde")
    rows = [row | {"osm_key": f"n{place}", "name": name} for place, name in enumerate(names)]
    rows[0] |= {"inside": True, **said}
    return derive(NAME, "lies_in", Case(rows, {}, {}, {}))


def test_no_name_tells_the_region() -> None:
    assert lies_in().gold["text"] == "Feuerwehr Balzers"
    assert lies_in(names_region=True, is_street=False).refusal == "names_region"
    assert lies_in(names_region=False, is_street=True).refusal == "name_of_street"
