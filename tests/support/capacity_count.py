"""The capacity of GS-QA's templates, counted from a map file by pyosmium and shapely: no database, none of our code.

Every rule is stated here once more, by hand: which tags make a place or a region, what may be an anchor, which filters
a map has. What sources say of places (T7, T8) is read in recounting_facts.py. Coordinates: lon, lat on WGS84.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import osmium
import shapely
from osmium.osm.types import Area, Node, Way
from shapely import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

ANY = frozenset("*")
PLACE_TAGS: dict[str, frozenset[str]] = {
    "amenity": frozenset(
        """restaurant cafe fast_food bar pub biergarten food_court ice_cream nightclub hospital clinic doctors dentist
        pharmacy veterinary nursing_home social_facility university college school kindergarten library language_school
        music_school driving_school research_institute training dancing_school prep_school bank atm bureau_de_change
        money_transfer payment_terminal theatre cinema arts_centre art_gallery museum casino gambling planetarium
        community_centre social_centre events_venue conference_centre exhibition_centre concert_hall music_venue
        stripclub internet_cafe studio place_of_worship monastery townhall courthouse police fire_station post_office
        embassy prison public_building ranger_station customs charging_station fuel car_rental car_sharing car_wash
        bicycle_rental boat_rental vehicle_inspection bus_station ferry_terminal taxi parking marketplace toilets shower
        public_bath crematorium grave_yard animal_shelter animal_boarding childcare coworking_space scout_hut
        youth_centre spa sauna dojo gym""".split()
    ),
    "tourism": frozenset(
        """aquarium attraction viewpoint art_gallery theme_park museum bed_and_breakfast gallery zoo hotel hostel
        guest_house motel camp_site caravan_site picnic_site alpine_hut wilderness_hut resort artwork""".split()
    ),
    "shop": ANY,
    "leisure": frozenset(
        """park beach_resort golf_course nature_reserve garden stadium sports_centre sports_hall fitness_centre
        playground marina water_park miniature_golf ice_rink bowling_alley dance escape_game amusement_arcade
        adult_gaming_centre horse_riding dog_park sauna hackerspace recreation_ground common bandstand trampoline_park
        indoor_play""".split()
    ),
    "historic": frozenset(
        """monument memorial castle fort fortress ruins archaeological_site manor palace monastery church chapel
        city_gate citywalls tower tomb battlefield building ship wreck aircraft locomotive mine mill
        lighthouse""".split()
    ),
    "healthcare": ANY,
    "office": ANY,
    "craft": ANY,
    "railway": frozenset(["station", "halt"]),
    "aeroway": frozenset(["aerodrome", "terminal"]),
    "man_made": frozenset(["lighthouse", "observatory", "windmill", "watermill"]),
}
"""Keys in the order in which they name a place; ANY takes every value."""
ONLY_WITH_A_NAME = {("leisure", "garden"), ("amenity", "shower"), ("amenity", "public_building")}
GIVEN_UP = ("disused", "abandoned", "demolished", "razed", "removed")

REGION_KINDS = set("city town village island municipality county neighbourhood suburb state".split())
OTHER_PLACES = {
    "islet": "island", "quarter": "neighbourhood", "borough": "suburb", "province": "state", "district": "county",
}  # fmt: skip
LEVELS = {"4": "state", "6": "county", "8": "municipality", "9": "suburb", "10": "neighbourhood"}

ANCHORS = set(
    """attraction viewpoint art_gallery museum gallery hotel aquarium theme_park zoo university park nature_reserve
    garden stadium hospital""".split()
)
EATING = ("cafe", "fast_food", "restaurant")
CATEGORIES = {
    **{kind: {kind} for kind in {*EATING, *ANCHORS} - {"art_gallery", "gallery"}},
    "food": set(EATING),
    "gallery": {"gallery", "art_gallery"},
}
CITIES = {"city", "town", "village", "municipality"}
PARTS_OF_ADDRESSES = ("addr:street", "addr:place", "addr:city", "addr:state", "addr:province", "addr:country")
SECTORS = set(range(8))
BANDS = set(range(4))
GROUNDS = set(
    """any_park basin common garden golf_course green_space lake leisure_ground marina national_park nature_reserve park
    pond protected_area recreation_ground reserve reservoir sports_centre still_water village_green""".split()
)
SURFACES = GROUNDS | {"river", "stream", "water"}
LINES = set(
    """bridleway canal cycleway ditch drain footway living_street main_road motorway path pedestrian primary residential
    river secondary service steps stream tertiary track trunk unclassified waterway""".split()
)
SERVICES = {
    "delivery": {"yes", "only"},
    "drive_through": {"yes", "only"},
    "outdoor_seating": {"yes", "terrace", "garden", "sidewalk", "pedestrian_zone", "patio"},
    "takeaway": {"yes", "only"},
}

WORDS_OF = {
    "cuisine": """african american arab argentinian asian australian austrian bagel barbecue brazilian breakfast british
        burger cake caribbean chicken chinese crepe cuban curry dessert donut ethiopian filipino finnish fish
        fish_and_chips french georgian german greek grill hungarian ice_cream indian indonesian irish italian jamaican
        japanese juice kebab korean latin_american lebanese malaysian mediterranean mexican middle_eastern moroccan
        nepalese noodle nordic pancake pasta pastry persian peruvian pizza polish portuguese ramen regional russian
        salad sandwich scandinavian seafood soup spanish sri_lankan steak_house sushi swiss syrian tapas thai tibetan
        turkish ukrainian vegan vegetarian vietnamese waffle""",
    "museum": """agriculture archaeological archaeology art automobile aviation children ethnography geology history
        industry local maritime military music natural_history nature open_air railway science sport technology toy
        transport""",
}

TEMPLATES = {
    "T1": "anchor category band", "T2": "filter anchor band", "T3": "anchor category sector band",
    "T4": "anchor anchor category band", "T5": "anchor category", "T6": "filter anchor",
    "T7": "anchor known_class topic", "T8": "described category", "T9": "anchor category sector",
    "T10": "anchor anchor category", "T11": "region ground", "T12": "region line",
    "T13": "anchor category band", "T14": "filter anchor band", "T15": "anchor category sector band",
    "T16": "anchor anchor category band", "T17": "anchor category", "T18": "filter anchor",
    "T19": "anchor category sector", "T20": "anchor anchor category", "T21": "anchor category band",
    "T22": "anchor category", "T23": "anchor category band", "T24": "region category",
    "T25": "anchor category band", "T26": "anchor category", "T27": "region surface", "T28": "region line",
}  # fmt: skip
"""What each template asks with. Whether parts or wholes are counted (T11, T12, T27, T28) is given, not picked."""


class Thing(NamedTuple):
    """A place or region; `kinds` are its classes, the main one first; `broken` where its ring crosses itself.

    `point` is that of a node, or a corner of an area.
    """

    key: str
    name: str | None
    kinds: tuple[str, ...]
    tags: Mapping[str, str]
    shape: BaseGeometry | None
    """None for what is a point."""
    broken: bool
    point: tuple[float, float]


@dataclass(frozen=True)
class Found:
    """What a map file holds."""

    places: list[Thing]
    regions: list[Thing]
    outline: MultiPolygon | None


@dataclass(frozen=True)
class Known:
    """What sources say of a map's places, as T7 and T8 take it."""

    classes: set[str]
    topics: set[str]
    described: set[str]
    """Keys of places that a fact names alone, each with the attribute."""


