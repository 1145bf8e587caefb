"""A data set on a newer map where neither map is said to be complete: the ground that data cover has changed, too."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.refresh.comparing import differences
from app.questions.stored import load_questions
from app.questions.verifying import verify
from app.questions.versions import find_version
from tests.app.questions.test_refresh import THOROUGH
from tests.support.command_line import trigpoint
from tests.support.random_edits import Edit, Editing, scripts
from tests.support.refreshes import Ground, lay_ground, unforeseen
from tests.support.town import TIMESTAMP, make_town

TOWN = replace(make_town(), is_whole=False)
dates = (f"2024-06-{1 + number // 1440:02}T{number // 60 % 24:02}:{number % 60:02}:00Z" for number in count())
WANDERING = [Edit("move", number, 0, 30 * number, 900.0) for number in range(0, 400, 9)]
"""Places that go from one cell of about 500 m to another."""


@pytest.fixture(scope="module")
def ground(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """The town, whose file says nothing of where it is complete, with a data set of each benchmark."""
    file = TOWN.write(tmp_path_factory.mktemp("town") / "town.osm")
    return lay_ground(make_database(), file, "town", per_template=8)


def edited_town(script: Sequence[Edit], path: Path) -> Path:
    timestamp = next(dates)
    edited = Editing(TOWN.xml().replace(TIMESTAMP, timestamp), timestamp)
    edited.apply(script)
    return edited.write(path, is_whole=False)


def test_a_refresh_knows_that_other_ground_is_covered(ground: Ground, tmp_path: Path) -> None:
    later = ground.later(edited_town(WANDERING, tmp_path / "edited.osm"))
    for one in ground.published:
        assert not ground.pair(one, later).same_outline
        assert differences(*ground.both_ways(one, later)) == []


def test_its_questions_are_proved_on_the_new_ground(ground: Ground, tmp_path: Path) -> None:
    later = ground.later(edited_town(WANDERING, tmp_path / "edited.osm"))
    done = trigpoint(
        ground.settings, "refresh", "gsqa", "--snapshot", later.name, "--json", "--allow-other-ids"
    )
    assert done.status == 0, done.err
    with connect(ground.settings, Role.WORKER) as connection:
        questions = load_questions(connection, find_version(connection, done.json["to"]))
        proved = verify(connection, questions, lambda done: None)
    assert (proved.failures, proved.assumed_edge > 0) == ([], True)


@pytest.mark.long
@settings(THOROUGH, max_examples=8)
@given(script=scripts)
def test_random_scripts(script: list[Edit], ground: Ground, tmp_path_factory: pytest.TempPathFactory) -> None:
    later = ground.later(edited_town(script, tmp_path_factory.mktemp("edited") / "edited.osm"))
    for one in ground.published:
        faults = [*unforeseen(ground, one, later), *differences(*ground.both_ways(one, later))]
        assert not faults, "\n".join([repr(script), *faults[:20]])
