"""Distance (DS) and direction (DR) between two places, by their printed coordinates. Metres and degrees."""

from typing import Any

from app.benchmarks.urban_reasoning.judged import facts_of_distance, facts_of_points, judged
from app.benchmarks.urban_reasoning.printing import print_point
from app.benchmarks.urban_reasoning.truth.sphere import (
    from_edge_of_sector,
    leg_on_ground,
    leg_on_sphere,
    rounded_bearing,
    wind_of,
)
from app.questions.derivations.base import Case, Derived, derivation, refused


@derivation("urban_reasoning", "printed_distance")
def printed_distance(case: Case) -> Derived:
    """The haversine distance; what WGS84 says is kept beside it."""
    return _between(case, "distance")


@derivation("urban_reasoning", "printed_direction")
def printed_direction(case: Case) -> Derived:
    """The initial bearing on the sphere, and its direction, which WGS84's bearing has, too."""
    return _between(case, "direction")


def _between(case: Case, asked: str) -> Derived:
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    ends = [
        print_point(row[f"{end}_lon"], row[f"{end}_lat"], row["notation"])
        for end in ("origin", "destination")
    ]
    points = [end.point for end in ends]
    sphere, ground = (leg(*points) for leg in (leg_on_sphere, leg_on_ground))
    if sphere.metres < case.margins["least"]:
        return refused("too_close")
    names = row["origin_name"], row["destination_name"]
    printed = [[name, end.text] for name, end in zip(names, ends, strict=True)]
    gold: dict[str, Any] = {"printed": printed}
    if asked == "distance":
        told = judged("DS", f"{sphere.metres / 1000:.2f} km", facts_of_distance(points, sphere.metres))
        return Derived({**gold, "distance": sphere.metres, "ground": round(ground.metres, 3), **told})
    wind = wind_of(sphere.bearing)
    if wind_of(ground.bearing) != wind:
        return refused("between_directions")
    margin = {"degrees": from_edge_of_sector(sphere.bearing)}
    reference = f"Bearing: {rounded_bearing(sphere.bearing):.2f} degrees, Cardinal direction: {wind}"
    told = judged("DR", reference, facts_of_points(points))
    return Derived({**gold, "azimuth": sphere.bearing, "direction": wind, **told}, margin=margin)
