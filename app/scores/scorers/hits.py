"""`hits`: whether one of the first stations of an answer is among those of the key, as EVGeoQA scores it (Hits@K).

Gold: {"stations"}, at most five, each with osm_key, osm_keys, name, lon, lat. A station of the answer is one of them by
its id; without an id by its name, compared in NFKC, case folded, without punctuation; else by its place, up to 100 m.
Of a name that says a place of its own, too, the place must be within 1 km: stations of a chain share a name.
`hits_1`, `hits_2` and `hits_3` are 1 if one of the first one, two or three different stations is; an answer is right by
`hits_3`. An answer that cannot be read is worth 0 in each, as in the paper (section on the metric).
"""

from collections.abc import Mapping, Sequence
from typing import Any

from app.scores.reading.cleaning import loose_key_of
from app.scores.reading.stations import SAME_METRES, Place, SaidStation, metres_between, read_stations
from app.scores.registry import scorer
from app.scores.score import Component, Outcome, Score, unparseable

RANKS = (1, 2, 3)
MOST_SHOWN = 10
NAMED_METRES = 1_000.0
"""How far the place that is said with a name may lie from the station of that name."""


@scorer("hits", version=2, graded=False)
def score_hits(answer: str, gold: Mapping[str, Any], options: Sequence[str] | None) -> Score:
    """Hits@1, Hits@2 and Hits@3 of one answer."""
    reading = read_stations(answer)
    if reading.value is None:
        return unparseable(reading.reason or "", **{f"hits_{rank}": 1.0 for rank in RANKS})
    key = gold["stations"]
    hit = [any(is_station(said, station) for station in key) for said in reading.value[:MOST_SHOWN]]
    parts = {f"hits_{rank}": Component(float(any(hit[:rank])), 1.0, True) for rank in RANKS}
    value = parts[f"hits_{RANKS[-1]}"].value
    shown = [
        said.as_json() | {"hit": is_hit} for said, is_hit in zip(reading.value[:MOST_SHOWN], hit, strict=True)
    ]
    return Score(Outcome.CORRECT if value else Outcome.WRONG, value, parts, {"stations": shown})


def is_station(said: SaidStation, station: Mapping[str, Any]) -> bool:
    """Whether what was said is the station of a key."""
    if said.id is not None:
        return said.id in (station["osm_key"], *station.get("osm_keys", ()))
    metres = (
        None
        if said.location is None
        else metres_between(said.location, Place(station["lon"], station["lat"]))
    )
    name = station.get("name")
    if said.name is not None and name and loose_key_of(said.name) == loose_key_of(name):
        return metres is None or metres <= NAMED_METRES
    return metres is not None and metres <= SAME_METRES
