"""Second path of Infer_POI_From_Scene: the class of a hidden place, and the places around it. Geodesic metres."""

from dataclasses import replace
from typing import Any

from app.core.class_words import class_word
from app.questions.second_path.answering import Parameters, SecondAnswer, first_refusal, second_path
from app.questions.second_path.fairness import said_by_tags
from app.questions.second_path.layers import Layers
from app.questions.second_path.nearby import outline_refusal, place_of
from app.questions.second_path.verdicts import Verdict, wrong_rule

SHOWN = 8
"""How many places a scene shows, the nearest first."""
SCENE = 200.0
CLEAR = 300.0
"""Metres within which no place may be of a wrong option's class."""
EDGE = 1.0
VAGUE = frozenset("amenity craft healthcare historic leisure office railway shop tourism".split())
"""Classes that say nothing but the key of the tag: a bakery is a shop too."""


@second_path("urban_knowledge", "Infer_POI_From_Scene")
def kind_of_hidden_place(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The one class of a POI, absent from the eight POIs around it."""
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "scene")
    row = poi.rows[position]
    found = [
        one
        for one in poi.all_points().first(2 * SHOWN, lon, lat, skip=position)
        if one.distance <= SCENE + EDGE
    ]
    around = sorted(found, key=lambda one: (round(one.distance, 3), poi.keys[one.position]))[:SHOWN]
    shown = [poi.rows[one.position] for one in around]
    facts: dict[str, Any] = {"class": row.klass, "shown": [other.klass for other in shown]}
    refusal = first_refusal(
        (len(row.classes) != 1 or row.klass in VAGUE, "no_one_class"),
        (any(abs(one.distance - SCENE) < EDGE - 1e-3 for one in around), "near_circle"),
        (len(shown) < 3, "too_few_points"),
        (any(other.repaired for other in shown), "repaired_geometry"),
        (any(row.klass in other.classes for other in shown), "in_scene"),
    )
    outside = outline_refusal(layers, lon, lat, CLEAR + EDGE, facts)
    value = {
        "text": row.klass.replace("_", " "),
        "objects": [row.osm_key],
        "scene": sorted(other.osm_key for other in shown),
    }
    return SecondAnswer(value, refusal or outside, facts)


@second_path("urban_knowledge", "Infer_POI_From_Scene", since=6)
def word_of_hidden_place(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """What people call the class of the hidden place."""
    found = kind_of_hidden_place(layers, parameters)
    return replace(found, value={**found.value, "text": class_word(found.facts["class"])})


@wrong_rule("urban_knowledge", "Infer_POI_From_Scene")
def _of_no_place_here(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """No place of that class, the hidden one least of all, is within CLEAR metres."""
    poi = layers["poi"]
    klass = text.replace(" ", "_")
    if klass in VAGUE or klass not in poi.of_class:
        return False, "no class of places that says what a place is"
    _, lon, lat = place_of(layers, parameters, "scene")
    near = poi.points_of(frozenset({klass})).within(lon, lat, CLEAR)
    if near:
        return False, f"{poi.keys[near[0].position]} of this class is {near[0].distance:.3f} m away"
    return True, f"no place of this class within {CLEAR} m"


@wrong_rule("urban_knowledge", "Infer_POI_From_Scene", since=4)
def _said_by_nothing_here(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Nor does a tag of anything there say so, point of interest or not, or one of the hidden place's own."""
    _, lon, lat = place_of(layers, parameters, "scene")
    for layer in (layers["poi"], layers["other_place"]):
        for one in layer.all_points().within(lon, lat, CLEAR):
            if text in said_by_tags(layer.rows[one.position].tags):
                return False, f"a tag of {layer.keys[one.position]}, {one.distance:.3f} m away, says so"
    return _of_no_place_here(layers, parameters, answer, text)


@wrong_rule("urban_knowledge", "Infer_POI_From_Scene", since=6)
def _called_by_nothing_here(
    layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str
) -> Verdict:
    """None of the classes that people call so is there, by any tag."""
    meant = [klass for klass in layers["poi"].of_class if class_word(klass) == text]
    verdicts = [_said_by_nothing_here(layers, parameters, answer, klass.replace("_", " ")) for klass in meant]
    wrong = (verdict for verdict in verdicts if not verdict[0])
    return next(wrong, verdicts[0]) if verdicts else (False, "no place is of this class")
