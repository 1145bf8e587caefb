"""What is published of hidden questions follows from stepped sums: worlds that differ in their gold alone are published alike.

A third world repeats the first: what differs between these two, such as when a key was made, says nothing of gold.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.differing_gold import OPTIONS, Plan, draw_plan, everything_published, make_world

MADE_ANEW = (
    "api_key",
    "snapshot.",
    "bi_snapshot",
    "bi_submission.age_seconds",
    "submissions",
    "/metrics",
    "/freshness",
    "/v1/key ",
)
"""What may differ between a world and its repetition: keys, names of schemas, ages."""


@pytest.mark.parametrize(
    ("seed", "benchmark"),
    [
        pytest.param(1, "urban_knowledge", marks=pytest.mark.long),
        pytest.param(1, "gsqa", marks=pytest.mark.long),
        pytest.param(2, "gsqa", marks=pytest.mark.long),
    ],
)
def test_hidden_outcomes_with_equal_stepped_sums_give_identical_bytes(
    make_database: Callable[[], Settings], tmp_path: Path, seed: int, benchmark: str
) -> None:
    plan = draw_plan(seed)
    first, again, second = (
        _published(make_database(), plan, truth, tmp_path / name, benchmark)
        for name, truth in (("first", plan.first), ("again", plan.first), ("second", plan.second))
    )
    anew = {name for name, told in first.items() if told != again[name]}
    assert first.keys() == again.keys() == second.keys()
    assert not [name for name in anew if not any(part in name for part in MADE_ANEW)]
    assert not [name for name, told in first.items() if name not in anew and told != second[name]]
    answered = [told for name, told in first.items() if name.startswith("GET") and told[0] == 200]
    written = [
        told for name, told in first.items() if name.startswith(("export", "plot board", "report", "compare"))
    ]
    assert len(answered) > 40
    assert written
    assert [told for told in written if told[0] != 0] == []
    assert len([name for name in first if ".score" in name]) > 2


def _published(settings: Settings, plan: Plan, truth: Any, folder: Path, benchmark: str) -> dict[str, Any]:
    folder.mkdir()
    world = make_world(settings, truth, plan.said, benchmark)
    with connect(settings, Role.WORKER) as connection:
        statement = text(
            "select count(*), sum(value) from score join prediction on prediction.id = prediction_id"
            " join question on question.id = question_id where question.split = 'hidden'"
        )
        hidden, right = connection.execute(statement).one()
    assert hidden > OPTIONS
    assert 0 < right < hidden
    return everything_published(world, folder)
