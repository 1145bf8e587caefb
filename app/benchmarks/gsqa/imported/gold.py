"""Gold of the authors' files: their answers → what the published rules score, and gold as our scorers read it.

Nothing is corrected: what the files say is what counts.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import shapely
from shapely.errors import ShapelyError

from app.benchmarks.gsqa.imported.files import names_of
from app.questions.imported.json_files import JsonFile

Answer = Mapping[str, Any]
ADDRESS = ("addr_housenumber", "addr_street", "addr_city", "addr_state", "addr_postcode")
_FOOTNOTE = re.compile(r"\[[0-9a-z]{1,3}\]")
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")
_ABOUT_YEARS = re.compile(r"establish|found|open|built|inaugurat|complet|year", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]{1,3}(?:,?[0-9]{3})*(?:\.[0-9]+)?")


class Kind(NamedTuple):
    """How questions of one of the authors' answer types are scored here: our answer type and scorer."""

    answer_type: str
    scorer: str
    gold: Callable[[JsonFile, Sequence[Answer]], dict[str, Any]]


def published_type(answer_type: str, answers: Sequence[Answer]) -> str:
    """The type by which the published rules score: T7 is stored as `name` and asks for a fact from outside."""
    return "external" if any("multihop_long_answer" in one for one in answers) else answer_type


def scored_fields(file: JsonFile, answer_type: str, answers: Sequence[Answer]) -> list[dict[str, Any]]:
    """Of each answer what the published rules read. Raises UsageError where an answer lacks it, or it is no number."""
    return [_scored(file, answer_type, one, f"answers[{place}]") for place, one in enumerate(answers)]


def _scored(file: JsonFile, answer_type: str, one: Answer, where: str) -> dict[str, Any]:
    if answer_type == "name":
        return {"name": _name(file, one, where)}
    if answer_type == "loc":
        return {field: str(one[field]) for field in ADDRESS[1:] if one.get(field)}
    if answer_type == "external":
        return {"multihop_long_answer": file.field(one, "multihop_long_answer", str, where)}
    return {answer_type: _number(file, one, answer_type, where)}


def _name(file: JsonFile, one: Answer, where: str) -> str:
    name = next(names_of(one, "_name"), None)
    if name is None:
        raise file.fault(where, "has no name (poi_name, road_name …)")
    return str(file.field(one, name, (str, int, float), where))


def _number(file: JsonFile, one: Answer, name: str, where: str) -> int | float:
    value: int | float = file.field(one, name, (int, float), where)
    if not math.isfinite(value):
        raise file.fault(f"{where}.{name}", "is not a number of JSON")
    return value


def _place(file: JsonFile, one: Answer, where: str) -> dict[str, Any]:
    """An answer as a place: lon and lat of its geometry's centroid, its name and address where it has them."""
    shape = file.field(one, "geometry", str, where)
    try:
        point = shapely.from_wkt(shape).centroid
        lon, lat = float(point.x), float(point.y)
    except (ShapelyError, AttributeError, IndexError) as error:
        raise file.fault(f"{where}.geometry", "is not a geometry in WKT") from error
    if not (-180 <= lon <= 180 and -90 <= lat <= 90):
        raise file.fault(f"{where}.geometry", "lies outside of longitude and latitude")
    place: dict[str, Any] = {"lon": lon, "lat": lat}
    if (name := next(names_of(one, "_name"), None)) is not None:
        place["name"] = str(one[name])
    address = {field.removeprefix("addr_"): str(one[field]) for field in ADDRESS if one.get(field)}
    return place | ({"address": address} if address else {})


def _places(file: JsonFile, answers: Sequence[Answer], measure: str = "", called: str = "") -> dict[str, Any]:
    """Every answer as a place of which any is right, with what was measured to it under our name for it."""
    objects = []
    for position, one in enumerate(answers):
        where = f"answers[{position}]"
        place = _place(file, one, where)
        if measure:
            place[called] = float(_number(file, one, measure, where))
            if measure == "distance" and place[called] <= 0:
                continue  # at the anchor itself: no relative error can be taken of it
        objects.append(place)
    return {"objects": objects}


def _names(file: JsonFile, answers: Sequence[Answer]) -> dict[str, Any]:
    return {"names": [_name(file, one, f"answers[{place}]") for place, one in enumerate(answers)]}


def _one_number(name: str) -> Callable[[JsonFile, Sequence[Answer]], dict[str, Any]]:
    def gold(file: JsonFile, answers: Sequence[Answer]) -> dict[str, Any]:
        return {name: _number(file, answers[0], name, "answers[0]")}

    return gold


def _fact(file: JsonFile, answers: Sequence[Answer]) -> dict[str, Any]:
    """What the authors took from a page about the place: a year, a number or a name."""
    one = answers[0]
    attribute = file.field(one, "multihop_attribute", str, "answers[0]")
    said = str(file.field(one, "multihop_answer", (str, int, float), "answers[0]"))
    value = _FOOTNOTE.sub("", said).strip()
    fact: dict[str, Any] = {"kind": "name", "value": value, "unit": "", "names": sorted({value, said})}
    if (year := _YEAR.search(value)) and _ABOUT_YEARS.search(attribute):
        fact |= {"kind": "year", "value": year[1], "names": []}
    elif _NUMBER.fullmatch(value) and float(value.replace(",", "")) > 0:
        fact |= {"kind": "number", "value": value.replace(",", ""), "names": []}
    credit = {"attribute": attribute, "credit": "the authors of GS-QA", "licence": "not stated"}
    return {**_names(file, answers), "fact": fact | credit}


KINDS: Mapping[str, Kind] = {
    "name": Kind("name", "name", _names),
    "loc": Kind("location", "location", lambda file, answers: _places(file, answers)),
    "angle": Kind("azimuth", "angle", lambda file, answers: _places(file, answers, "angle", "azimuth")),
    "distance": Kind(
        "distance", "distance", lambda file, answers: _places(file, answers, "distance", "distance")
    ),
    "count": Kind("count", "count", _one_number("count")),
    "area": Kind("area", "area", _one_number("area")),
    "length": Kind("length", "length", _one_number("length")),
    "external": Kind("fact", "fact", _fact),
}
"""By the authors' answer type."""


def is_measurable(gold: Mapping[str, Any]) -> bool:
    """Whether our scorers can compare with it: a count, area or length above zero, at least one place."""
    numbers = [gold[name] for name in ("count", "area", "length") if name in gold]
    return all(number > 0 for number in numbers) and gold.get("objects") != []
