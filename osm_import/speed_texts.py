"""Import stage: texts of speeds and durations to numbers. Pure; kilometres an hour, seconds.

The forms are those of the pages Key:maxspeed and Key:duration of the OpenStreetMap wiki.
"""

import re
from collections.abc import Mapping

from osm_import.travel_table import Speeds

MPH = "mph"
MILES_ZONES = ("GB", "US")
"""Countries whose zones have their number in miles an hour."""
LONGEST = 40
"""Characters; a longer text is no speed."""

_NUMBER = re.compile(r"([0-9]{1,3}(?:\.[0-9]{1,3})?) ?([a-z/]*)", re.IGNORECASE)
_ZONE = re.compile(r"([A-Z]{2}(?:-[A-Z]{2,3})?):(?:zone:?)?(.+)")
_CLOCK = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,3})(?::([0-5][0-9]))?")
_ISO = re.compile(r"PT(?=.)(?:([0-9]{1,3})H)?(?:([0-9]{1,4})M)?(?:([0-9]{1,5})S)?")


def read_limit(tags: Mapping[str, str], speeds: Speeds) -> float | None:
    """The speed limit that tags state, in km/h; None where they state none that can be read."""
    for key in speeds.keys:
        if key in tags:
            limit = read_speed(tags[key], speeds)
            if limit is not None:
                return limit
    by_direction = [read_speed(tags[key], speeds) for key in speeds.by_direction if key in tags]
    return min([limit for limit in by_direction if limit is not None], default=None)


def read_speed(text: str, speeds: Speeds) -> float | None:
    """`50`, `30 mph`, `walk`, `none`, `DE:urban`, `CH:zone30` … in km/h; of several, parted by `;`, the lowest."""
    if len(text) > LONGEST:
        return None
    found = [_read_one(part.strip(), speeds) for part in text.split(";")]
    limit = min([one for one in found if one is not None], default=None)
    return None if limit is None else min(limit, speeds.most)


def _read_one(text: str, speeds: Speeds) -> float | None:
    if text in speeds.words:
        return speeds.words[text]
    number = _NUMBER.fullmatch(text)
    if number:
        return _in_units(number[1], number[2].lower() or "km/h", speeds)
    zone = _ZONE.fullmatch(text)
    if zone is None:
        return None
    country, rest = zone.groups()
    if rest.isascii() and rest.isdecimal() and len(rest) <= 3:
        return _in_units(rest, MPH if country in MILES_ZONES else "km/h", speeds)
    return speeds.zones.get(f"{country}:{rest}", speeds.zones.get(f"*:{rest}"))


def _in_units(number: str, unit: str, speeds: Speeds) -> float | None:
    """A limit of nothing is none that anybody obeys: it is not read."""
    factor = speeds.units.get(unit)
    return float(number) * factor or None if factor else None


def read_duration(text: str) -> float | None:
    """`20` (minutes), `1:30` (hours and minutes), `1:30:00` or ISO 8601 (`PT1H30M`) in seconds; None for others."""
    iso = _ISO.fullmatch(text)
    if iso:
        hours, minutes, seconds = (int(part or 0) for part in iso.groups())
        return float(hours * 3600 + minutes * 60 + seconds) or None
    clock = _CLOCK.fullmatch(text)
    if clock is None:
        return None
    hours, minutes, seconds = (int(part or 0) for part in clock.groups())
    return float(hours * 3600 + minutes * 60 + seconds) or None
