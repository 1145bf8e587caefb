"""Maps that the tests of questions share."""

from collections.abc import Callable

import pytest

from app.core.settings import Settings
from tests.app.questions.places_map import make_places
from tests.support.town import Fill, Imported, import_map


@pytest.fixture(scope="session")
def places(fill_once: Callable[[str, Fill], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The map of places_map.py in a database of its own; read only."""
    made = make_places()
    file = made.write(tmp_path_factory.mktemp("places") / "places.osm")
    settings = fill_once("places", lambda bare: import_map(bare, file, "places"))
    return Imported(settings, "places", file, made)
