"""What is tried in the place of a question that ended."""

from math import comb

import pytest

from app.questions.evidence import Key
from app.questions.picking import Pick
from app.questions.records import TemplateReport
from app.questions.refresh.replacing import LEFT_OVER, candidates, had_all
from app.templates.catalogue import find_benchmark

TEMPLATE = find_benchmark("urban_knowledge").templates["Compare_POI_Count"]
AREAS = [Pick(f"w{number}", f"w{number}", f"Area {number}") for number in range(1, 9)]
RANKS = [Pick(rank, rank, rank) for rank in ("first", "second", "third", "smallest")]
CHOICES = {"aois": AREAS, "rank": RANKS}


def asked(areas: list[str], seed: int = 1, came: set[Key] | None = None) -> list[tuple[str, ...]]:
    """The areas of all that is tried for a question about four of them, in turn."""
    tried = candidates(TEMPLATE, CHOICES, {"aois": areas, "rank": "second"}, seed, came)
    found = [one.parameters for one in tried]
    assert {one["rank"] for one in found} == {"second"}
    return [tuple(one["aois"]) for one in found]


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_areas_that_are_still_there_are_kept_first(gone: int) -> None:
    """Whatever can stand with them comes first, once each; then all sets of four come."""
    there = [f"w{number}" for number in range(1, 5 - gone)]
    tried = asked([*there, *(f"w{number}0" for number in range(gone))])
    closest, others = comb(len(AREAS) - len(there), gone), comb(len(AREAS), 4)
    assert len(tried) == closest + others
    assert all(set(there) < set(areas) and list(areas) == sorted(areas) for areas in tried[:closest])
    assert len(set(tried[:closest])) == closest
    assert len(set(tried[closest:])) == others


@pytest.mark.parametrize("areas", [["w1", "w2", "w3", "w4"], ["w10", "w20", "w30", "w40"]])
def test_where_none_or_all_are_gone_there_is_nothing_to_keep(areas: list[str]) -> None:
    assert len(asked(areas)) == comb(len(AREAS), 4)


def test_each_question_that_ended_has_an_order_of_its_own() -> None:
    assert asked(["w1", "w2", "w3", "w90"], seed=1) != asked(["w1", "w2", "w3", "w90"], seed=2)


@pytest.mark.parametrize(
    ("areas", "kept"), [(["w1", "w2", "w3", "w90"], 5), (["w10", "w20", "w30", "w40"], 0)]
)
def test_where_all_else_was_tried_what_has_come_is_tried_first_and_little_else(
    areas: list[str], kept: int
) -> None:
    tried, all_of_them = asked(areas, came={("aoi", "w7"), ("aoi", "w99"), ("poi", "w6")}), asked(areas)
    assert tried[:kept] == all_of_them[:kept]
    about = [one for one in all_of_them[kept:] if "w7" in one]
    assert len(about) == comb(len(AREAS) - 1, 3)
    assert tried[kept:-LEFT_OVER] == about
    assert len({one for one in tried[-LEFT_OVER:] if "w7" not in one}) == LEFT_OVER


@pytest.mark.parametrize(
    ("accepted", "refused", "capacity", "all_of_it"),
    [
        (30, {"margin": 70}, 100, True),
        (40, {"margin": 60}, 50, True),
        (40, {"margin": 60}, 110, True),
        (40, {"margin": 60}, 111, False),
        (41, {"margin": 59}, 100, False),
        (40, {"margin": 59}, 100, False),
    ],
)
def test_a_data_set_has_all_where_all_was_tried_and_shown_and_the_map_has_not_grown(
    accepted: int, refused: dict[str, int], capacity: int, all_of_it: bool
) -> None:
    report = TemplateReport(1, 100, accepted, accepted, refused)
    assert had_all(report, 40, capacity) is all_of_it
