"""Second path of questions without an answer: T1, T11, T12, T13, T21 and T25, where nothing lies where they ask.

Nothing of the kind that is asked for, and nothing that people may take for it, named or not.
"""

from collections.abc import Callable, Sequence
from typing import Any

from app.benchmarks.gsqa.second_path.categories import classes_of
from app.benchmarks.gsqa.second_path.extents import LINES
from app.benchmarks.gsqa.second_path.regions import GROUNDS, Kinds, region_of
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    TemplateVersion,
    answer,
    parameter,
    unanswerable_path,
)
from app.questions.second_path.layers import Layers
from app.questions.second_path.nearby import outline_refusal, place_of

UNANSWERABLE = "unanswerable"
Groups = Sequence[frozenset[str]]


def _groups(*classes: str) -> Groups:
    return [frozenset(one.split()) for one in classes]


ALIKE_PLACES = _groups(
    "restaurant cafe fast_food food_court ice_cream bar pub biergarten bakery pastry coffee",
    "museum gallery art_gallery arts_centre planetarium attraction",
    "viewpoint attraction",
    "zoo aquarium",
    "hotel motel hostel guest_house bed_and_breakfast resort",
    "hospital clinic doctors",
    "university college",
    "park garden common nature_reserve recreation_ground golf_course playground",
    "stadium sports_centre",
    "theme_park water_park",
)
ALIKE_GROUNDS = _groups(
    "park garden common village_green recreation_ground",
    "golf_course sports_centre recreation_ground",
    "nature_reserve national_park protected_area",
    "lake pond reservoir basin lagoon oxbow water",
)
ALIKE_LINES = _groups(
    "motorway motorway_link trunk trunk_link",
    "primary primary_link secondary secondary_link tertiary tertiary_link",
    "residential living_street unclassified service pedestrian",
    "path footway cycleway bridleway track steps",
    "river stream brook canal ditch drain tidal_channel",
)
"""Classes each of which people may take for another one of its group."""


def widened(classes: frozenset[str], groups: Groups) -> frozenset[str]:
    """The classes, and those that people may take for one of them."""
    return classes.union(*(group for group in groups if group & classes))


def _none(refusal: str | None, facts: dict[str, Any]) -> SecondAnswer:
    return SecondAnswer({}, refusal, facts, UNANSWERABLE)


def _nothing_in_range(template: str, *, areas: bool) -> Callable[[Layers, Parameters], SecondAnswer]:
    def prove(layers: Layers, parameters: Parameters) -> SecondAnswer:
        """No place within the distance, nor near the circle; in all else the question keeps the template's rules.

        Whether an anchor may be an area depends on the version.
        """
        usual = answer(layers, TemplateVersion("gsqa", template), parameters)
        if usual.refusal != "zero":
            return _none(usual.refusal or "has_answer", usual.facts)
        position, lon, lat = place_of(layers, parameters, "anchor")
        anchor = layers["poi"].rows[position]
        asked = classes_of(parameters)
        distance = float(parameter(parameters, "distance", (int, float)))
        reach = distance + max(5.0, 0.01 * distance)
        facts: dict[str, Any] = {}
        outside = outline_refusal(layers, lon, lat, reach, facts)
        wide = widened(asked, ALIKE_PLACES)
        found = layers["poi"].points_of(wide).within(lon, lat, reach, skip=position)
        others = layers["other_place"].points_of(wide).within(lon, lat, reach)
        if found or others:
            return _none("has_answer", facts)
        if not areas and not anchor.osm_key.startswith("n"):
            return _none("reference_point", facts)
        return _none("own_class" if anchor.klass in asked else outside, facts)

    return prove


for _template, _since in {"T1": 4, "T13": 3, "T21": 3, "T25": 3}.items():
    unanswerable_path("gsqa", _template)(_nothing_in_range(_template, areas=False))
    unanswerable_path("gsqa", _template, _since)(_nothing_in_range(_template, areas=True))


def _nothing_in_region(layers: Layers, parameters: Parameters, name: str, kinds: Kinds) -> SecondAnswer:
    position, unfit = region_of(layers, parameters)
    kind = parameter(parameters, name, str)
    if kind not in kinds:
        raise Refused("bad_parameters", parameter=name, found=kind)
    layer_name, classes = kinds[kind]
    layer = layers[layer_name]
    wide = widened(classes, ALIKE_GROUNDS if name == "ground" else ALIKE_LINES)
    met = layer.tree.query(layers["region"].geometries[position], predicate="intersects")
    found = [layer.keys[one] for one in met.tolist() if layer.rows[one].klass in wide]
    return _none("has_answer" if found else unfit, {"found": len(found)})


@unanswerable_path("gsqa", "T11")
def no_ground_in_region(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """No ground of the kind in the region, nor one that only touches it."""
    return _nothing_in_region(layers, parameters, "ground", GROUNDS)


@unanswerable_path("gsqa", "T12")
def no_line_in_region(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """No line of the kind in the region, nor one that only touches it."""
    return _nothing_in_region(layers, parameters, "line", LINES)
