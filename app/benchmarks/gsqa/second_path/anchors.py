"""Second path: which places may be anchors, and how the rules of a template's versions are put around its answer.

A text names an anchor by name, class, street, city, and state or country.
"""

from collections.abc import Iterable
from dataclasses import replace

import shapely

from app.benchmarks.gsqa.second_path.categories import asked_classes
from app.questions.second_path.addresses import parts_of
from app.questions.second_path.answering import Parameters, SecondAnswer, SecondPath, first_refusal
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form

ANCHOR_CLASSES = frozenset(
    "aquarium attraction viewpoint art_gallery theme_park museum gallery zoo hotel university park nature_reserve"
    " garden stadium hospital".split()
)
CITIES = frozenset({"city", "town", "village", "municipality"})
"""Classes of regions that people call a city."""
_TOLD = ("street", "city", "state", "country")
"""Parts of an address of which one is enough to say where a place is."""


def with_unique_names(way: SecondPath) -> SecondPath:
    """The first rules: no other place of the map has the name of an anchor; none asks for what the anchor is."""

    def prove(layers: Layers, parameters: Parameters) -> SecondAnswer:
        found = way(layers, parameters)
        poi = layers["poi"]
        shared = any(len(_namesakes(layers, one)) != 1 for one in _anchors(layers, parameters))
        narrowed = ":" in str(parameters.get("category"))
        own = narrowed and any(
            poi.classes[one] in asked_classes(parameters) for one in _anchors(layers, parameters, ("anchor",))
        )
        refusal = first_refusal((shared, "anchor_not_unique"), (own, "own_class"))
        return replace(found, refusal=refusal) if refusal else found

    return prove


def with_told_anchors(way: SecondPath) -> SecondPath:
    """The rules since anchors are told apart by their cities; of the names of an answer, each is one.

    An anchor is of a class of ANCHOR_CLASSES, has one name, and something is known of where it is; all others of its
    name are in other cities; it is not of a class that the question asks for.
    """

    def prove(layers: Layers, parameters: Parameters) -> SecondAnswer:
        found = with_each_name(way(layers, parameters))
        rules = (
            refusal
            for one in _anchors(layers, parameters)
            if (refusal := anchor_refusal(layers, one)) is not None
        )
        refusal = next(rules, None) or own_class(layers, parameters)
        return replace(found, refusal=refusal) if refusal else found

    return prove


def own_class(layers: Layers, parameters: Parameters) -> str | None:
    """`own_class` where the question asks for places of the class by which its text names the anchor."""
    poi = layers["poi"]
    asked = asked_classes(parameters)
    own = any(poi.classes[one] in asked for one in _anchors(layers, parameters, ("anchor",)))
    return "own_class" if own else None


def anchor_refusal(layers: Layers, position: int) -> str | None:
    """Why the place at that position may not be an anchor that is named; None where it may."""
    row = layers["poi"].rows[position]
    own = parts_of(row.tags)
    placed = any(part in own for part in _TOLD) or bool(_regions_around(layers, position))
    others = [one for one in _namesakes(layers, position) if one != position]
    return first_refusal(
        (row.klass not in ANCHOR_CLASSES, "not_an_anchor"),
        (";" in (row.name or ""), "two_names"),
        (not placed, "place_not_told"),
        (not all(_in_other_cities(layers, position, one) for one in others), "anchor_not_unique"),
    )


def with_each_name(found: SecondAnswer) -> SecondAnswer:
    """An answer whose names take in both names of "A; B"."""
    if "names" not in found.value:
        return found
    names = {part for name in found.value["names"] for part in names_in(name)}
    return replace(found, value={**found.value, "names": sorted(names)})


def names_in(name: str) -> Iterable[str]:
    """The name, and where it is a list, each name in it."""
    parts = [part.strip() for part in name.split(";")]
    return {name, *filter(None, parts)} if len(parts) > 1 else {name}


def _anchors(
    layers: Layers, parameters: Parameters, names: tuple[str, ...] = ("anchor", "towards")
) -> list[int]:
    """The positions of the anchors; one that is described stands beside the attribute."""
    keys = [str(parameters[name]).partition(" ")[0] for name in names if name in parameters]
    return [layers["poi"].position[key] for key in keys if key in layers["poi"].position]


def _namesakes(layers: Layers, position: int) -> list[int]:
    row = layers["poi"].rows[position]
    return layers["poi"].by_name.get(normal_form(row.name or ""), [])


def _in_other_cities(layers: Layers, one: int, other: int) -> bool:
    first, second = (_cities_of(layers, position) for position in (one, other))
    return bool(first) and bool(second) and first.isdisjoint(second)


def _cities_of(layers: Layers, position: int) -> set[str]:
    """The city of a place's own address, and all regions around it that are cities."""
    region = layers["region"]
    told = parts_of(layers["poi"].rows[position].tags).get("city")
    around = [region.rows[one] for one in _regions_around(layers, position)]
    named = [row.name for row in around if row.klass in CITIES]
    return {normal_form(name) for name in (told, *named) if name}


def _regions_around(layers: Layers, position: int) -> list[int]:
    """The positions of the regions with a name that hold a place, their borders included."""
    region = layers["region"]
    if not len(region):
        return []
    point = shapely.Point(layers["poi"].coordinates[position])
    found = sorted(region.tree.query(point, predicate="intersects").tolist())
    return [one for one in found if is_named(region.rows[one])]
