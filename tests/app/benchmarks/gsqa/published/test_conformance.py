"""Every published case comes out as published."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.benchmarks.gsqa.published.cases import read_cases, score_case
from app.core.settings import PROJECT_ROOT

CASES = PROJECT_ROOT.parent / "shared" / "conformance" / "gsqa.jsonl"
TOLERANCE = 1e-9


@pytest.fixture(scope="module")
def cases() -> Path:
    if not CASES.exists():
        pytest.skip(f"{CASES} is not here: the published cases are not part of the project")
    return CASES


def published(cases: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in cases.read_text(encoding="utf-8").splitlines()]


def differing(expected: dict[str, Any] | None, found: dict[str, Any] | None) -> list[str]:
    if expected is None or found is None:
        return [] if expected is found else ["scored"]
    if set(expected) != set(found):
        return ["fields"]
    return [name for name in expected if abs(expected[name] - found[name]) > TOLERANCE]


def test_the_library_gives_every_published_score(cases: Path) -> None:
    expected = published(cases)
    assert len(expected) == 600
    with cases.open("rb") as lines:
        found = [score_case(case) for case in read_cases(lines, cases.name)]
    wrong = [
        (one["case"], part, one[f"expected_{part}"], other[part])
        for one, other in zip(expected, found, strict=True)
        for part in ("text", "parsed")
        if differing(one[f"expected_{part}"], other[part])
    ]
    assert wrong == []
