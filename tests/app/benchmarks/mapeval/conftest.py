"""A few questions of each template that SQL alone proves, made once for all tests of them."""

from typing import Any

import pytest

from app.core.settings import Role
from app.db.engine import connect
from app.questions.generating import Generated, Recipe, generate
from app.questions.snapshots import find_snapshots
from app.templates.catalogue import Benchmark
from tests.support.sql_alone import of_sql_alone
from tests.support.town import Imported

EACH, SEED = 4, 11
"""So many questions of each template, drawn by this seed."""


def make(map_: Imported, benchmark: Benchmark | None = None, **more: Any) -> Generated:
    """The questions on a map, with further parts of the recipe; of all templates that SQL alone proves, or these."""
    with connect(map_.settings, Role.WORKER) as connection:
        maps = find_snapshots(connection, [map_.name])
        recipe = Recipe(
            benchmark or of_sql_alone("mapeval"), maps, SEED, EACH, EACH, 0.0, register="mixed", **more
        )
        return generate(connection, recipe, lambda *told: None)


@pytest.fixture(scope="session")
def made(liechtenstein: Imported) -> Generated:
    """Those of Liechtenstein."""
    return make(liechtenstein)
