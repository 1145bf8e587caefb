"""Which of four places is the nearest, is open, or lies in a region. The others are the wrong options."""

from collections.abc import Callable, Sequence
from typing import Any

from app.questions.derivations.base import Case, Derived, Row, clearance, derivation, refused
from app.questions.derivations.hours import minutes_to_change, read_week, time_of
from app.questions.derivations.plans import call, found, members, plan, result, search

FOUR = 4


def _option(row: Row) -> dict[str, Any]:
    """Gold of a question with options."""
    return {"text": row["name"], "objects": [row["osm_key"]]}


def _of_each(rows: Sequence[Row], ask: Callable[[dict[str, Any]], dict[str, Any]]) -> list[dict[str, Any]]:
    """The calls that find each place, and then those that ask about each."""
    names = [row["name"] for row in rows]
    return [*map(search, names), *(ask(found(place, name=name)) for place, name in enumerate(names))]


def _only(rows: Sequence[Row], path: Sequence[Any], equals: str) -> dict[str, Any]:
    """The place for which alone the path leads to that value; a path that leads nowhere is no value."""
    values = [{**result(FOUR + place, *path), "else": ""} for place in range(len(rows))]
    return {"text": {"$only": members([row["name"] for row in rows], values), "equals": equals}}


@derivation("map_tools_check", "nearest_of_four")
def nearest_of_four(case: Case) -> Derived:
    """The place that is nearest to the anchor; rows come nearest first."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    first, second = case.rows[:2]
    wanted = clearance(first["distance"], case.margins)
    behind = second["distance"] - first["distance"]
    if behind < wanted:
        return refused("margin")
    anchor = first["anchor_name"]
    values = [result(1 + FOUR + place, "distance_m") for place in range(FOUR)]
    names = [row["name"] for row in case.rows]
    calls = [
        search(anchor),
        *map(search, names),
        *(
            call("distance", origin=found(0, name=anchor), destination=found(1 + place, name=name))
            for place, name in enumerate(names)
        ),
    ]
    solution = plan({"text": {"$least": members(names, values)}}, *calls)
    margin = {"behind": behind, "wanted": wanted}
    return Derived(_option(first), margin=margin, solutions=solution)


@derivation("map_tools_check", "open_of_four")
def open_of_four(case: Case) -> Derived:
    """The only place that is open at the time."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    moment = case.rows[0]["moment"]
    time = time_of(moment)
    weeks = [read_week(row["opening_hours"]) for row in case.rows]
    if any(week is None for week in weeks):
        return refused("unreadable_hours")
    known = [week for week in weeks if week is not None]
    if min(minutes_to_change(week, time) for week in known) < case.margins["minutes"]:
        return refused("changes_soon")
    opened = [row for row, week in zip(case.rows, known, strict=True) if week.is_open(time)]
    if len(opened) != 1:
        return refused("not_one_right")
    calls = _of_each(case.rows, lambda place: call("open_at", place=place, time=moment))
    return Derived(_option(opened[0]), solutions=plan(_only(case.rows, ["state"], "open"), *calls))


@derivation("map_tools_check", "lies_in")
def lies_in(case: Case) -> Derived:
    """The only place that lies in the region."""
    if len(case.rows) < FOUR:
        return refused("no_answer")
    if any(row["doubtful"] for row in case.rows):
        return refused("near_region_edge")
    if any(row.get("names_region") for row in case.rows):  # asked from version 2 on, as the next
        return refused("names_region")
    if any(row.get("is_street") for row in case.rows):
        return refused("name_of_street")
    inside = [row for row in case.rows if row["inside"]]
    if len(inside) != 1:
        return refused("not_one_right")
    region = inside[0]["region_name"]
    calls = _of_each(case.rows, lambda place: call("reverse_geocode", where=place))
    solution = plan(_only(case.rows, ["regions", {"first": {"name": region}}, "name"], region), *calls)
    return Derived(_option(inside[0]), solutions=solution)