def read_found(file: Path) -> Found:
    """The places and regions of a map file, and the outline in which it is whole."""
    places, regions = [], []
    points: list[tuple[float, float]] = []
    for key, tags, shape, broken, point in _objects(file):
        if any(tags.get(key) == "yes" for key in GIVEN_UP):
            continue
        kinds = place_kinds(tags)
        if kinds:
            places.append(Thing(key, tags.get("name"), kinds, tags, shape, broken, point))
            points.append(point)
        kind = region_kind(tags)
        if shape is not None and kind and (key[0] == "r" or tags.get("name")):
            regions.append(Thing(key, tags.get("name"), (kind,), tags, shape, broken, point))
    return Found(places, regions, _outline(file, regions, points))


Object = tuple[str, dict[str, str], BaseGeometry | None, bool, tuple[float, float]]


def _objects(file: Path) -> Iterator[Object]:
    """(key, tags, area or None, whether it was mended, a point) of nodes, closed ways and multipolygons with tags."""
    factory = osmium.geom.WKBFactory()
    for entity in osmium.FileProcessor(str(file)).with_locations().with_areas():
        if not len(entity.tags):
            continue
        tags = dict(entity.tags)
        shape, broken = None, False
        if isinstance(entity, Node):
            yield f"n{entity.id}", tags, None, False, (entity.location.lon, entity.location.lat)
            continue
        if isinstance(entity, Way) and stands_for_its_inside(entity, tags):
            key, (shape, broken) = f"w{entity.id}", _ring(entity)
        elif isinstance(entity, Area) and not entity.from_way() and entity.num_rings()[0]:
            key = f"r{entity.orig_id()}"
            shape, broken = _mended(shapely.from_wkb(bytes.fromhex(factory.create_multipolygon(entity))))
        if shape is not None:
            corner = shapely.get_coordinates(shape)[0].tolist()
            yield key, tags, shape, broken, (corner[0], corner[1])


