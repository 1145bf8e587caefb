"""Distances, directions and areas. Metres, degrees clockwise from north, square metres."""

from app.questions.derivations.base import Case, Derived, Row, derivation, refused
from app.questions.derivations.plans import call, found, plan, result, search


def _apart(case: Case) -> Row | Derived:
    """The two places, or the refusal where there are none, or where they are too close."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    return refused("too_close") if row["distance"] < case.margins["least"] else row


@derivation("map_tools_check", "distance_between")
def distance_between(case: Case) -> Derived:
    """How far two places are apart."""
    row = _apart(case)
    if isinstance(row, Derived):
        return row
    solution = plan(
        {"distance": result(2, "distance_m")},
        search(row["origin_name"]),
        search(row["destination_name"]),
        call(
            "distance",
            origin=found(0, name=row["origin_name"]),
            destination=found(1, name=row["destination_name"]),
        ),
    )
    return Derived({"distance": row["distance"]}, solutions=solution)


@derivation("map_tools_check", "direction_to")
def direction_to(case: Case) -> Derived:
    """In which direction the destination lies from the origin."""
    row = _apart(case)
    if isinstance(row, Derived):
        return row
    solution = plan(
        {"azimuth": result(2, "degrees")},
        search(row["origin_name"]),
        search(row["destination_name"]),
        call(
            "bearing",
            origin=found(0, name=row["origin_name"]),
            destination=found(1, name=row["destination_name"]),
        ),
    )
    return Derived({"azimuth": row["azimuth"]}, solutions=solution)


@derivation("map_tools_check", "area_of")
def area_of(case: Case) -> Derived:
    """How large an area is."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if row["area"] < case.margins["least"]:
        return refused("too_small")
    solution = plan(
        {"area": result(1, "area_m2")},
        search(row["name"]),
        call("area_of", place=found(0, name=row["name"])),
    )
    return Derived({"area": row["area"]}, solutions=solution)
