"""Runs on the same questions in several forms of their texts, checked by hand."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pytest

from app.core.errors import Conflict, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.robustness import compare_forms
from app.leaderboard.robustness_models import Robustness
from tests.support.factories import MISSING, make_map, make_run, make_version, name_question, options_dataset
from tests.support.scored_runs import score

USUAL = ["Adler"] * 18 + ["Krone"] * 6
"""18 of 24 are right; the last four questions have no length in their texts."""
IN_FEET = ["Krone"] * 8 + ["Adler"] * 10 + ["Adler"] * 2 + ["Adler"] * 4


@dataclass(frozen=True)
class Made:
    settings: Settings
    usual: int
    again: int
    feet: int
    other_seed: int
    waiting: int
    rotated: int

    def compare(self, *runs: int) -> Robustness:
        with connect(self.settings, Role.API) as connection:
            return compare_forms(connection, runs)


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    place = make_map(settings)

    def version(name: str, told: dict[str, Any], word: str = "") -> Any:
        asked = [name_question(i, split="hidden" if i == 0 else "public") for i in range(25)]
        spoken = [replace(one, text=one.text + (word if 0 < i < 21 else "")) for i, one in enumerate(asked)]
        return make_version(settings, spoken, name=name, made_map=place, recipe=told)

    usual, feet = (
        version("usual", {"seed": 7}),
        version("feet", {"seed": 7, "text_form": {"lengths": "feet"}}, " in feet"),
    )
    other = version("other", {"seed": 8})
    runs = [
        make_run(settings, usual, ["Adler", *USUAL], "m"),
        make_run(settings, usual, ["Adler", *reversed(USUAL)], "m"),
        make_run(settings, feet, ["Krone", *IN_FEET], "m"),
        make_run(settings, other, ["Adler", *USUAL], "m"),
    ]
    waiting = make_run(settings, feet, [MISSING] * 25, "m", status="running")
    options = make_version(settings, options_dataset(4), name="options", made_map=place)
    # The keys are A, B, C, D. Whoever always says A is right once in each question, and nowhere always.
    rotated = make_run(settings, options, ["A"] * 16, "m", rotated=True)
    for run in (*runs, rotated):
        score(settings, run)
    return Made(settings, *runs, waiting, rotated)


def test_only_questions_whose_prompts_differ_count(made: Made) -> None:
    (found,) = made.compare(made.usual, made.feet).forms
    # Of the 20 public questions whose texts differ, the first run has 18 right, and the second 12.
    assert (found.differs, found.n) == (["lengths"], 20)
    assert (found.base_score, found.score) == (0.9, 0.6)
    assert found.difference == pytest.approx(-0.3)
    assert (found.became_wrong, found.became_right) == (8, 2)
    assert found.low is not None
    assert found.high is not None
    assert found.low < -0.3 < found.high


def test_the_same_texts_again_tell_what_sampling_does(made: Made) -> None:
    (found,) = made.compare(made.usual, made.again).forms
    assert (found.differs, found.n, found.difference) == ([], 24, 0.0)
    assert (found.became_wrong, found.became_right) == (6, 6)


def test_the_order_of_options(made: Made) -> None:
    found = made.compare(made.rotated)
    assert found.forms == []
    (order,) = found.orders
    assert (order.n, order.right_in_all, order.right_in_any) == (4, 0, 4)


def test_what_cannot_be_compared_is_refused(made: Made) -> None:
    with pytest.raises(UsageError, match="usual@1 and other@1 differ in seed"):
        made.compare(made.usual, made.other_seed)
    with pytest.raises(Conflict, match="is not complete"):
        made.compare(made.usual, made.waiting)
    with pytest.raises(NotFound, match="no run 999"):
        made.compare(made.usual, 999)
    with pytest.raises(UsageError, match="alone tells nothing"):
        made.compare(made.usual)
    with pytest.raises(UsageError, match="solver"):
        made.compare(made.usual, make_run(made.settings, _version_of(made), ["Adler"] * 25, "m", "oracle"))


def _version_of(made: Made) -> Any:
    asked = [name_question(i) for i in range(25)]
    return make_version(made.settings, asked, name="third", recipe={"seed": 7})
