"""Verdicts are read strictly: what is none, what is clamped, what named faults leave; whatever the text."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.solvers.judging.reading import MOST_FAULTS, Unreadable, Verdict, read_verdict
from app.solvers.judging.rubrics import Rubric, find_rubric, rubrics

DS = find_rubric("DS")
FULL = {"coordinates": 2, "radians": 3, "differences": 3, "formula": 5, "clarity": 2}


def closing(reason: float, answer: float, total: float | None = None) -> str:
    total = reason + answer if total is None else total
    return f"reason:[[{reason:.4f}]], answer:[[{answer:.4f}]], total:[[{total:.4f}]]"


def verdict(
    criteria: dict[str, Any] | None = None,
    answer: Any = 10,
    faults: Any = (),
    line: str | None = None,
    **more: Any,
) -> str:
    marks = FULL if criteria is None else criteria
    line = closing(sum(marks.values()), answer) if line is None else line
    return json.dumps({"criteria": marks, "answer": answer, "faults": list(faults), "closing": line, **more})


def fault(criterion: str, points: Any, name: str = "it is wrong") -> dict[str, Any]:
    return {"criterion": criterion, "fault": name, "points": points}


def read(text: str | None, rubric: Rubric = DS) -> Verdict:
    found = read_verdict(text, rubric)
    assert isinstance(found, Verdict), found
    return found


def refused(text: str | None) -> str:
    found = read_verdict(text, DS)
    assert isinstance(found, Unreadable), found
    return found.reason


def test_a_whole_verdict() -> None:
    found = read(verdict(FULL | {"formula": 4}, 7.5, [fault("formula", 1, "no radius\n is given")]))
    assert (found.reason, found.answer) == (14, 7.5)
    assert found.faults[0] == ("formula", "no radius is given", 1)
    assert (found.clamped, found.lowered) == ((), ())


@pytest.mark.parametrize(
    "shape",
    [
        "<think>{{}} total:[[1]]</think>\n{0}",
        "Here it is:\n```json\n{0}\n```",
        "{0}\n",
    ],
    ids=["thoughts", "code", "newline"],
)
def test_words_around_the_verdict_do_not_matter(shape: str) -> None:
    assert read(shape.format(verdict())).reason == 15


def test_the_closing_line_may_stand_after_the_object() -> None:
    text = json.dumps({"criteria": FULL, "answer": 9, "faults": []})
    assert read(f"{text}\nReason: [[15]], Answer: [[9]], Total: [[24]]").answer == 9
    assert "no closing line" in refused(text)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (None, "no JSON object"),
        ("", "no JSON object"),
        ("reason:[[15]], answer:[[10]], total:[[25]]", "no JSON object"),
        (verdict()[:-20], "cannot be read"),
        (verdict() + verdict(), "more than one JSON object"),
        (verdict(extra=1), "has the keys"),
        (verdict({"coordinates": 2}), "lacks radians, differences"),
        (verdict(FULL | {"style": 0}), "unknown style"),
        (verdict(FULL | {"formula": True}, line=closing(15, 10)), "mark of formula is no number"),
        (verdict().replace('"answer": 10', '"answer": "10"'), "mark of the answer is no number"),
        (verdict().replace('"answer": 10', '"answer": NaN'), "NaN is no number of points"),
        (verdict().replace('"answer": 10', '"answer": -Infinity'), "-Infinity is no number of points"),
        (verdict().replace('"answer": 10', '"answer": 1e999'), "the mark of the answer is beyond all bounds"),
        (
            verdict().replace('"answer": 10', '"answer": 1' + "0" * 400),
            "the mark of the answer is beyond all bounds",
        ),
        (verdict().replace('"answer": 10', '"answer": 1' + "0" * 5000), "cannot be read"),
        (verdict().replace('"answer": 10', '"answer": 10, "answer": 9'), "'answer' stands twice"),
        (verdict(line=closing(14, 10)), "not the sum of its marks"),
        (verdict(line=closing(15, 9)), "not the sum of its marks"),
        (verdict(line=closing(15, 10, 24)), "not the sum of its marks"),
        (verdict() + "\n" + closing(14, 10), "closing lines that differ"),
        (verdict(line="reason:[[NaN]], answer:[[10]], total:[[25]]"), "no closing line"),
        (verdict(faults=[fault("style", 1)]), "names 'style'"),
        (verdict(faults=[fault("formula", 0)]), "costs 0 points"),
        (verdict(faults=[fault("formula", -3)]), "costs -3 points"),
        (
            verdict(dict.fromkeys(FULL, 1e308), line=closing(15, 10)),
            "mark of coordinates is beyond all bounds",
        ),
        (verdict(faults=[fault("formula", 1e308)] * 2), "is beyond all bounds"),
        (verdict(faults=[fault("formula", "1")]), "is no number"),
        (verdict(faults=[fault("formula", 1, "  ")]), "is not named"),
        (verdict(faults=["formula"]), "a fault is no object"),
        (verdict(faults=[fault("formula", 1)] * (MOST_FAULTS + 1)), "no list of at most"),
        ("[" * 30_000 + "{" * 30_000, "longer than"),
        ('{"a":' * 5_000, "cannot be read"),
    ],
)
def test_what_is_no_verdict(text: str | None, why: str) -> None:
    assert why in refused(text)


def test_reasons_and_faults_can_be_stored() -> None:
    strange = verdict(faults=[fault("formula", 1, "nul \0 and half \ud800 of a pair")])
    assert read(strange).faults[0].fault.encode().count(b"\0") == 0
    assert refused(verdict(FULL | {"\0\ud800": 1})).encode().count(b"\0") == 0


@pytest.mark.parametrize("line", [closing(14, 12), closing(12, 10)], ids=["as given", "as clamped"])
def test_marks_outside_their_bounds_are_clamped_and_named(line: str) -> None:
    found = read(verdict(FULL | {"radians": -1, "formula": 8}, 12, line=line))
    assert found.criteria == FULL | {"radians": 0}
    assert found.answer == 10
    assert found.clamped == ("radians", "formula", "answer")


def test_a_mark_is_lowered_to_what_its_faults_leave() -> None:
    faults = [fault("formula", 2), fault("formula", 1.5), fault("answer", 4)]
    found = read(verdict(FULL, 10, faults))
    assert (found.criteria["formula"], found.answer, found.reason) == (1.5, 6, 11.5)
    assert found.lowered == ("formula", "answer")


numbers = st.floats(-50, 50).map(lambda number: round(number, 2))


@st.composite
def verdicts(draw: st.DrawFn) -> tuple[Rubric, dict[str, float], float, list[dict[str, Any]]]:
    rubric = draw(st.sampled_from(list(rubrics().values())))
    marks = {name: draw(numbers) for name in rubric.criteria}
    one = st.builds(fault, st.sampled_from(rubric.parts()), st.floats(0.01, 30))
    return rubric, marks, draw(numbers), draw(st.lists(one, max_size=6))


@given(verdicts())
def test_points_stay_within_the_rubric_and_every_further_fault_lowers_or_keeps_them(
    drawn: tuple[Rubric, dict[str, float], float, list[dict[str, Any]]],
) -> None:
    rubric, marks, answer, faults = drawn
    totals = []
    for count in range(len(faults) + 1):
        found = read(verdict(marks, answer, faults[:count]), rubric)
        for name, mark in [*found.criteria.items(), ("answer", found.answer)]:
            assert 0 <= mark <= rubric.maximum_of(name)
        assert 0 <= found.reason + found.answer <= rubric.total
        totals.append(found.reason + found.answer)
    assert totals == sorted(totals, reverse=True)


@given(verdicts(), st.floats(0.2, 40), st.sampled_from([1, -1]))
def test_a_closing_line_that_is_off_is_no_verdict(
    drawn: tuple[Rubric, dict[str, float], float, list[dict[str, Any]]], off: float, sign: int
) -> None:
    rubric, marks, answer, faults = drawn
    total = sum(marks.values()) + answer + sign * off
    line = closing(sum(marks.values()), answer, total)
    assert isinstance(read_verdict(verdict(marks, answer, faults, line=line), rubric), Unreadable)


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["criteria", "answer", "faults", "closing", "formula"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(st.text() | json_values.map(json.dumps), st.sampled_from(["", verdict(), closing(15, 10)]))
def test_any_text_is_a_verdict_or_is_refused_with_a_reason(text: str, more: str) -> None:
    found = read_verdict(text + more, DS)
    assert isinstance(found, Verdict) or found.reason
