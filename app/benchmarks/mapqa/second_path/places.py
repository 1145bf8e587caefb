"""Second path of Amenity_Of, Distance and Closer_Of_Two. Metres."""

from math import hypot

from pyproj import Transformer

from app.questions.second_path.answering import (
    VALUE,
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Found
from app.questions.second_path.layers import Layers
from app.questions.second_path.nearby import described
from app.questions.second_path.told_places import metres_between, told_place

CLOSEST_APART = 200.0
CLOSEST = 50.0
CLEAR_RATIO = 1.1
_TO_PLANE = Transformer.from_crs(4326, 3857, always_xy=True)


def plane_metres(layers: Layers, one: int, other: int) -> float:
    """Metres between two places on the plane of Web Mercator."""
    x, y = _TO_PLANE.transform(*layers["poi"].coordinates[[one, other]].T)
    return hypot(float(x[0] - x[1]), float(y[0] - y[1]))


@second_path("mapqa", "Amenity_Of")
def amenity_of(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The value of the place's key amenity, which its name does not tell."""
    position, *_ = told_place(layers, parameters, "place")
    row = layers["poi"].rows[position]
    amenity = row.tags.get("amenity")
    if amenity is None or amenity != row.klass:
        raise Refused("no_answer")
    name = (row.name or "").casefold()
    told = [word for word in amenity.split("_") if len(word) >= 3 and word in name]
    return SecondAnswer({"names": [amenity]}, first_refusal((bool(told), "names_itself")))


@second_path("mapqa", "Distance")
def distance(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How far two places are apart, over the ground and on the plane."""
    origin, *_ = told_place(layers, parameters, "origin")
    destination, *_ = told_place(layers, parameters, "destination")
    metres, _ = metres_between(layers, origin, destination)
    on_plane = {"kind": VALUE, "value": {"distance": plane_metres(layers, origin, destination)}}
    refusal = first_refusal((metres < CLOSEST_APART, "too_close"))
    return SecondAnswer({"distance": metres}, refusal, keys={"webmercator": on_plane})


@second_path("mapqa", "Closer_Of_Two")
def closer_of_two(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The closer one of two places."""
    anchor, *_ = told_place(layers, parameters, "anchor")
    places = [told_place(layers, parameters, name)[0] for name in ("one", "other")]
    if len({anchor, *places}) < 3:
        raise Refused("no_answer")
    measured = sorted((*metres_between(layers, anchor, one), one) for one in places)
    (near, azimuth, first), (far, *_) = measured
    one = described(layers["poi"], Found(first, near, azimuth))
    value = {"names": [one["name"]], "objects": [one], "tolerated": []}
    refusal = first_refusal((near < CLOSEST, "too_close"), (far < CLEAR_RATIO * near, "margin"))
    named_last = layers["poi"].keys[first] == parameter(parameters, "other", str)
    return SecondAnswer(value, refusal, {"near": near, "far": far, "is_last_named": named_last})
