"""Import stage: which tags make which layer and class. Reads tags and the form of an object, touches no geometry.

What is what stands in tag_tables.py; the functions here only look things up there.
Every function is pure: the same tags give the same matches, in the same order, on every machine.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

from osm_import.tag_tables import (
    ACTIVITY_KEYS,
    ADDRESS_PARTS,
    ADMIN_LEVEL_CLASSES,
    BORDER_KEYS,
    CONTACT,
    DRIVABLE,
    GROUND_KEYS,
    LAND_USE,
    LIFECYCLE,
    MAIL_ADDRESS,
    NOT_A_VALUE,
    OTHER_PLACE_AREAS,
    OTHER_PLACE_UNNAMED,
    PARK,
    POI,
    POI_NEVER,
    POI_ONLY_NAMED,
    POI_ONLY_WITH,
    POI_PUBLIC_CLASSES,
    POI_PUBLIC_KEYS,
    PRIVATE,
    REGION_CLASSES,
    REGION_PLACES,
    REGION_UNKNOWN,
    ROAD,
    WATER_AREA,
    WATER_LINE,
    WATER_LINE_NATURAL,
    words,
)

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


_PARTS_OF_KEYS = tuple((key, part) for part, keys in ADDRESS_PARTS.items() for key in reversed(keys))
"""Each part's keys with the first, which counts, at the end."""
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
    "other_place": frozenset(_POI),
}
_NODE_LAYERS = ("poi", "park", "address", "other_place")
# Every key that find_matches or way_form looks at; True where its value matters, not only that it is there.
_DECIDING: dict[str, bool] = (
    dict.fromkeys(LIFECYCLE, True)
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
    """A way or relation without any of these keys is in none of the layers, but for `named_keys`."""
    return tuple(sorted(set().union(*(_ENTRY_KEYS[layer] for layer in layers))))


def named_keys(layers: tuple[str, ...]) -> tuple[str, ...]:
    """A way or relation with any of these keys may be in one of the layers where it has a name too."""
    return OTHER_PLACE_AREAS if "other_place" in layers else ()


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
    if any(tags.get(key) == "yes" for key in LIFECYCLE):
        return []
    found = (matcher(tags, form) for matcher in _MATCHERS)
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


def _other_place(tags: Tags, form: Form) -> Match | None:
    """A place that `_poi` leaves out: one never both. Lines are no places."""
    if form is Form.LINE or _poi(tags, form) is not None:
        return None
    named = bool(tags.get("name"))
    is_area = named and form is not Form.NODE and land_use_class(tags) is None
    for key in (*_POI, *OTHER_PLACE_AREAS) if is_area else _POI:
        for value in _values(tags, key):
            known = named or value in OTHER_PLACE_UNNAMED or "*" in _POI[key]
            if known and value not in NOT_A_VALUE:
                klass = value if value != "yes" and _WORD.fullmatch(value) else key
                return Match("other_place", klass, _place_shape(form))
    return None


_MATCHERS = (_poi, _park, _water, _road, _region, _aoi, _address, _other_place)


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


def own_columns(match: Match, tags: Tags) -> dict[str, Any]:
    """The columns that only the match's layer has, but for what is measured."""
    if match.layer == "road":
        return road_columns(tags)
    if match.layer == "address":
        return dict(address_parts(tags))
    wiki = {"wikidata": tags.get("wikidata"), "wikipedia": tags.get("wikipedia")}
    if match.layer == "poi":
        own = {
            "is_area": match.shape is Shape.AREA,
            "category": match.category,
            "classes": list(match.classes),
        }
        return own | wiki | address_parts(tags)
    if match.layer == "region":
        return wiki | region_columns(tags)
    return wiki
