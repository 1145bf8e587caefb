"""The attacker who learns stations: what keys of public questions tell of the keys of hidden ones, for EVGeoQA.

Pure. It reads of a hidden question where the user is and what is asked for, and of the public ones the keys too. Unlike
other attackers it may use objects that stand in both: questions of one map are about the same stations.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from pyproj import Geod

from app.core.seeds import shuffled

NAMED = 3
"""Stations that an answer names, of which one must be in the key."""
_GEOD = Geod(ellps="WGS84")


class Stop(NamedTuple):
    """A question for stations: the point of the user (lon, lat), what is asked for, and the stations of the key."""

    id: str
    user: tuple[float, float]
    activity: str
    stations: Sequence[Mapping[str, Any]]
    is_hidden: bool


def name_nearest(stops: Sequence[Stop]) -> dict[str, str]:
    """By hidden question an answer: the nearest stations that a public key has with the same activity, then others."""
    known: dict[str, dict[str, Mapping[str, Any]]] = {one.activity: {} for one in stops}
    anywhere: dict[str, Mapping[str, Any]] = {}
    for one in _public(stops):
        for station in one.stations:
            known[one.activity][station["osm_key"]] = station
            anywhere[station["osm_key"]] = station
    return {
        one.id: _say([*_from(one, known[one.activity].values()), *_from(one, anywhere.values())])
        for one in stops
        if one.is_hidden
    }


def name_any(stops: Sequence[Stop], seed: int) -> dict[str, str]:
    """By hidden question an answer of somebody who knows nothing but the stations of public keys: any of them."""
    known = {station["osm_key"]: station for one in _public(stops) for station in one.stations}
    names = [known[key] for key in sorted(known)]
    return {one.id: _say(shuffled(names, seed, "any", one.id)) for one in stops if one.is_hidden}


def _public(stops: Sequence[Stop]) -> Iterator[Stop]:
    return (one for one in stops if not one.is_hidden)


def _from(one: Stop, stations: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The stations, the nearest to the user first."""
    return sorted(stations, key=lambda station: _GEOD.inv(*one.user, station["lon"], station["lat"])[2])


def _say(stations: Sequence[Mapping[str, Any]]) -> str:
    different = list({one["osm_key"]: None for one in stations})
    return json.dumps([{"station_id": key} for key in different[:NAMED]])
