"""A town with a data set of each benchmark, four in ten questions hidden, and one without hidden ones; read only."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.exports.exported import Export
from app.exports.versions import read_published
from app.questions.versions import find_version
from tests.support.command_line import generate
from tests.support.peers import find_peers
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
    """The environment that programs of others are installed in."""
    return find_peers()
