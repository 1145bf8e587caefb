"""Whether the values that a graph begins with are such that its operators can work with them.

A place that is only a name keeps all types and roles, and still nothing can be measured from it. Such faults would
show when the graph is executed; here they are named before, as violations of G4, so that they can be mended. They are
found by the functions with which operators read their values.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from app.geoflow.checking import Violation
from app.geoflow.graphs import Concept, Graph, Step
from app.geoflow.ontology import CALCULATION, ontology
from app.geoflow.operators.base import OperatorFault, Value, working_operators
from app.geoflow.operators.forms import FORMS
from app.geoflow.operators.opening import local_time_of
from app.geoflow.operators.values import (
    name_of,
    number_of,
    places_at,
    routes_at,
    time_of,
    value_of_source,
    where_of,
)

BY_NAME: Final = frozenset(
    {
        ("geocode", "place"),
        ("batch_geocode", "places"),
        ("intersection_of", "street"),
        ("intersection_of", "other"),
        ("steps_analysis", "landmark"),
    }
)
"""Operators and ports that work with the name of a place or a road."""
WITH_DAY: Final = frozenset({("filter_places_by_time", "time")})
"""Those that need the day of a time."""
_READERS: Final[Mapping[str, Callable[[Value], Any]]] = {
    "LOCATION": where_of,
    "OBJECT": lambda value: places_at([value]),
    "NETWORK": lambda value: routes_at([value]),
    "AMOUNT": number_of,
    "PROPORTION": number_of,
    "FIELD": number_of,
    "EVENT": time_of,
}
_MENDS: Final[Mapping[str, str]] = {
    "LOCATION": "let geocode find {id} first, and bind the port to what geocode gives",
    "OBJECT": "let a search, such as place_search, find {id}",
    "NETWORK": "let directions find {id}",
    "EVENT": "write the time of {id} into its attrs as time, and the day as day, or a local time with its date",
}
_MEND_NUMBER: Final = "write the number of {id} into its attrs as value, or let a step make it"


def ungrounded(graph: Graph) -> list[Violation]:
    """Every value that the graph begins with and that a step cannot work with; none in a graph that can be executed."""
    working_operators()  # the forms are registered with them
    made = graph.makers()
    sources = {one.id: one for one in graph.concepts if one.id not in made}
    return [fault for step in graph.steps for fault in _faults_of(step, sources)]


def _faults_of(step: Step, sources: Mapping[str, Concept]) -> Iterator[Violation]:
    operator = ontology().operators.get(step.op)
    if operator is None or operator.group == CALCULATION:
        return
    for port, ids in step.inputs.items():
        for source in (sources[one] for one in ids if one in sources):
            if port not in operator.ports or source.type not in operator.ports[port].takes:
                continue
            try:
                _reader_of(step.op, port, source.type)(value_of_source(source))
            except OperatorFault as fault:
                mend = _MENDS.get(source.type, _MEND_NUMBER).format(id=source.id)
                yield Violation("G4", source.id, f"{step.id}.{port}", f"{source.id}: {fault}", mend)


def _reader_of(op: str, port: str, kind: str) -> Callable[[Value], Any]:
    """How the operator reads a value of a type at the port."""
    if (op, port) in BY_NAME:
        return name_of
    if (op, port) in WITH_DAY:
        return local_time_of
    form = FORMS[op].ports.get(port) if op in FORMS else None
    if form is None:
        return _READERS[kind]
    read = form.read
    return (lambda value: read([value])) if form.many else read
