"""Rubrics as data: the paper's maxima, and what is wrong with a file, by file, line and field."""

import csv
from pathlib import Path

import pytest

from app.core.errors import NotFound, TemplateError
from app.solvers.judging.rubrics import FOLDER, find_rubric, read_rubrics, rubrics
from tests.conftest import SHARED

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


def test_levels_are_the_papers() -> None:
    if not SHARED.is_dir():
        pytest.skip("the papers' tables are not here")
    with (SHARED / "papers" / "urbangeoeval-rubrics.csv").open() as file:
        lines = [line for line in csv.DictReader(file) if line["subtype"] in ("", "road-road")]
    for task, (_, criteria) in PAPER.items():
        printed = [
            line["levels"].split("|") for line in lines if (line["task"], line["part"]) == (task, "reason")
        ]
        ours = [[level.points for level in find_rubric(task).criteria[name].levels] for name in criteria]
        assert ours == printed
    assert [level.points for level in find_rubric("RC").answer.levels] == ["10", "3-5", "0"]


def test_marks_between_levels_are_seen() -> None:
    rule = find_rubric("NV").rule_of("routes")
    assert [mark for mark in (5, 4, 3, 2.5, 2, 1, 0) if rule.is_between_levels(mark)] == [4, 1]


def test_a_rubric_that_there_is_not() -> None:
    with pytest.raises(NotFound, match="no rubric 'XX'; there are: DR, DS, NV, PN, PR, RC, RE"):
        find_rubric("XX")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("reason: 15", "reason: 14", "DS.yaml:1: header: .*the criteria add up to 15, but `reason` says 14"),
        ("total: 25", "total: 26", "reason and answer add up to 25, but `total` says 26"),
        ("maximum: 5", "maximum: -5", r"DS.yaml:\d+: criteria.formula.maximum: .*greater than 0"),
        ("maximum: 5", "maximum: .nan", r"criteria.formula.maximum: .*"),
        ("maximum: 5", "maximum: '5'", r"criteria.formula.maximum: .*valid number"),
        ('points: "5"', 'points: "4"', "criteria.formula: .*levels do not go from 5 to 0"),
        ('points: "2-3"', 'points: "3-2"', "criteria.formula: .*levels do not go from high to low"),
        ("judged: false", "judge: false", r"answer.judged: .*required"),
        ("  formula:", "  answer:", "no criterion may be called 'answer'"),
        ("  formula:", "  radians:", r"'radians' stands here twice"),
        ("task: DS", "task: DX", r"DS.yaml:3: task: the file is called DS.yaml"),
        ("task: DS", "task: [DS", "cannot be read"),
    ],
)
def test_a_faulty_file_is_named_with_line_and_field(tmp_path: Path, old: str, new: str, said: str) -> None:
    text = (FOLDER / "DS.yaml").read_text()
    assert old in text
    (tmp_path / "DS.yaml").write_text(text.replace(old, new, 1))
    with pytest.raises(TemplateError, match=said):
        read_rubrics(tmp_path)
