"""Places by what tells them apart: name, class, address, and what lies around, each as people write it.

A row has the columns that its function names; country is an ISO 3166-1 code or a name, and state a name or a postal
abbreviation. What a map does not know is None, and is left out.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from app.core.class_words import class_word
from app.core.countries import country_named, has_number_first, has_postcode_first, state_named

_NO_NUMBER = re.compile(r"s\s*[./]?\s*n\s*[.°º]?", re.IGNORECASE)
"""`s/n`: "without a number" in Spanish, Portuguese and Italian."""


def place_label(row: Mapping[str, Any]) -> str:
    """`Kunsthaus (museum, Lindenweg 3, Vaduz, Liechtenstein)`.

    The row has name, class, street, housenumber, city, state, country.
    """
    told = [class_word(row["class"]), _street_line_of(row), *surroundings(row)]
    parts = [part for number, part in enumerate(told) if part and part not in told[:number]]
    return f"{row['name']} ({', '.join(parts)})"


def surroundings(row: Mapping[str, Any]) -> list[str]:
    """The city of a place, then its state or country, as far as they are known. The row has city, state, country."""
    state = state_named(row["state"])
    around = state.name if state else _country_of(row)
    return [part for part in (city_name(row["city"]), around) if part]


def class_place_label(row: Mapping[str, Any]) -> str:
    """`Kunsthaus (museum)`. The row has name and class."""
    return f"{row['name']} ({class_word(row['class'])})"


def street_place_label(row: Mapping[str, Any]) -> str:
    """`Kunsthaus (museum, Lindenweg 3)`. The row has name, class, street, housenumber, state, country."""
    told = class_word(row["class"]), _street_line_of(row)
    return f"{row['name']} ({', '.join(filter(None, told))})"


def classed_label(row: Mapping[str, Any]) -> str:
    """`Kunsthaus (Lindenweg 3)`. The row has name, street, housenumber, state, country."""
    street = _street_line_of(row)
    return f"{row['name']} ({street})" if street else str(row["name"])


def address_label(row: Mapping[str, Any]) -> str:
    """`Lindenweg 3, Ebenholz, 9490 Vaduz`. The row has street, housenumber, suburb, city, postcode, state, country."""
    told = _street_line_of(row), row["suburb"], city_line(row["city"], row["postcode"], _country_of(row))
    return ", ".join(filter(None, told))


def city_line(city: str | None, postcode: str | None, country: str | None) -> str | None:
    """City and postcode in the order of the country: `9490 Vaduz`, `Baltimore, 21202`; None where there is neither."""
    if has_postcode_first(country):
        return " ".join(filter(None, (postcode, city))) or None
    return ", ".join(filter(None, (city, postcode))) or None


def context_place_label(row: Mapping[str, Any]) -> str:
    """`Kunsthaus (museum at Lindenweg 3, in Altstadt, near Post, Adler and Rathaus)`.

    The row has the columns of an address, name, class, area (a name) and names (those of the nearest places).
    """
    area = f", in {row['area']}" if row["area"] else ""
    where = f"{class_word(row['class'])} at {address_label(row)}{area}"
    others = [name for name in dict.fromkeys(row["names"]) if name != row["area"]]
    near = f", near {listed(others)}" if others else ""
    return f"{row['name']} ({where}{near})"


def listed(words: Iterable[str]) -> str:
    """`Post, Adler and Rathaus`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _street_line_of(row: Mapping[str, Any]) -> str | None:
    return street_line(row["street"], row["housenumber"], _country_of(row))


def _country_of(row: Mapping[str, Any]) -> str | None:
    """The country that the row tells, or whose state it tells."""
    state = state_named(row["state"])
    return country_named(row["country"]) or (state.country if state else None)


def street_line(street: str | None, housenumber: str | None, country: str | None) -> str | None:
    """Street and house number in the order of the country; None where there is no street."""
    if not street:
        return None
    number = housenumber if housenumber and not _NO_NUMBER.fullmatch(housenumber.strip()) else None
    if number is None:
        return street
    return f"{number} {street}" if has_number_first(country) else f"{street} {number}"


def city_name(city: str | None) -> str | None:
    """The city as people write it: one typed in capitals or small letters only gets a capital for each word.

    None where the map has no letter of it, such as "7".
    """
    if not city or not any(map(str.isalpha, city)):
        return None
    if len(city) > 3 and (city.isupper() or city.islower()):
        return re.sub(r"[^\W\d_]+", lambda word: word[0].capitalize(), city)
    return city
