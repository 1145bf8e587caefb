"""The map as a person sees it: its layers as plain columns, the facts, and which names mean what in a text."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import shapely
from sqlalchemy import Connection

from tests.readers.vocabulary import (
    CITIES,
    COUNTRIES,
    FACTS,
    LEVELS,
    NUMBER_FIRST,
    STATES,
    WORDS_OF_CLASSES,
)

ADDRESS_PARTS = ("housenumber", "street", "suburb", "city", "postcode", "state", "country")
_ADDRESS = ", ".join(ADDRESS_PARTS)
COLUMNS: Mapping[str, str] = {
    "poi": f"osm_key, name, class, classes, tags, {_ADDRESS}",
    "address": f"osm_key, {_ADDRESS}",
    "park": "osm_key, name, class, tags",
    "water": "osm_key, name, class, tags",
    "road": "osm_key, name, class, tags",
    "region": "osm_key, name, class, tags, admin_level",
}
GROUNDS = "select osm_key, st_asbinary(geom) as wkb from {schema}.poi_area order by osm_key"
FACT_COLUMNS = "osm_key, attribute, key, value, unit, names, credit"
AT_POINT = re.compile(r"; latitude (-?\d+\.\d{6}), longitude (-?\d+\.\d{6})$")
"""The point of a place, told behind what it is."""
HALF_OF_SIXTH = 5.1e-7
"""Degrees by which a coordinate with six decimals may be off."""
Span = tuple[int, int]


class Unreadable(Exception):
    """A text that does not say a parameter, or says it in two ways."""

    def __init__(self, parameter: str, why: str) -> None:
        super().__init__(f"{parameter}: {why}")
        self.parameter = parameter


@dataclass(frozen=True)
class Thing:
    """An object of a layer: its columns and its geometry."""

    key: str
    name: str | None
    classes: tuple[str, ...]
    """The main one first."""
    tags: Mapping[str, str]
    address: Mapping[str, str]
    geometry: Any
    level: int | None = None
    """Of an administrative area."""

    def is_called(self, remark: str) -> bool:
        """Whether a remark in brackets fits an area: what its tags call it, a word that some country has for its level, or
        the level; or its class.
        """
        if self.tags.get("boundary") == "administrative":
            own = {
                self.tags.get(key, "").replace("_", " ") for key in ("border_type", "designation", "place")
            }
            level = re.fullmatch(r"administrative area of level (\d+)(?: in .+)?", remark)
            told = {*own, *LEVELS.get(self.level or 0, "").split(", ")} - {""}
            return remark in told or (level is not None and int(level[1]) == self.level)
        return remark in {self.classes[0], self.tags.get("place", "").replace("_", " ")}

    def remarks(self, around: Sequence["Thing"], country: str | None) -> Iterator[str]:
        """The remarks that fit a place: what it is; then its street with the house number as its country writes it, its
        city, and its state or country, each where it is known. `around` are the regions that it lies in.
        """
        own = self.address
        city, land = self.surroundings(around, country)
        number = own.get("housenumber", "")
        number = "" if number.lower() in ("s/n", "sn") else number
        line = [number, own.get("street", "")] if land in NUMBER_FIRST else [own.get("street", ""), number]
        street = " ".join(filter(None, line)) if own.get("street") else ""
        yield ", ".join(
            dict.fromkeys(filter(None, (WORDS_OF_CLASSES.get(self.classes[0]), street, city, land)))
        )

    def surroundings(self, around: Sequence["Thing"], country: str | None) -> tuple[str, str]:
        """The city of a place, and its state or country; empty where they are not known."""
        own = self.address
        countries = [thing.tags.get("ISO3166-1", thing.name or "") for thing in around if thing.level == 2]
        state = next((thing.name for thing in around if thing.classes[0] == "state"), own.get("state"))
        code = own.get("country") or next(iter(countries), country) or ""
        land = STATES.get(state, state) if state else COUNTRIES.get(code.upper(), code)
        cities = [thing.name for thing in around if thing.classes[0] in CITIES]
        city = own.get("city") or next(iter(cities), None) or ""
        city = city if re.search(r"[^\W\d_]", city) else ""
        return city, land


@dataclass(frozen=True)
class Fact:
    """What a source says of a place; `key` is equal where two values mean the same."""

    place: str
    attribute: str
    key: str
    value: str
    unit: str
    names: tuple[str, ...]
    credit: str

    @property
    def shown(self) -> str:
        """The value as a text writes it."""
        return f"{self.value} {self.unit}".strip()


@dataclass(frozen=True)
class Mention:
    """What a stretch of the text means: an object of a layer, or a fact (`layer` "fact" or "described")."""

    span: Span
    layer: str
    value: str
    has_point: bool = False
    """Whether the text tells the point of the place."""


class Atlas:
    """The layers of one map and the facts about its places."""

    def __init__(self, connection: Connection, schema: str, fact_set: str | None) -> None:
        self.layers = {layer: list(_read(connection, schema, layer)) for layer in COLUMNS}
        self.grounds = _read_grounds(connection, schema)
        """The ground of each place that is mapped as an area."""
        self.facts = list(_read_facts(connection, fact_set)) if fact_set else []

    @cached_property
    def things(self) -> Mapping[str, Mapping[str, Thing]]:
        """By layer and key."""
        return {layer: {thing.key: thing for thing in things} for layer, things in self.layers.items()}

    @cached_property
    def facts_of(self) -> Mapping[tuple[str, str], Sequence[Fact]]:
        """All that is said of a place and an attribute."""
        said: dict[tuple[str, str], list[Fact]] = defaultdict(list)
        for fact in self.facts:
            said[fact.place, fact.attribute].append(fact)
        return said

    @cached_property
    def _by_name(self) -> Mapping[str, Sequence[tuple[str, Thing]]]:
        found: dict[str, list[tuple[str, Thing]]] = defaultdict(list)
        for layer in ("poi", "region"):
            for thing in self.layers[layer]:
                if thing.name:
                    found[thing.name].append((layer, thing))
        return found

    def places_in(self, text: str) -> Iterator[Mention]:
        """Places and regions: a name of the map, and a remark in brackets that fits; the longest of those that overlap.

        Raises Unreadable where a label fits several.
        """
        found = [
            (span, meant)
            for middle in re.finditer(r" \(", text)
            if (label := self._label_at(text, middle.start()))
            for span, meant in [label]
        ]
        for span, meant in found:
            if any(_covers(other, span) for other, _ in found if other != span):
                continue
            if len(meant) > 1:
                keys = ", ".join(thing.key for _, thing in meant)
                raise Unreadable("anchor or region", f"{text[slice(*span)]!r} means any of {keys}")
            ((layer, thing),) = meant
            yield Mention(span, layer, thing.key, AT_POINT.search(text[span[0] : span[1] - 1]) is not None)

    def _label_at(self, text: str, opening: int) -> tuple[Span, list[tuple[str, Thing]]] | None:
        """The longest name that ends at a bracket's opening, and what it and a remark in the bracket mean."""
        starts = [0, *(match.end() for match in re.finditer(r"[^\w]", text[:opening]))]
        for start in starts:
            named = self._by_name.get(text[start:opening], ())
            for closing in (match.start() for match in re.finditer(r"\)", text)) if named else ():
                remark = text[opening + 2 : closing]
                meant = [(layer, thing) for layer, thing in named if self._is_called(layer, thing, remark)]
                if meant:
                    return (start, closing + 1), meant
        return None

    def _is_called(self, layer: str, thing: Thing, remark: str) -> bool:
        if layer == "region":
            return thing.is_called(remark)
        if told := AT_POINT.search(remark):
            point = (float(told[2]), float(told[1]))
            if max(abs(point[0] - thing.geometry.x), abs(point[1] - thing.geometry.y)) > HALF_OF_SIXTH:
                return False
            remark = remark[: told.start()]
        return remark in thing.remarks(self._around(thing), self._country)

    def _around(self, thing: Thing) -> list[Thing]:
        """The named regions around a place, the smallest administrative ones first."""
        around = [one for one in self.layers["region"] if one.name and one.geometry.covers(thing.geometry)]
        return sorted(around, key=lambda one: -(one.level or 0))

    @cached_property
    def _country(self) -> str | None:
        """The country of all places that name one, where it is one."""
        told = {
            thing.address["country"].upper() for thing in self.layers["poi"] if "country" in thing.address
        }
        return next(iter(told)) if len(told) == 1 else None

    def facts_in(self, text: str) -> Iterator[Mention]:
        """Facts asked for ("its W") and facts that describe a place ("the K whose W is V"). A source may be named behind W,
        " (as given by C)"; else it is OpenStreetMap where the text names that, and whoever knows where it does not.

        Raises Unreadable for a description that does not fit exactly one place.
        """
        words = "|".join(map(re.escape, sorted(FACTS, key=len, reverse=True)))
        credits = "|".join(
            map(re.escape, sorted({fact.credit for fact in self.facts}, key=len, reverse=True))
        )
        source = rf"(?: \(as given by ({credits})\)| (\(as given by))?"
        for told in re.finditer(rf"\b(its|the|whose) ({words})(?!\w){source}", text):
            if told[4]:
                raise Unreadable("attribute", f"no source is known by {text[told.start() :]!r}")
            start, end, attribute = told.start(2), told.end(), FACTS[told[2]]
            credit = told[3] or ("OpenStreetMap" if "OpenStreetMap" in text else "")
            if told[1] == "whose":
                yield self._described(text, start, end, attribute, credit)
            else:
                yield Mention((start, end), "fact", f"{attribute}@{credit}")

    def _described(self, text: str, start: int, end: int, attribute: str, credit: str) -> Mention:
        head = re.search(r"\b[Tt]he ((?:(?!\bthe\b)[^,;:?!])+) whose $", text[:start])
        told = [fact for fact in self.facts if fact.attribute == attribute and credit in ("", fact.credit)]
        fitting = [fact for fact in told if re.match(f" is {re.escape(fact.shown)}(?!\\w)", text[end:])]
        if head is None or not fitting:
            raise Unreadable("anchor", f"no fact fits {text[start : end + 40]!r}")
        shown = max((fact.shown for fact in fitting), key=len)
        keys = {fact.key for fact in fitting if fact.shown == shown}
        places = {fact.place for fact in self.facts if fact.attribute == attribute and fact.key in keys}
        if len(places) != 1 or head[1] != self._unnamed(self.things["poi"][min(places)]):
            raise Unreadable("anchor", f"{attribute} {shown!r} describes {sorted(places)}")
        return Mention((head.start(), end + len(f" is {shown}")), "described", f"{min(places)} {attribute}")

    def _unnamed(self, thing: Thing) -> str:
        """What a place is, and the city, or else the state or country, that it is in."""
        city, land = thing.surroundings(self._around(thing), self._country)
        kind = WORDS_OF_CLASSES.get(thing.classes[0], "")
        return f"{kind} in {city or land}" if city or land else kind


