"""What may be asked for as a fact: one readable table of attributes, their kind, and where each source keeps them.

The OSM keys are among those that osm_import/facts.toml withholds from the reference views: a test holds them together.
"""

from typing import Literal, NamedTuple

Kind = Literal["name", "number", "year"]


class Attribute(NamedTuple):
    """One attribute; `words` is how a question names it, `unit` that of its number (empty: a count)."""

    name: str
    kind: Kind
    words: str
    unit: str = ""
    wikidata: str | None = None
    osm: tuple[str, ...] = ()


_TABLE = (
    Attribute(
        "start_year",
        "year",
        "year of foundation or construction",
        wikidata="P571",
        osm=("start_date", "construction_date", "year_of_construction", "inception"),
    ),
    Attribute("opening_year", "year", "year of opening", wikidata="P1619", osm=("opening_date",)),
    Attribute("architect", "name", "architect", wikidata="P84", osm=("architect", "building:architect")),
    Attribute("artist", "name", "artist", wikidata="P170", osm=("artist_name",)),
    Attribute("operator", "name", "operator", wikidata="P137", osm=("operator",)),
    Attribute("owner", "name", "owner", wikidata="P127", osm=("owner",)),
    Attribute("former_name", "name", "former name", osm=("old_name",)),
    Attribute("mascot", "name", "mascot", wikidata="P822"),
    Attribute("affiliation", "name", "affiliated institution", wikidata="P1416"),
    Attribute("capacity", "number", "capacity (number of places)", wikidata="P1083", osm=("capacity",)),
    Attribute("beds", "number", "number of beds", wikidata="P6801", osm=("beds",)),
    Attribute("rooms", "number", "number of rooms", wikidata="P8733", osm=("rooms",)),
    Attribute("seats", "number", "number of seats", osm=("seats",)),
    Attribute("floors", "number", "number of floors", wikidata="P1101", osm=("building:levels",)),
    Attribute("height", "number", "height in metres", "m", "P2048", ("height",)),
    Attribute("elevation", "number", "elevation above sea level in metres", "m", "P2044", ("ele",)),
)

ATTRIBUTES = {attribute.name: attribute for attribute in _TABLE}
BY_OSM_KEY = {key: attribute for attribute in _TABLE for key in attribute.osm}
BY_PROPERTY = {attribute.wikidata: attribute for attribute in _TABLE if attribute.wikidata}
