"""An operation in a process of its own gives its value or its error's words, obeys orders, and ends with its parent."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from sqlalchemy import text

from app.core.errors import Conflict, NotFound, Permanent
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.operations.separate_process import EndedByOrder, Order, run_apart
from tests.support.command_line import environment, trigpoint
from tests.support.factories import make_run, make_version, options_dataset
from tests.support.processes import wait_until

PARENT = """
import json, sys
from pathlib import Path
from app.operations.separate_process import run_apart
run_apart("rescore", json.loads(sys.argv[1]), Path(sys.argv[2]), lambda told: "go on")
"""


def go_on(_: str) -> Order:
    return "go on"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Iterator[Settings]:
    made = make_database()
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment(made).items():
            patch.setenv(name, value)
        yield made


@pytest.fixture(scope="module")
def run(settings: Settings) -> int:
    return make_run(settings, make_version(settings, options_dataset(8)), ["A"] * 8)


@contextmanager
def locked(settings: Settings, run: int) -> Iterator[None]:
    """A re-score of the run waits within the block."""
    with connect(settings, Role.WORKER) as connection:
        connection.execute(text("select id from run where id = :run for update"), {"run": run})
        yield
        connection.rollback()


def children(pid: int) -> list[psutil.Process]:
    """Processes of operations below a process."""
    return [
        one
        for one in psutil.Process(pid).children(recursive=True)
        if "app.operations.process" in one.cmdline()
    ]


def test_the_value_is_what_the_command_prints(settings: Settings, run: int, tmp_path: Path) -> None:
    value = run_apart("rescore", {"run": run}, tmp_path, go_on)
    assert value["answers"] == 8
    assert value == trigpoint(settings, "run", "rescore", str(run), "--json").json


def test_an_error_comes_back_with_its_class_and_its_words(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(NotFound) as missing:
        run_apart("rescore", {"run": 999}, tmp_path, go_on)
    assert str(missing.value) == "There is no run 999; `trigpoint run list` shows all runs."
    other = make_version(settings, options_dataset(4), name="other")
    open_run = make_run(settings, other, ["A"] * 4, status="running")
    with pytest.raises(Conflict, match=f"Run {open_run} is running: it is scored when it is finished"):
        run_apart("rescore", {"run": open_run}, tmp_path, go_on)


def test_what_no_error_of_ours_explains_is_told_by_its_last_line(settings: Settings, tmp_path: Path) -> None:
    with pytest.raises(Permanent, match=r"ended with exit status 1: .*unheard_of"):
        run_apart("unheard_of", {}, tmp_path, go_on)


@pytest.mark.parametrize("order", ["cancel", "hand back", "lost"])
def test_an_order_ends_it(settings: Settings, run: int, tmp_path: Path, order: Order) -> None:
    seen: list[psutil.Process] = []

    def ask(_: str) -> Order:
        seen.extend(children(psutil.Process().pid))
        return order

    with locked(settings, run), pytest.raises(EndedByOrder) as ended:
        run_apart("rescore", {"run": run}, tmp_path, ask)
    assert ended.value.order == order
    assert seen
    assert not any(one.is_running() for one in seen)


def test_it_ends_when_its_parent_is_killed(settings: Settings, run: int, tmp_path: Path) -> None:
    command = [sys.executable, "-c", PARENT, json.dumps({"run": run}), str(tmp_path)]
    with locked(settings, run), subprocess.Popen(command, cwd=PROJECT_ROOT) as parent:
        (child,) = wait_until(lambda: children(parent.pid), "the operation's process")
        wait_until(
            lambda: connections_waiting(settings), "the operation to wait for the lock that the test holds"
        )
        parent.kill()
        parent.wait()
        wait_until(lambda: not child.is_running() or child.status() == psutil.STATUS_ZOMBIE, "its end")


def connections_waiting(settings: Settings) -> int:
    statement = (
        "select count(*) from pg_stat_activity"
        " where datname = current_database() and wait_event_type = 'Lock'"
    )
    with connect(settings, Role.WORKER) as connection:
        waiting: int = connection.execute(text(statement)).scalar_one()
    return waiting
