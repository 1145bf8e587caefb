"""`trigpoint score-cases`: a line a case, or one sentence."""

import json
from pathlib import Path

import pytest

from app.cli.score_cases import score_cases
from app.core.errors import UsageError

CASE = {
    "case": "T24/1/X",
    "template": "T24",
    "answer_type": "count",
    "gold": [{"count": 4}],
    "predicted_text": "There are four hotels.",
    "predicted_parsed": [{"count": 5}],
    "parsed_lookup": "toplevel",
}


def test_a_line_a_case(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text("".join(json.dumps({**CASE, "case": name}) + "\n" for name in ("one", "two")))
    score_cases(file)
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["case"] for one in found] == ["one", "two"]
    assert found[0] == {
        "case": "one",
        "text": {"attempted": True, "P": 0.5, "R": 1.0, "F1": pytest.approx(2 / 3)},
        "parsed": {"attempted": True, "relative_error": 0.25},
    }


@pytest.mark.parametrize(("benchmark", "profile"), [("evgeoqa", "published"), ("gsqa", "trigpoint")])
def test_other_rules_are_refused(tmp_path: Path, benchmark: str, profile: str) -> None:
    with pytest.raises(UsageError, match="There is no"):
        score_cases(tmp_path / "cases.jsonl", benchmark, profile)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.jsonl"):
        with pytest.raises(UsageError, match=path.name):
            score_cases(path)
