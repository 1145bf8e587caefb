"""Import stage: which tags make which layer and class. Reads tags and the form of an object, touches no geometry.

The tables come first and are the documentation; the functions below only look things up in them.
Every function is pure: the same tags give the same matches, in the same order, on every machine.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

Tags = Mapping[str, str]


class Form(StrEnum):
    """What kind of shape an object can have before its geometry is looked at."""

    NODE = "node"
    LINE = "line"
    RING = "ring"
    """A closed way that stands for the area inside it."""
    RELATION = "relation"
    """A relation of type multipolygon or boundary."""


class Shape(StrEnum):
    """What a layer makes of an object."""

    POINT = "point"
    LINE = "line"
    AREA = "area"
    REFUSED = "refused"
    """The tags ask for an area (or a point), and the object is a line."""


class Match(NamedTuple):
    """An object belongs to `layer` as `klass`; `classes` are all that match, `category` is the main key."""

    layer: str
    klass: str
    shape: Shape
    category: str = ""
    classes: tuple[str, ...] = ()


def words(text: str) -> frozenset[str]:
    """The words of a table's cell."""
    return frozenset(text.split())


LAYERS = ("poi", "park", "water", "road", "region", "aoi", "address")

# --- poi: nodes, and areas by a point on their surface --------------------------------------------------------
# key -> values; "*" takes every value but those of NOT_A_VALUE. The order of keys decides an object's main class.
# Left out on purpose: street furniture (bench, waste_basket, post_box, vending_machine, parking_space, fountain…),
# what stands in a private garden (swimming_pool, pitch), and holiday homes (chalet, apartment).
POI: dict[str, str] = {
    "amenity": """
        restaurant cafe fast_food bar pub biergarten food_court ice_cream nightclub
        hospital clinic doctors dentist pharmacy veterinary nursing_home social_facility
        university college school kindergarten library language_school music_school driving_school research_institute
        training dancing_school prep_school
        bank atm bureau_de_change money_transfer payment_terminal
        theatre cinema arts_centre art_gallery museum casino gambling planetarium community_centre social_centre
        events_venue conference_centre exhibition_centre concert_hall music_venue stripclub internet_cafe studio
        place_of_worship monastery townhall courthouse police fire_station post_office embassy prison public_building
        ranger_station customs
        charging_station fuel car_rental car_sharing car_wash bicycle_rental boat_rental vehicle_inspection
        bus_station ferry_terminal taxi parking marketplace
        toilets shower public_bath crematorium grave_yard animal_shelter animal_boarding childcare
        coworking_space scout_hut youth_centre spa sauna dojo gym
    """,
    "tourism": """
        aquarium attraction viewpoint art_gallery theme_park museum bed_and_breakfast gallery zoo hotel
        hostel guest_house motel camp_site caravan_site picnic_site alpine_hut wilderness_hut resort artwork
    """,
    "shop": "*",
    "leisure": """
        park beach_resort golf_course nature_reserve garden stadium sports_centre sports_hall fitness_centre playground
        marina water_park miniature_golf ice_rink bowling_alley dance escape_game amusement_arcade adult_gaming_centre
        horse_riding dog_park sauna hackerspace recreation_ground common bandstand trampoline_park indoor_play
    """,
    "historic": """
        monument memorial castle fort fortress ruins archaeological_site manor palace monastery church chapel
        city_gate citywalls tower tomb battlefield building ship wreck aircraft locomotive mine mill lighthouse
    """,
    "healthcare": "*",
    "office": "*",
    "craft": "*",
    "railway": "station halt",
    "public_transport": "station",
    "aeroway": "aerodrome terminal",
    "man_made": "lighthouse observatory windmill watermill",
}
NOT_A_VALUE = words("no none vacant disused abandoned closed")
# Taken only where a second tag says so: (key, value) -> (second key, values that allow).
POI_ONLY_WITH = {("tourism", "information"): ("information", words("office visitor_centre"))}
# Taken only with a name: mostly somebody's garden otherwise.
POI_ONLY_NAMED = frozenset([("leisure", "garden"), ("amenity", "shower"), ("amenity", "public_building")])
POI_NEVER = frozenset([("memorial", "stolperstein"), ("garden:type", "residential")])
# Taken only where access is not private: a whole key, or one class.
POI_PUBLIC_KEYS = words("leisure")
POI_PUBLIC_CLASSES = words("parking toilets")
PRIVATE = words("private no")

