"""`trigpoint run judge` as a command: real processes, real broker, an examiner as the judge."""

from typing import Any

import pytest

from app.core.settings import Settings
from app.solvers.judging.rubrics import find_rubric
from tests.support.command_line import trigpoint
from tests.support.faulty_responses import COSTS, planted_cases
from tests.support.judge_endpoint import BAD, Examiner, make_judged, serving
from tests.support.processes import Workers, query


def run(settings: Settings, *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Exit status, the JSON on stdout, and stderr."""
    done = trigpoint(settings, "run", *arguments, "--json")
    return done.status, done.json if done.out else {}, done.err


def test_judge_then_again_then_rescore(quick: Settings, workers: Workers) -> None:
    cases = planted_cases(1)
    examiner = Examiner(lambda prompt, tries: BAD[0] if "(case RE 0 1)" in prompt else None)
    workers.start()
    with serving(examiner) as url:
        _, judged = make_judged(quick, cases)
        command = ("judge", str(judged), "--endpoint", url)
        status, result, err = run(quick, *command)
        assert status == 1, err
        assert "1 × the judge gave no verdict in 2 replies: it holds no JSON object" in err
        assert result["scores"]["judge_pure"]["score"] is None
        examiner.wayward = lambda prompt, tries: None
        status, result, err = run(quick, *command)
        assert status == 0, err
        asked = len(examiner.asked)
        again = run(quick, *command, "--model", "examiner")
        assert again[:2] == (0, result)
        rescored = run(quick, "rescore", str(result["run"]))
        assert rescored[0] == 0, rescored[2]
        assert rescored[1]["profile"] == "judge_hybrid, judge_pure"
        assert len(examiner.asked) == asked
    assert (result["judged"], result["status"], result["total"]) == (judged, "complete", len(cases))
    kinds = query(quick, "select id, kind from run order by id")
    assert [tuple(row) for row in kinds] == [(judged, "answers"), (result["run"], "judgement")]
    assert result["requests"] == asked == len(cases) + 2
    lost = sum(
        sum(COSTS[case.task][fault][1] for fault in case.faults) for case in cases if case.task == "RE"
    )
    relation = result["tasks"]["RE"]
    assert relation["maximum"] == find_rubric("RE").total
    assert relation["n"] * (25 - relation["reason"] - relation["judge_pure"]) == pytest.approx(lost)


def test_what_the_command_refuses(quick: Settings) -> None:
    status, _, err = run(quick, "judge", "7", "--endpoint", "http://127.0.0.1:1/v1")
    assert (status, "There is no run 7" in err) == (2, True)
