"""Second path of the recommendations: places are looked for again, and each wish is checked for each. Metres."""

import re
import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from hashlib import md5
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from app.benchmarks.urban_reasoning.second_path.shapes import (
    Spots,
    Vertex,
    five_of,
    printed,
    texts_of,
    vertices_of,
)
from app.benchmarks.urban_reasoning.second_path.two_places import MEAN_RADIUS, judged, metres_on_sphere
from app.questions.second_path.answering import (
    Parameters,
    Refused,
    SecondAnswer,
    first_refusal,
    parameter,
    second_path,
)
from app.questions.second_path.geodesy import Boundary, measure
from app.questions.second_path.hours import WEEK, state_on, times_of
from app.questions.second_path.layers import Layers, is_named
from app.questions.second_path.names import normal_form
from app.questions.second_path.reading import Row
from app.questions.second_path.told_places import told_place
from app.questions.second_path.verdicts import Verdict, wrong_rule

TO_EAT = frozenset("restaurant cafe fast_food bar pub biergarten ice_cream bakery food_court".split())
LOOKED_AT, OFFERED, SEARCHED = 20, 5, 5000.0
DRAWN = ((True, 3), (False, 2))
"""How many that have what is wished for are offered, and how many that lack it."""
MINUTES, EDGE, EDGE_SHARE, BEHIND, BEHIND_SHARE = 15, 5.0, 0.01, 10.0, 0.02
YES = {"yes", "only", "wlan"}
REVIEWS_OF_WHEELCHAIRS_AT_FIRST = (
    ("wheelchair", "yes", "A wheelchair gets in easily."),
    ("wheelchair", "limited", "With a wheelchair one needs help to get in."),
    ("wheelchair", "no", "There is no way in for wheelchairs."),
)
REVIEWS_OF_WHEELCHAIRS = (
    ("wheelchair", "yes", "Wheelchairs get in without help."),
    ("wheelchair", "limited", "Wheelchairs get in only with help."),
    ("wheelchair", "no", "Wheelchairs do not get in."),
)
REVIEWS = (
    ("outdoor_seating", "yes", "One can sit outside."),
    ("outdoor_seating", "no", "There are no seats outside."),
    ("takeaway", "yes", "Food can be taken away."),
    ("takeaway", "only", "Food can only be taken away."),
    ("takeaway", "no", "Nothing is sold to take away."),
    ("diet:vegetarian", "yes", "There are vegetarian dishes."),
    ("diet:vegetarian", "only", "All dishes are vegetarian."),
    ("diet:vegetarian", "no", "There is nothing vegetarian."),
    ("internet_access", "wlan", "Guests have wireless internet."),
    ("internet_access", "yes", "Guests have wireless internet."),
    ("internet_access", "no", "There is no internet for guests."),
)


class Offer(NamedTuple):
    """What is found out about a place."""

    metres: float
    is_open: bool
    minutes: int
    has_wish: bool


def recommendation_near(layers: Layers, parameters: Parameters, *, first: bool) -> SecondAnswer:
    """The nearest place to somebody; `first` is the first version of the template."""
    poi = layers["poi"]
    position, lon, lat = told_place(layers, parameters, "visitor")
    metres, _ = measure(lon, lat, poi.coordinates[:, 0], poi.coordinates[:, 1])
    apart = {one: float(metres[one]) for one in _places_to_eat(layers) if one != position}
    start = _Start(poi.rows[position], [(lon, lat)])
    return _recommend(layers, parameters, start, apart, first)


def recommendation_on_walk(layers: Layers, parameters: Parameters, *, first: bool) -> SecondAnswer:
    """The place that is the least far off a walk; `first` is the first version of the template."""
    road, key = layers["road"], parameter(parameters, "street", str)
    vertices = vertices_of(layers, "road", key)
    position = road.position[key]
    line = Boundary(road.geometries[position])
    apart = {one: line.distance(*layers["poi"].coordinates[one].tolist()) for one in _places_to_eat(layers)}
    return _recommend(layers, parameters, _Start(road.rows[position], five_of(vertices)), apart, first)