# --- park: areas and points -----------------------------------------------------------------------------
PARK: dict[str, str] = {
    "leisure": "park garden nature_reserve golf_course sports_centre recreation_ground common marina",
    "boundary": "national_park protected_area",
    "landuse": "recreation_ground village_green",
}

# --- water: areas and lines; never points ---------------------------------------------------------------------
WATER_AREA: dict[str, str] = {
    "natural": "water bay strait",
    "landuse": "reservoir basin",
    "waterway": "riverbank dock",
}
WATER_LINE = words("river stream canal drain ditch tidal_channel wadi brook flowline")
WATER_LINE_NATURAL = frozenset(["bay", "strait"])  # drawn as a line where nobody agrees on the shore

# --- road: lines ----------------------------------------------------------------------------------
DRIVABLE = words(
    """
    motorway motorway_link trunk trunk_link primary primary_link secondary secondary_link tertiary tertiary_link
    unclassified residential living_street service road
    """
)
WALKABLE = words(
    "track path footway cycleway bridleway steps pedestrian busway bus_guideway raceway corridor via_ferrata"
)
ROAD = DRIVABLE | WALKABLE

# --- region: areas --------------------------------------------------------------------------------------
REGION_CLASSES = words("city town village island municipality county neighbourhood suburb state")
REGION_PLACES = {place: place for place in REGION_CLASSES} | {
    "islet": "island",
    "quarter": "neighbourhood",
    "borough": "suburb",
    "province": "state",
    "district": "county",
}
# The class of an administrative area whose tags name none: the commonest meaning of the level in OSM.
ADMIN_LEVEL_CLASSES = {4: "state", 6: "county", 8: "municipality", 9: "suburb", 10: "neighbourhood"}
REGION_UNKNOWN = "administrative"
# Where an administrative area's tags may name its class.
BORDER_KEYS = ("border_type", "admin_type", "designation")

# --- aoi: named areas by land use, first match wins -----------------------------------------------------------
# The 13 land-use classes. Keys of activity (amenity, leisure, tourism, aeroway, railway) are tried before those
# of the ground (landuse, natural), each in the order written here.
LAND_USE: dict[str, dict[str, str]] = {
    "Education": {
        "amenity": "university college school kindergarten library research_institute music_school language_school",
        "landuse": "education",
    },
    "Medical": {
        "amenity": "hospital clinic doctors dentist pharmacy nursing_home veterinary social_facility",
    },
    "Government": {
        "amenity": "townhall courthouse police fire_station prison embassy post_office public_building customs",
        "landuse": "military institutional government civic_admin",
    },
    "Religious": {
        "amenity": "place_of_worship monastery grave_yard",
        "landuse": "religious cemetery churchyard",
    },
    "Culture&Tourism": {
        "amenity": """theatre cinema arts_centre art_gallery museum casino community_centre events_venue planetarium
                      conference_centre exhibition_centre concert_hall""",
        "tourism": """museum gallery art_gallery attraction zoo aquarium theme_park hotel hostel guest_house motel
                      bed_and_breakfast camp_site caravan_site resort alpine_hut viewpoint picnic_site""",
    },
    "Sports&Recreation": {
        "leisure": """stadium sports_centre sports_hall golf_course pitch fitness_centre water_park swimming_area
                      miniature_golf ice_rink horse_riding bowling_alley recreation_ground beach_resort playground""",
        "landuse": "recreation_ground winter_sports",
    },
    "Park&GreenLand": {
        "leisure": "park garden nature_reserve common dog_park",
        "landuse": "grass village_green greenery flowerbed",
        "natural": "grassland scrub heath fell shrubbery tundra",
    },
    "Transport": {
        "amenity": "bus_station ferry_terminal parking fuel charging_station car_rental",
        "aeroway": "aerodrome terminal apron heliport hangar",
        "railway": "station yard depot",
        "landuse": "railway port garages depot",
    },
    "Commercial": {
        "amenity": "marketplace restaurant cafe fast_food bar pub biergarten food_court nightclub bank car_wash",
        "landuse": "commercial retail",
    },
    "Industrial": {
        "landuse": "industrial quarry landfill construction brownfield",
    },
    "Residential": {
        "landuse": "residential",
    },
    "Agriculture&Forest": {
        "landuse": """farmland farmyard forest meadow orchard vineyard allotments plant_nursery
                      greenhouse_horticulture animal_keeping aquaculture""",
        "natural": "wood",
    },
    "Water": {
        "leisure": "marina",
        "landuse": "reservoir basin salt_pond",
        "natural": "water bay strait wetland",
    },
}
ACTIVITY_KEYS = ("amenity", "leisure", "tourism", "aeroway", "railway")
GROUND_KEYS = ("landuse", "natural")

