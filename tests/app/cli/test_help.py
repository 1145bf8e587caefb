"""The help of the whole: commands stand in groups, and data sets have one name in all of them."""

import re

import pytest

from app.cli import COMMANDS, GROUPS, PANELS
from app.core.settings import Settings
from tests.support.command_line import trigpoint

OF_DATA_SETS = (
    "churn",
    "evaluate",
    "export",
    "leaderboard",
    "refresh",
    "reproduce",
    "submit",
    "verify",
)


def help_of(*command: str) -> str:
    done = trigpoint(Settings.load(), *command, "--help", COLUMNS="80")
    assert done.status == 0, done.err
    return done.out


def test_each_command_stands_in_one_group_and_groups_follow_the_work() -> None:
    grouped = [name for names in PANELS.values() for name in names]
    assert sorted(grouped) == sorted({*COMMANDS, *GROUPS})
    shown = help_of()
    places = [shown.index(f"─ {panel} ─") for panel in PANELS]
    assert places == sorted(places)
    for name in grouped:
        assert re.search(rf"│ {re.escape(name)} ", shown), name


@pytest.mark.parametrize("command", OF_DATA_SETS)
def test_a_data_set_is_called_the_same(command: str) -> None:
    usage = next(line for line in help_of(command).splitlines() if "Usage:" in line)
    assert re.search(r"\bDATASET\b", usage), usage
