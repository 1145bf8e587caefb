"""One published question → what became of its key. Registers the checker of the format `evgeoqa`.

The paper and the release call the distances driving distances. They are the geodesics of WGS84 between the published
coordinates, which are those of another frame: each working says so. Which other stations fit, a record does not tell.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from app.benchmarks.evgeoqa.distances import geodesic_m
from app.questions.rechecking.checks import AGREES, CHECKERS, CONTRADICTS, UNCHECKED, Finding, KeyedQuestion

CHECK = "distances"
EXACT_KM = 1e-9
"""Kilometres that a published distance may be off, and still be the geodesic: a micrometre."""
MOST = 5
"""Stations of a key, by the paper."""
NEARBY_SIMILARITY = 0.85
"""By the paper, the least similarity of a place's kind to what is asked for."""
STRAIGHT = "Its authors call the distances driving distances; they are those in a straight line on the WGS84 ellipsoid"


def check_key(question: KeyedQuestion) -> Finding:
    """The finding for one question of the release."""
    user, stations = question.told.get("user"), question.told.get("stations")
    if not user or not stations:
        return Finding(UNCHECKED, CHECK, "The files do not tell where its places are.")
    kilometres = [_kilometres(user, one) for one in stations]
    off = [abs(one["km"] - exact) for one, exact in zip(stations, kilometres, strict=True)]
    wrong = [number for number, one in enumerate(off) if not one <= EXACT_KM]
    faults = _faults(stations)
    if wrong:
        number = wrong[0]
        return Finding(
            CONTRADICTS,
            CHECK,
            f"{len(wrong)} of {len(stations)} distances are not those in a straight line: to "
            f"{stations[number]['name']} it is {kilometres[number]:.9f} km, and the key says "
            f"{stations[number]['km']:.9f} km.",
            faults,
        )
    working = (
        f"{STRAIGHT}: {len(stations)} of {len(stations)} within {EXACT_KM:g} km, the largest difference is "
        f"{max(off):.1e} km"
    )
    if any(one > after for one, after in pairwise(kilometres)):
        return Finding(
            CONTRADICTS, CHECK, f"{working}. The stations do not stand in the order of distance.", faults
        )
    verdict = AGREES if faults is None else CONTRADICTS
    return Finding(
        verdict,
        CHECK,
        f"{working}. They stand in the order of distance. Whether other stations fit, the record does not tell.",
        faults,
    )


def _kilometres(user: Mapping[str, Any], station: Mapping[str, Any]) -> float:
    return geodesic_m(user["lon"], user["lat"], station["lon"], station["lat"]) / 1000


def _faults(stations: Sequence[Mapping[str, Any]]) -> str | None:
    """What is wrong with the list of stations by the rules of the paper; None where nothing is."""
    said = []
    if len(stations) > MOST:
        said.append(f"the key has {len(stations)} stations, and the paper keeps {MOST} at most")
    twice = [name for name, count in Counter(one["id"] for one in stations).items() if count > 1]
    if twice:
        said.append(f"the station {twice[0]} stands in the key more than once")
    unlike = [one["name"] for one in stations if one["similarity"] < NEARBY_SIMILARITY]
    if unlike:
        said.append(f"the place near {unlike[0]} is less similar than {NEARBY_SIMILARITY}")
    return "; ".join(said) or None


CHECKERS.add("evgeoqa", "evgeoqa", check_key)