# --- tags that are never stored -------------------------------------------------------------------------
# How to reach a person or a firm. A website stays: it names the place, unless it carries an address.
CONTACT = re.compile(
    r"(?:.*:)?(?:contact|(?:tele)?phone|tel|mobile|(?:tele)?fax|e-?mail)(?::.*|_\d+)?", re.IGNORECASE
)
MAIL_ADDRESS = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")

ADDRESS_PARTS: dict[str, tuple[str, ...]] = {
    "housenumber": ("addr:housenumber",),
    "street": ("addr:street", "addr:place"),
    "suburb": ("addr:suburb",),
    "city": ("addr:city",),
    "postcode": ("addr:postcode",),
    "state": ("addr:state", "addr:province"),
    "country": ("addr:country",),
}

_PARTS_OF_KEYS = tuple((key, part) for part, keys in ADDRESS_PARTS.items() for key in reversed(keys))
"""Each part's keys with the first, which counts, at the end."""
_LIFECYCLE = ("disused", "abandoned", "demolished", "razed", "removed")
_WORD = re.compile(r"[a-z][a-z0-9_]*")


def _split(table: dict[str, str]) -> dict[str, frozenset[str]]:
    return {key: words(values) for key, values in table.items()}


_POI, _PARK, _WATER_AREA = _split(POI), _split(PARK), _split(WATER_AREA)
_LAND_USE = {
    key: {value: klass for klass, keys in LAND_USE.items() for value in keys.get(key, "").split()}
    for key in (*ACTIVITY_KEYS, *GROUND_KEYS)
}

# The keys by which a layer can be entered: an object without any of them is in no such layer.
_ENTRY_KEYS: dict[str, frozenset[str]] = {
    "poi": frozenset(_POI),
    "park": frozenset(_PARK),
    "water": frozenset(_WATER_AREA) | {"water"},
    "road": frozenset(["highway"]),
    "region": frozenset(["boundary", "place"]),
    "aoi": frozenset(_LAND_USE),
    "address": frozenset(["addr:housenumber"]),
}
_NODE_LAYERS = ("poi", "park", "address")
# Every key that find_matches or way_form looks at; True where its value matters, not only that it is there.
_DECIDING: dict[str, bool] = (
    dict.fromkeys(_LIFECYCLE, True)
    | dict.fromkeys((*_POI, *_PARK, *_WATER_AREA, *_LAND_USE), True)
    | dict.fromkeys((key for key, _ in POI_NEVER), True)
    | dict.fromkeys((second for second, _ in POI_ONLY_WITH.values()), True)
    | dict.fromkeys(("access", "area", "highway", "water", "place", "building", "admin_level"), True)
    | dict.fromkeys(BORDER_KEYS, True)
    | dict.fromkeys(("name", "addr:housenumber", "addr:interpolation"), False)
)


def node_keys(layers: tuple[str, ...]) -> tuple[str, ...]:
    """A node without any of these keys is in none of the layers."""
    return tuple(sorted(set().union(*(_ENTRY_KEYS[layer] for layer in layers if layer in _NODE_LAYERS))))


def object_keys(layers: tuple[str, ...]) -> tuple[str, ...]:
    """A way or relation without any of these keys is in none of the layers."""
    return tuple(sorted(set().union(*(_ENTRY_KEYS[layer] for layer in layers))))


def deciding_tags(tags: Tags) -> tuple[tuple[str, str | bool], ...]:
    """What of the tags decides on layers, classes and form: equal parts, equal matches."""
    return tuple([(k, v) if _DECIDING[k] else (k, v != "") for k, v in tags.items() if k in _DECIDING])