def stands_for_its_inside(way: Way, tags: Mapping[str, str]) -> bool:
    """Closed, of four nodes or more, not area=no; a highway only with area=yes."""
    closed = len(way.nodes) > 3 and way.nodes[0].ref == way.nodes[-1].ref
    return closed and tags.get("area") != "no" and ("highway" not in tags or tags.get("area") == "yes")


def _ring(way: Way) -> tuple[BaseGeometry | None, bool]:
    """The area of a closed way; none where a node is missing or the ring encloses nothing."""
    if not all(node.location.valid() for node in way.nodes):
        return None, False
    places = [(node.lon, node.lat) for node in way.nodes]
    distinct = [place for place, before in zip(places, [None, *places], strict=False) if place != before]
    return _mended(Polygon(distinct)) if len(distinct) > 3 else (None, False)


def _mended(shape: BaseGeometry) -> tuple[BaseGeometry | None, bool]:
    if shapely.is_valid(shape):
        return shape, False
    parts = shapely.get_parts(shapely.get_parts(shapely.make_valid(shape)))
    areas = [part for part in parts if isinstance(part, Polygon) and part.area > 0]
    return (MultiPolygon(areas) if areas else None), True


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(";") if part.strip()]


def place_kinds(tags: Mapping[str, str]) -> tuple[str, ...]:
    """The classes of a place, in the order of PLACE_TAGS; none for what is no place, or private."""
    found: dict[str, str] = {}
    for key, taken in PLACE_TAGS.items():
        for value in _parts(tags.get(key, "")):
            if (key, value) in ONLY_WITH_A_NAME and not tags.get("name"):
                continue
            if value in taken:
                found.setdefault(value, key)
            elif taken is ANY and value not in {"no", "none", "vacant", "disused", "abandoned", "closed"}:
                plain = value != "yes" and re.fullmatch("[a-z][a-z0-9_]*", value)
                found.setdefault(value if plain else key, key)
            elif (key, value) == ("tourism", "information") and informs(tags):
                found.setdefault(value, key)
    if not found or tags.get("memorial") == "stolperstein" or tags.get("garden:type") == "residential":
        return ()
    main, key = next(iter(found.items()))
    if tags.get("access") in ("private", "no") and (key == "leisure" or main in ("parking", "toilets")):
        return ()
    return tuple(found)


def informs(tags: Mapping[str, str]) -> bool:
    """Whether there is somebody to ask, not a board alone."""
    return bool({"office", "visitor_centre"} & set(_parts(tags.get("information", ""))))


def region_kind(tags: Mapping[str, str]) -> str | None:
    """What kind of region tags make: by `place`, else by what the border says of itself, else by its level."""
    place = tags.get("place", "")
    if place in REGION_KINDS:
        return place
    if place in OTHER_PLACES:
        return OTHER_PLACES[place]
    if tags.get("boundary") != "administrative":
        return None
    said = (tags.get(key, "") for key in ("border_type", "admin_type", "designation"))
    level = tags.get("admin_level", "").strip()
    return next((kind for kind in said if kind in REGION_KINDS), LEVELS.get(level, "administrative"))


def _outline(file: Path, regions: Iterable[Thing], points: list[tuple[float, float]]) -> MultiPolygon | None:
    """The one whole country, else state, in which most of the map lies; else the box in the file's header."""
    assert not file.with_name(f"{file.name.split('.')[0]}.poly").exists(), "a .poly file would be the outline"
    for level in ("2", "3", "4"):
        whole = [
            region.shape
            for region in regions
            if region.key[0] == "r" and not region.broken
            and (region.tags.get("boundary"), region.tags.get("admin_level")) == ("administrative", level)
        ]  # fmt: skip
        if len(whole) == 1:
            inside = shapely.contains_xy(whole[0], [x for x, _ in points], [y for _, y in points])
            if inside.mean() > 0.5:
                return whole[0]
    box = osmium.io.Reader(str(file), osmium.osm.NOTHING).header().box()
    if not box.valid():
        return None
    low, high = box.bottom_left, box.top_right
    return MultiPolygon([shapely.box(low.lon, low.lat, high.lon, high.lat)])


