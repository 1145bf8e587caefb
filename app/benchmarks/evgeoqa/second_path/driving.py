"""Second path of Destination_By_Drive: the drives are found by a search of its own over the road network. Seconds.

A router's times are those of rounded edges. Margins are therefore smaller here than those by which questions are made.
"""

from itertools import pairwise
from typing import Any

from app.benchmarks.evgeoqa.second_path.destinations import (
    Asked,
    Candidate,
    common_refusal,
    doubt_of_distances,
    doubt_of_places,
    read_asked,
    split_candidates,
    value_of,
)
from app.questions.second_path.answering import VALUE, Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.layers import Layers
from app.questions.second_path.travelling import Travelling

BEHIND, TIED = 4.0, 1.0
"""Seconds from the fifth to the sixth, and between two of the key."""


@second_path("evgeoqa", "Destination_By_Drive")
def destination_by_drive(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The five destinations to which the drive takes the least time."""
    asked = read_asked(layers, parameters)
    refusal, share = common_refusal(asked)
    if not asked.candidates:
        return SecondAnswer({}, refusal)
    places = [asked.place(one) for one in asked.candidates]
    roads = layers.travelling("car")
    (seconds,) = roads.seconds([asked.at], places)
    told = dict(zip(asked.candidates, seconds, strict=True))
    known = {one: found for one, found in told.items() if found is not None}
    if len(known) < len(told):
        return SecondAnswer({}, refusal or "unreachable")
    ranked = sorted(known, key=lambda one: known[one])
    key, rivals = split_candidates(ranked)
    times = [known[one] for one in key]
    refusal = (
        refusal
        or first_refusal(
            (bool(rivals) and known[rivals[0]] - times[-1] < BEHIND, "margin"),
            (any(later - sooner < TIED for sooner, later in pairwise(times)), "margin"),
        )
        or doubt_of_places(asked, key, rivals)
    )
    value = value_of(asked, key)
    for station, taken in zip(value["stations"], times, strict=True):
        station["drive_s"] = taken
    near, behind = split_candidates(asked.candidates)
    straight: dict[str, Any] = {"kind": VALUE, "value": value_of(asked, near)}
    keys = {} if doubt_of_distances(asked, near, behind) else {"published": straight}
    facts = {"share": share, "seconds": times, "drive_m": [_length(roads, asked, one) for one in key]}
    return SecondAnswer(value, refusal, facts, keys=keys)


def _length(roads: Travelling, asked: Asked, candidate: Candidate) -> float | None:
    """How long the drive is. Of ways that take as long another may be as good, so no answer is compared by it."""
    metres = roads.metres_timed(asked.at, asked.place(candidate))
    return None if metres is None else round(metres, 1)
