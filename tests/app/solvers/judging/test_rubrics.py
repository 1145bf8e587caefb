"""Rubrics as data: the paper's maxima, and what is wrong with a file, by file, line and field."""

from pathlib import Path

import pytest

from app.core.errors import NotFound, TemplateError
from app.solvers.judging.rubrics import FOLDER, find_rubric, read_rubrics, rubrics

PAPER = {
    "DS": (15, {"coordinates": 2, "radians": 3, "differences": 3, "formula": 5, "clarity": 2}),
    "DR": (15, {"coordinates": 2, "radians": 3, "differences": 3, "formula": 5, "clarity": 2}),
    "RE": (15, {"coordinates": 1, "criteria": 3, "analysis": 8, "clarity": 3}),
    "PN": (20, {"data": 2, "farthest": 3, "Cartesian": 5, "paths": 8, "clarity": 2}),
    "PR": (20, {"trajectory": 5, "coordinates": 4, "candidates": 5, "distance": 3, "logic": 3}),
    "NV": (20, {"network": 5, "routes": 5, "distances": 6, "choice": 2, "clarity": 2}),
    "RC": (20, {"location": 4, "proximity": 5, "constraints": 6, "framework": 3, "clarity": 2}),
}


def test_maxima_are_the_papers() -> None:
    assert rubrics().keys() == PAPER.keys()
    for task, (reason, criteria) in PAPER.items():
        rubric = find_rubric(task)
        assert {name: one.maximum for name, one in rubric.criteria.items()} == criteria
        assert (rubric.reason, rubric.answer.maximum, rubric.total) == (reason, 10, reason + 10)
    assert [task for task in rubrics() if find_rubric(task).answer.judged] == ["NV", "RC"]


def test_a_rubric_that_there_is_not() -> None:
    with pytest.raises(NotFound, match="no rubric 'XX'; there are: DR, DS, NV, PN, PR, RC, RE"):
        find_rubric("XX")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("maximum: 5", "maximum: 4", "DS.yaml:1: header: .*the criteria add up to 14, but `reason` says 15"),
        ("total: 25", "total: 26", "reason and answer add up to 25, but `total` says 26"),
        ("maximum: 5", "maximum: -5", r"DS.yaml:\d+: criteria.formula.maximum: .*greater than 0"),
        ("maximum: 5", "maximum: .nan", r"criteria.formula.maximum: .*"),
        ("maximum: 5", "maximum: '5'", r"criteria.formula.maximum: .*valid number"),
        ("judged: false", "judge: false", r"answer.judged: .*required"),
        ("  formula:", "  answer:", "no criterion may be called 'answer'"),
        ("  formula:", "  radians:", r"'radians' stands here twice"),
        ("task: DS", "task: DX", r"DS.yaml:2: task: the file is called DS.yaml"),
        ("task: DS", "task: [DS", "cannot be read"),
    ],
)
def test_a_faulty_file_is_named_with_line_and_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (FOLDER / "DS.yaml").read_text()
    assert old in text
    (tmp_path / "DS.yaml").write_text(text.replace(old, new, 1))
    with pytest.raises(TemplateError, match=said):
        read_rubrics(tmp_path)
