"""A country road of galleries, each with a school and an inn, and what is said of them; known by hand.

Stations lie five kilometres apart along lat 50. At each: a gallery, its school 300 m east, its inn 150 m south.
"""

from tests.support.town import GEOD, Map, Place, offset

STATIONS = ("Told", "Silent", "Twin", "Other", "Item", "Torn", "Doubled", "Far")


def station(name: str) -> Place:
    """Where a station's gallery is."""
    lon, lat, _ = GEOD.fwd(10.0, 50.0, 90, 5000 * STATIONS.index(name))
    return round(lon, 7), round(lat, 7)


def make_facts_map() -> Map:
    """Tags of galleries, and of their schools."""
    road = Map(box=(9.8, 49.9, 10.8, 50.1))
    tags: dict[str, tuple[dict[str, str], dict[str, str]]] = {
        # The school was built in 1984; the gallery's architect is nobody else's.
        "Told": (
            {"architect": "Anna Beck [1]", "height": "12.5 m"},
            {"start_date": "1984-05-06", "capacity": "120"},
        ),
        # Nothing that is a fact.
        "Silent": ({"architect": "nan"}, {"start_date": "~1900", "capacity": "10+"}),
        # Two tags of one object contradict each other; the architect is that of Other.
        "Twin": ({"architect": "Hans Meier"}, {"start_date": "1930", "year_of_construction": "1931"}),
        "Other": ({"architect": "hans  MEIER"}, {"operator": "Toyville"}),
        # Told by an item, and by a file under its own key.
        "Item": ({"wikidata": "Q77"}, {"wikidata": "Q78", "start_date": "1950"}),
        "Torn": ({"wikidata": "Q79"}, {"start_date": "1950-01-01", "wikidata": "Q80"}),
        # One item, two objects.
        "Doubled": ({"wikidata": "Q81"}, {"wikidata": "Q81"}),
    }
    for name in STATIONS:
        gallery, school = tags.get(name, ({}, {}))
        place = station(name)
        road.node(place, tourism="gallery", name=f"Gallery {name}", **gallery)
        road.node(offset(place, 90, 300), amenity="school", name=f"School {name}", **school)
        road.eat(place, 180, 150, f"Inn {name}")
    return road
