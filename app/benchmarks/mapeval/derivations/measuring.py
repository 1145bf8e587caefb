"""Straight-line distances. Metres; options are kilometres with two decimals."""

from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.derivations.plans import JSON, call, found, plan, result, search

NEAR_HALF = 1e-3
"""Metres from the middle between two rounded numbers within which a number may be rounded to either."""


def kilometres_text(metres: float) -> str:
    """`2.37 km`: the distances of these questions, as MapEval writes them."""
    return f"{round(metres / 10) / 100:.2f} km"


def is_near_half(metres: float) -> bool:
    """Whether the two decimals of a distance in kilometres are doubtful."""
    return abs(metres / 10 % 1 - 0.5) < NEAR_HALF / 10


def measure_between(row: Row, tool: str) -> list[JSON]:
    """The calls that find two places by their names, and measure from the origin to the destination."""
    names = row["origin_name"], row["destination_name"]
    origin, destination = (found(number, name=name) for number, name in enumerate(names))
    return [*map(search, names), call(tool, origin=origin, destination=destination)]


@derivation("mapeval", "straight_line_distance")
def straight_line_distance(case: Case) -> Derived:
    """How far two places are apart."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    distance = row["distance"]
    if distance < case.margins["least"]:
        return refused("too_close")
    if is_near_half(distance):
        return refused("near_rounding")
    solution = plan({"distance": result(2, "distance_m")}, *measure_between(row, "distance"))
    return Derived({"text": kilometres_text(distance), "distance": distance}, solutions=solution)