class ContactKeys:
    """Knows the keys that it has met: a look at one costs a hundredth of what the pattern does."""

    MOST = 100_000

    def __init__(self) -> None:
        self._known: dict[str, bool] = {}

    def without(self, tags: dict[str, str]) -> dict[str, str]:
        """All tags but ways to reach a person: contact:*, phone, mobile, fax, email, mail addresses in any value."""
        known = self._known
        for key in tags:
            if key not in known:
                if len(known) >= self.MOST:
                    known.clear()
                known[key] = CONTACT.fullmatch(key) is not None
        if not any(map(known.__getitem__, tags)) and "@" not in "".join(tags.values()):
            return tags
        return {k: v for k, v in tags.items() if not known[k] and not ("@" in v and MAIL_ADDRESS.search(v))}


def address_parts(tags: Tags) -> dict[str, str | None]:
    """The object's own address: housenumber, street, suburb, city, postcode, state, country; None where untagged."""
    parts: dict[str, str | None] = dict.fromkeys(ADDRESS_PARTS)
    for key, part in _PARTS_OF_KEYS:
        if tags.get(key):
            parts[part] = tags[key]
    return parts


def way_form(tags: Tags, closed: bool) -> Form:
    """RING where a closed way stands for its inside: area=yes, or neither area=no nor a highway."""
    if not closed or tags.get("area") == "no":
        return Form.LINE
    if "highway" in tags and tags.get("area") != "yes":
        return Form.LINE
    return Form.RING


def find_matches(tags: Tags, form: Form) -> list[Match]:
    """The layers that an object of this form belongs to, in the order of LAYERS."""
    if any(tags.get(key) == "yes" for key in _LIFECYCLE):
        return []
    found = (matcher(tags, form) for matcher in (_poi, _park, _water, _road, _region, _aoi, _address))
    return [match for match in found if match is not None]


def _place_shape(form: Form) -> Shape:
    """The shape of what may be a point or an area."""
    return {Form.NODE: Shape.POINT, Form.LINE: Shape.REFUSED}.get(form, Shape.AREA)


def _values(tags: Tags, key: str) -> list[str]:
    return [part.strip() for part in tags.get(key, "").split(";") if part.strip()]


def _poi_classes(tags: Tags) -> list[tuple[str, str]]:
    """(key, class) of every tag that makes the object a place, each class once."""
    found: dict[str, str] = {}
    for key, allowed in _POI.items():
        for value in _values(tags, key):
            if (key, value) in POI_ONLY_NAMED and not tags.get("name"):
                continue
            if value in allowed:
                found.setdefault(value, key)
            elif "*" in allowed and value not in NOT_A_VALUE:
                found.setdefault(value if value != "yes" and _WORD.fullmatch(value) else key, key)
            elif (key, value) in POI_ONLY_WITH:
                second, wanted = POI_ONLY_WITH[key, value]
                if wanted.intersection(_values(tags, second)):
                    found.setdefault(value, key)
    return [(key, klass) for klass, key in found.items()]


def _poi(tags: Tags, form: Form) -> Match | None:
    classes = _poi_classes(tags)
    if not classes or any(tags.get(key) == value for key, value in POI_NEVER):
        return None
    category, klass = classes[0]
    if tags.get("access") in PRIVATE and (category in POI_PUBLIC_KEYS or klass in POI_PUBLIC_CLASSES):
        return None
    return Match("poi", klass, _place_shape(form), category, tuple(klass for _, klass in classes))


def _park(tags: Tags, form: Form) -> Match | None:
    if tags.get("access") in PRIVATE or tags.get("garden:type") == "residential":
        return None
    for key, allowed in _PARK.items():
        for value in _values(tags, key):
            if value in allowed:
                # A border way carries boundary=* too; only the closed thing is the park.
                if key == "boundary" and form is Form.LINE:
                    continue
                return Match("park", value, _place_shape(form))
    return None


