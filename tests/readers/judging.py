"""Whether the reader's solution gives the gold: ids, names, counts and facts exactly, measures as DESIGN.md says under
"Second path"; of places within a distance, gold counts on those that are clear of every edge, and accepts the others.
By the other conventions that the text allows, the answer must be the same.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.readers.agreeing import disagreements
from tests.readers.conventions import AS_MAPPED, WHOLE, Convention, conventions_of
from tests.readers.places import Atlas
from tests.readers.reading import Reading
from tests.readers.solving import Found, Solution, Solver
from tests.readers.vocabulary import HALF_SECTOR

DOOR = 20.0
"""Metres from the anchor below which a direction means little."""
EDGE_DEGREES = 1.0
Objects = Sequence[Mapping[str, Any]]


@dataclass
class Judge:
    """Compares gold with the reader's solutions on one map, by each convention."""

    atlas: Atlas
    _solvers: dict[str, Solver] = field(default_factory=dict)

    def faults(self, reading: Reading, gold: Mapping[str, Any]) -> list[str]:
        """What differs between gold and the reader's own solution, a sentence each; then what another convention changes.

        Where a text leaves open what counts of that which leaves a region, gold must be one of both.
        """
        is_open = reading.clipped is None and reading.asks in ("largest", "longest", "area", "length")
        found = {
            one: _faults(reading, self._solver(one), gold)
            for one in ([AS_MAPPED, WHOLE] if is_open else [AS_MAPPED])
        }
        meant = min(found, key=lambda one: len(found[one]))
        return found[meant] or [
            f"{one.name}: {fault}"
            for one in (_beside(meant, other) for other in conventions_of(reading))
            for fault in disagreements(reading, self._solver(one).solve(reading), gold)
        ]

    def _solver(self, convention: Convention) -> Solver:
        return self._solvers.setdefault(convention.name, Solver(self.atlas, convention))


def _beside(meant: Convention, other: Convention) -> Convention:
    """Another convention, with what gold means of that which lies partly in a region; or the opposite of that."""
    if meant is AS_MAPPED:
        return other
    whole = other is not WHOLE
    return replace(other, name=f"{other.name}, beside {meant.name}", whole=whole)


def _faults(reading: Reading, solver: Solver, gold: Mapping[str, Any]) -> list[str]:
    solution = solver.solve(reading)
    if reading.asks in ("largest", "longest"):
        return list(_leading_faults(reading, solution, gold))
    if solution.number is not None:
        share = 0.0 if reading.asks == "count" else 1e-6
        return list(_number_faults(reading.asks, solution.number, gold[reading.asks], share, share and 1e-3))
    if reading.distance is None:
        return list(_nearest_faults(reading, solution, gold))
    return list(_range_faults(reading, solver, solution, gold))


def _range_faults(
    reading: Reading, solver: Solver, solution: Solution, gold: Mapping[str, Any]
) -> Iterator[str]:
    """Any of several places: by the text, by what is sure, and by what is accepted near an edge."""
    assert reading.distance is not None
    slack = max(5.0, 0.01 * reading.distance)
    around = [
        one
        for one in solver.seen(reading, reading.distance + slack)
        if abs(one.aside) <= HALF_SECTOR + EDGE_DEGREES or not (reading.towards or reading.sector is not None)
        if one.thing.name or reading.asks != "name"
    ]
    sure = [one for one in around if _is_sure(reading, one, reading.distance - slack)]
    accepted = _keys(gold["objects"]) | _keys(gold["tolerated"])
    meant = {one.thing.key for one in solution.places}
    if not meant:
        yield "the text has no answer"
    yield from _set_faults("places that the text means, of those that gold accepts", meant & accepted, meant)
    yield from _set_faults("sure places", _keys(gold["objects"]), {one.thing.key for one in sure})
    yield from _set_faults(
        "places near an edge",
        _keys(gold["tolerated"]),
        {one.thing.key for one in around} - {one.thing.key for one in sure},
    )
    if not _keys(gold["objects"]) <= meant:
        yield f"gold counts on {_keys(gold['objects']) - meant}, which the text does not mean"
    yield from _object_faults([*gold["objects"], *gold["tolerated"]], around)
    if reading.asks == "name" and gold["names"] != _each_name(str(one.thing.name) for one in sure):
        yield f"names: {gold['names']}"


