"""Second path: proves each wrong option wrong from its text alone, by whole layers of the same snapshot.

A name is resolved by its normal form over the whole layer, coordinates by reading the text. An option that means
nothing in the snapshot is not proved wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from app.core.errors import ProofError
from app.questions.second_path.agreeing import read_coordinates
from app.questions.second_path.answering import Parameters, SecondAnswer
from app.questions.second_path.geodesy import margin, measure
from app.questions.second_path.knowledge import CLEARLY_SMALLER, areas_around
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form, without_marks
from app.questions.second_path.verdicts import RULES, Verdict, of_one_bearer, wrong_rule

FAR_METRES = 100.0
"""Coordinates are wrong when farther than this from the place asked for."""


@dataclass(frozen=True)
class OptionVerdict:
    """Whether the option at `index` is proved wrong, and why or why not."""

    index: int
    text: str
    wrong: bool
    why: str


def wrong_options(
    layers: Layers,
    template: str,
    parameters: Parameters,
    answer: SecondAnswer,
    options: Sequence[str],
    key_index: int,
    version: int | None = None,
) -> list[OptionVerdict]:
    """A verdict for each option but the key's; an option equal to another one in normal form is not proved wrong.

    By the rules of that version of the template, or of its newest. Raises ProofError for a template without a rule, and
    for a key that is none of the options.
    """
    rule = RULES.of(template, version)
    if rule is None:
        raise ProofError(
            f"{template} has no rule for wrong options; there is one for {', '.join(RULES.templates)}."
        )
    if not 0 <= key_index < len(options):
        raise ProofError(f"The key is option {key_index} of {len(options)}: no such option. Counted from 0.")
    verdicts = []
    for index, text in enumerate(options):
        if index == key_index:
            continue
        twins = [other for other, one in enumerate(options) if other != index and _same(one, text)]
        if twins:
            wrong, why = False, f"the same as option {twins[0]}, {options[twins[0]]!r}"
        elif not answer.value:
            wrong, why = False, f"the question has no answer to compare with: {answer.refusal}"
        else:
            wrong, why = rule(layers, parameters, answer, text)
        verdicts.append(OptionVerdict(index, text, wrong, why))
    return verdicts


def _same(one: str, other: str) -> bool:
    places = read_coordinates(one), read_coordinates(other)
    return without_marks(one) == without_marks(other) or (places[0] is not None and places[0] == places[1])


@wrong_rule("Retrieve_Coordinates")
def _far_away(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    place = read_coordinates(text)
    if place is None:
        return False, "not a place written (lon, lat) with five decimals"
    distances, _ = measure(answer.facts["lon"], answer.facts["lat"], *(np.array([axis]) for axis in place))
    distance = float(distances[0])
    return distance > FAR_METRES, f"{distance:.3f} m from the place; wrong beyond {FAR_METRES} m"


@wrong_rule("Find_Nearest_POI")
def _not_nearest(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    poi = layers["poi"]
    subject = poi.position[parameters["poi"]]
    bearers = poi.by_name.get(normal_form(text), [])
    if not bearers:
        return False, "no POI bears this name"
    if subject in bearers:
        return False, "the subject's own name"
    lon, lat = poi.coordinates[subject].tolist()
    distances, _ = measure(lon, lat, poi.coordinates[bearers, 0], poi.coordinates[bearers, 1])
    nearest = answer.facts["nearest"]
    least = nearest + margin(nearest)
    closest = int(distances.argmin())
    why = f"{poi.keys[bearers[closest]]}, the nearest of this name, at {float(distances[closest]):.3f} m"
    return float(distances[closest]) >= least, f"{why}; wrong from {least:.3f} m"


@wrong_rule("Find_Cover_AOI")
def _not_covering(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    aoi, poi = layers["aoi"], layers["poi"]
    bearers = set(aoi.by_name.get(normal_form(text), []))
    if not bearers:
        return False, "no area bears this name"
    lon, lat = poi.coordinates[poi.position[parameters["poi"]]].tolist()
    covering, near_edge = areas_around(layers, lon, lat)
    for one in sorted(bearers.intersection(covering)):
        return False, f"{aoi.keys[one]} of this name covers the place"
    for one in sorted(bearers.intersection(near_edge)):
        return False, f"the boundary of {aoi.keys[one]} of this name is {near_edge[one]:.3f} m from the place"
    return True, f"none of the {len(bearers)} areas of this name covers the place or is within 1 m of it"


wrong_rule("Find_Nearest_POI", since=3)(of_one_bearer(_not_nearest))
wrong_rule("Find_Cover_AOI", since=3)(of_one_bearer(_not_covering))


@wrong_rule("Compare_Area_Size")
def _of_clearly_another_size(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    aoi = layers["aoi"]
    bearers = aoi.by_name.get(normal_form(text), [])
    if len(bearers) != 1:
        return False, f"{len(bearers)} areas bear this name, not one"
    key = aoi.keys[bearers[0]]
    areas = answer.facts["areas"]
    if key not in areas:
        return False, f"{key} of this name is none of the four areas compared"
    if key == answer.facts["key"]:
        return False, f"{key} of this name is the area asked for"
    smaller, larger = sorted((areas[key], areas[answer.facts["key"]]))
    why = f"{key} and the key differ by a ratio of {smaller / larger:.6f}; wrong up to {CLEARLY_SMALLER}"
    return smaller <= CLEARLY_SMALLER * larger, why
