"""What words mean, stated by hand: kinds of places, grounds and lines, filters, compass words, facts.

Nothing here is taken from the templates, their words or their phrasings.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

Classes = frozenset[str]


@dataclass(frozen=True)
class Kind:
    """A kind of thing: its nouns, what a remark in brackets must list, and what it means on the map."""

    code: str
    singular: str
    plural: str
    layer: str
    classes: Classes | None
    """None: every class of the layer."""
    listed: tuple[str, ...] = ()
    """The remark in brackets behind the noun, as a set of words; empty where there is none."""


def _places(table: str) -> Iterator[Kind]:
    """Lines `code: singular / plural`, of points."""
    for line in table.strip().splitlines():
        code, _, nouns = line.strip().partition(": ")
        singular, _, plural = nouns.partition(" / ")
        yield Kind(code, singular, plural or f"{singular}s", "poi", frozenset({code}))


FOOD = Kind(
    "food",
    "eating place",
    "eating places",
    "poi",
    frozenset({"restaurant", "cafe", "fast_food"}),
    ("restaurant", "café", "fast food place"),
)
ART_GALLERY = Kind("gallery", "art gallery", "art galleries", "poi", frozenset({"gallery", "art_gallery"}))
PLACES = (
    FOOD,
    ART_GALLERY,
    *_places(
        """
        restaurant: restaurant
        cafe: café
        fast_food: fast food place
        alpine_hut: alpine hut
        aquarium: aquarium
        arts_centre: arts centre
        artwork: work of art / works of art
        attraction: tourist attraction
        bank: bank
        car_sharing: car-sharing station
        castle: castle
        charging_station: charging station
        cinema: cinema
        clinic: clinic
        college: college
        community_centre: community centre
        courthouse: courthouse
        fire_station: fire station
        fuel: petrol station
        garden: garden
        hospital: hospital
        hostel: hostel
        hotel: hotel
        kindergarten: kindergarten
        library: library / libraries
        marina: marina
        memorial: memorial
        monastery: monastery / monasteries
        monument: monument
        museum: museum
        nature_reserve: nature reserve
        park: park
        parking: car park
        place_of_worship: place of worship / places of worship
        playground: playground
        police: police station
        post_office: post office
        pub: pub
        school: school
        sports_centre: sports centre
        stadium: stadium
        station: railway station
        theatre: theatre
        theme_park: theme park
        townhall: town hall
        tower: tower
        university: university / universities
        viewpoint: viewpoint
        zoo: zoo
        """
    ),
)

RESERVES = frozenset({"nature_reserve", "protected_area", "national_park"})
GREEN = frozenset({"park", "garden", "common", "recreation_ground", "village_green"})
SPORT = frozenset({"sports_centre", "golf_course", "recreation_ground"})
STANDING = frozenset({"lake", "pond", "reservoir", "basin", "lagoon", "oxbow", "water"})
"""`water` is what mappers call a body of water of no stated kind."""


def _grounds(layer: str, table: str) -> Iterator[Kind]:
    for place in _places(table):
        yield Kind(place.code, place.singular, place.plural, layer, place.classes)


GROUNDS = (
    *_grounds(
        "park",
        """
        common: common
        garden: garden
        golf_course: golf course
        marina: marina
        national_park: national park
        nature_reserve: nature reserve
        park: park
        protected_area: protected area
        recreation_ground: recreation ground
        sports_centre: sports centre
        village_green: village green
        """,
    ),
    *_grounds("water", "basin: basin\nlake: lake\npond: pond\nreservoir: reservoir"),
    Kind(
        "any_park",
        "green or leisure area",
        "green or leisure areas",
        "park",
        GREEN | RESERVES | SPORT,
        (
            "park",
            "garden",
            "common",
            "green",
            "reserve",
            "golf course",
            "sports centre",
            "recreation ground",
        ),
    ),
    Kind(
        "green_space",
        "green space",
        "green spaces",
        "park",
        GREEN,
        ("park", "garden", "common", "recreation ground", "village green"),
    ),
    Kind(
        "leisure_ground",
        "sports ground",
        "sports grounds",
        "park",
        SPORT,
        ("sports centre", "golf course", "recreation ground"),
    ),
    Kind(
        "reserve",
        "area under protection",
        "areas under protection",
        "park",
        RESERVES,
        ("nature reserve", "protected area", "national park"),
    ),
    Kind(
        "still_water",
        "body of standing water",
        "bodies of standing water",
        "water",
        STANDING,
        ("lake", "pond", "reservoir", "basin", "the like"),
    ),
    Kind(
        "water",
        "water",
        "water",
        "water",
        None,
        ("lake", "pond", "basin", "the beds of rivers that are mapped as areas"),
    ),
    *(
        Kind(
            name,
            f"bed of a {name} that is mapped as an area",
            f"beds of {name}s that are mapped as areas",
            "water",
            frozenset({name}),
        )
        for name in ("river", "stream")
    ),
)


def _line(layer: str, code: str, noun: str, *listed: str, plural: str = "") -> Kind:
    return Kind(code, noun, plural or f"{noun}s", layer, frozenset({code}), listed)


LINES = (
    *(_line("water", name, name) for name in ("canal", "drain", "river", "stream")),
    _line("water", "ditch", "ditch", plural="ditches"),
    *(_line("road", name, name) for name in ("bridleway", "cycleway", "footway", "motorway")),
    _line("road", "living_street", "living street"),
    _line("road", "pedestrian", "pedestrian street"),
    _line("road", "residential", "residential street"),
    *(
        _line("road", name, f"{name} road")
        for name in ("trunk", "primary", "secondary", "tertiary", "service")
    ),
    _line("road", "steps", "flight of steps", plural="flights of steps"),
    _line("road", "path", "path", "not mapped as a footway", "cycleway", "bridleway", "track"),
    _line("road", "track", "farm or forest track"),
    _line("road", "unclassified", "minor public road", "below tertiary roads"),
    Kind(
        "main_road",
        "main road",
        "main roads",
        "road",
        frozenset({"trunk", "primary", "secondary", "tertiary"}),
        ("trunk road", "primary road", "secondary road", "tertiary road"),
    ),
    Kind(
        "waterway",
        "waterway",
        "waterways",
        "water",
        frozenset({"river", "stream", "canal", "drain", "ditch"}),
        ("river", "stream", "canal", "drain", "ditch"),
    ),
)


@dataclass(frozen=True)
class Filter:
    """What narrows a kind: a tag, and those of its values that count."""

    tag: str
    value: str
    accepted: Classes


def _service(tag: str, *also: str) -> Filter:
    return Filter(tag, "yes", frozenset({"yes", *also}))


SERVICES: Mapping[str, Filter] = {
    "with takeaway": _service("takeaway", "only"),
    "with delivery": _service("delivery", "only"),
    "with drive-through": _service("drive_through", "only"),
    "with outdoor seating": _service(
        "outdoor_seating",
        "terrace",
        "garden",
        "sidewalk",
        "pedestrian_zone",
        "patio",
    ),
    "with emergency service": _service("emergency"),
}


def _told(table: str) -> Mapping[str, str]:
    """Lines `word: value`; without a value, the word in small letters."""
    pairs = (line.partition(": ") for line in " ".join(table.split()).split("; "))
    return {word: value or word.lower() for word, _, value in pairs}


CUISINES = _told(
    """
    African; American; Arab; Argentinian; Asian; Australian; Austrian; bagel; barbecue; Brazilian; breakfast; British;
    burger; cake; Caribbean; chicken; Chinese; crêpe: crepe; Cuban; curry; dessert; doughnut: donut; Ethiopian; Filipino;
    Finnish; fish; fish-and-chips: fish_and_chips; French; Georgian; German; Greek; grill; Hungarian;
    ice cream: ice_cream; Indian; Indonesian; Irish; Italian; Jamaican; Japanese; juice; kebab; Korean;
    Latin American: latin_american; Lebanese; Malaysian; Mediterranean; Mexican; Middle Eastern: middle_eastern;
    Moroccan; Nepalese; noodle; Nordic; pancake; pasta; pastry; Persian; Peruvian; pizza; Polish; Portuguese; ramen;
    regional-cuisine: regional; Russian; salad; sandwich; Scandinavian; seafood; soup; Spanish;
    Sri Lankan: sri_lankan; steak: steak_house; sushi; Swiss; Syrian; tapas; Thai; Tibetan; Turkish; Ukrainian; vegan;
    vegetarian; Vietnamese; waffle
    """
)
MUSEUMS = _told(
    """
    agricultural: agriculture; archaeological; archaeology; art; car: automobile; aviation; children's: children;
    ethnographic: ethnography; geology; history; industrial: industry; local; maritime; military; music;
    natural history: natural_history; nature; open-air: open_air; railway; science; sports: sport; technology; toy;
    transport
    """
)
KIND_WORDS: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "restaurant": ("cuisine", CUISINES),
    "cafe": ("cuisine", CUISINES),
    "fast_food": ("cuisine", CUISINES),
    "museum": ("museum", MUSEUMS),
}
"""Of a kind of place: the tag that a word before its noun is about, and the tag's value by that word."""

