"""The simulation of intervals: a short one keeps to what docs/leaderboards.md says of the long one."""

import json

import numpy as np
import pytest

from perf.bench_intervals import Rates, Setting, lay, main, simulate
from perf.models import Model, mean_of, values_of


@pytest.mark.parametrize(
    "setting",
    [Setting(2, 25, 40, 0.3, False, "shared"), Setting(5, 20, 60, 0.3, True, "own")],
    ids=lambda setting: setting.layout,
)
def test_intervals_hold_the_truth_and_equal_models_are_not_told_apart(setting: Setting) -> None:
    """300 rounds: three standard errors of 95 % are 3.8 points."""
    found = simulate(setting, 300)
    for coverage in (found.score, found.difference, found.true_difference):
        assert 0.912 <= coverage <= 0.995
    assert max(found.better, found.ranks) <= 0.088


def test_questions_about_one_place_are_not_independent() -> None:
    found = simulate(Setting(5, 100, 20, 0.3, False, "shared"), 100)
    assert found.as_independent < 0.8 < 0.88 < found.score


def test_the_truth_is_the_mean_of_many_questions() -> None:
    random = np.random.default_rng(1)
    for graded in (False, True):
        strata = lay(Setting(2, 50_000, 50_000, 0.3, graded, "shared"), random)
        model = Model(np.array([-0.5, 1.0]))
        (values,) = values_of([model], strata, 0.3, random, graded=graded)
        assert np.mean(values) == pytest.approx(mean_of(model, strata, graded=graded), abs=0.01)


def test_prints_tables_and_ends_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--rounds", "1", "--questions", "10"]) == 0
    lines = capsys.readouterr().out.splitlines()
    figures = json.loads(lines[-1])
    assert [(row["templates"], row["icc"]) for row in figures["rates"]][:4] == [
        (2, 0),
        (2, 0.1),
        (2, 0.3),
        (5, 0),
    ]
    assert set(Rates._fields) <= figures["rates"][0].keys()
    assert len(lines) == 1 + len(figures["rates"]) + len(figures["new_templates"])
