"""Factual conflation: the answer of an agent that explores contradicts what its calls have shown. Pure.

What lies beside a station is known where `Search_Nearby_POI` was asked for the point of the station itself. Metres.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from app.core.names import normal_form
from app.scores.agents.exploring import POIS, STATIONS, centre_of, listed, location_of, result_of, tool_of
from app.scores.reading.stations import Place, SaidStation, metres_between
from app.scores.registry import EpisodeStep
from app.scores.scorers.hits import RANKS, is_station

Object = Mapping[str, Any]
SAME_POINT_METRES: Final = 1.0
"""How far the point of a search may be from a station for the search to be of what lies beside it."""
BESIDE_METRES: Final = 1_000.0
"""How far a place may be from a station to be beside it."""


class Sought(NamedTuple):
    """What a question asks for: the class of the stations, and the classes of places of which one is to be beside."""

    destination: str
    activities: frozenset[str]


class LookedAt(NamedTuple):
    """A station beside which the agent looked, in the fields of a key, and whether it saw a place that fits."""

    station: Object
    has_activity: bool


def has_left_out_a_right_one(
    key: Sequence[Object], steps: Sequence[EpisodeStep], sought: Sought | None
) -> bool:
    """Whether a station of the key was seen together with a place beside it that fits; for an answer that misses at 3.

    The place of the key counts wherever it was seen. Other places count if they are of a class that the question asks
    for, and were seen from the station's own point. All are told by id, or by name where a result has no ids.
    """
    stations = [one for step in _steps_of(steps, STATIONS) for one in listed(step, "stations")]
    pois = [one for step in _steps_of(steps, POIS) for one in listed(step, "pois")]
    if any(
        any(_is(one, (right["osm_key"], *right.get("osm_keys", ())), right.get("name")) for one in stations)
        and any(_is(one, (beside["osm_key"],), beside.get("name")) for one in pois)
        for right in key
        if isinstance(beside := right.get("activity"), Mapping)
    ):
        return True
    keys = {right["osm_key"] for right in key}
    return any(one.has_activity and one.station["osm_key"] in keys for one in looked_at(steps, sought))


def prefers_a_wrong_one(said: Sequence[Object], steps: Sequence[EpisodeStep], sought: Sought | None) -> bool:
    """Whether the answer prefers a station that was seen not to fit to one that was seen to fit.

    `said` are the stations of the answer, as scores keep them; the first three count. A list must hold three stations,
    so one that does not fit is no claim where the answer has named all before it that were seen to fit, or none was.
    """
    looked = looked_at(steps, sought)
    fitting = {one.station["osm_key"] for one in looked if one.has_activity}
    named: set[str] = set()
    for one in said[: RANKS[-1]]:
        found = [known for known in looked if is_station(_said(one), known.station)]
        if found and not any(known.has_activity for known in found) and fitting - named:
            return True
        named |= {known.station["osm_key"] for known in found}
    return False


def looked_at(steps: Sequence[EpisodeStep], sought: Sought | None) -> list[LookedAt]:
    """The stations of the class that is sought beside which the agent looked, in the order of the searches."""
    if sought is None:
        return []
    stations = {
        one["id"]: (one, where)
        for step in _steps_of(steps, STATIONS)
        if result_of(step).get("destination") == sought.destination
        for one in listed(step, "stations")
        if isinstance(one.get("id"), str) and (where := location_of(one)) is not None
    }
    kinds = {one.replace("_", " ") for one in sought.activities}
    return [
        LookedAt(_as_key(one, where), _has_one_of(kinds, one, listed(step, "pois")))
        for step in _steps_of(steps, POIS)
        if (centre := centre_of(step)) is not None
        for one, where in stations.values()
        if metres_between(centre, where) <= SAME_POINT_METRES
    ]


def _steps_of(steps: Sequence[EpisodeStep], tool: str) -> Iterator[EpisodeStep]:
    return (step for step in steps if tool_of(step) == tool)


def _has_one_of(kinds: set[str], station: Object, pois: Sequence[Object]) -> bool:
    """What is part of the station itself does not count."""
    parts = {station["id"], *(station.get("osm_keys") or ())}
    return any(
        one.get("id") not in parts
        and not kinds.isdisjoint(str(one.get("type")).split("; "))
        and float(one.get("distance_m") or 0.0) <= BESIDE_METRES
        for one in pois
    )


def _as_key(station: Object, where: Place) -> Object:
    return {"osm_key": station["id"], "name": station.get("name"), **where._asdict()} | {
        "osm_keys": station.get("osm_keys") or ()
    }


def _said(told: Object) -> SaidStation:
    return SaidStation(told.get("name"), location_of(told), told.get("id"))


def _is(seen: Object, keys: Sequence[str], name: str | None) -> bool:
    if isinstance(seen.get("id"), str):
        return seen["id"] in keys
    return bool(name) and normal_form(str(seen.get("name") or "")) == normal_form(name or "")
