"""Import stage: what tags mean for travel: where a car, a bicycle and a person on foot may go, and how fast. Pure.

The rules stand in travel.toml; the functions here only look things up there. Speeds are km/h. The forms of the tags are
those of the OpenStreetMap wiki (Key:access, Key:oneway, Key:cycleway, Key:barrier, Relation:restriction).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from osm_import.speed_texts import read_duration, read_limit
from osm_import.tag_tables import ROAD
from osm_import.travel_table import Barriers, Mode, TravelTable, Values

Tags = Mapping[str, str]

FERRY = "ferry"
ROUNDABOUTS = ("roundabout", "circular")
_MEANINGS = ("open", "destination", "pushed", "closed")
"""What a value of access can mean; of several values the first of these counts."""
_SIDES = ("forward", "backward")


class Passage(NamedTuple):
    """How one mode passes a way: km/h along it and against it, None where it may not."""

    forward: float | None
    backward: float | None
    destination: bool = False
    """Whether only to a place on the way itself, not to pass through."""


CLOSED = Passage(None, None)


class Travel(NamedTuple):
    """What the tags of a way say of travel."""

    klass: str
    roundabout: bool
    passages: tuple[Passage, ...]
    """In the order of MODES."""
    seconds: float | None
    """How long a ferry takes from the way's one end to the other, where it says so."""


class Barrier(NamedTuple):
    """What the tags of a node say of travel through it."""

    kind: str
    passable: tuple[bool, ...]
    """In the order of MODES."""


class TurnRule(NamedTuple):
    """A kind of turn restriction, and the modes that it is for."""

    kind: str
    applies: tuple[bool, ...]


def deciding_keys(table: TravelTable) -> frozenset[str]:
    """Every key that `way_travel` looks at: ways that agree in these are travelled alike."""
    keys = {
        "highway",
        "route",
        "junction",
        "area",
        "duration",
        *table.speeds.keys,
        *table.speeds.by_direction,
    }
    for mode in table.modes:
        sided = [*mode.access, *(f"{key}:{side}" for key in mode.access for side in _SIDES)]
        keys.update(sided, mode.oneway, mode.implied_oneway, mode.contraflow, mode.closing, mode.caps)
    return frozenset(keys)


def is_ferry(tags: Tags) -> bool:
    """Whether a way is the line of a ferry, and no road."""
    return tags.get("route") == FERRY and tags.get("highway", "") not in ROAD


def way_travel(tags: Tags, table: TravelTable) -> Travel | None:
    """How a road or the line of a ferry is travelled; None for other ways, and where nobody may go."""
    klass = FERRY if is_ferry(tags) else tags.get("highway", "")
    if tags.get("area") == "yes" or (klass != FERRY and klass not in ROAD):
        return None
    limit = None if klass == FERRY else read_limit(tags, table.speeds)
    passages = tuple(_passage(tags, klass, limit, mode, table) for mode in table.modes)
    if all(passage == CLOSED for passage in passages):
        return None
    seconds = read_duration(tags.get("duration", "")) if klass == FERRY else None
    return Travel(klass, tags.get("junction") in ROUNDABOUTS, passages, seconds)


def node_barrier(tags: Tags, table: TravelTable) -> Barrier | None:
    """What a node with a tag `barrier` stops; None where it has none."""
    kind = tags.get("barrier")
    if not kind:
        return None
    passable = tuple(
        _passes(tags, kind, mode, barriers, table)
        for mode, barriers in zip(table.modes, table.barriers, strict=True)
    )
    return Barrier(kind, passable)


def turn_rules(tags: Tags, table: TravelTable) -> list[TurnRule]:
    """The kinds of a relation's turn restriction, known ones or not, with the modes that each is for.

    Empty where it is for no mode of ours, or for certain hours only.
    """
    excepted = frozenset(part.strip() for part in tags.get("except", "").split(";"))
    by_mode = [_turn_kind(tags, mode, excepted) for mode in table.modes]
    kinds = dict.fromkeys(kind for kind in by_mode if kind)
    return [TurnRule(kind, tuple(one == kind for one in by_mode)) for kind in kinds]


def _turn_kind(tags: Tags, mode: Mode, excepted: frozenset[str]) -> str | None:
    for key in reversed(mode.restrictions):
        if key in tags:
            return None if key == "restriction" and excepted.intersection(mode.access) else tags[key]
    return None


def _passage(tags: Tags, klass: str, limit: float | None, mode: Mode, table: TravelTable) -> Passage:
    usual, if_allowed = mode.kmh.get(klass), mode.kmh_if_allowed.get(klass)
    speed = usual or if_allowed
    if speed is None or _has_one(tags, mode.closing):
        return CLOSED
    if mode.limited and limit is not None:
        speed = limit
    for key, most in mode.caps.items():
        speed = min(speed, most.get(tags.get(key, ""), speed))
    opened = _directions(tags, mode, table)
    meanings = [
        _meaning(tags, mode.access, side, table, told=usual is None) if opened[side] else "closed"
        for side in _SIDES
    ]
    kmh = {"open": speed, "destination": speed, "pushed": min(speed, mode.pushed), "closed": None}
    forward, backward = (kmh[meaning] or None for meaning in meanings)
    return Passage(forward, backward, "destination" in meanings)


def _meaning(tags: Tags, chain: Sequence[str], side: str, table: TravelTable, *, told: bool) -> str:
    """What the most particular key of a chain says for one direction; where it must be `told`, silence closes."""
    general = chain[0]
    for key in reversed(chain):
        for sided in (f"{key}:{side}", key):
            meaning = _read_meaning(tags.get(sided), table)
            if meaning is not None and not (told and key == general and meaning == "open"):
                return meaning
    return "closed" if told else "open"


def _read_meaning(value: str | None, table: TravelTable) -> str | None:
    if value is None:
        return None
    known = table.meanings.get(value)
    if known is not None or ";" not in value:
        return known
    several = {table.meanings.get(part.strip()) for part in value.split(";")}
    return next((meaning for meaning in _MEANINGS if meaning in several), None)


def _directions(tags: Tags, mode: Mode, table: TravelTable) -> dict[str, bool]:
    """Whether the way leads forwards, and backwards, access aside."""
    key, direction = _told_direction(tags, mode, table)
    if direction is None:
        direction = "forward" if _has_one(tags, mode.implied_oneway) else "both"
    if direction in _SIDES and key != mode.oneway[-1] and _has_one(tags, mode.contraflow):
        direction = "both"
    return {side: direction in (side, "both") for side in _SIDES}


def _told_direction(tags: Tags, mode: Mode, table: TravelTable) -> tuple[str | None, str | None]:
    """The most particular key of direction that says something, and what it says."""
    for key in reversed(mode.oneway):
        direction = table.directions.get(tags.get(key, ""))
        if direction is not None:
            return key, direction
    return None, None


def _passes(tags: Tags, kind: str, mode: Mode, barriers: Barriers, table: TravelTable) -> bool:
    for key in reversed(mode.access):
        meaning = _read_meaning(tags.get(key), table)
        if meaning is not None:
            return meaning != "closed"
    return barriers.lets_pass(kind) and not _has_one(tags, barriers.closed_by)


def _has_one(tags: Tags, values: Values) -> bool:
    return any(tags.get(key) in wanted for key, wanted in values.items())
