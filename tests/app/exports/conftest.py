"""A town with a data set of each benchmark, four in ten questions hidden, and one without hidden ones; read only."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.exports.exported import Export
from app.exports.versions import read_published
from app.questions.versions import find_version
from perf.runs_peers import ENVIRONMENT
from tests.support.command_line import generate
from tests.support.town import Fill, import_map, make_town

DATASETS = {"open": "gsqa", "choices": "urban_knowledge"}
"""Data sets of the town, and their benchmarks."""
PUBLIC = "all_public"
"""One of gsqa's questions, none of them hidden."""


@pytest.fixture(scope="session")
def datasets(
    fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    """The settings of the town's database, in which both data sets are."""

    def fill(settings: Settings) -> None:
        file = make_town().write(tmp_path_factory.mktemp("exports") / "town.osm")
        import_map(settings, file, "town")
        options = ("--per-template", "4", "--bank", "8")
        for name, benchmark in {**DATASETS, PUBLIC: "gsqa"}.items():
            hidden = "0" if name == PUBLIC else "0.4"
            done = generate(settings, benchmark, "town", name, *options, "--hidden", hidden)
            assert done.status == 0, done.err

    return fill_once("exports", fill)


@pytest.fixture(scope="session")
def read(datasets: Settings) -> Callable[..., Export]:
    """A function that reads a data set as what leaves: (name, with_gold, include_hidden)."""

    def of(name: str, with_gold: bool = False, include_hidden: bool = False) -> Export:
        with connect(datasets, Role.MAINTAINER) as connection:
            version = find_version(connection, name)
            return read_published(connection, version, with_gold, include_hidden, with_places=True)

    return of


@pytest.fixture(scope="session")
def peers() -> Path:
    """The environment that programs of others are installed in; it may lack only where real extracts do."""
    if not (ENVIRONMENT / "bin" / "python").is_file():
        absent = f"{ENVIRONMENT} is absent: scripts/peers makes it"
        if (PROJECT_ROOT.parent / "shared").is_dir():
            pytest.fail(absent)
        pytest.skip(absent)
    return ENVIRONMENT


@pytest.fixture(scope="session")
def ask_peer(peers: Path) -> Callable[..., Any]:
    """A function that runs a Python program in that environment and gives the JSON that it prints."""

    def ask(program: str, *arguments: str) -> Any:
        command = [str(peers / "bin" / "python"), "-W", "ignore", "-c", program, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout.splitlines()[-1])

    return ask