# --- what parameters can be -------------------------------------------------------------------------------


def read_alike(name: str) -> str:
    """Names that are equal in this read alike: letters without their case, one blank for many."""
    return re.sub(r"\s+", " ", unicodedata.normalize("NFKC", name)).strip().lower()


def may_be_measured_from(place: Thing) -> bool:
    """Of a class that people travel to, as a point or as an area."""
    return not place.broken and place.kinds[0] in ANCHORS


def find_anchors(found: Found) -> set[str]:
    """Places with one name of which it is known where they are, and all others of their name in other cities."""
    bearers: dict[str, list[Thing]] = {}
    for place in found.places:
        if place.name is not None:
            bearers.setdefault(read_alike(place.name), []).append(place)
    return {
        place.key
        for alike in bearers.values()
        for place in alike
        if may_be_measured_from(place)
        and ";" not in (place.name or "")
        and (set(PARTS_OF_ADDRESSES) & set(place.tags) or _regions_around(found, place))
        and all(_is_elsewhere(found, place, other) for other in alike if other is not place)
    }


def _regions_around(found: Found, place: Thing) -> list[Thing]:
    point = shapely.Point(place.point) if place.shape is None else shapely.point_on_surface(place.shape)
    named = [region for region in found.regions if region.name is not None]
    return [region for region in named if shapely.covers(region.shape, point)]


def _cities(found: Found, place: Thing) -> set[str]:
    around = [region.name for region in _regions_around(found, place) if region.kinds[0] in CITIES]
    return {read_alike(name) for name in (place.tags.get("addr:city"), *around) if name}


def _is_elsewhere(found: Found, place: Thing, other: Thing) -> bool:
    here, there = _cities(found, place), _cities(found, other)
    return bool(here) and bool(there) and not here & there


def find_regions(found: Found) -> set[str]:
    """Regions with an article or an item, whole, inside the outline, with a name of their own in their class."""
    named = [(region, read_alike(region.name)) for region in found.regions if region.name is not None]
    names = Counter((region.kinds, name) for region, name in named)
    return {
        region.key
        for region, name in named
        if names[region.kinds, name] == 1
        and ("wikipedia" in region.tags or "wikidata" in region.tags)
        and not region.broken
        and found.outline is not None
        and shapely.covers(found.outline, region.shape)
    }


def find_filters(found: Found) -> set[str]:
    """`class:tag=value` of which two named places or more are there: services, kinds of museums, cuisines."""
    wanted = [(kind, tag, "yes", values) for kind in EATING for tag, values in SERVICES.items()]
    wanted.append(("hospital", "emergency", "yes", {"yes"}))
    by_word = [(kind, "cuisine") for kind in EATING] + [("museum", "museum")]
    for kind, tag in by_word:
        wanted += [(kind, tag, word, {word}) for word in WORDS_OF[tag].split()]
    return {
        f"{kind}:{tag}={value}"
        for kind, tag, value, taken in wanted
        if sum(
            kind in place.kinds and place.name is not None and bool(taken & _tag_values(place, tag))
            for place in found.places
        )
        >= 2
    }


def find_categories(found: Found) -> set[str]:
    """Those of which a place is there, named or not."""
    return {
        category
        for category, kinds in CATEGORIES.items()
        if any(kinds & set(place.kinds) for place in found.places)
    }


def _tag_values(place: Thing, tag: str) -> set[str]:
    return {value.strip() for value in place.tags[tag].split(";")} if tag in place.tags else set()


def count_choices(found: Found, known: Known) -> dict[str, set[object]]:
    """The values of every parameter, by its name in TEMPLATES."""
    fixed: dict[str, Iterable[object]] = {
        "anchor": find_anchors(found),
        "region": find_regions(found),
        "filter": find_filters(found),
        "known_class": known.classes,
        "topic": known.topics,
        "described": known.described,
        "category": find_categories(found),
        "sector": SECTORS,
        "band": BANDS if found.outline is not None else set(),
        "ground": GROUNDS,
        "surface": SURFACES,
        "line": LINES,
    }
    return {name: set(values) for name, values in fixed.items()}


def capacities(choices: Mapping[str, set[object]]) -> dict[str, int]:
    """How many questions each template could ask at most; where a parameter has no value, what lacks is one refusal."""
    return {
        template: math.prod(max(1, len(choices[parameter])) for parameter in parameters.split())
        for template, parameters in TEMPLATES.items()
    }
