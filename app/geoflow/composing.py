"""Composes templates: which of them, joined how, lead from what a question names to what it asks for.

Two are joined where the type of the first one's measure is that of a port of the second, and roles do not descend.
Of all that lead there and use everything that is named, the one with the fewest steps is taken (paper, section 3.4).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from app.geoflow.filling import fill
from app.geoflow.graphs import Graph, Step
from app.geoflow.ontology import ontology
from app.geoflow.templates import Template, TemplateFault, TemplatePort, find_template, templates

MOST_TEMPLATES = 3
MOST_GIVEN = 8


class Given(NamedTuple):
    """What a question names: the type of its concept, and the value that a port of this type takes (`filling`)."""

    type: str
    value: Any


class Composition(NamedTuple):
    """A template, with what each port takes: the number of what is given, or another composition."""

    template: str
    ports: Mapping[str, Sequence["int | Composition"]]

    @property
    def names(self) -> list[str]:
        """The templates, the last one first."""
        return [self.template, *(name for one in self._inner() for name in one.names)]

    @property
    def uses(self) -> frozenset[int]:
        """The numbers of what is given and used."""
        own = (one for ones in self.ports.values() for one in ones if isinstance(one, int))
        return frozenset(own).union(*(one.uses for one in self._inner()))

    def _inner(self) -> list["Composition"]:
        return [one for ones in self.ports.values() for one in ones if isinstance(one, Composition)]


def compositions(given: Sequence[str], wanted: str, most: int = MOST_TEMPLATES) -> list[Composition]:
    """All compositions that lead from concepts of the given types to a measure of a type, and use all of them.

    A port that stands for several takes what is given and no other port takes. Raises TemplateFault beyond MOST_GIVEN.
    """
    if len(given) > MOST_GIVEN:
        raise TemplateFault(f"at most {MOST_GIVEN} concepts can be composed")
    whole = frozenset(range(len(given)))
    return [one for one in _leading_to(wanted, given, most) if one.uses == whole]


def compose(given: Sequence[Given], wanted: str, slots: Mapping[str, Any] | None = None) -> Graph:
    """The graph with the fewest steps that leads from what is given to a measure of a type.

    Of equally many steps, the one with fewer templates, then the one whose templates come first in their file.
    `slots` are literals by the names of slots; those that a template has not are left out. Raises TemplateFault where
    no composition leads there, or where each that does needs a slot that is not told.
    """
    fault = TemplateFault(
        f"no templates lead from {', '.join(one.type for one in given) or 'nothing'} to {wanted}"
    )
    built = []
    for one in compositions([one.type for one in given], wanted):
        try:
            built.append((build(one, given, slots or {}), len(one.names)))
        except TemplateFault as found:
            fault = found
    if not built:
        raise fault
    return min(built, key=lambda one: (len(one[0].steps), one[1]))[0]


def build(composition: Composition, given: Sequence[Given], slots: Mapping[str, Any]) -> Graph:
    """The graph of a composition. Raises TemplateFault where a value or a slot does not fit."""
    template = find_template(composition.template)
    values: dict[str, Any] = {name: slots[name] for name in template.slots if name in slots}
    for name, ones in composition.ports.items():
        made = [given[one].value if isinstance(one, int) else build(one, given, slots) for one in ones]
        if made:
            values[name] = made if template.ports[name].many else made[0]
    return fill(composition.template, values)


def may_join(first: Template, second: Template, port: TemplatePort) -> bool:
    """Whether what the first template gives may go into a port of the second: types match, roles do not descend."""
    if first.output_type != port.type:
        return False
    before, after, known = first.skeleton(), second.skeleton(), ontology()
    concept = f"{port.name}*" if port.many else port.name
    sources = _roles(before, lambda step: before.measure in step.outputs, lambda step: step.inputs_in_order())
    targets = _roles(after, lambda step: concept in step.inputs_in_order(), lambda step: step.outputs)
    return any(
        all(known.may_lead(one, role) for one in sources)
        and all(known.may_lead(role, one) for one in targets)
        for role in known.roles
    )


def _roles(graph: Graph, holds: Callable[[Step], bool], ends: Callable[[Step], Sequence[str]]) -> list[str]:
    """The roles of the concepts at the ends of the steps of which something holds."""
    concepts = graph.by_id()
    return [concepts[one].role for step in graph.steps if holds(step) for one in ends(step)]


def _leading_to(wanted: str, given: Sequence[str], most: int) -> Iterator[Composition]:
    if most <= 0:
        return
    for template in templates().values():
        if template.output_type != wanted:
            continue
        single = [port for port in template.ports.values() if not port.many]
        several = [port for port in template.ports.values() if port.many]
        choices = [[*_choices(port, template, given, most - 1)] for port in single]
        for chosen in product(*choices):
            numbers = [one for one in chosen if isinstance(one, int)]
            if len(set(numbers)) < len(numbers):
                continue
            ports: dict[str, Sequence[int | Composition]] = {
                port.name: [] if one is None else [one] for port, one in zip(single, chosen, strict=True)
            }
            ports |= {port.name: _rest(port, given, numbers) for port in several}
            one = Composition(template.name, ports)
            if all(ports[port.name] for port in several) and len(one.names) <= most:
                yield one


def _choices(
    port: TemplatePort, template: Template, given: Sequence[str], most: int
) -> Iterator["int | Composition | None"]:
    yield from (number for number, kind in enumerate(given) if kind == port.type)
    for one in _leading_to(port.type, given, most):
        if may_join(find_template(one.template), template, port):
            yield one
    if port.optional:
        yield None


def _rest(port: TemplatePort, given: Sequence[str], used: Sequence[int]) -> list[int]:
    """What a port that stands for several takes: all that is given of its type and that no other port takes."""
    return [number for number, kind in enumerate(given) if kind == port.type and number not in used]
