"""Second path of Find_Cover_AOI_All: the smallest area of interest that covers three to five POIs."""

from dataclasses import replace
from typing import Any

from app.benchmarks.urban_knowledge.second_path.places_and_areas import areas_around, shared_name
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.verdicts import (
    Verdict,
    look_alike,
    of_like_looks,
    of_one_bearer,
    wrong_rule,
)

FEWEST, MOST = 3, 5
"""How many places are asked about."""


def _places_of(layers: Layers, parameters: Parameters) -> list[int]:
    """The positions of the POIs asked about; raises Refused where they cannot be."""
    poi = layers["poi"]
    keys = parameter(parameters, "pois", list)
    if not FEWEST <= len(keys) <= MOST or keys != sorted({str(key) for key in keys}):
        raise Refused("bad_parameters", parameter="pois", found=keys)
    unknown = [key for key in keys if key not in poi.position]
    if unknown:
        raise Refused("unknown_object", layer="poi", osm_key=unknown[0])
    return [poi.position[key] for key in keys]


def _covering_all(layers: Layers, places: list[int]) -> tuple[set[int], set[int]]:
    """Positions of the areas that cover every place, and of those whose border is too near to one."""
    found = [areas_around(layers, *layers["poi"].coordinates[place].tolist()) for place in places]
    covering = set.intersection(*(set(areas) for areas, _ in found))
    return covering, {area for _, edges in found for area in edges}


@second_path("urban_knowledge", "Find_Cover_AOI_All")
def area_around_all(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the smallest area of interest that covers all of several POIs."""
    aoi, poi = layers["aoi"], layers["poi"]
    places = _places_of(layers, parameters)
    covering, near_edge = _covering_all(layers, places)
    if not covering:
        raise Refused("no_candidate")
    by_size = sorted(covering, key=lambda one: (aoi.area(one), aoi.keys[one]))
    smallest = aoi.area(by_size[0])
    facts: dict[str, Any] = {"area": smallest, "margin": max(10.0, 0.02 * smallest)}
    if len(by_size) > 1:
        facts["second"] = aoi.area(by_size[1])
    rows = [poi.rows[place] for place in places]
    names = {normal_form(row.name or "") for row in rows}
    refusal = first_refusal(
        (any(row.repaired for row in rows), "repaired_geometry"),
        (not all(is_named(row) for row in rows), "unnamed_subject"),
        (any(len(poi.by_name.get(name, [])) > 1 for name in names), "name_not_unique"),
        (any(aoi.rows[one].repaired for one in covering | near_edge), "repaired_geometry"),
        (bool(near_edge), "near_boundary"),
        (len(by_size) > 1 and facts["second"] - smallest < facts["margin"], "margin"),
        (any(normal_form(aoi.rows[one].name or "") in names for one in covering), "own_name"),
        (not is_named(aoi.rows[by_size[0]]), "unnamed_answer"),
    )
    key = aoi.rows[by_size[0]]
    return SecondAnswer({"text": key.name, "objects": [key.osm_key]}, refusal, facts)


@second_path("urban_knowledge", "Find_Cover_AOI_All", since=2)
def area_around_all_of_own_name(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, where nothing else on the map has the area's name."""
    found = area_around_all(layers, parameters)
    return found if found.refusal else replace(found, refusal=shared_name(layers, found))


def _leaves_one_out(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    aoi = layers["aoi"]
    bearers = set(aoi.by_name.get(normal_form(text), []))
    if not bearers:
        return False, "no area bears this name"
    covering, near_edge = _covering_all(layers, _places_of(layers, parameters))
    for one in sorted(bearers & (covering | near_edge)):
        return (
            False,
            f"{aoi.keys[one]} of this name covers all the places, or its border is within 1 m of one",
        )
    return True, f"each of the {len(bearers)} areas of this name leaves a place out"


wrong_rule("urban_knowledge", "Find_Cover_AOI_All")(of_like_looks(_leaves_one_out))
wrong_rule("urban_knowledge", "Find_Cover_AOI_All", since=2)(of_like_looks(of_one_bearer(_leaves_one_out)))
wrong_rule("urban_knowledge", "Find_Cover_AOI_All", since=3)(of_one_bearer(_leaves_one_out))
look_alike("urban_knowledge", "Find_Cover_AOI_All", "hard", since=3)
