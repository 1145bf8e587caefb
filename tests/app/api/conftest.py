"""The map on which tests call tools over the network."""

from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from tests.support.routers import own_routers
from tests.support.tool_maps import import_open_and_closed
from tests.support.town import Imported


@pytest.fixture(scope="module")
def map_(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Imported]:
    """The town of tools, twice: `tools` is open, `closed` is not."""
    with own_routers(make_database(), tmp_path_factory.mktemp("routers")) as settings:
        yield import_open_and_closed(settings, tmp_path_factory.mktemp("tools"))
