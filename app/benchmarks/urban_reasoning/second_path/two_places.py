"""Second path of Distance and Direction: by vectors from the centre of the earth. Metres and degrees."""

from decimal import ROUND_HALF_EVEN, Decimal
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import measure
from app.questions.second_path.layers import Layers
from app.questions.second_path.told_places import told_place

MEAN_RADIUS = 6_371_008.8
SHORTEST = 300.0
DIRECTIONS = (
    "N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW"
)  # fmt: skip
_NORTH = np.array([0.0, 0.0, 1.0])


@second_path("urban_reasoning", "Distance")
def distance(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """How far two printed points are apart: the angle between their vectors, times the mean radius."""
    printed, (one, other) = _ends(layers, parameters)
    metres = metres_on_sphere(one, other)
    ground, _ = _on_ground(one, other)
    angle = metres / MEAN_RADIUS
    told = {
        **_in_radians(one, other),
        "haversine_a": f"{np.sin(angle / 2) ** 2:.5e}",
        "haversine_c": f"{angle:.5e}",
        "metres": round(metres, 1),
    }
    value = {
        "printed": printed,
        "distance": metres,
        "ground": round(ground, 3),
        **judged("DS", f"{metres / 1000:.2f} km", told),
    }
    return SecondAnswer(value, first_refusal((metres < SHORTEST, "too_close")), {"metres": metres})


@second_path("urban_reasoning", "Direction")
def direction(layers: Layers, parameters: Parameters) -> SecondAnswer:
    """The angle at the first point between the great circles to the pole and to the second point."""
    printed, (one, other) = _ends(layers, parameters)
    azimuth = bearing_on_sphere(one, other)
    metres, on_ground = _on_ground(one, other)
    told = _direction(azimuth)
    refusal = first_refusal(
        (metres < SHORTEST, "too_close"), (told != _direction(on_ground), "between_directions")
    )
    reference = f"Bearing: {round(azimuth, 2) % 360:.2f} degrees, Cardinal direction: {told}"
    value = {
        "printed": printed,
        "azimuth": azimuth,
        "direction": told,
        **judged("DR", reference, _in_radians(one, other)),
    }
    return SecondAnswer(value, refusal, {"metres": metres})


def judged(rubric: str, reference: str, facts: dict[str, Any]) -> dict[str, Any]:
    """The part of gold that a judge reads."""
    return {"judge": {"rubric": rubric, "reference": reference, "facts": facts}}


def _in_radians(one: tuple[float, float], other: tuple[float, float]) -> dict[str, Any]:
    """Two points (lon, lat) as latitude and longitude in radians, and the differences."""
    first, second = ([pi * degrees / 180 for degrees in reversed(point)] for point in (one, other))
    return {
        "radians": [[round(part, 6) for part in point] for point in (first, second)],
        "differences_in_radians": [round(end - start, 8) for start, end in zip(first, second, strict=True)],
    }


def metres_on_sphere(one: tuple[float, float], other: tuple[float, float]) -> float:
    """How far two points (lon, lat) are apart."""
    first, second = _vector(*one), _vector(*other)
    return MEAN_RADIUS * float(np.arctan2(np.linalg.norm(np.cross(first, second)), first @ second))


def bearing_on_sphere(one: tuple[float, float], other: tuple[float, float]) -> float:
    """The initial bearing from a point (lon, lat) to another."""
    first, second = _vector(*one), _vector(*other)
    to_pole, to_second = np.cross(first, _NORTH), np.cross(first, second)
    sine = float(np.cross(to_second, to_pole) @ first)
    return float(np.degrees(np.arctan2(sine, to_pole @ to_second))) % 360


def _ends(layers: Layers, parameters: Parameters) -> tuple[list[list[str]], list[tuple[float, float]]]:
    """The names of both places with the texts of their points; and lon and lat as those texts tell them."""
    notation = parameter(parameters, "notation", str)
    if notation not in ("decimal degrees", "degrees, minutes and seconds"):
        raise Refused("bad_parameters", parameter="notation", found=notation)
    printed, points = [], []
    for end in ("origin", "destination"):
        position, lon, lat = told_place(layers, parameters, end)
        read = _decimal if notation == "decimal degrees" else _sexagesimal
        told = [read(degrees, letters) for degrees, letters in ((lat, "NS"), (lon, "EW"))]
        texts = [text for text, _ in told]
        shown = f"({', '.join(texts)})" if notation == "decimal degrees" else " ".join(texts)
        printed.append([layers["poi"].rows[position].name or "", shown])
        points.append((told[1][1], told[0][1]))
    return printed, points


def _decimal(degrees: float, letters: str) -> tuple[str, float]:
    text = decimal_text(degrees)
    return text, float(text)


def decimal_text(degrees: float) -> str:
    """Degrees with five decimals."""
    return f"{Decimal(degrees).quantize(Decimal('0.00001'), ROUND_HALF_EVEN)}"


def _sexagesimal(degrees: float, letters: str) -> tuple[str, float]:
    seconds = int((Decimal(degrees) * 3600).quantize(Decimal(1), ROUND_HALF_EVEN))
    minutes, rest = divmod(abs(seconds), 60)
    whole, minutes = divmod(minutes, 60)
    return f"{whole}°{minutes}'{rest}\"{letters[seconds < 0]}", seconds / 3600


def _vector(lon: float, lat: float) -> NDArray[Any]:
    east, north = np.radians([lon, lat])
    return np.array([np.cos(north) * np.cos(east), np.cos(north) * np.sin(east), np.sin(north)])


def _on_ground(one: tuple[float, float], other: tuple[float, float]) -> tuple[float, float]:
    metres, azimuth = measure(*one, np.array([other[0]]), np.array([other[1]]))
    return float(metres[0]), float(azimuth[0])


def _direction(azimuth: float) -> str:
    return DIRECTIONS[int(azimuth / 22.5 + 0.5) % 16]
