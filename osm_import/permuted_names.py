"""Exchanging the names of a map: each name goes to other objects of its class, the same way everywhere. Pure.

A name is exchanged as a whole: with it go its forms in other languages, brand and operator. Streets and the
`addr:street` of their houses stay together, as do a place, its administrative area and the `addr:city` of its houses.
Postcodes are exchanged, too: in addresses they would tell the true town.
"""

import hashlib
from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from osm_import.revealing_tags import TrueNames, country_alone, is_name, reveals

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
POSTCODES = ("addr:postcode", "postal_code")
EXCHANGED = {*STREET_ADDRESS, *LOCALITY_ADDRESS, *POSTCODES}
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
POSTCODE = "postcode"
ADDRESS_RANK = "address"
"""Of a locality that only addresses name; below all ranks of places and areas."""
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
        self._localities = TrueNames(())
        self._seed = 0

    def collect(self, tags: Tags, *, is_way: bool) -> None:
        """Note the names in the tags of one object."""
        name = tags.get("name")
        if name is not None:
            klass = class_of(tags, is_way=is_way)
            if klass == LOCALITY:
                self._rank_locality(name, _rank(tags))
            self._note(klass, name, _names_in(tags))
        if "addr:street" in tags:
            self._note(STREET, tags["addr:street"])
        for key in LOCALITY_ADDRESS:
            if key in tags and key not in STREET_ADDRESS:
                self._rank_locality(tags[key], ADDRESS_RANK)
                self._note(LOCALITY, tags[key])
        for key in POSTCODES:
            if key in tags:
                self._note(POSTCODE, tags[key])

    def _note(self, klass: str, name: str, told: dict[str, str] | None = None) -> None:
        """Addresses, which tell the name alone, may come before the street or the place that tells more."""
        known = self._of_class[klass]
        if name not in known or (told and known[name] == {"name": name}):
            known[name] = told or {"name": name}

    def _rank_locality(self, name: str, rank: str) -> None:
        self._rank[name] = max(self._rank.get(name, rank), rank)

    def exchange(self, seed: int) -> Permuted:
        """Decide which name takes the place of which. The same names and seed give the same exchange."""
        self._seed = seed
        pools = self._pools()
        self._localities = TrueNames(self._of_class[LOCALITY])
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
                pools |= self._pools_of_localities(names)
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

    def _pools_of_localities(self, names: dict[str, dict[str, str]]) -> dict[str, dict[str, dict[str, str]]]:
        """One a rank. The only name of its rank is put to the largest pool."""
        pools: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
        for name, told in names.items():
            pools[f"{LOCALITY}|{self._rank[name]}"][name] = told
        largest = max(pools, key=lambda rank: (len(pools[rank]), rank), default="")
        for rank in [rank for rank, alone in pools.items() if len(alone) == 1 and rank != largest]:
            pools[largest] |= pools.pop(rank)
        return pools

    def renamed(self, tags: Tags, *, is_way: bool) -> dict[str, str]:
        """The tags of an object under its new name; without those that would tell the old one."""
        name = tags.get("name")
        kept = self._without_revealing(tags)
        if name is not None or any(
            is_name(key) and not key.startswith(("operator", "brand")) for key in kept
        ):
            kept = {key: value for key, value in kept.items() if not is_name(key)}
        if name is not None:
            kept |= self._new(class_of(tags, is_way=is_way), name)
        for keys, klass in (
            (STREET_ADDRESS, STREET),
            (LOCALITY_ADDRESS, LOCALITY),
            (POSTCODES, POSTCODE),
        ):
            for key in keys:
                if key in tags:
                    kept[key] = self._new(klass, tags[key]).get("name", kept[key])
        item = tags.get("wikidata") or tags.get("wikipedia")
        if item:
            kept["wikidata"] = _no_item(self._seed, item)
        return {
            key: country_alone(key, value) for key, value in kept.items() if not _is_translated_address(key)
        }

    def _without_revealing(self, tags: Tags) -> dict[str, str]:
        """The tags that neither by their key nor by a name in their value tell where the object really is."""
        own = TrueNames(value for key, value in tags.items() if is_name(key) and not reveals(key))

        def tells(key: str, value: str) -> bool:
            if key in MAIN_KEYS or key in EXCHANGED or (is_name(key) and "name" in tags):
                return False
            return self._localities.are_in(value) or (not is_name(key) and own.are_in(value))

        return {key: value for key, value in tags.items() if not reveals(key) and not tells(key, value)}

    def _new(self, klass: str, name: str) -> Tags:
        for where in (klass, klass.partition("=")[0]):
            found = self._taken.get(where, {}).get(name)
            if found is not None:
                return found
        return {"name": name} if klass not in (STREET, LOCALITY, POSTCODE) else {}


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
    return {key: value for key, value in tags.items() if is_name(key) and not reveals(key)}


def _is_translated_address(key: str) -> bool:
    return key.count(":") > 1 and key.startswith(("addr:street", "addr:city", "addr:place"))


def _draw(seed: int, *what: str) -> int:
    told = "\x1f".join((f"permute {seed}", *what))
    return int.from_bytes(hashlib.sha256(told.encode()).digest()[:8])


def _no_item(seed: int, item: str) -> str:
    """An id far above those of Wikidata: an object that people know still shows that it is known, not which it is."""
    return f"Q{9 * 10**15 + _draw(seed, 'item', item) % 10**15}"
