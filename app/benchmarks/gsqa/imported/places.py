"""Where the places of a question are: points of its anchor and its answers, as `told` keeps them for rechecks."""

from collections.abc import Mapping, Sequence
from typing import Any

import shapely
from shapely.errors import ShapelyError

Raw = Mapping[str, Any]


def places_of(raw: Raw) -> dict[str, Any]:
    """{anchors, answers, direction}: points are [lon, lat]; an answer has what the files measured to it besides.

    Only what the files give as points is kept: an area has no point that both of us would take.
    """
    entities = raw.get("question_entities")
    found = (
        [one for one in entities.values() if isinstance(one, Mapping)]
        if isinstance(entities, Mapping)
        else []
    )
    anchors = [point for one in found if (point := _point(one.get("geo_wkt"))) is not None]
    directions = [one["direction_desc"] for one in found if isinstance(one.get("direction_desc"), str)]
    return {
        "anchors": anchors,
        "answers": _answers(raw["answers"]),
        "direction": next(iter(directions), None),
    }


def _answers(answers: Sequence[Any]) -> list[dict[str, Any]]:
    return [
        {
            "point": _point(one.get("geometry")),
            **{name: one[name] for name in ("distance", "angle") if isinstance(one.get(name), int | float)},
        }
        for one in answers
        if isinstance(one, Mapping)
    ]


def _point(wkt: Any) -> list[float] | None:
    if not isinstance(wkt, str) or not wkt.startswith("POINT") or len(wkt) > 100:
        return None
    try:
        shape = shapely.from_wkt(wkt)
    except ShapelyError:
        return None
    if shape.is_empty or not (abs(shape.x) <= 180 and abs(shape.y) <= 90):
        return None
    return [float(shape.x), float(shape.y)]