def _is_sure(reading: Reading, one: Found, within: float) -> bool:
    directed = reading.sector is not None or reading.towards is not None
    clear = abs(one.aside) < HALF_SECTOR - EDGE_DEGREES and one.distance >= DOOR
    return one.distance <= within and (clear or not directed)


def _nearest_faults(reading: Reading, solution: Solution, gold: Mapping[str, Any]) -> Iterator[str]:
    if not solution.places:
        yield "the text has no answer"
        return
    nearest = solution.places[0]
    yield from _set_faults("nearest", _keys(gold["objects"]), {nearest.thing.key})
    yield from _object_faults(gold["objects"], [nearest])
    if gold.get("tolerated"):
        yield "only one place is the nearest"
    if reading.asks == "name" and gold["names"] != _each_name([str(nearest.thing.name)]):
        yield f"names: {gold['names']}, and the nearest is called {nearest.thing.name}"
    if reading.asks == "azimuth" and _turn(gold["azimuth"], nearest.azimuth) > 1e-6:
        yield f"azimuth: {gold['azimuth']} is not {nearest.azimuth}"
    if reading.asks == "distance":
        yield from _number_faults("distance", nearest.distance, gold["distance"], 1e-7, 1e-3)
    if reading.asks == "fact":
        fact, told = solution.fact, gold["fact"]
        credit = told["credit"] if str(reading.fact).endswith("@") else fact and fact.credit
        said = (fact.attribute, fact.value, fact.unit, credit) if fact else None
        if said != (told["attribute"], told["value"], told["unit"], told["credit"]):
            yield f"fact: {told} is not {said}"


def _leading_faults(reading: Reading, solution: Solution, gold: Mapping[str, Any]) -> Iterator[str]:
    """The largest and the longest: its name, and all its parts with their measures."""
    names = _each_name(str(part.thing.name) for part in solution.parts)
    if gold["names"] != names:
        yield f"names: {gold['names']} are not {names}"
    parts = {part.thing.key: part for part in solution.parts}
    yield from _set_faults("parts", _keys(gold["objects"]), set(parts))
    name = "area" if reading.asks == "largest" else "length"
    for told in gold["objects"]:
        if part := parts.get(told["osm_key"]):
            yield from _number_faults(name, part.measure, told[name], 1e-6, 1e-3)
            yield from _position_faults(part.shape.centroid, told)


def _object_faults(objects: Objects, places: Iterable[Found]) -> Iterator[str]:
    by_key = {one.thing.key: one for one in places}
    for told in objects:
        one = by_key.get(told["osm_key"])
        if one is None:
            continue
        if told["name"] != one.thing.name:
            yield f"{told['osm_key']} is called {one.thing.name}, not {told['name']}"
        yield from _number_faults("distance", one.distance, told["distance"], 1e-7, 1e-3)
        yield from _position_faults(one.thing.geometry, told)
        if "azimuth" in told and _turn(told["azimuth"], one.azimuth) > 1e-6:
            yield f"azimuth: {told['azimuth']} is not {one.azimuth}"
        address = told.get("address") or {}
        own = {part: value for part, value in one.thing.address.items() if address.get("source") == "own"}
        if any(address.get(part) != value for part, value in own.items()):
            yield f"address: {address} is not {own}"


def _position_faults(point: Any, told: Mapping[str, Any]) -> Iterator[str]:
    yield from _number_faults("lon", point.x, told["lon"], 0.0, 1e-9)
    yield from _number_faults("lat", point.y, told["lat"], 0.0, 1e-9)


def _number_faults(name: str, solved: float, told: float, share: float, least: float) -> Iterator[str]:
    if not abs(solved - told) <= least + share * abs(solved):
        yield f"{name}: {told} is not {solved}"


def _set_faults(name: str, told: set[str], solved: set[str]) -> Iterator[str]:
    if told != solved:
        yield f"{name}: missing {sorted(solved - told)}, too many {sorted(told - solved)}"


def _each_name(names: Iterable[str]) -> list[str]:
    """The names, and both of "A; B"."""
    told = set(names)
    return sorted(told | {part.strip() for name in told if ";" in name for part in name.split(";")})


def _keys(objects: Objects) -> set[str]:
    return {one["osm_key"] for one in objects}


def _turn(one: float, other: float) -> float:
    return abs((one - other + 180) % 360 - 180)
