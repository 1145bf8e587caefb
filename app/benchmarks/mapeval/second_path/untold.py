"""Second path of questions about what no map tells. Metres."""

from app.questions.second_path.answering import (
    NO_ANSWER,
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
    unanswerable_path,
)
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.nearby import outline_refusal
from app.questions.second_path.told_places import told_place
from app.questions.second_path.verdicts import Verdict, of_one_bearer, wrong_rule

LOOKED_AT, OFFERED = 20, 4
FARTHEST = 5000.0
HINTS = {
    "busy": ("capacity", "visitors"),
    "closing": ("end_date", "opening_date"),
    "flood": ("flood_prone", "hazard", "ele"),
    "music": ("live_music",),
    "prices": ("charge", "price"),
    "queue": ("queue",),
    "reviews": ("rating", "stars", "award"),
    "staff": ("rating", "award"),
    "view": ("view", "viewpoint"),
}
"""By what is asked: tags, with or without something behind a colon, that could hint at an answer."""


@unanswerable_path("mapeval", "Not_On_The_Map")
@second_path("mapeval", "Not_On_The_Map")
def not_on_the_map(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """That there is no answer, since nothing that the map says of the four places speaks of it."""
    poi = layers["poi"]
    kind, untold = (parameter(parameters, name, str) for name in ("category", "untold"))
    if untold not in HINTS:
        raise Refused("bad_parameters", parameter="untold", found=untold)
    anchor, lon, lat = told_place(layers, parameters, "anchor")
    if kind in poi.rows[anchor].classes:
        raise Refused("no_answer")
    found = layers["poi"].points_of(frozenset({kind})).first(LOOKED_AT, lon, lat, skip=anchor)
    places = [one for one in found if _has_a_name_of_its_own(layers, one.position)][:OFFERED]
    if len(places) < OFFERED:
        raise Refused("no_answer")
    tags = [tag for one in places for tag in poi.rows[one.position].tags]
    hinted = any(tag == key or tag.startswith(f"{key}:") for tag in tags for key in HINTS[untold])
    facts = {"offered": [poi.keys[one.position] for one in places]}
    farthest = places[-1].distance
    refusal = first_refusal((farthest > FARTHEST, "too_far"), (hinted, "map_may_tell"))
    outside = outline_refusal(layers, lon, lat, farthest, facts)
    return SecondAnswer({"text": NO_ANSWER, "objects": []}, refusal or outside, facts, kind="unanswerable")


def _has_a_name_of_its_own(layers: Layers, position: int) -> bool:
    row = layers["poi"].rows[position]
    if not is_named(row) or row.repaired or ";" in (row.name or ""):
        return False
    return len(layers.bearing.get(normal_form(row.name or ""), ())) == 1


@wrong_rule("mapeval", "Not_On_The_Map")
@of_one_bearer
def is_one_of_four(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether it is one of the places of which nothing is known that would single it out."""
    keys = layers.bearing.get(normal_form(text), set())
    offered = bool(keys & set(answer.facts["offered"]))
    return offered, "the map tells of none of the four" if offered else "no such place is offered"
