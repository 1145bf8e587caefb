"""What is tried in the place of a question that ended."""

from math import comb

import pytest

from app.benchmarks.catalogue import find_benchmark
from app.questions.picking import Pick
from app.questions.refresh.replacing import candidates

TEMPLATE = find_benchmark("urban_knowledge").templates["Compare_POI_Count"]
AREAS = [Pick(f"w{number}", f"w{number}", f"Area {number}") for number in range(1, 9)]
RANKS = [Pick(rank, rank, rank) for rank in ("first", "second", "third", "smallest")]
CHOICES = {"aois": AREAS, "rank": RANKS}


def asked(areas: list[str], seed: int = 1) -> list[tuple[str, ...]]:
    """The areas of all that is tried for a question about four of them, in turn."""
    tried = candidates(TEMPLATE, CHOICES, {"aois": areas, "rank": "second"}, seed)
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
