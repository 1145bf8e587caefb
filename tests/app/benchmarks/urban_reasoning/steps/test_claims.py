"""Relations, ways and recommendations: claims that the printed data refutes are found, and right ones are let alone."""

import time

import pytest

from app.benchmarks.urban_reasoning.steps.templates import check
from app.scores.reasoning import BLIND, DRIFT, MISREAD, UNJOINED, Reasoning

CROSSING = """Points are latitude, then longitude.
Road Mill Lane: (47.10000, 9.50000), (47.10100, 9.50000), (47.10200, 9.50000), (47.10300, 9.50000), (47.10400, 9.50000)
Road High Street: (47.10200, 9.49800), (47.10200, 9.49900), (47.10200, 9.50000), (47.10200, 9.50100), (47.10200, 9.50200)

How do the two roads Mill Lane and High Street lie to one another: Intersecting, Parallel or Disconnected?"""
APART = """Points are latitude, then longitude.
Road Mill Lane: (47.10000, 9.50000), (47.10100, 9.50000), (47.10200, 9.50000), (47.10300, 9.50000), (47.10400, 9.50000)
Road High Street: (47.10000, 9.50200), (47.10100, 9.50200), (47.10200, 9.50200), (47.10300, 9.50200), (47.10400, 9.50200)

How do the two roads Mill Lane and High Street lie to one another: Intersecting, Parallel or Disconnected?"""
THROUGH = """{
  "note": "Points are latitude, then longitude.",
  "shapes": [
    {"kind": "road", "name": "Mill Lane", "points": ["(47.10100, 9.49900)", "(47.10100, 9.50050)", "(47.10100, 9.50100)",
      "(47.10100, 9.50150)", "(47.10100, 9.50300)"]},
    {"kind": "area", "name": "Park", "points": ["(47.10000, 9.50000)", "(47.10200, 9.50000)", "(47.10200, 9.50200)",
      "(47.10000, 9.50200)", "(47.10000, 9.50000)"]}
  ]
}

The road and the area are Mill Lane and Park. Does the road Pass through, Touch or Lie outside?"""
SQUARE = """Points are latitude, then longitude.
Start: (47.10000, 9.50000)
Goal: (47.10200, 9.50400)
- Mill Lane: (47.10000, 9.50000) → (47.10200, 9.50000)
- High Street: (47.10200, 9.50000) → (47.10200, 9.50400)
- Park Road: (47.10000, 9.50000) → (47.09800, 9.50200)
- Long Row: (47.09800, 9.50200) → (47.10000, 9.50700)
- Back Alley: (47.10000, 9.50700) → (47.10200, 9.50400)

What is the shortest way from where Mill Lane meets Park Road to where High Street meets Back Alley?"""
CAFES = """Points are latitude, then longitude.
Position: (47.10000, 9.50000)
Option: Alpha (47.10100, 9.50000); cafe; open: Mo-Fr 08:00-18:00; synthetic review: One can sit outside.
Option: Bravo (47.10200, 9.50000); cafe; cuisine: burger; open: Mo-Su 10:00-22:00; synthetic review: One can sit outside.
Option: Charlie (47.10050, 9.50000); pub; open: Tu-Su 10:00-22:00; synthetic review: One can sit outside.
Option: Delta (47.10020, 9.50000); pub; open: Mo-Su 10:00-22:00; synthetic review: There are no seats outside.
Option: Echo (47.12000, 9.50000); bar; open: Mo-Su 10:00-22:00; synthetic review: One can sit outside.

Which place is the nearest to Tower of those that lie within 400 m, are open on Monday at 12:30, and have seats outside?"""
PROMPTS = {
    "crossing": ("Relation_Of_Roads", CROSSING),
    "apart": ("Relation_Of_Roads", APART),
    "through": ("Relation_Of_Road_And_Area", THROUGH),
    "square": ("Shortest_Way", SQUARE),
    "cafes": ("Recommendation_Near", CAFES),
}
RIGHT = [
    ("crossing", "If they share a point they intersect. Both contain (47.10200, 9.50000), so they meet at (47.10200, 9.50000)."
     " Segment 1 of Mill Lane does not intersect segment 4. The roads intersect.<answer>Intersecting</answer>"),
    ("apart", "They have no common points.\nThe two roads do not cross.\nMill Lane runs at 0°, High Street at 0°.\n"
     "<answer>They are parallel.</answer>"),
    ("through", "- (47.10100, 9.49900) is outside\n- (47.10100, 9.50100) is inside the polygon\nDoes it touch? No: part of it is"
     " inside, so the road crosses the area.\n<answer>Pass through</answer>"),
    ("square", "Mill Lane: 222.4 m\nHigh Street ≈ 303 m\nRoute 1: Mill Lane → High Street, 222 + 303 = 525 m\n"
     "Route 2: Park Road (269 m) → Long Row → Back Alley: longer.\nCould Mill Lane → Long Row work? No.\n"
     "<answer>From where Mill Lane meets Park Road, take Mill Lane, then turn right into High Street.</answer>"),
    ("cafes", "Alpha: about 111 m, and Alpha is open at 12:30.\n| Bravo | 222 m |\nCharlie is closed then. Delta is open but has no seats"
     " outside.\nEcho is 2.2 km away.\n<answer>Alpha</answer>"),
]  # fmt: skip


