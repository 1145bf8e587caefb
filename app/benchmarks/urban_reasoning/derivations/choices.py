"""Recommendation (RC): five places to eat or drink, of which one is the nearest that fulfils every wish. Metres."""

from collections.abc import Callable, Sequence

import shapely

from app.benchmarks.urban_reasoning.judged import facts_of_offers, judged
from app.benchmarks.urban_reasoning.odd_names import is_odd_name
from app.benchmarks.urban_reasoning.printed_hours import print_hours
from app.benchmarks.urban_reasoning.printing import DECIMAL, PrintedPoint, print_point
from app.benchmarks.urban_reasoning.reviews import FIRST_SENTENCES, fulfils, review_of
from app.benchmarks.urban_reasoning.sampling import road_points
from app.benchmarks.urban_reasoning.truth.choices import FEWEST, Offer, fitting, metres_off
from app.core.names import normal_form
from app.questions.derivations.base import Case, Derived, Row, clearance, derivation, refused
from app.questions.derivations.hours import Week, minutes_to_change, read_week, time_of

CANDIDATES = 5
Telling = Callable[[Row, Week], tuple[str, str]]
"""From a place and its week the hours that contexts print, and the review."""


@derivation("urban_reasoning", "recommended")
def recommended(case: Case) -> Derived:
    """The nearest place of those that fulfil every wish, by printed points; hours as OpenStreetMap has them."""
    return _recommend(case, lambda row, _: (row["opening_hours"], review_of(_tags(row), FIRST_SENTENCES)))


@derivation("urban_reasoning", "recommended_clearly")
def recommended_clearly(case: Case) -> Derived:
    """The same where every place has a name that is one; hours tell each day once."""
    if any(is_odd_name(row["name"]) for row in case.rows):
        return refused("odd_name")
    return _recommend(case, lambda row, week: (print_hours(week), review_of(_tags(row))))


def _recommend(case: Case, tell: Telling) -> Derived:
    candidates = sorted((row for row in case.rows if row["role"] == "candidate"), key=lambda row: row["name"])
    weeks = [week for row in candidates if (week := read_week(row["opening_hours"])) is not None]
    if len(weeks) < CANDIDATES:
        return refused("too_few_places")
    start, reach = case.rows[0], case.rows[0]["reach"]
    if len({normal_form(row["name"]) for row in (start, *candidates)}) <= CANDIDATES:
        return refused("names_alike")
    walk = _print(start)
    points = [_print(row)[0] for row in candidates]
    offers = [
        _offer(row, week, metres_off(point.point, [one.point for one in walk]))
        for row, week, point in zip(candidates, weeks, points, strict=True)
    ]
    fit = fitting(offers, reach)
    if not FEWEST <= len(fit) < CANDIDATES:
        return refused("too_few_fit" if len(fit) < FEWEST else "all_fit")
    edge = max(case.margins["edge_metres"], case.margins["edge_ratio"] * reach)
    if any(abs(one.metres - reach) < edge for one in offers):
        return refused("near_circle")
    if any(minutes_to_change(week, time_of(start["moment"])) < case.margins["minutes"] for week in weeks):
        return refused("opens_or_closes")
    best, second = (offers[place].metres for place in fit[:2])
    if second - best < clearance(best, case.margins):
        return refused("margin")
    key = candidates[fit[0]]
    gold = {
        "text": key["name"],
        "objects": [key["osm_key"]],
        "start": [start["name"], [one.text for one in walk]],
        "offered": [
            _told(row, point, tell(row, week))
            for row, point, week in zip(candidates, points, weeks, strict=True)
        ],
        **judged("RC", key["name"], facts_of_offers([row["name"] for row in candidates], offers, fit)),
    }
    return Derived(gold, evidence=[("poi", row["osm_key"]) for row in candidates])


def _print(row: Row) -> Sequence[PrintedPoint]:
    """A place as one printed point, a street as five."""
    vertices = list(shapely.from_wkb(row["wkb"]).coords)
    points = vertices if len(vertices) == 1 else road_points(vertices)
    return [print_point(lon, lat, DECIMAL) for lon, lat in points]


def _tags(row: Row) -> dict[str, str | None]:
    return {**row, "diet:vegetarian": row["vegetarian"]}


def _offer(row: Row, week: Week, metres: float) -> Offer:
    return Offer(metres, week.is_open(time_of(row["moment"])), fulfils(row["wish"], _tags(row)))


def _told(row: Row, point: PrintedPoint, told: tuple[str, str]) -> list[str]:
    """What contexts tell of a place: name, point, kind, opening hours, cuisine, review."""
    kind = row["class"].replace("_", " ")
    cuisine = (row["cuisine"] or "").replace(";", ", ").replace("_", " ")
    hours, review = told
    return [row["name"], point.text, kind, hours, cuisine, review]
