"""Responses to reasoning tasks with planted faults, and an examiner who finds them from facts and response alone.

Facts are computed here (pyproj, shapely, brute force); a response is text. The examiner knows neither which faults were
planted nor the truth: it reads both from the prompt that it is sent.
"""

import json
import math
import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Any

from pyproj import Geod
from shapely.geometry import box

from tests.support.factories import QuestionSpec

GEOD = Geod(ellps="WGS84")
SECTORS = (
    *("north", "north-northeast", "northeast", "east-northeast", "east", "east-southeast", "southeast"),
    *("south-southeast", "south", "south-southwest", "southwest", "west-southwest", "west", "west-northwest"),
    *("northwest", "north-northwest"),
)
TERMS = ("Overlapping", "Adjacent", "Separate")
FORMULA = "Formula: haversine, a = sin²(Δlat/2) + cos(lat1)·cos(lat2)·sin²(Δlon/2)."
BEARING = "Formula: bearing = atan2(sin Δlon·cos lat2, cos lat1·sin lat2 − sin lat1·cos lat2·cos Δlon)."
CRITERIA = "Criteria: Overlapping shares area, Adjacent shares a border alone, Separate shares nothing."
Found = list[tuple[str, str, float]]
"""Faults as (criterion, name, points)."""

COSTS: dict[str, dict[str, tuple[str, float]]] = {
    "DS": {
        "swapped": ("coordinates", 2.0),
        "no_radians": ("radians", 3.0),
        "wrong_difference": ("differences", 1.5),
        "no_formula": ("formula", 5.0),
        "wrong_distance": ("answer", 3.0),
        "wrong_unit": ("answer", 10.0),
    },
    "DR": {
        "swapped": ("coordinates", 2.0),
        "no_radians": ("radians", 3.0),
        "wrong_difference": ("differences", 1.5),
        "no_formula": ("formula", 5.0),
        "wrong_bearing": ("answer", 7.5),
        "own_bearing_mismatch": ("answer", 2.0),
    },
    "RE": {
        "no_criteria": ("criteria", 3.0),
        "false_claim": ("analysis", 4.0),
        "wrong_term": ("answer", 10.0),
    },
    "PN": {
        "wrong_start": ("data", 2.0),
        "wrong_farthest": ("farthest", 3.0),
        "wrong_leg": ("Cartesian", 2.5),
        "one_path": ("paths", 8.0),
        "wrong_order": ("answer", 4.0),
    },
    "PR": {
        "wrong_heading": ("trajectory", 2.5),
        "left_out": ("candidates", 2.0),
        "wrong_distance": ("distance", 1.0),
        "wrong_candidate": ("answer", 10.0),
    },
}


@dataclass(frozen=True)
class Planted:
    """A question, its facts as gold, a response, and the faults that were planted in it."""

    task: str
    spec: QuestionSpec
    response: str
    faults: tuple[str, ...]


def planted_cases(each: int = 11) -> list[Planted]:
    """For every task and `each` places: a response without fault, one a fault, and one with all that go together."""
    made = []
    for task, faults in COSTS.items():
        for place in range(each):
            chance = random.Random(f"{task} {place}")
            facts, gold, question, scorer = _TRUTHS[task](chance)
            together = tuple(fault for fault in faults if fault not in ("wrong_unit", "own_bearing_mismatch"))
            for number, planted in enumerate([(), *((fault,) for fault in faults), together]):
                told = {"judge": {"rubric": task, "reference": facts["answer"], "facts": facts}, **gold}
                text = f"{question} (case {task} {place} {number})"
                key = {
                    "place": place,
                    "number": number,
                    "task": task,
                    "category": "restaurant",
                    "anchor": "n1",
                }
                spec = QuestionSpec(task, scorer[0], text, told, key, scorer=scorer[1])
                made.append(Planted(task, spec, _RESPONSES[task](facts, frozenset(planted)), planted))
    return made


