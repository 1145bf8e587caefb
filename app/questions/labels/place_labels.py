"""A place by its name, and in brackets its class, street, city, and state or country, each as people write it."""

import re
from collections.abc import Mapping
from typing import Any

from app.questions.labels.class_words import class_word
from app.questions.labels.countries import country_named, has_number_first, state_named

_NO_NUMBER = re.compile(r"s\s*[./]?\s*n\s*[.°º]?", re.IGNORECASE)
"""`s/n`: "without a number" in Spanish, Portuguese and Italian."""


def place_label(row: Mapping[str, Any]) -> str:
    """`Kunsthaus (museum, Lindenweg 3, Vaduz, Liechtenstein)`; what is not known is left out.

    The row has name, class, street, housenumber, city, state, country (an ISO 3166-1 code or a name).
    """
    state = state_named(row["state"])
    country = country_named(row["country"]) or (state.country if state else None)
    around = state.name if state else country
    told = [
        class_word(row["class"]),
        street_line(row["street"], row["housenumber"], country),
        city_name(row["city"]),
        around,
    ]
    parts = [part for number, part in enumerate(told) if part and part not in told[:number]]
    return f"{row['name']} ({', '.join(parts)})"


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
