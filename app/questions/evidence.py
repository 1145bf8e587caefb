"""Which objects of the map a question stands on: its parameters, what its gold was found by, its wrong options."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from app.questions.gold import NO_ANSWER
from app.templates.header import Header, Parameter

Key = tuple[str, str]
"""Layer and osm_key."""


def parameter_keys(header: Header, parameters: Mapping[str, Any]) -> list[Key]:
    """The objects that the typed parameters name, in the header's order."""
    return [
        key for name, parameter in header.parameters.items() for key in keys_of(parameter, parameters[name])
    ]


def keys_of(parameter: Parameter, value: Any) -> list[Key]:
    """The objects in a parameter's value; none where it names no object."""
    keys: list[Key] = []
    if parameter.area:
        keys.append((parameter.area, str(value).partition(" ")[2]))
    if parameter.layer:
        values = value if isinstance(value, list) else [value]
        keys += [(parameter.layer, object_of(parameter, one)) for one in values]
    return keys


def object_of(parameter: Parameter, value: str) -> str:
    """The osm_key in a parameter's value, behind which the area's or the attribute of a fact may stand."""
    return value.partition(" ")[0] if parameter.type in ("described", "within") else value


def evidence_keys(
    header: Header,
    parameters: Mapping[str, Any],
    found: Iterable[Key],
    distractors: Sequence[Mapping[str, Any]] | None,
) -> list[Key]:
    """Every object, once, sorted; `found` is what the derivation names."""
    layer = header.option_layer
    wrong = [(layer, key) for one in distractors or () for key in _objects_of(one)] if layer else []
    return sorted({*parameter_keys(header, parameters), *found, *wrong})


def _objects_of(distractor: Mapping[str, Any]) -> list[str]:
    """The objects that a wrong option speaks of: one, or several together."""
    if distractor["text"] == NO_ANSWER:
        return []
    return list(distractor.get("osm_keys") or [str(distractor["osm_key"])])
