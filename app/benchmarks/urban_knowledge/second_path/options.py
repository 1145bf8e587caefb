"""Second path: why wrong options of the first four knowledge templates are wrong: places, coordinates, areas."""

import numpy as np

from app.benchmarks.urban_knowledge.second_path.places_and_areas import CLEARLY_SMALLER, areas_around
from app.questions.second_path.agreeing import read_coordinates
from app.questions.second_path.answering import Parameters, SecondAnswer
from app.questions.second_path.geodesy import margin, measure
from app.questions.second_path.layers import Layers
from app.questions.second_path.names import normal_form
from app.questions.second_path.verdicts import Verdict, of_one_bearer, wrong_rule

FAR_METRES = 100.0
"""Coordinates are wrong when farther than this from the place asked for."""


@wrong_rule("urban_knowledge", "Retrieve_Coordinates")
def _far_away(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    place = read_coordinates(text)
    if place is None:
        return False, "not a place written (lon, lat) with five decimals"
    distances, _ = measure(answer.facts["lon"], answer.facts["lat"], *(np.array([axis]) for axis in place))
    distance = float(distances[0])
    return distance > FAR_METRES, f"{distance:.3f} m from the place; wrong beyond {FAR_METRES} m"


@wrong_rule("urban_knowledge", "Find_Nearest_POI")
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


@wrong_rule("urban_knowledge", "Find_Cover_AOI")
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


wrong_rule("urban_knowledge", "Find_Nearest_POI", since=3)(of_one_bearer(_not_nearest))
wrong_rule("urban_knowledge", "Find_Cover_AOI", since=3)(of_one_bearer(_not_covering))


@wrong_rule("urban_knowledge", "Compare_Area_Size")
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
