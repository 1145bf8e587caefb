"""What tags and a facts file say of a map's places, read by rules stated once more by hand: for T7 and T8.

A fact is a year, a number above zero, or a name; what sources contradict each other about is none.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import NamedTuple

from tests.support.capacity_count import Found, Known, may_be_measured_from

YEARS = {
    "start_date": "start_year", "construction_date": "start_year", "year_of_construction": "start_year",
    "inception": "start_year", "opening_date": "opening_year",
}  # fmt: skip
NAMES = {
    "architect": "architect", "building:architect": "architect", "artist_name": "artist", "operator": "operator",
    "owner": "owner", "old_name": "former_name",
}  # fmt: skip
COUNTS = {
    "capacity": "capacity",
    "beds": "beds",
    "rooms": "rooms",
    "seats": "seats",
    "building:levels": "floors",
}
METRES = {"height": "height", "ele": "elevation"}
UNITS = {"": 1, "m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1, "km": 1000}
UNITS_OF_FEET = {"ft": 0.3048, "feet": 0.3048, "foot": 0.3048, "'": 0.3048}
NOTHING = set(
    "nan none null nil n/a na unknown unbekannt inconnu various diverse yes no true false tbd ? - -- ...".split()
)
ASKED_CLASSES = set(
    """alpine_hut aquarium art_gallery attraction garden nature_reserve park arts_centre artwork bank cafe car_sharing castle charging_station cinema clinic
    college community_centre courthouse fast_food fire_station fuel gallery hospital hostel hotel kindergarten library
    marina memorial monastery monument museum parking place_of_worship playground police post_office pub restaurant
    school sports_centre stadium station theatre theme_park townhall tower university viewpoint zoo""".split()
)
MAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")


class Said(NamedTuple):
    """What one source says of one place: `meant` is equal where two say the same."""

    key: str
    attribute: str
    meant: str
    credit: str


def read_known(found: Found, facts: Path | None = None) -> Known:
    """What is known of the places by their withheld tags and, if given, a facts file of JSON lines."""
    told: dict[tuple[str, str], list[Said]] = defaultdict(list)
    bearers: dict[tuple[str, str], set[str]] = defaultdict(set)
    # The file comes first: of two sources that agree it is the one that is named.
    for said in [*(_from_file(facts) if facts else ()), *_from_tags(found)]:
        told[said.key, said.attribute].append(said)
        bearers[said.attribute, said.meant].add(said.key)
    places = {place.key: place for place in found.places}
    certain = {
        (key, attribute): said[0]
        for (key, attribute), said in told.items()
        if key in places and len({one.meant for one in said}) == 1
    }
    return Known(
        classes={
            "gallery" if kind == "art_gallery" else kind
            for key, _ in certain
            for kind in places[key].kinds
            if kind in ASKED_CLASSES and places[key].name is not None
        },
        topics={f"{attribute}@{said.credit}" for (_, attribute), said in certain.items()},
        described={
            f"{key} {attribute}"
            for (key, attribute), said in certain.items()
            if bearers[attribute, said.meant] == {key}
            and places[key].name is not None
            and may_be_measured_from(places[key])
        },
    )


def _from_file(path: Path) -> Iterator[Said]:
    for line in path.read_text(encoding="utf-8").splitlines():
        fact = json.loads(line)
        meant = read_value(fact["attribute"], str(fact["value"]))
        assert meant is not None, f"{line} would not be loaded"
        yield Said(fact["subject"], fact["attribute"], meant, fact["credit"])


def _from_tags(found: Found) -> Iterator[Said]:
    attributes = YEARS | NAMES | COUNTS | METRES
    for place in found.places:
        for tag in sorted(attributes.keys() & place.tags.keys()):
            meant = None if MAIL.search(place.tags[tag]) else read_value(attributes[tag], place.tags[tag])
            if meant is not None:
                yield Said(place.key, attributes[tag], meant, "OpenStreetMap")


def read_value(attribute: str, text: str) -> str | None:
    """What a value means: a year, a number in its unit, a name as it is compared; None where it is no fact."""
    said = unicodedata.normalize("NFC", text).strip()
    if not said or _compared(said) in NOTHING or ";" in said:
        return None
    if attribute in YEARS.values():
        return _year(said)
    if attribute in COUNTS.values() or attribute in METRES.values():
        return _number(said, attribute in METRES.values())
    return _name(said)


def _compared(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _year(text: str) -> str | None:
    match = re.fullmatch(r"(\d{3,4})(?:-(\d\d)(?:-(\d\d))?)?", text)
    if not match:
        return None
    year, month, day = (int(part or 1) for part in match.groups())
    try:
        date(year, month, day)
    except ValueError:
        return None
    return str(year) if 100 <= year <= 2100 else None


def _number(text: str, is_length: bool) -> str | None:
    match = re.fullmatch(r"([+-]?\d+(?:\.\d+)?)\s*([A-Za-z']*)", text)
    if not match:
        return None
    units = UNITS | UNITS_OF_FEET if is_length else {"": 1}
    unit = match[2].lower()
    if unit not in units:
        return None
    number = float(match[1]) * units[unit]
    return f"{number:.9f}" if 5e-10 < number <= 1e9 else None


def _name(text: str) -> str | None:
    name = " ".join(text.split())
    footnote = r"\s*(\[[^\]]{0,40}\]|\((\d{1,3}|[a-z])\)|[\u00b9\u00b2\u00b3\u2070-\u209f*†‡§]+)\s*$"
    while (shorter := re.sub(footnote, "", name)) != name:
        name = shorter
    meant = _compared(name)
    is_address = "://" in name or "www." in name or MAIL.search(name)
    plain = any(letter.isalpha() for letter in name) and name.isprintable() and len(name) <= 255
    return meant if plain and not is_address and meant not in NOTHING else None
