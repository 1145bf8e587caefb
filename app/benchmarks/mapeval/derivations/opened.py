"""Whether places are open at a time, by opening hours that are days with times."""

from collections.abc import Sequence

from app.questions.derivations.base import Case, Derived, Row, derivation, refused, tolerance_within
from app.questions.derivations.hours import is_plain, minutes_to_change, read_week, time_of
from app.questions.derivations.plans import call, found, members, plan, result, search
from app.questions.labels.place_labels import listed


@derivation("mapeval", "open_at")
def open_at(case: Case) -> Derived:
    """Yes or no."""
    if not case.rows:
        return refused("no_answer")
    row = case.rows[0]
    week, time = read_week(row["opening_hours"]), time_of(row["moment"])
    if week is None:
        return refused("unreadable_hours")
    change = minutes_to_change(week, time)
    if change < case.margins["minutes"]:
        return refused("changes_soon")
    text, state = ("Yes", "open") if week.is_open(time) else ("No", "closed")
    answer = {"text": {"$only": members([text], [result(1, "state")]), "equals": state}}
    calls = search(row["name"]), call("open_at", place=found(0, name=row["name"]), time=row["moment"])
    return Derived({"text": text}, margin={"minutes": change}, solutions=plan(answer, *calls))


def name_of(row: Row) -> str:
    """The name of a place in one line."""
    return " ".join((row["name"] or "").split())


@derivation("mapeval", "open_nearby")
def open_nearby(case: Case) -> Derived:
    """The names of the places in the circle that are open, nearest first; without opening hours none counts."""
    distance, edge = case.binds["distance"], tolerance_within(case.binds)
    refusal = _fault_of_places(case, distance, edge)
    if refusal:
        return refused(refusal, distance + edge)
    time = time_of(case.rows[0]["moment"])
    opened = [row for row in case.rows if (week := read_week(row["opening_hours"])) and week.is_open(time)]
    if not opened:
        return refused("zero", distance + edge)
    names, anchor = [name_of(row) for row in opened], case.rows[0]["anchor_name"]
    answer = {
        "names": [result(1, "places", number, "name") for number in range(len(names))],
        "count": {"$count": result(1, "places")},
    }
    sought = call(
        "nearby",
        where=found(0, name=anchor),
        type=str(case.binds["category"]),
        radius_m=distance,
        open_at=case.rows[0]["moment"],
    )
    gold = {"text": listed(names), "names": names, "count": len(names)}
    evidence = [("poi", row["osm_key"]) for row in case.rows]
    return Derived(
        gold, evidence=evidence, radius=distance + edge, solutions=plan(answer, search(anchor), sought)
    )


def _fault_of_places(case: Case, distance: float, edge: float) -> str | None:
    """Why it may not be asked which of the places are open."""
    rows = case.rows
    if len(rows) < case.limits["least"]:
        return "too_few_places"
    if rows[0]["is_own_class"]:
        return "own_class"
    if len(rows) > case.limits["most"]:
        return "too_many_answers"
    if any(abs(row["distance"] - distance) <= edge for row in rows):
        return "near_circle"
    if any(row["twice_mapped"] for row in rows):
        return "twice_mapped"
    if any(";" in name_of(row) for row in rows) or "" in map(name_of, rows):
        return "unnamed_answer"
    if len({name_of(row).casefold() for row in rows}) < len(rows):
        return "shared_name"
    return _fault_of_hours(rows, case.margins["minutes"])


def _fault_of_hours(rows: Sequence[Row], minutes: float) -> str | None:
    if not all(is_plain(row["opening_hours"]) for row in rows):
        return "unreadable_hours"
    weeks = [read_week(row["opening_hours"]) for row in rows]
    if any(week is None for week in weeks):
        return "unreadable_hours"
    time = time_of(rows[0]["moment"])
    soon = any(week and minutes_to_change(week, time) < minutes for week in weeks)
    return "changes_soon" if soon else None
