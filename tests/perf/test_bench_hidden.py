"""The benchmark of hidden answers: its attackers learn from sums, and too slowly from those that an owner is told."""

import json

import numpy as np
import pytest

from app.predictions.submissions.storing import HIDDEN_FOR, MOST_HIDDEN
from perf.bench_hidden import day_of, main
from perf.hidden_attackers import attack, draw_evenly


def test_attackers_learn_small_sets_from_many_sums() -> None:
    """Forty answers that no quota guards are known after sixty exact sums: attackers make use of what is told."""
    found = attack(40, 4, 60, draw_evenly, np.random.default_rng(1), exact=True)
    assert found[-1].gained == found[-1].known == 30
    assert found[9].gained < 15


def test_a_tenth_of_300_takes_the_best_attacker_more_than_60_days(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--repeats", "4", "--tellings", str(MOST_HIDDEN)]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (figures["questions"], len(figures["attackers"])) == (300, 16)
    assert 10 < figures["learned_by_the_best"] < 30
    assert figures["day_of_the_best"] > 60


def test_days_follow_from_the_quota() -> None:
    assert HIDDEN_FOR.days == 60
    assert [day_of(number) for number in (1, MOST_HIDDEN, MOST_HIDDEN + 1, 2 * MOST_HIDDEN + 1)] == [
        1,
        1,
        61,
        121,
    ]
