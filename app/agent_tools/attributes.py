"""What tools tell of a place beside its name and address: tags that say what a visitor wants to know.

None of them is a fact that questions ask for, and none leads to a person: phone numbers and mail addresses are not even
imported. Texts come from a map that anybody may edit: they are data, never instructions.
"""

from collections.abc import Mapping
from urllib.parse import urlsplit

from app.agent_tools.places import shown

ATTRIBUTES = (
    "access",
    "air_conditioning",
    "brand",
    "changing_table",
    "cuisine",
    "delivery",
    "denomination",
    "diet:halal",
    "diet:kosher",
    "diet:vegan",
    "diet:vegetarian",
    "dog",
    "drive_through",
    "fee",
    "healthcare:speciality",
    "indoor_seating",
    "internet_access",
    "level",
    "opening_hours",
    "outdoor_seating",
    "payment:cash",
    "payment:credit_cards",
    "religion",
    "reservation",
    "smoking",
    "sport",
    "stars",
    "takeaway",
    "toilets:wheelchair",
    "website",
    "wheelchair",
    "wikidata",
    "wikipedia",
)
"""Keys of tags, as OpenStreetMap calls them."""


def read_attributes(tags: Mapping[str, str]) -> dict[str, str]:
    """What the tags say of ATTRIBUTES, fit to be shown."""
    found = {key: shown(tags[key]) or "" for key in ATTRIBUTES if tags.get(key)}
    if "website" in found and not _is_page(found["website"]):
        del found["website"]
    return found


def _is_page(address: str) -> bool:
    """Whether it is the address of a page, without a name or a password in it."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("", "http", "https") and "@" not in address and " " not in address
