"""What a stored question watches of a map, by the dependency of its derivation. Pure."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from app.questions.evidence import Key, parameter_keys
from app.questions.refresh.dependencies import (
    DEPENDENCIES,
    SLACK,
    Asked,
    Dependency,
    Heed,
    Watch,
)
from app.templates.templates import Template

TWINS = 30.0
"""Metres within which another place of the same name makes a count doubtful."""
ROUNDING = 0.1
"""By what share a part, cut off in lon/lat, may at most measure more than the whole, whose edges are geodesics."""


def dependency_of(template: Template) -> Dependency | None:
    """What the template's questions depend on; None where nothing is known of it."""
    return DEPENDENCIES.find(template.benchmark, template.header.derive)


def known_dependency(template: Template) -> Dependency:
    """As `dependency_of`; a question of which nothing is known is watched as one that looks nowhere."""
    return dependency_of(template) or Dependency()


def templates_that(templates: Mapping[str, Template], depend: Callable[[Dependency], bool]) -> list[str]:
    """The templates whose questions depend so on the map."""
    return [name for name, template in templates.items() if depend(known_dependency(template))]


def templates_told_more(templates: Mapping[str, Template], same_outline: bool) -> dict[str, list[str]]:
    """The templates whose questions must be known with options, text, `facts` of a kind, or number of `answers`."""
    return {
        "offering": templates_that(templates, lambda one: one.offers_classes),
        "reading": [name for name, one in templates.items() if not (same_outline and tells_of_objects(one))],
        "measured": templates_that(templates, lambda one: one.told == "distances"),
        "with_margin": templates_that(templates, lambda one: one.told == "margin"),
        "selective": templates_that(templates, lambda one: one.accepts_a_share),
    }


def tells_of_objects(template: Template) -> bool:
    """Whether the template's questions are offered, and read, as they were while their objects are as they were.

    So long as nothing that changed shares a name with these objects, and the map ends where it did. How many places
    there are of a category is left aside. So benchmark.toml says of each of its picks.
    """
    return template.picks.keys() <= template.pick_depends.keys()


def heed(template: Template) -> Heed:
    """What counts of the objects that a question of the template stands on, and of those that it watches."""
    return known_dependency(template).heed


def watches(template: Template, one: Asked, changed: set[str]) -> Iterator[Watch]:
    """Where changes could change what the question's SELECT and its second path find.

    `changed` are the classes of what changed, and its layers, each as a footprint names it: no other is watched.
    """
    dependency, header = known_dependency(template), template.header
    watched = dependency.ground.watched
    classes = changed.intersection(one.classes if watched is None else watched)
    if not classes:
        return
    beyond = TWINS if dependency.counts_places else 0.0
    least = _least(one) if dependency.first_and_second else 0.0
    for around, metres in dependency.ground.places(header, one, _objects(template, one)):
        reach = None if metres is None else max(metres, _reach(one)) + beyond
        yield from _every(classes, around, reach, dependency.only_named, least)


def edges(template: Template, one: Asked) -> Iterator[tuple[Key, float]]:
    """Objects, and how many metres around each must lie as they do to the outline."""
    ground = known_dependency(template).ground
    for around, metres in ground.edges(template.header, one, _objects(template, one)):
        yield around, max(metres, _reach(one))


def _reach(one: Asked) -> float:
    """How many metres around its objects decide which readings of a question matter; 0 where none do."""
    return float(one.readings.get("reach", 0.0))


def _objects(template: Template, one: Asked) -> Sequence[Key]:
    return parameter_keys(template.header, one.parameters)


def _every(
    classes: Iterable[str], around: Key, metres: float | None, named: bool, least: float
) -> Iterator[Watch]:
    for one in classes:
        layer, _, klass = one.partition(":")
        yield Watch(layer, klass, around, metres, named, least)


def _least(one: Asked) -> float:
    """What is smaller is neither the largest nor the one behind it, from which the margin is measured."""
    second = one.facts.get("second")
    return 0.0 if second is None else float(second) * (1 - ROUNDING) - SLACK