def _covers(one: Span, other: Span) -> bool:
    return one[0] <= other[0] and other[1] <= one[1]


def _read(connection: Connection, schema: str, layer: str) -> Iterator[Thing]:
    statement = f"select {COLUMNS[layer]}, st_asbinary(geom) as wkb from {schema}.{layer} order by osm_key"
    rows = connection.exec_driver_sql(statement).mappings().all()
    for row, geometry in zip(rows, shapely.from_wkb([bytes(row["wkb"]) for row in rows]), strict=True):
        yield Thing(
            key=row["osm_key"],
            name=row.get("name"),
            classes=tuple(row.get("classes") or [row.get("class", "")]),
            tags=row.get("tags", {}),
            address={part: row[part] for part in ADDRESS_PARTS if row.get(part)},
            geometry=geometry,
            level=row.get("admin_level"),
        )


def _read_grounds(connection: Connection, schema: str) -> Mapping[str, Any]:
    rows = connection.exec_driver_sql(GROUNDS.format(schema=schema)).all()
    return {row.osm_key: shapely.from_wkb(bytes(row.wkb)) for row in rows}


def _read_facts(connection: Connection, fact_set: str) -> Iterator[Fact]:
    statement = f"select {FACT_COLUMNS} from trigpoint.map_fact where set_id = %(set_id)s order by fact_id"
    for row in connection.exec_driver_sql(statement, {"set_id": fact_set}):
        yield Fact(row.osm_key, row.attribute, row.key, row.value, row.unit, tuple(row.names), row.credit)
