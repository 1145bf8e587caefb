"""Exchanging the names of a map: each name goes to other objects of its class, the same way everywhere. Pure.

A name is exchanged as a whole: with it go its forms in other languages, brand and operator. Streets and the
`addr:street` of their houses stay together, as do a place, its administrative area and the `addr:city` of its houses.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

NAMES = (
    "name",
    "alt_name",
    "int_name",
    "loc_name",
    "nat_name",
    "official_name",
    "old_name",
    "reg_name",
    "short_name",
    "sorting_name",
    "brand",
    "operator",
)
"""Keys that go with a name; so do the same keys with a language or another word behind a colon."""
REVEALING = (
    "wikidata",
    "wikipedia",
    "wikimedia_commons",
    "website",
    "url",
    "contact",
    "image",
    "mapillary",
    "description",
    "note",
    "comment",
    "fixme",
    "inscription",
    "source",
    "destination",
    "is_in",
    "addr:full",
    "was",
    "old",
)
"""Keys, alone or with a colon before or behind them, whose values would tell the true name: they are left out."""
STREET_ADDRESS, LOCALITY_ADDRESS = (
    ("addr:street", "addr:place"),
    (
        "addr:city",
        "addr:suburb",
        "addr:hamlet",
        "addr:municipality",
        "addr:district",
        "addr:village",
        "addr:place",
    ),
)
MAIN_KEYS = (
    "amenity",
    "shop",
    "tourism",
    "leisure",
    "historic",
    "railway",
    "public_transport",
    "highway",
    "natural",
    "waterway",
    "water",
    "landuse",
    "man_made",
    "office",
    "craft",
    "healthcare",
    "aeroway",
    "boundary",
    "building",
    "type",
)
STREET = "street"
LOCALITY = "locality"
Tags = Mapping[str, str]


class Permuted(NamedTuple):
    """How many different names there are, and how many stay because nothing can take their place."""

    names: int
    unchanged: int


class Names:
    """The names of a map, collected object by object, then exchanged."""

    def __init__(self) -> None:
        self._of_class: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        """By class and name: the tags that go with the name, those of the first object that has it."""
        self._rank: dict[str, str] = {}
        """By the name of a locality: its class."""
        self._taken: dict[str, dict[str, dict[str, str]]] = {}

    def collect(self, tags: Tags, *, is_way: bool) -> None:
        """Note the names in the tags of one object."""
        name = tags.get("name")
        if name is not None:
            klass = class_of(tags, is_way=is_way)
            if klass == LOCALITY:
                rank = _rank(tags)
                self._rank[name] = max(self._rank.get(name, rank), rank)
            self._of_class[klass].setdefault(name, _names_in(tags))
        street = tags.get("addr:street")
        if street is not None:
            self._of_class[STREET].setdefault(street, {"name": street})

    def exchange(self, seed: int) -> Permuted:
        """Decide which name takes the place of which. The same names and seed give the same exchange."""
        pools = self._pools()
        unchanged = 0
        for klass, told in sorted(pools.items()):
            order = sorted(told, key=lambda name: (_draw(seed, klass, name), name))
            if len(order) == 1:
                unchanged += 1
            # Each name takes the place of the next: so none stays where it was, if there are two.
            for name, other in zip(order, [*order[1:], order[0]], strict=True):
                self._taken.setdefault(_base(klass), {})[name] = told[other]
        return Permuted(sum(map(len, pools.values())), unchanged)

    def _pools(self) -> dict[str, dict[str, dict[str, str]]]:
        """Names that are exchanged with each other. A class of one name is put together with others of its key."""
        pools: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        for klass, names in self._of_class.items():
            if klass == LOCALITY:
                for name, told in names.items():
                    pools[f"{LOCALITY}|{self._rank[name]}"][name] = told
            else:
                pools[f"{klass}|"] |= names
        alone = [klass for klass, names in pools.items() if len(names) == 1 and "=" in klass]
        by_key: dict[str, list[str]] = defaultdict(list)
        for klass in alone:
            by_key[klass.partition("=")[0]].append(klass)
        for key, classes in by_key.items():
            together = {name: told for klass in classes for name, told in pools[klass].items()}
            if len(together) < max(2, len(classes)):  # nothing to exchange, or one name in two classes
                continue
            for klass in classes:
                del pools[klass]
            pools[f"{key}|{','.join(sorted(classes))}"] = together
        return pools

    def renamed(self, tags: Tags, *, is_way: bool) -> dict[str, str]:
        """The tags of an object under its new name; without those that would tell the old one."""
        name = tags.get("name")
        kept = {key: value for key, value in tags.items() if not _reveals(key)}
        if name is not None or any(
            _is_name(key) and not key.startswith(("operator", "brand")) for key in kept
        ):
            kept = {key: value for key, value in kept.items() if not _is_name(key)}
        if name is not None:
            kept |= self._new(class_of(tags, is_way=is_way), name)
        for keys, klass in ((STREET_ADDRESS, STREET), (LOCALITY_ADDRESS, LOCALITY)):
            for key in keys:
                if key in tags:
                    kept[key] = self._new(klass, tags[key]).get("name", kept[key])
        return {key: value for key, value in kept.items() if not _is_translated_address(key)}

    def _new(self, klass: str, name: str) -> Tags:
        for where in (klass, klass.partition("=")[0]):
            found = self._taken.get(where, {}).get(name)
            if found is not None:
                return found
        return {"name": name} if klass not in (STREET, LOCALITY) else {}


def class_of(tags: Tags, *, is_way: bool) -> str:
    """Within what a name is exchanged: streets, localities, or the first main tag, such as `amenity=restaurant`."""
    if (is_way and "highway" in tags) or tags.get("type") == "associatedStreet":
        return STREET
    if "place" in tags or tags.get("boundary") == "administrative":
        return LOCALITY
    key = next((key for key in MAIN_KEYS if key in tags), None)
    return f"{key}={tags[key]}" if key else "other"


def _rank(tags: Tags) -> str:
    """Localities of one rank are exchanged: areas of one level, else points of one kind; an area outranks a point."""
    if tags.get("boundary") == "administrative":
        return f"level {tags.get('admin_level', '').rjust(2, '0')}"
    return f"kind {tags['place']}"


def _base(klass: str) -> str:
    """Where the exchange of a pool is looked up: the class, or the key where several classes are together."""
    return klass.partition("|")[0]


def _names_in(tags: Tags) -> dict[str, str]:
    return {key: value for key, value in tags.items() if _is_name(key) and not _reveals(key)}


def _is_name(key: str) -> bool:
    return key.partition(":")[0] in NAMES


def _reveals(key: str) -> bool:
    return key in REVEALING or key.partition(":")[0] in REVEALING or key.rpartition(":")[2] in REVEALING


def _is_translated_address(key: str) -> bool:
    return key.count(":") > 1 and key.startswith(("addr:street", "addr:city", "addr:place"))


def _draw(seed: int, *what: str) -> int:
    told = "\x1f".join((f"permute {seed}", *what))
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8])
