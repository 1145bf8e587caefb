"""Pictures need mapnik and its fonts, which are optional."""

import pytest

from app.drawing.engine import say_what_is_missing


@pytest.fixture(autouse=True, scope="session")
def drawing_engine() -> None:
    """Skips where mapnik or a font is absent."""
    if say_what_is_missing():
        pytest.skip("mapnik or its fonts are absent: scripts/visual installs them")
