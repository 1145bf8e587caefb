"""Makes a graph of templates from a plan that is no well-formed graph: what it names, and what it asks for. Pure.

Of a plan only this is kept: places, times and sets that it names, sets that it searches around a place, routes that it
looks for, literals of its steps, and the type of its measure. Templates then lead from there to the measure.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from app.agent_tools.arguments import read_point
from app.geoflow.composing import MOST_GIVEN, Given, compose
from app.geoflow.graphs import Graph
from app.geoflow.ontology import MODES, ontology
from app.geoflow.templates import TemplateFault, templates

SEARCHES: Final = ("place_search", "nearest_places", "amenities_within")
ROUTES: Final = ("directions", "travel_time")
FINDERS: Final = ("geocode",)
DEEPEST: Final = 5


class _Parts(NamedTuple):
    """The parts of a plan that have the form of concepts and steps, whatever else is wrong with them."""

    concepts: Mapping[str, Mapping[str, Any]]
    steps: Sequence[Mapping[str, Any]]
    makers: Mapping[str, Mapping[str, Any]]


def compose_from(plan: Any) -> Graph:
    """The graph that templates make of a plan. Raises TemplateFault where no template leads to what it asks for."""
    parts = _parts_of(plan)
    wanted = _wanted(plan, parts)
    given = [*_given(parts)]
    slots: dict[str, Any] = {}
    for step in parts.steps:
        for name, literal in _object(step.get("params")).items():
            slots.setdefault(name, literal)
    known = {name for one in templates().values() for name in one.slots}
    mode = plan.get("mode") if isinstance(plan, Mapping) else None
    usable = {name: literal for name, literal in slots.items() if name in known}
    if mode in MODES:
        usable.setdefault("mode", mode)
    if not 1 <= len(given) <= MOST_GIVEN:
        raise TemplateFault(f"the plan names {len(given)} things, and 1 to {MOST_GIVEN} can be composed")
    try:
        return compose(given, wanted, usable)
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        if isinstance(error, TemplateFault):
            raise
        raise TemplateFault("what the plan names has no form that templates can take") from error


def _parts_of(plan: Any) -> _Parts:
    fields = _object(plan)
    concepts = {
        one["id"]: one
        for one in _list(fields.get("concepts"))
        if isinstance(one.get("id"), str) and one.get("type") in ontology().concepts
    }
    steps = [one for one in _list(fields.get("steps")) if isinstance(one.get("op"), str)]
    makers: dict[str, Mapping[str, Any]] = {}
    for step in steps:
        for output in _ids(step.get("outputs")):
            makers.setdefault(output, step)
    return _Parts(concepts, steps, makers)


def _wanted(plan: Any, parts: _Parts) -> str:
    """The type of what the plan asks for: its measure, else the concept with that role."""
    measure = parts.concepts.get(str(_object(plan).get("measure")))
    if measure is None:
        measure = next((one for one in parts.concepts.values() if one.get("role") == "MEASURE"), None)
    if measure is None:
        raise TemplateFault("the plan does not say what is asked for")
    return str(measure["type"])


def _given(parts: _Parts) -> Iterator[Given]:
    """What the plan names: sets and routes that it looks for, then places and times that are not only ends of these."""
    used: set[str] = set()
    for step in parts.steps:
        found = _searched(step, parts) or _routed(step, parts)
        if found is not None:
            given, sources = found
            used |= sources
            yield given
    elsewhere = {
        source
        for step in parts.steps
        if step["op"] not in (*SEARCHES, *ROUTES, *FINDERS)
        for port in _object(step.get("inputs")).values()
        for one in _ids(port)
        if (source := _source_of(one, parts)) is not None
    }
    for key, concept in parts.concepts.items():
        if key in parts.makers or (key in used and key not in elsewhere):
            continue
        if concept["type"] == "LOCATION" and _place(concept) is not None:
            yield Given("LOCATION", _place(concept))
        if concept["type"] == "EVENT" and (concept.get("attrs") or concept.get("name")):
            yield Given("EVENT", concept.get("attrs") or concept["name"])


def _searched(step: Mapping[str, Any], parts: _Parts) -> tuple[Given, set[str]] | None:
    """The set that a step searches around a place."""
    center = _first_source(step, "center", parts)
    params = _object(step.get("params"))
    place = None if center is None else _place(parts.concepts[center])
    if step["op"] not in SEARCHES or place is None or center is None:
        return None
    kept = {name: params[name] for name in ("type", "keyword", "radius_m", "limit") if name in params}
    return Given("OBJECT", {"near": place, **kept}), {center}


def _routed(step: Mapping[str, Any], parts: _Parts) -> tuple[Given, set[str]] | None:
    """The route that a step looks for."""
    ends = [_first_source(step, port, parts) for port in ("origin", "destination")]
    if step["op"] not in ROUTES or None in ends:
        return None
    known = [one for one in ends if one is not None]
    places = [_place(parts.concepts[one]) for one in known]
    if None in places:
        return None
    mode = _object(step.get("params")).get("mode")
    told = {"from": places[0], "to": places[1]} | ({"mode": mode} if mode in MODES else {})
    return Given("NETWORK", told), set(known)


def _first_source(step: Mapping[str, Any], port: str, parts: _Parts) -> str | None:
    ids = [*_ids(_object(step.get("inputs")).get(port))]
    return _source_of(ids[0], parts) if ids else None


def _source_of(key: str, parts: _Parts) -> str | None:
    """The named concept that a concept is, through steps that only find it on the map."""
    for _ in range(DEEPEST):
        step = parts.makers.get(key)
        if step is None:
            return key if key in parts.concepts else None
        ids = [*_ids(_object(step.get("inputs")).get("place"))]
        if step["op"] not in FINDERS or not ids:
            return None
        key = ids[0]
    return None


def _place(concept: Mapping[str, Any]) -> Any:
    """A place as templates take it; None where it has neither a name nor coordinates."""
    name, attrs = concept.get("name"), _object(concept.get("attrs"))
    if "lat" in attrs and "lon" in attrs:
        return {"name": name or "", "lat": attrs["lat"], "lon": attrs["lon"]}
    if not isinstance(name, str) or not name.strip():
        return None
    point = read_point(name)
    return name if point is None else {"name": name, "lat": point.lat, "lon": point.lon}


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _ids(value: Any) -> Iterator[str]:
    yield from (one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str))
