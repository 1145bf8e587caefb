"""Whether a solution by another convention gives the same answer as gold: the same places, names and counts, and numbers
that would still have full credit.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.readers.reading import Reading
from tests.readers.solving import Found, Solution

SAME_SHARE = 0.01
"""The share by which a number may differ and have full credit (DESIGN.md, "Reference points")."""
SAME_DEGREES = 1.8
"""The degrees by which a direction may differ: one hundredth of the most that it can be wrong."""


def disagreements(reading: Reading, solution: Solution, gold: Mapping[str, Any]) -> Iterator[str]:
    """What of the answer is another, a sentence each."""
    if reading.asks in ("largest", "longest"):
        called = {str(part.thing.name) for part in solution.parts}
        if not called or not called <= set(gold["names"]):
            yield f"it is {sorted(called)}, not {gold['names']}"
    elif solution.number is not None:
        share = 0.0 if reading.asks == "count" else SAME_SHARE
        yield from _number_fault(reading.asks, solution.number, gold[reading.asks], share)
    else:
        yield from _place_faults(solution, gold)
        yield from (
            fault for one in solution.places for fault in _measure_faults(reading, one, _told(one, gold))
        )


def _place_faults(solution: Solution, gold: Mapping[str, Any]) -> Iterator[str]:
    """Places on which gold counts must be there, and no other but those that gold accepts."""
    found = {one.thing.key for one in solution.places}
    needed = {one["osm_key"] for one in gold["objects"]}
    accepted = needed | {one["osm_key"] for one in gold.get("tolerated", ())}
    if not needed <= found <= accepted:
        yield f"missing {sorted(needed - found)}, too many {sorted(found - accepted)}"


def _told(one: Found, gold: Mapping[str, Any]) -> Mapping[str, Any]:
    """What gold says of a place; the one answer of a nearest place stands beside the places."""
    objects = [*gold["objects"], *gold.get("tolerated", ())]
    told: Mapping[str, Any] = next((each for each in objects if each["osm_key"] == one.thing.key), {})
    return {**told, **{name: gold[name] for name in ("azimuth", "distance") if name in gold}}


def _measure_faults(reading: Reading, one: Found, told: Mapping[str, Any]) -> Iterator[str]:
    if reading.asks == "distance" and told:
        yield from _number_fault("distance", one.distance, told["distance"], SAME_SHARE)
    if reading.asks == "azimuth" and told:
        turned = abs((one.azimuth - told["azimuth"] + 180) % 360 - 180)
        if turned > SAME_DEGREES:
            yield f"azimuth: {one.azimuth} is {turned} degrees off {told['azimuth']}"


def _number_fault(name: str, solved: float, told: float, share: float) -> Iterator[str]:
    if abs(solved - told) > share * abs(told):
        yield f"{name}: {solved} is not {told}"