for _template, _function in (
    ("Recommendation_Near", recommendation_near),
    ("Recommendation_On_Walk", recommendation_on_walk),
):
    second_path("urban_reasoning", _template)(partial(_function, first=True))
    second_path("urban_reasoning", _template, since=2)(partial(_function, first=False))


class _Start(NamedTuple):
    """A place, or a street along which somebody walks, and its points."""

    row: Row
    points: Sequence[Vertex]


def _places_to_eat(layers: Layers) -> list[int]:
    """The named places to eat or drink whose hours are days with times."""
    poi = layers["poi"]
    return [
        place
        for place, row in enumerate(poi.rows)
        if row.klass in TO_EAT and is_named(row) and not row.repaired and _has_hours(row)
    ]


def _has_hours(row: Row) -> bool:
    try:
        return bool(times_of(row.tags.get("opening_hours", "")))
    except (Refused, ValueError):
        return False


def _recommend(
    layers: Layers, parameters: Parameters, start: _Start, apart: dict[int, float], first: bool
) -> SecondAnswer:
    poi, reach = layers["poi"], float(parameter(parameters, "reach", float))
    near = sorted((metres, poi.keys[one], one) for one, metres in apart.items() if metres <= SEARCHED)
    wish = parameter(parameters, "wish", str)
    drawn = sorted(
        (md5((start.row.osm_key + key).encode(), usedforsecurity=False).hexdigest(), key, one)
        for _, key, one in near[:LOOKED_AT]
    )
    having, lacking = (
        [one for *_, one in drawn if _has_wish(poi.rows[one], wish) == has][:most] for has, most in DRAWN
    )
    chosen = sorted([*having, *lacking], key=lambda one: poi.rows[one].name or "")
    if len(chosen) < OFFERED:
        raise Refused("too_few_places")
    walk = printed(start.points)
    offers = {one: _offer(layers, parameters, one, walk) for one in chosen}
    fit = sorted(
        (
            one
            for one in chosen
            if offers[one].metres <= reach and offers[one].is_open and offers[one].has_wish
        ),
        key=lambda one: offers[one].metres,
    )
    if not 2 <= len(fit) < OFFERED:
        raise Refused("too_few_fit" if len(fit) < 2 else "all_fit")
    best, second = (offers[one].metres for one in fit[:2])
    names = [normal_form(one.name or "") for one in (start.row, *(poi.rows[place] for place in chosen))]
    refusal = first_refusal(
        (not first and any(map(_is_no_name, names)), "odd_name"),
        (len(set(names)) < len(names), "names_alike"),
        (
            any(abs(one.metres - reach) < max(EDGE, EDGE_SHARE * reach) for one in offers.values()),
            "near_circle",
        ),
        (any(one.minutes < MINUTES for one in offers.values()), "opens_or_closes"),
        (second - best < max(BEHIND, BEHIND_SHARE * best), "margin"),
    )
    name = {one: poi.rows[one].name or "" for one in chosen}
    facts = {
        "places": {
            name[one]: {
                "metres": round(offers[one].metres, 1),
                "open": offers[one].is_open,
                "has_wish": offers[one].has_wish,
            }
            for one in chosen
        },
        "fulfil_every_wish": [name[one] for one in fit],
    }
    value = {
        "text": name[fit[0]],
        "objects": [poi.keys[fit[0]]],
        "start": [start.row.name, texts_of(start.points)],
        "offered": [_told(poi.rows[one], poi.coordinates[one].tolist(), first) for one in chosen],
        **judged("RC", name[fit[0]], facts),
    }
    return SecondAnswer(value, refusal, {"chosen": chosen, "offers": offers, "best": best, "reach": reach})


@wrong_rule("urban_reasoning", "Recommendation_Near")
@wrong_rule("urban_reasoning", "Recommendation_On_Walk")
def fulfils_less(layers: Layers, parameters: Parameters, answer: SecondAnswer, text: str) -> Verdict:
    """Whether the place of that name is too far, closed, lacks what is wished for, or lies farther than the key."""
    rows = layers["poi"].rows
    called = [one for one in answer.facts["chosen"] if rows[one].name == text]
    if len(called) != 1:
        return False, "no place that is compared has this name"
    offer = answer.facts["offers"][called[0]]
    if offer.metres > answer.facts["reach"]:
        return True, f"{offer.metres:.0f} m away"
    if not offer.is_open:
        return True, "closed at that time"
    if not offer.has_wish:
        return True, "lacks what is wished for"
    return offer.metres > answer.facts["best"], f"{offer.metres:.0f} m away, farther than the key"


