"""Second path of T7 and T8: facts as plain rows, and every rule about them stated again.

A place has a fact where all that is said of one attribute of it agrees, and where the value is sound by itself.
"""

import math
import re
from dataclasses import replace
from typing import Any

from app.benchmarks.gsqa.second_path.anchors import own_class, with_each_name, with_told_anchors
from app.benchmarks.gsqa.second_path.categories import asked_classes, classes_of
from app.benchmarks.gsqa.second_path.nearby import LEAST_DISTANCE, named_value
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Points
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.nearby import described, nearest_facts, outline_refusal, place_of, rivals
from app.questions.second_path.reading import FactRow

SOURCE_ORDER = ("wikidata", "file", "osm")
"""Of equal facts the one of the first source counts."""
FIRST_YEAR, LAST_YEAR = 100, 2100
_EMPTY = frozenset({"", "nan", "none", "null", "unknown", "n/a", "?", "-"})
_YEAR = re.compile(r"[1-9][0-9]{2,3}")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_FOOTNOTE = re.compile(r"\[[^\]]*\]\Z|[\u00b9\u00b2\u00b3\u2070-\u209f*†‡]\Z")


def fault_of(row: FactRow) -> str | None:
    """Why a value is no fact by itself: nothing, "nan", a footnote mark, a number that is none."""
    if normal_form(row.value) in _EMPTY or not row.value.isprintable():
        return "no value"
    if row.kind == "year":
        sound = _YEAR.fullmatch(row.value) is not None and FIRST_YEAR <= int(row.value) <= LAST_YEAR
        return None if sound else "not a year"
    if row.kind == "number":
        sound = _NUMBER.fullmatch(row.value) is not None and 0 < float(row.value) < math.inf
        return None if sound else "not a number above zero"
    if row.kind != "name":
        return "no known kind"
    return "a footnote mark" if _FOOTNOTE.search(row.value) or row.value not in row.names else None


def belongs(layers: Layers, row: FactRow) -> bool:
    """Whether a fact is about the place that it stands beside: by its own key, or by the item that its tags name."""
    poi = layers["poi"]
    position = poi.position.get(row.osm_key)
    if position is None:
        return False
    return row.subject in (row.osm_key, poi.rows[position].tags.get("wikidata"))


def fact_of(layers: Layers, osm_key: str, attribute: str) -> FactRow | None:
    """The one fact about an attribute of a place; None where there is none, or where sources contradict each other."""
    said = layers.said_of.get((osm_key, attribute))
    if not said or len({row.key for row in said}) != 1:
        return None
    first = min(said, key=lambda row: (SOURCE_ORDER.index(row.source), row.fact_id))
    if fault_of(first) or not belongs(layers, first):
        raise Refused("unsound_fact", fact=first.fact_id, value=first.value)
    return first


def as_gold(row: FactRow) -> dict[str, Any]:
    """A fact as gold holds it."""
    return {
        "id": row.fact_id,
        "attribute": row.attribute,
        "kind": row.kind,
        "value": row.value,
        "unit": row.unit,
        "names": list(row.names),
        "source": row.source,
        "credit": row.credit,
        "source_url": row.source_url,
        "licence": row.licence,
    }


def _nearest(
    layers: Layers, points: Points, position: int, lon: float, lat: float
) -> tuple[Any, dict[str, Any], str | None]:
    """The nearest of `points`, the distances it was found by, and why there should be no question."""
    poi = layers["poi"]
    found = points.nearest(lon, lat, skip=position)
    if not found:
        raise Refused("no_candidate")
    facts, close = nearest_facts(found), rivals(found)
    refusal = first_refusal(
        (any(poi.rows[one.position].repaired for one in close), "repaired_geometry"),
        (found[0].distance < LEAST_DISTANCE, "too_near"),
        (len(close) > 1, "margin"),
        (not is_named(poi.rows[found[0].position]), "unnamed_answer"),
    )
    outside = outline_refusal(layers, lon, lat, found[0].distance + facts["margin"], facts)
    return found[0], facts, refusal or outside


@second_path("gsqa", "T7")
def fact_about_nearest(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """What the source that is asked for says of the nearest place of a class."""
    poi = layers["poi"]
    position, lon, lat = place_of(layers, parameters, "anchor")
    category = parameter(parameters, "category", str)
    attribute, at, credit = parameter(parameters, "attribute", str).partition("@")
    if not at:
        raise Refused("bad_parameters", parameter="attribute", found=attribute)
    classes = asked_classes(parameters)
    if classes & {*poi.rows[position].classes}:
        raise Refused("own_class", category=category)
    nearest, facts, refusal = _nearest(layers, poi.points_of(classes), position, lon, lat)
    fact = fact_of(layers, poi.keys[nearest.position], attribute)
    if fact is None or fact.credit != credit:
        raise Refused("no_fact", **facts)
    value = {"fact": as_gold(fact), "objects": [described(poi, nearest)]}
    return SecondAnswer(value, refusal, facts)


second_path("gsqa", "T7", since=2)(with_told_anchors(fact_about_nearest))


@second_path("gsqa", "T8", since=2)
def nearest_of_another_class(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The same, where the anchor is not of the class that is asked for; of the answer's names, each is one."""
    found = with_each_name(nearest_to_described(layers, parameters))
    refusal = own_class(layers, parameters)
    return replace(found, refusal=refusal) if refusal else found


@second_path("gsqa", "T8")
def nearest_to_described(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The name of the nearest of a category to the place that a fact describes, and describes alone."""
    key, _, attribute = parameter(parameters, "anchor", str).partition(" ")
    position, lon, lat = place_of(layers, {"anchor": key}, "anchor")
    fact = fact_of(layers, key, attribute)
    if fact is None:
        raise Refused("no_fact", osm_key=key, attribute=attribute)
    bearers = layers.bearers[attribute, fact.key]
    if bearers != {key}:
        raise Refused("ambiguous_anchor", bearers=sorted(bearers))
    poi = layers["poi"]
    nearest, facts, refusal = _nearest(layers, poi.points_of(classes_of(parameters)), position, lon, lat)
    value = {**named_value(poi, [nearest], []), "fact": as_gold(fact)}
    return SecondAnswer(value, refusal, facts)
