"""Distances, which of two places is closer, and what kind of amenity a place is. Metres.

The key `webmercator` holds distances on the plane of EPSG:3857, as MapQA's authors measured them: the published answers
are longer than the ground by 1 / cos(latitude).
"""

from app.questions.derivations.base import Case, Derived, as_object, derivation, refused
from app.questions.derivations.plans import call, found, members, plan, result, search
from app.questions.gold import VALUE

WEB_MERCATOR = "webmercator"
"""The key of gold that is measured as the published answers are."""


@derivation("mapqa", "amenity_of")
def amenity_of(case: Case) -> Derived:
    """The kind of amenity; refused where a word of the name tells it."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    told = row["name"].casefold()
    if any(word in told for word in row["amenity"].split("_") if len(word) > 2):
        return refused("names_itself")
    solution = plan(
        {"name": result(1, "place", "type")},
        search(row["name"]),
        call("place_details", place=found(0, name=row["name"])),
    )
    return Derived({"names": [row["amenity"]]}, solutions=solution)


@derivation("mapqa", "distance")
def distance(case: Case) -> Derived:
    """How far two places are apart: over the ground, and under the other key on the plane of Web Mercator."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if row["distance"] < case.margins["least"]:
        return refused("too_close")
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
    return Derived(
        {"distance": row["distance"]},
        gold_keys={WEB_MERCATOR: {"kind": VALUE, "value": {"distance": row["mercator"]}}},
        solutions=solution,
    )


@derivation("mapqa", "closer_of_two")
def closer_of_two(case: Case) -> Derived:
    """The closer one of two places; the other is a tenth farther away, or more."""
    if len(case.rows) < 2:
        return refused("no_answer")
    first, second = case.rows
    if first["distance"] < case.margins["least"]:
        return refused("too_close")
    if second["distance"] < case.margins["ratio"] * first["distance"]:
        return refused("margin")
    anchor, names = first["anchor_name"], [row["name"] for row in case.rows]
    values = [result(3 + place, "distance_m") for place in range(2)]
    calls = [
        search(anchor),
        *map(search, names),
        *(
            call("distance", origin=found(0, name=anchor), destination=found(1 + place, name=name))
            for place, name in enumerate(names)
        ),
    ]
    solution = plan({"name": {"$least": members(names, values)}}, *calls)
    gold = {"names": [first["name"]], "objects": [as_object(first)], "tolerated": []}
    margin = {"ratio": second["distance"] / first["distance"], "is_last_named": first["is_last_named"]}
    return Derived(gold, margin=margin, solutions=solution)
