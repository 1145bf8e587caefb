"""The benchmark of scale: which targets are met, and what it does not take."""

from typing import Any

import pytest

from perf.bench_scale import GROWING, OPERATIONS, main, targets


def figures(**ratios: float) -> dict[str, Any]:
    return {name: {"ratio": 9.0, "ratio_of_best": ratio} for name, ratio in ratios.items()}


def test_reading_may_take_twice_as_long_and_writing_a_tenth_longer() -> None:
    met = targets(figures(run_page=2.0, board_rest=2.01, write_steps=1.1, bi_all_runs=80.0))
    assert met == {"run_page": True, "board_rest": False, "write_steps": True}
    assert targets(figures(write_steps=1.11)) == {"write_steps": False}


def test_what_has_no_target_is_measured_all_the_same() -> None:
    assert set(GROWING) < set(OPERATIONS)


@pytest.mark.parametrize(
    "arguments", [["--rows", "75000"], ["--rows", "50000"], ["--rounds", "0"], ["--only", "rescore,all"]]
)
def test_what_cannot_be_measured_is_refused(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    assert main(arguments) == 2
    assert arguments[0] in capsys.readouterr().err