WORDS_OF_CLASSES: Mapping[str, str] = {
    **{kind.code: kind.singular for kind in PLACES},
    "art_gallery": "art gallery",
}
"""How texts call a place of a class."""
COUNTRIES: Mapping[str, str] = {
    "LI": "Liechtenstein",
    "AT": "Austria",
    "FI": "Finland",
    "US": "United States",
}
STATES: Mapping[str, str] = {"MD": "Maryland", "NY": "New York"}
NUMBER_FIRST = frozenset({"United States", *STATES.values()})
"""Countries and states in whose addresses the house number stands before the street."""
CITIES = frozenset({"city", "town", "village", "municipality"})

LEVELS: Mapping[int, str] = {
    2: "country",
    4: "autonomous community, canton, country, county, prefecture, province, region, state, voivodeship",
    5: "district, municipality",
    6: "canton, county, department, district, electoral district, municipality, province, region",
    7: "arrondissement, district, municipality, parish, sub-region",
    8: "commune, district, municipality, parish",
    9: "municipality",
    10: "quarter",
}
"""What countries call administrative areas, by level."""
COMPASS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")
HALF_SECTOR = 22.5
METRES: Mapping[str, float] = {
    "m": 1.0,
    "metre": 1.0,
    "metres": 1.0,
    "km": 1000.0,
    "kilometre": 1000.0,
    "kilometres": 1000.0,
}

FACTS: Mapping[str, str] = {
    "year of foundation or construction": "start_year",
    "year of opening": "opening_year",
    "architect": "architect",
    "artist": "artist",
    "operator": "operator",
    "owner": "owner",
    "former name": "former_name",
    "mascot": "mascot",
    "affiliated institution": "affiliation",
    "capacity (number of places)": "capacity",
    "number of beds": "beds",
    "number of rooms": "rooms",
    "number of seats": "seats",
    "number of floors": "floors",
    "height in metres": "height",
    "elevation above sea level in metres": "elevation",
}
"""What a fact is called: the attribute."""

CLIPPED = "counting only the part inside"
WHOLE = "counting the whole of whatever lies partly inside"
