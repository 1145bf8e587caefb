"""Restores of a real map killed at twenty seeded moments: each time the database is as before, or whole."""

import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import Settings
from tests.app.backups.conftest import wait_for_nobody
from tests.support.command_line import trigpoint
from tests.support.processes import start_trigpoint, wait_for_stage
from tests.support.town import Imported

pytestmark = pytest.mark.long


def test_kills_at_twenty_moments(
    liechtenstein: Imported,
    make_database: Callable[[], Settings],
    script_of: Callable[[Settings], list[str]],
    ask: Callable[[Settings, str], list[Any]],
    tmp_path: Path,
) -> None:
    file = tmp_path / "liechtenstein.backup"
    assert trigpoint(liechtenstein.settings, "backup", str(file)).status == 0
    whole, chance, outcomes = script_of(liechtenstein.settings), random.Random(3), []
    database = make_database()
    empty = script_of(database)
    for _ in range(20):
        process = start_trigpoint(database, "restore", str(file), "--no-verify")
        wait_for_stage(process, "restoring")
        time.sleep(chance.uniform(0, 3.0))
        process.send_signal(chance.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        process.communicate()
        wait_for_nobody(database, ask)
        there = script_of(database)
        differing = min((set(there) ^ set(known) for known in (empty, whole)), key=len)
        assert there in (empty, whole), "\n".join(sorted(differing)[:20])
        outcomes.append(there == whole)
        if there == whole:
            database = make_database()
    assert outcomes.count(False) >= 5
    assert trigpoint(make_database(), "restore", str(file)).status == 0