def _two_points(chance: random.Random) -> tuple[dict[str, Any], float, float]:
    one = (round(chance.uniform(47.0, 47.3), 5), round(chance.uniform(9.4, 9.7), 5))
    other = (round(one[0] + chance.uniform(0.01, 0.05), 5), round(one[1] + chance.uniform(0.01, 0.05), 5))
    azimuth, _, metres = GEOD.inv(one[1], one[0], other[1], other[0])
    facts = {"from": list(one), "to": list(other), "dlon": round(math.radians(other[1] - one[1]), 7)}
    return facts | {"lat1": round(math.radians(one[0]), 6)}, metres, azimuth % 360


def _distance(chance: random.Random) -> Any:
    facts, metres, _ = _two_points(chance)
    facts |= {"km": round(metres / 1000, 2), "answer": f"{metres / 1000:.2f} km"}
    return facts, {"distance": metres}, "How far is B from A, in kilometres?", ("distance", "distance")


def sector(degrees: float) -> str:
    """The name of the sector of 22.5° that a bearing lies in."""
    return SECTORS[int((degrees % 360 + 11.25) // 22.5) % 16]


def _direction(chance: random.Random) -> Any:
    facts, _, azimuth = _two_points(chance)
    told = round(azimuth, 1)
    facts |= {"bearing": told, "answer": f"Bearing: {told} degrees, Cardinal direction: {sector(told)}"}
    return facts, {"azimuth": azimuth}, "In which direction does B lie from A?", ("azimuth", "angle")


def _relation(chance: random.Random) -> Any:
    kind = chance.choice(TERMS)
    west, south = round(chance.uniform(9.4, 9.6), 3), round(chance.uniform(47.0, 47.2), 3)
    gap = {"Overlapping": -0.005, "Adjacent": 0.0, "Separate": 0.004}[kind]
    rings = [
        (west, south, west + 0.01, south + 0.01),
        (west + 0.01 + gap, south, west + 0.02 + gap, south + 0.01),
    ]
    one, other = (box(*(round(number, 3) for number in ring)) for ring in rings)
    term = "Separate" if one.disjoint(other) else "Adjacent" if one.touches(other) else "Overlapping"
    facts = {
        "rings": [list(one.bounds), list(other.bounds)],
        "shares_area": one.intersection(other).area > 0,
        "term": term,
        "answer": term,
    }
    return facts, {"names": [term], "objects": []}, "How do areas A and B relate?", ("name", "name")


def _visits(chance: random.Random) -> Any:
    places = {name: (chance.uniform(0, 5), chance.uniform(0, 5)) for name in "ABCDE"}
    places = {name: (round(x, 2), round(y, 2)) for name, (x, y) in places.items()}
    orders = [("A", *rest) for rest in permutations("BCDE")]
    best = min(
        orders,
        key=lambda order: sum(math.dist(places[a], places[b]) for a, b in pairwise(order)),
    )
    leg = round(math.dist(places["A"], places[best[1]]), 2)
    farthest = max("BCDE", key=lambda name: math.dist(places["A"], places[name]))
    answer = "->".join(best)
    facts = {"places": places, "order": list(best), "first_leg": leg, "farthest": farthest, "answer": answer}
    return facts, {"names": [answer], "objects": []}, "In which order are A to E visited?", ("name", "name")


def _journey(chance: random.Random) -> Any:
    heading = chance.randrange(0, 360, 5)
    turned = [0, 90, 150, 210, 270]
    chance.shuffle(turned)
    names = [f"Place {letter}" for letter in "VWXYZ"]
    key = names[turned.index(0)]
    km = round(chance.uniform(0.5, 3.0), 2)
    facts = {"heading": heading, "candidates": names, "next": key, "km": km, "answer": key}
    return facts, {"names": [key], "objects": []}, "Which place comes next?", ("name", "name")


def _say_points(facts: dict[str, Any], faults: frozenset[str]) -> list[str]:
    (lat1, lon1), (lat2, lon2) = facts["from"], facts["to"]
    if "swapped" in faults:
        lat2, lon2 = lon2, lat2
    wrong = 1 if "wrong_difference" not in faults else -1
    radians = [] if "no_radians" in faults else [f"In radians lat1 = {facts['lat1']}."]
    return [
        f"A is at ({lat1}, {lon1}), B at ({lat2}, {lon2}).",
        *radians,
        f"Δlon = {wrong * facts['dlon']} rad.",
    ]


def _respond(reason: list[str], answer: str) -> str:
    return "<reason>\n" + "\n".join(reason) + f"\n</reason>\n<answer>{answer}</answer>"


def _say_distance(facts: dict[str, Any], faults: frozenset[str]) -> str:
    km = facts["km"] + (3 if "wrong_distance" in faults else 0)
    formula = [] if "no_formula" in faults else [FORMULA]
    answer = f"{km:.2f} {'m' if 'wrong_unit' in faults else 'km'}"
    return _respond([*_say_points(facts, faults), *formula], answer)


def _say_direction(facts: dict[str, Any], faults: frozenset[str]) -> str:
    bearing = round(facts["bearing"] + (30 if "wrong_bearing" in faults else 0), 1)
    told = sector(bearing + (180 if "own_bearing_mismatch" in faults else 0))
    formula = [] if "no_formula" in faults else [BEARING]
    return _respond(
        [*_say_points(facts, faults), *formula], f"Bearing: {bearing} degrees, Cardinal direction: {told}"
    )


def _say_relation(facts: dict[str, Any], faults: frozenset[str]) -> str:
    shares = facts["shares_area"] != ("false_claim" in faults)
    term = TERMS[(TERMS.index(facts["term"]) + 1) % 3] if "wrong_term" in faults else facts["term"]
    criteria = [] if "no_criteria" in faults else [CRITERIA]
    return _respond([*criteria, f"A and B {'share' if shares else 'do not share'} area."], term)


def _say_visits(facts: dict[str, Any], faults: frozenset[str]) -> str:
    order = list(facts["order"])
    if "wrong_order" in faults:
        order[-1], order[-2] = order[-2], order[-1]
    start = "B" if "wrong_start" in faults else "A"
    farthest = next(n for n in "BCDE" if (n == facts["farthest"]) != ("wrong_farthest" in faults))
    leg = facts["first_leg"] + (1 if "wrong_leg" in faults else 0)
    paths = 1 if "one_path" in faults else 24
    reason = [
        f"Start: {start}.",
        f"Farthest from A: {farthest}.",
        f"First leg: {leg:.2f} km.",
        f"Orders compared: {paths}.",
    ]
    return _respond(reason, "->".join(order))


def _say_journey(facts: dict[str, Any], faults: frozenset[str]) -> str:
    weighed = facts["candidates"][: 4 if "left_out" in faults else 5]
    heading = (facts["heading"] + (90 if "wrong_heading" in faults else 0)) % 360
    km = facts["km"] + (1 if "wrong_distance" in faults else 0)
    others = [name for name in facts["candidates"] if name != facts["next"]]
    answer = others[0] if "wrong_candidate" in faults else facts["next"]
    reason = [
        f"Heading {heading} degrees.",
        f"Weighed: {', '.join(weighed)}.",
        f"The next lies {km:.2f} km off.",
    ]
    return _respond(reason, answer)


_TRUTHS: dict[str, Callable[[random.Random], Any]] = {
    "DS": _distance,
    "DR": _direction,
    "RE": _relation,
    "PN": _visits,
    "PR": _journey,
}
_RESPONSES: dict[str, Callable[[dict[str, Any], frozenset[str]], str]] = {
    "DS": _say_distance,
    "DR": _say_direction,
    "RE": _say_relation,
    "PN": _say_visits,
    "PR": _say_journey,
}


# The examiner


@dataclass(frozen=True)
class Seen:
    """What a prompt shows a judge."""

    task: str
    maxima: dict[str, float]
    facts: dict[str, Any]
    response: str


def see(prompt: str) -> Seen:
    """A case as a judge reads it."""
    task = re.match(r"RUBRIC (\w+):", prompt)
    fence = re.search(r"^(RESPONSE-[0-9a-f]+) begins\n(.*)\n\1 ends\Z", prompt, re.DOTALL | re.MULTILINE)
    case = re.search(r"^CASE\n(\{.*\})$", prompt, re.MULTILINE)
    assert task
    assert fence
    assert case
    maxima = {
        name: float(most) for name, most in re.findall(r"^- (\w+), 0 to ([\d.]+):", prompt, re.MULTILINE)
    }
    return Seen(task[1], maxima, json.loads(case[1])["facts"], fence[2])


def examine(seen: Seen) -> Found:
    """The faults of a response, found by comparing what it says with the facts."""
    names = _EXAMINERS[seen.task](seen.facts, seen.response, _one(r"<answer>(.*)</answer>", seen.response))
    return [(COSTS[seen.task][name][0], name, COSTS[seen.task][name][1]) for name in names]


def _one(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    return found[1] if found else ""


def _examine_points(facts: dict[str, Any], response: str) -> Iterator[str]:
    told = re.findall(r"\(([-\d.]+), ([-\d.]+)\)", response)
    if [[float(lat), float(lon)] for lat, lon in told] != [facts["from"], facts["to"]]:
        yield "swapped"
    if _one(r"lat1 = ([-\d.]+\d)", response) != str(facts["lat1"]):
        yield "no_radians"
    if _one(r"Δlon = ([-\d.e]+) rad", response) != str(facts["dlon"]):
        yield "wrong_difference"


def _examine_distance(facts: dict[str, Any], response: str, answer: str) -> Iterator[str]:
    yield from _examine_points(facts, response)
    if "haversine" not in response:
        yield "no_formula"
    number, unit = answer.split()
    if unit != "km":
        yield "wrong_unit"
    elif abs(float(number) - facts["km"]) > 0.01:
        yield "wrong_distance"


def _examine_direction(facts: dict[str, Any], response: str, answer: str) -> Iterator[str]:
    yield from _examine_points(facts, response)
    if "atan2" not in response:
        yield "no_formula"
    bearing = float(_one(r"Bearing: ([\d.]+)", answer))
    if abs(bearing - facts["bearing"]) > 0.1:
        yield "wrong_bearing"
    if _one(r"direction: (\S+)", answer) != sector(bearing):
        yield "own_bearing_mismatch"


def _examine_relation(facts: dict[str, Any], response: str, answer: str) -> Iterator[str]:
    if "Criteria:" not in response:
        yield "no_criteria"
    if ("do not share" in response) == facts["shares_area"]:
        yield "false_claim"
    if answer != facts["term"]:
        yield "wrong_term"


def _examine_visits(facts: dict[str, Any], response: str, answer: str) -> Iterator[str]:
    if _one(r"Start: (\w)", response) != facts["order"][0]:
        yield "wrong_start"
    if _one(r"Farthest from A: (\w)", response) != facts["farthest"]:
        yield "wrong_farthest"
    if float(_one(r"First leg: ([\d.]+) km", response)) != facts["first_leg"]:
        yield "wrong_leg"
    if int(_one(r"Orders compared: (\d+)", response)) < 24:
        yield "one_path"
    if answer.split("->") != facts["order"]:
        yield "wrong_order"


def _examine_journey(facts: dict[str, Any], response: str, answer: str) -> Iterator[str]:
    if int(_one(r"Heading (\d+)", response)) != facts["heading"]:
        yield "wrong_heading"
    if _one(r"Weighed: (.*)\.", response).split(", ") != facts["candidates"]:
        yield "left_out"
    if float(_one(r"lies ([\d.]+) km", response)) != facts["km"]:
        yield "wrong_distance"
    if answer != facts["next"]:
        yield "wrong_candidate"


_EXAMINERS: dict[str, Callable[[dict[str, Any], str, str], Iterator[str]]] = {
    "DS": _examine_distance,
    "DR": _examine_direction,
    "RE": _examine_relation,
    "PN": _examine_visits,
    "PR": _examine_journey,
}


def write_verdict(maxima: dict[str, float], found: Found, *, lazy: bool = False) -> str:
    """A verdict on these faults; a lazy judge names them, and gives full marks all the same."""
    cost = {name: 0.0 if lazy else sum(one[2] for one in found if one[0] == name) for name in maxima}
    marks = {name: max(0.0, most - cost[name]) for name, most in maxima.items()}
    answer = marks.pop("answer")
    reason = sum(marks.values())
    faults = [{"criterion": where, "fault": name, "points": points} for where, name, points in found]
    closing = f"reason:[[{reason:g}]], answer:[[{answer:g}]], total:[[{reason + answer:g}]]"
    return json.dumps({"criteria": marks, "answer": answer, "faults": faults, "closing": closing})
