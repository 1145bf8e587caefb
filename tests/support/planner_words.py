"""The words of questions that a planner of rules knows: forms of sentences with slots, kinds of places, conditions, times.

A form is a sentence in which `{a}`, `{b}` and `{c}` are places with their kind in brackets, `{r}` is a distance, `{type}` a
kind of places, `{with}` a condition on them, `{side}` a direction, `{when}` a day and a time, `{rank}` an ordinal number,
and any other name is free text.
"""

import re
from calendar import month_name
from collections.abc import Mapping
from functools import cache

PLACES = ("a", "b", "c")
_SLOT = re.compile(r"\\\{(\w+)\\\}")
_KIND = r"(?!synthetic\))[^()]+"
_SLOTS = {
    "r": r"(?P<r>[\d.]+) ?(?P<unit>km|m|kilometres|metres)",
    "side": r"(?P<side>(?:north|south)(?:east|west)|north|south|east|west)",
    "with": r"(?P<with>(?:with|serving|that|which|where) .+?)",
    "when": r"(?P<when>\w+day, \d+ \w+ \d{4}, at \d\d:\d\d)",
    "rank": r"(?P<rank>first|second|third|fourth|fifth|sixth)",
}
RANKS = ("first", "second", "third", "fourth", "fifth", "sixth")
KINDS: Mapping[str, str] = {
    "café": "cafe",
    "cash machine": "atm",
    "fast food place": "fast_food",
    "doctor's practice": "doctors",
    "doctors": "doctors",
    "police station": "police",
    "petrol station": "fuel",
    "fuel station": "fuel",
    "town hall": "townhall",
    "car park": "parking",
    "car dealer": "car",
    "car repair shop": "car_repair",
    "car-sharing station": "car_sharing",
    "clothes shop": "clothes",
    "bookshop": "books",
    "childcare centre": "childcare",
    "courthouse": "court",
    "convenience store": "convenience",
    "shoe shop": "shoes",
    "drinks shop": "beverages",
    "drugstore": "chemist",
    "delicatessen": "deli",
    "fishmonger": "seafood",
    "gift shop": "gift",
    "hearing aid shop": "hearing_aids",
    "ice cream parlour": "ice_cream",
    "jeweller": "jewelry",
    "massage parlour": "massage",
    "pastry shop": "pastry",
    "physiotherapy practice": "physiotherapist",
    "printer's workshop": "printer",
    "public toilet": "toilets",
    "railway station": "station",
    "railway halt": "halt",
    "shopping centre": "mall",
    "sports shop": "sports",
    "tattoo parlour": "tattoo",
    "tobacconist": "tobacco",
    "work of art": "artwork",
    "miniature golf course": "miniature_golf",
    "wine shop": "wine",
    "lawyer's office": "lawyer",
    "architect's office": "architect",
    "government office": "government",
    "financial office": "financial",
    "insurance office": "insurance",
    "IT company": "it",
}
"""Kinds of places that OpenStreetMap calls by other words, each in the singular."""
ATTRIBUTES: Mapping[str, str] = {
    "wheelchair accessibility": "wheelchair",
    "outdoor seating": "outdoor_seating",
    "internet access": "internet_access",
    "opening hours": "opening_hours",
}
"""What a tag is called, where it is not its own key."""


@cache
def read_form(form: str) -> re.Pattern[str]:
    """The regular expression of a form."""
    return re.compile(_SLOT.sub(lambda found: _slot(found[1]), re.escape(form).replace(r"\ ", " ")))


def _slot(name: str) -> str:
    if name in PLACES:
        return rf"(?P<{name}>.+?) \((?P<{name}_kind>{_KIND})\)"
    return _SLOTS.get(name, rf"(?P<{name}>.+?)")


def class_of(kind: str) -> str:
    """The class of OpenStreetMap that a kind of places is, in the singular or in the plural."""
    for one in (kind, *_singulars(kind)):
        if one in KINDS:
            return KINDS[one]
    return (_singulars(kind) or [kind])[0].lower().replace(" ", "_")


def _singulars(kind: str) -> list[str]:
    found = [kind.replace("places of", "place of")] if kind.startswith("places of") else []
    found += [kind.removesuffix("ies") + "y"] if kind.endswith("ies") else []
    found += [kind.removesuffix("es")] if kind.endswith(("ches", "shes", "sses")) else []
    found += [kind.removesuffix("s")] if kind.endswith("s") and not kind.endswith(("ss", "ies")) else []
    return found


def metres(number: str, unit: str) -> float:
    """A distance in metres."""
    return float(number) * (1000 if unit.startswith("k") else 1)


def attribute_of(said: str) -> str:
    """The key of the tag that is meant."""
    return ATTRIBUTES.get(said.strip(), said.strip().replace(" ", "_"))


def condition_of(said: str) -> str:
    """What a condition asks of a place, as `key=value`."""
    if "wheelchair" in said:
        return "wheelchair=yes"
    if found := re.search(r"with (?:an? )?(\w+(?:[ -]\w+)?) (?:cuisine|food)", said):
        return f"cuisine={found[1].lower().replace(' ', '_')}"
    if found := re.search(r"(?:serving|serves?) (.+)", said):
        return f"cuisine={found[1].lower().replace(' ', '_')}"
    plain = re.sub(r"^(?:with|that has|that have|which has) (?:an? )?", "", said)
    return f"{attribute_of(plain)}=yes"


def time_of(said: str) -> str:
    """`Friday, 20 September 2024, at 20:15` as a local time."""
    day, month, year, _, clock = said.partition(", ")[2].replace(",", "").split(" ")
    return f"{year}-{[*month_name].index(month):02}-{int(day):02}T{clock}"