def _water(tags: Tags, form: Form) -> Match | None:
    if form is Form.NODE:
        return None
    waterway = tags.get("waterway", "")
    area = next((tags[key] for key, allowed in _WATER_AREA.items() if tags.get(key) in allowed), None)
    if area is None and tags.get("water") and form is not Form.LINE and _WORD.fullmatch(tags["water"]):
        area = "water"
    if area is not None:
        kind = tags.get("water", "")
        klass = kind if area == "water" and _WORD.fullmatch(kind) and kind not in ("yes", "no") else area
        if form is not Form.LINE:
            return Match("water", klass, Shape.AREA)
        if area not in WATER_LINE_NATURAL and waterway not in WATER_LINE:
            return Match("water", klass, Shape.REFUSED)
    if waterway in WATER_LINE:
        is_area = form is Form.RELATION or (form is Form.RING and tags.get("area") == "yes")
        return Match("water", waterway, Shape.AREA if is_area else Shape.LINE)
    return Match("water", area, Shape.LINE) if area else None


def _road(tags: Tags, form: Form) -> Match | None:
    highway = tags.get("highway", "")
    if highway not in ROAD or form not in (Form.LINE, Form.RING):
        return None
    return None if tags.get("area") == "yes" else Match("road", highway, Shape.LINE)


def _region(tags: Tags, form: Form) -> Match | None:
    place = REGION_PLACES.get(tags.get("place", ""))
    is_border = tags.get("boundary") == "administrative"
    if form not in (Form.RING, Form.RELATION) or not (is_border or place):
        return None
    if form is Form.RING and not tags.get("name"):
        return None  # the border line around an enclave: its relation is the region
    return Match("region", place or _border_class(tags), Shape.AREA)


def _border_class(tags: Tags) -> str:
    for key in BORDER_KEYS:
        if tags.get(key) in REGION_CLASSES:
            return tags[key]
    level = admin_level(tags)
    return ADMIN_LEVEL_CLASSES.get(level, REGION_UNKNOWN) if level is not None else REGION_UNKNOWN


def _aoi(tags: Tags, form: Form) -> Match | None:
    if not tags.get("name") or form is Form.NODE:
        return None
    klass = land_use_class(tags)
    return Match("aoi", klass, _place_shape(form)) if klass else None


def land_use_class(tags: Tags) -> str | None:
    """One of the 13 land-use classes, the first that matches; None where no tag tells."""
    for key in (*ACTIVITY_KEYS, *GROUND_KEYS):
        for value in _values(tags, key):
            if value in _LAND_USE[key]:
                return _LAND_USE[key][value]
    return None


def _address(tags: Tags, form: Form) -> Match | None:
    if not tags.get("addr:housenumber") or "addr:interpolation" in tags:
        return None
    klass = "node" if form is Form.NODE else "building" if tags.get("building", "no") != "no" else "area"
    return Match("address", klass, _place_shape(form))


def admin_level(tags: Tags) -> int | None:
    """admin_level as a number from 1 to 15, else None."""
    text = tags.get("admin_level", "").strip()
    return int(text) if text.isdecimal() and text.isascii() and 1 <= int(text) <= 15 else None


def is_drivable(tags: Tags) -> bool:
    """A road of a class made for cars, not closed to them."""
    closed = any(tags.get(key) == "no" for key in ("motor_vehicle", "vehicle", "access"))
    return tags.get("highway") in DRIVABLE and not closed


def road_columns(tags: Tags) -> dict[str, str | int | bool | None]:
    """The road layer's own columns; `lanes` only where it is one whole number."""
    lanes = tags.get("lanes", "").strip()
    return {
        "ref": tags.get("ref"),
        "oneway": tags.get("oneway"),
        "maxspeed": tags.get("maxspeed"),
        "surface": tags.get("surface"),
        "lanes": int(lanes) if re.fullmatch(r"[0-9]{1,2}", lanes) else None,
        "bridge": tags.get("bridge", "no") != "no",
        "tunnel": tags.get("tunnel", "no") != "no",
        "drivable": is_drivable(tags),
    }


def region_columns(tags: Tags) -> dict[str, str | int | None]:
    """The region layer's own columns; `population` only where it is one whole number."""
    population = re.sub(r"[ ,.'](?=[0-9]{3}(?![0-9]))", "", tags.get("population", "").strip())
    return {
        "admin_level": admin_level(tags),
        "border_type": tags.get("border_type"),
        "place": tags.get("place"),
        "population": int(population) if re.fullmatch(r"[0-9]{1,12}", population) else None,
    }