def checked(name: str, response: str) -> Reasoning:
    """What is found in a response to one of the prompts."""
    template, prompt = PROMPTS[name]
    found = check(template, prompt, response)
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "response"), RIGHT, ids=[name for name, _ in RIGHT])
def test_right_claims_are_confirmed_and_none_is_accused(name: str, response: str) -> None:
    found = checked(name, response)
    assert found.first_broken is None
    assert len(found.told()) >= 2


FAULTS = [
    ("crossing", "Mill Lane starts at (47.10000, 9.50000). The roads do not intersect.<answer>Intersecting</answer>",
     "intersect", BLIND),
    ("crossing", "They do not share any common points.<answer>Disconnected</answer>", "common point", BLIND),
    ("crossing", "Mill Lane ends at (47.10400, 9.05000).<answer>Intersecting</answer>", "point", MISREAD),
    ("crossing", "<answer>Parallel</answer>", "relation", BLIND),
    ("apart", "They meet at (47.10200, 9.50200), so the roads intersect.<answer>Intersecting</answer>", "meeting point", BLIND),
    ("through", "None of the road's points lie inside the area.<answer>Lie outside</answer>", "none inside", BLIND),
    ("through", "(47.10100, 9.50100) is not inside the area.<answer>Touch</answer>", "inside", BLIND),
    ("square", "Route: Mill Lane → Long Row → Back Alley.<answer>Mill Lane, then High Street</answer>", "joint", UNJOINED),
    ("square", "High Street meets Long Row.<answer>Mill Lane, then High Street</answer>", "joint", UNJOINED),
    ("square", "Mill Lane does not meet High Street.<answer>Park Road, Long Row, Back Alley</answer>", "joint", BLIND),
    ("square", "High Street: 393 m<answer>Mill Lane, then High Street</answer>", "length of High Street, m", DRIFT),
    ("square", "222 + 303 = 535 m<answer>Mill Lane, then High Street</answer>", "sum", DRIFT),
    ("square", "Easy.<answer>Mill Lane, then Back Alley</answer>", "route", UNJOINED),
    ("square", "Easy.<answer>Park Road, Long Row, Back Alley</answer>", "route", BLIND),
    ("cafes", "Alpha is about 311 m away.<answer>Alpha</answer>", "distance of Alpha, m", DRIFT),
    ("cafes", "Charlie is open on Mondays, I think.\nCharlie is open at 12:30.<answer>Charlie</answer>", "hours of Charlie", MISREAD),
    ("cafes", "<answer>Charlie</answer>", "place", MISREAD),
    ("cafes", "<answer>Delta</answer>", "place", MISREAD),
    ("cafes", "<answer>Echo</answer>", "place", BLIND),
    ("cafes", "<answer>Bravo</answer>", "place", BLIND),
]  # fmt: skip


@pytest.mark.parametrize(("name", "response", "quantity", "failure"), FAULTS)
def test_a_claim_that_the_printed_data_refutes_breaks_first(
    name: str, response: str, quantity: str, failure: str
) -> None:
    broken = checked(name, response).first_broken
    assert broken is not None
    assert (broken.quantity, broken.failure) == (quantity, failure)


def test_a_way_whose_segments_are_named_in_passing_is_no_gap() -> None:
    """Start and goal are told by streets that the way does not use."""
    found = checked(
        "square", "<answer>Cross Park Road, take Mill Lane and High Street up to Back Alley.</answer>"
    )
    assert [step.verdict for step in found.told()] == ["right"]


@pytest.mark.parametrize("name", PROMPTS)
@pytest.mark.parametrize(
    "hostile", ["Mill Lane → " * 90_000, "1 + " * 250_000, "(47.1, " * 150_000, "no common " * 100_000]
)
def test_a_megabyte_of_anything_is_read_in_seconds(name: str, hostile: str) -> None:
    begun = time.process_time()
    assert checked(name, hostile).cut
    assert time.process_time() - begun < 5


def test_a_prompt_without_its_data_is_not_checked() -> None:
    with pytest.raises(ValueError, match="does not print"):
        check("Shortest_Way", "What is the shortest way?", "Mill Lane")
