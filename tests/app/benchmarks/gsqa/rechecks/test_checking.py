"""Keys of the published GS-QA computed again: distances, directions, and answers that have the anchor's point."""

from typing import Any

import pytest

from app.questions.imported.formats import find_format
from app.questions.rechecking.checks import Finding, KeyedQuestion, find_checker
from tests.conftest import SHARED

ANCHOR = [9.5, 47.1]
NORTH = [9.5, 47.2]
"""11,118.4 m north of the anchor on WGS84."""
RELEASE = SHARED / "published" / "gsqa"


def check(answers: list[dict[str, Any]], direction: str | None = None) -> Finding:
    found = find_checker("gsqa", "gsqa")
    assert found is not None
    told = {"places": {"anchors": [ANCHOR], "answers": answers, "direction": direction}}
    return found(KeyedQuestion("1", "T26/1", "T26", "How far?", None, None, {}, "value", told))


@pytest.mark.parametrize(
    ("answer", "verdict", "said"),
    [
        ({"point": NORTH, "distance": 11118.5}, "agrees", "it is 11,11"),
        ({"point": NORTH, "distance": 11200.0}, "contradicts", "The key is 11,200.00 m"),
        ({"point": NORTH, "angle": 359.95}, "agrees", "the azimuth is 0.00°"),
        ({"point": NORTH, "angle": 180.0}, "contradicts", "The key is 180.00°"),
        ({"point": None, "distance": 5.0}, "cannot be checked", "no points"),
        ({"point": NORTH}, "cannot be checked", "measure nothing"),
    ],
)
def test_what_the_files_measure_is_measured_again(answer: dict[str, Any], verdict: str, said: str) -> None:
    found = check([answer])
    assert found.verdict == verdict
    assert said in found.working


def test_a_place_in_a_direction_lies_there() -> None:
    assert check([{"point": NORTH}], "north").verdict == "agrees"
    assert check([{"point": NORTH}], "east").verdict == "contradicts"


def test_an_answer_at_the_anchor_is_flagged() -> None:
    found = check([{"point": ANCHOR}], "southeast")
    assert (found.verdict, found.is_flagged) == ("cannot be checked", True)


def test_the_direction_rows_of_the_sample_have_the_anchors_point() -> None:
    if not RELEASE.exists():
        pytest.skip(f"{RELEASE} is not here: the authors' files are not part of the project")
    checker = find_checker("gsqa", "gsqa")
    assert checker is not None
    files = find_format("gsqa").read(RELEASE)
    findings = {
        one.key: checker(
            KeyedQuestion("", one.key, one.template, "", None, None, one.gold, "value", one.told)
        )
        for one in files.questions
    }
    flagged = {key.partition("/")[0] for key, one in findings.items() if one.fault}
    assert flagged == {"T3", "T9", "T15", "T19"}
    assert (
        sum(one.fault is not None for one in findings.values()) == files.notes["answer_has_anchor_geometry"]
    )
    assert {one.verdict for key, one in findings.items() if key.startswith(("T22/", "T26/"))} == {"agrees"}
