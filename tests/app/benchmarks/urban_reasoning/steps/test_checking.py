"""Responses in several styles: right ones are not accused, and one planted fault is found where it lies."""

import json
import time
from pathlib import Path

import pytest

from app.benchmarks.urban_reasoning.steps.check_file import main
from app.benchmarks.urban_reasoning.steps.checking import as_document, check_response
from app.scores.reasoning import Reasoning, check_reasoning
from tests.support.worked_reasoning import SPOILS, Worked, worked
from tests.support.worked_tours import TOUR_FAULTS, worked_tour

SEEDS = 6


def check(case: Worked) -> Reasoning:
    """What the checker finds."""
    return check_response(case.task, case.context, case.question, case.response)


def test_right_responses_are_not_accused() -> None:
    """In every style, for every task."""
    cases = [worked(task, seed) for task in SPOILS for seed in range(4 * SEEDS)]
    cases += [worked_tour(seed) for seed in range(2 * SEEDS)]
    accused = [(case.style, found.first_broken) for case in cases if (found := check(case)).first_broken]
    assert accused == []


@pytest.mark.parametrize("task", SPOILS)
def test_a_planted_fault_is_found_first(task: str) -> None:
    """In at least 95 of 100 responses about two places."""
    cases = [worked(task, seed, fault) for fault in SPOILS[task] for seed in range(SEEDS)]
    assert _share_found(cases) >= 0.95


def test_a_planted_fault_in_a_tour_is_found_first() -> None:
    """In at least 95 of 100 tours."""
    assert _share_found([worked_tour(seed, fault) for fault in TOUR_FAULTS for seed in range(3)]) >= 0.95


def _share_found(cases: list[Worked]) -> float:
    found = 0
    for case in cases:
        broken = check(case).first_broken
        if broken is None or broken.position is None:
            continue
        found += (
            broken.quantity == case.fault if case.place is None else abs(broken.position - case.place) < 4
        )
    return found / len(cases)


DISTANCE = (
    "Coordinates are latitude, then longitude.\n- Mill: (47.10000, 9.50000)\n- Tower: (47.12000, 9.53000)"
)
HOW_FAR = "How far is it in a straight line from Mill to Tower?"


def test_a_propagated_error_is_no_second_fault() -> None:
    """The wrong radian is told; the difference that follows from it is right."""
    found = check_response("DS", DISTANCE, HOW_FAR, "φ1 = 0.822051 rad\nφ2 = 0.832400 rad\nΔφ = 0.010349 rad")
    assert found.first_broken is not None
    assert found.first_broken.quantity == "lat2_rad"
    assert [step.verdict for step in found.steps if step.quantity == "dlat_rad"] == ["right"]


def test_a_swapped_coordinate_is_a_misread_input() -> None:
    """47.12 read as 41.72."""
    found = check_response("DS", DISTANCE, HOW_FAR, "Mill (47.10000, 9.50000), Tower (41.72000, 9.53000)")
    assert as_document(found)["class"] == "misread input"
    assert as_document(found)["first_broken"] == {
        "quantity": "lat2_deg",
        "stated": 41.72,
        "expected": 47.12,
        "position": 33,
    }


def test_a_number_that_nothing_announces_is_not_judged() -> None:
    """A guess would accuse right responses."""
    found = check_response("DS", DISTANCE, HOW_FAR, "The tower was built in 1897.25 and has 12.75 floors.")
    assert found.first_broken is None
    assert {step.verdict for step in found.steps} == {"cannot be checked", "not stated"}


def test_steps_that_are_not_stated_are_listed_as_such() -> None:
    """A bare answer states the distance alone."""
    found = check_response("DS", DISTANCE, HOW_FAR, "<reason>Easy.</reason><answer>3.18 km</answer>")
    stated = [step for step in found.steps if step.verdict != "not stated"]
    assert [(step.quantity, step.verdict) for step in stated] == [("distance_km", "right")]


@pytest.mark.parametrize(
    "hostile",
    ["(" * 1_000_000, "9" * 1_000_000, "a = " * 250_000, "1°2'" * 250_000, "| " * 500_000, "10^" * 330_000, "A→" * 500_000],
    ids=["brackets", "digits", "equations", "angles", "bars", "powers", "orders"],
)  # fmt: skip
def test_a_megabyte_of_anything_is_read_in_seconds(hostile: str) -> None:
    """The text is cut, and nothing runs longer than in proportion to its length."""
    begun = time.process_time()
    assert check_response("PN", worked_tour(1).context, "", hostile).cut
    assert time.process_time() - begun < 5


def test_a_file_of_responses_is_checked_line_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One JSON object a line comes out, with the finding."""
    record = {
        "id": "x",
        "task": "DS",
        "context": DISTANCE,
        "question": HOW_FAR,
        "response": "Δφ = 0.000549 rad",
    }
    path = tmp_path / "responses.jsonl"
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert main([str(path)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["id"], found["first_broken"]["quantity"], found["class"]) == (
        "x",
        "dlat_rad",
        "arithmetic drift",
    )


def test_a_prompt_as_it_is_asked_holds_what_the_steps_need() -> None:
    """Context and question stand in one text, as the page of an episode has them."""
    case = worked("DS", 3, "radian")
    found = check_reasoning(
        "urban_reasoning", "Distance", f"Data\n{case.context}\n\n{case.question}", case.response
    )
    assert found is not None
    assert found.first_broken is not None
    assert found.first_broken.quantity == case.fault


def test_other_prompts_have_no_steps() -> None:
    """Neither those of other benchmarks, nor a prompt without coordinates."""
    assert check_reasoning("gsqa", "Distance", DISTANCE, "3 km") is None
    assert check_reasoning("urban_reasoning", "Distance", "How far is it?", "3 km") is None
    assert check_reasoning("urban_reasoning", "Relation", DISTANCE, "Touch") is None


def test_an_unknown_task_is_refused_with_the_known_ones() -> None:
    """The message names them."""
    with pytest.raises(ValueError, match="no rules for task 'XX': the tasks are DR, DS, NV, PN, PR, RC, RE"):
        check_response("XX", DISTANCE, HOW_FAR, "3 km")


SEXAGESIMAL = "- House: 38°53'51\"N 77°2'11\"W\n- Pentagon: 38°52'18\"N 77°3'22\"W"


@pytest.mark.parametrize(
    ("response", "quantity"),
    [
        ("House: 38°53'51\"N = 38 + 53/60 + 51/3600 = 38.8975°, 77 + 2/60 + 11/3600 = 77.0364° W", None),
        ("House 38°53'51\"N, 77°2'11\"W; Pentagon 38°25'18\"N, 77°3'22\"W", "lat2_deg"),
        ("In decimal degrees: House: 38.53510, -77.03639; Pentagon: 38.87167, -77.05611", "lat1_deg"),
        ("Pentagon: 38 + 52/60 + 18/3600 = 38.7817°", "lat2_deg"),
    ],
    ids=["right", "copied wrong", "minutes taken for decimals", "wrong sum"],
)
def test_degrees_minutes_and_seconds_are_read(response: str, quantity: str | None) -> None:
    """As printed, as a sum, and as decimal degrees; west is negative."""
    broken = check_response("DS", SEXAGESIMAL, "How far is it from House to Pentagon?", response).first_broken
    assert (broken and broken.quantity) == quantity