def _offer(layers: Layers, parameters: Parameters, one: int, walk: Spots) -> Offer:
    row = layers["poi"].rows[one]
    moment = datetime.fromisoformat(parameter(parameters, "moment", str))
    is_open, minutes = state_on(row.tags["opening_hours"], moment)
    ((lon, lat),) = printed([tuple(layers["poi"].coordinates[one].tolist())])
    has = _has_wish(row, parameter(parameters, "wish", str))
    return Offer(_metres(lon, lat, walk), is_open, minutes, has)


def _has_wish(row: Row, wish: str) -> bool:
    """Whether a place has what is wished for: a cuisine among its own, or a tag that says yes."""
    cuisine = wish.partition("cuisine ")[2]
    return cuisine in row.tags.get("cuisine", "").split(";") if cuisine else row.tags.get(wish) in YES


def _metres(lon: float, lat: float, walk: Spots) -> float:
    """From a point to another, or to lines on a plane around it, as complex numbers."""
    if len(walk) == 1:
        return metres_on_sphere(walk[0], (lon, lat))
    degree, narrow = np.pi / 180 * MEAN_RADIUS, np.cos(np.pi / 180 * lat)
    spots = [complex((x - lon) * degree * narrow, (y - lat) * degree) for x, y in walk]
    return min(_from_zero(one, other) for one, other in pairwise(spots))


def _from_zero(one: complex, other: complex) -> float:
    along = other - one
    share = -(one * along.conjugate()).real / abs(along) ** 2 if along else 0.0
    return abs(one + min(1.0, max(0.0, share)) * along)


def _is_no_name(name: str) -> bool:
    """Whether a name is a mark, a list, a date, or says that the place is closed."""
    letters = [sign for sign in name if unicodedata.category(sign).startswith("L")]
    words = re.split(r"\W+", name)
    dates = [part for part in name.split() if len(re.findall(r"\d+", part)) > 2 and set(part) & {".", "/"}]
    return len(letters) < 2 or "closed" in words or bool(dates) or any(sign in name for sign in ";→|")


def _each_day_once(said: str) -> str:
    """Opening hours by minutes of days that are open, neighbouring days with the same ones together."""
    opened = times_of(said)
    days = []
    for day in WEEK:
        minutes = np.zeros(1442, dtype=int)
        for start, end in opened.get(day, []):
            minutes[start + 1 : end + 1] = 1
        turns = np.flatnonzero(np.diff(minutes)).tolist()
        spans = [f"{_clock(start)}-{_clock(end)}" for start, end in zip(turns[::2], turns[1::2], strict=True)]
        days.append((day, ",".join(spans)))
    rules: list[list[str]] = []
    for place, (day, spans_of_day) in enumerate(days):
        if place and spans_of_day == days[place - 1][1]:
            rules[-1][1] = day
        else:
            rules.append([day, day, spans_of_day])
    return "; ".join(
        f"{begin if begin == end else f'{begin}-{end}'} {told}" for begin, end, told in rules if told
    )


def _clock(minute: int) -> str:
    return "{:02}:{:02}".format(*divmod(minute, 60))


def _told(row: Row, spot: Any, first: bool) -> list[Any]:
    """What contexts tell of a place."""
    of_wheelchairs = REVIEWS_OF_WHEELCHAIRS_AT_FIRST if first else REVIEWS_OF_WHEELCHAIRS
    review = " ".join(said for tag, value, said in (*of_wheelchairs, *REVIEWS) if row.tags.get(tag) == value)
    cuisine = row.tags.get("cuisine", "").replace(";", ", ").replace("_", " ")
    (at,) = texts_of([tuple(spot)])
    hours = row.tags["opening_hours"] if first else _each_day_once(row.tags["opening_hours"])
    return [
        row.name,
        at,
        row.klass.replace("_", " "),
        hours,
        cuisine,
        review or "Nothing special was noticed.",
    ]
