"""Main directions: in which one a place lies from another, and which place lies in one. Degrees clockwise of north."""

from app.benchmarks.mapeval.derivations.duplicates import has_near_duplicate
from app.benchmarks.mapeval.derivations.measuring import measure_between
from app.questions.derivations.base import Case, Derived, derivation, refused
from app.questions.derivations.plans import call, found, members, plan, result, search

MAIN = ("north", "east", "south", "west")
FOUR = 4


def degrees_off(azimuth: float, direction: str) -> float:
    """How many degrees an azimuth lies aside of a main direction."""
    return abs((azimuth - 90 * MAIN.index(direction) + 180) % 360 - 180)


@derivation("mapeval", "direction_from")
def direction_from(case: Case) -> Derived:
    """The main direction in which the destination lies from the origin."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    if row["distance"] < case.margins["least"]:
        return refused("too_close")
    direction = min(MAIN, key=lambda one: degrees_off(row["azimuth"], one))
    off = degrees_off(row["azimuth"], direction)
    if off > case.margins["aside"]:
        return refused("off_axis")
    *searches, measured = measure_between(row, "bearing")
    measured["arguments"]["names"] = FOUR
    solution = plan({"text": result(2, "direction")}, *searches, measured)
    return Derived({"text": direction}, margin={"off": off}, solutions=solution)


@derivation("mapeval", "landmark_in_direction")
def landmark_in_direction(case: Case) -> Derived:
    """The only one of four places that lies in the direction."""
    rows = case.rows
    if len(rows) < FOUR:
        return refused("no_answer")
    if any(row["distance"] < case.margins["least"] for row in rows):
        return refused("too_close")
    direction, anchor = rows[0]["direction"], rows[0]["anchor_name"]
    first, *others = sorted(rows, key=lambda row: degrees_off(row["azimuth"], direction))
    off, behind = (degrees_off(row["azimuth"], direction) for row in (first, others[0]))
    if off > case.margins["aside"] or behind < case.margins["others"]:
        return refused("not_one_right")
    if has_near_duplicate(rows):
        return refused("near_duplicate")
    names = [row["name"] for row in rows]
    values = [result(1 + FOUR + number, "direction") for number in range(FOUR)]
    solution = plan(
        {"text": {"$only": members(names, values), "equals": direction}},
        search(anchor),
        *map(search, names),
        *(
            call(
                "bearing",
                origin=found(0, name=anchor),
                destination=found(1 + number, name=name),
                names=FOUR,
            )
            for number, name in enumerate(names)
        ),
    )
    gold = {"text": first["name"], "objects": [first["osm_key"]]}
    return Derived(gold, margin={"off": off, "others": behind}, solutions=solution)
