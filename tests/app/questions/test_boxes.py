"""A map whose header's box is half empty: nothing is asked that would have to know what lies there."""

from collections.abc import Callable
from pathlib import Path

import pytest
import shapely

from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verification import Verification
from app.questions.verifying import verify
from app.questions.versions import find_version
from tests.support.town import Map, Place, benchmarks, import_map, offset

BORDER: Place = (10.0, 50.0)
"""Places lie west of its longitude; the box goes as far to the east."""
SPACING = 350.0
CELL_DEGREES = 0.0072
"""The width of a cell of about 500 m at 50 degrees north, and a little more."""
KINDS = ("restaurant", "cafe", "fast_food", "museum", "cafe")


def make_country(is_whole: bool) -> Map:
    """Places west of the border, 16 rows of 12, so that some of each kind lie near it and near no other of the kind."""
    made = Map(box=(9.93, 49.97, 10.07, 50.03), is_whole=is_whole)
    for row in range(-8, 8):
        start = offset(BORDER, 0 if row >= 0 else 180, SPACING * abs(row + 0.5))
        for column in range(12):
            kind = KINDS[(column + 3 * row) % 5]
            key = "tourism" if kind == "museum" else "amenity"
            place = offset(offset(start, 270, 60 + SPACING * column), 37 * column, 11.0 * (row + 8))
            made.node(
                place, name=f"{kind.title()} {row} {column}", **{key: kind, "addr:street": "Border Road"}
            )
    return made


def make_questions(
    settings: Settings, folder: Path, *, is_whole: bool
) -> tuple[list[shapely.Geometry], Verification]:
    """The grounds that questions of such a map look at, and their proof."""
    import_map(settings, make_country(is_whole).write(folder / "country.osm"), "country")
    with connect(settings, Role.WORKER) as connection:
        recipe = Recipe(benchmarks()["gsqa"], find_snapshots(connection, ["country"]), 0, 60, 60, 0.0)
        generated = generate(connection, recipe, lambda *told: None)
        store(connection, "country", 1, generated, SystemClock())
        questions = load_questions(connection, find_version(connection, "country@1"))
        result = verify(connection, questions, lambda done: None)
    looked_at = [one.footprint.area for one in generated.records if one.footprint.uses_outline]
    return [shapely.from_wkb(bytes.fromhex(area)) for area in looked_at if area], result


@pytest.mark.parametrize("is_whole", [False, True])
def test_no_question_looks_into_ground_without_objects(
    make_database: Callable[[], Settings], tmp_path: Path, is_whole: bool
) -> None:
    """Where a .poly file says that the empty half is known to be empty, it is looked into."""
    looked_at, result = make_questions(make_database(), tmp_path, is_whole=is_whole)
    assert len(looked_at) > 100
    farthest = max(area.bounds[2] for area in looked_at)
    assert (farthest < BORDER[0] + CELL_DEGREES) is not is_whole
    assert result.failures == []
    assert result.assumed_edge == (0 if is_whole else len(looked_at))
