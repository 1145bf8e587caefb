"""A town on the antimeridian: questions look over it, and both paths see the same."""

from collections.abc import Callable

import pytest

from app.core.clock import SystemClock
from app.core.settings import Settings
from app.questions.generating import Recipe, generate
from app.questions.second_path import Layers
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verifying import verify
from app.questions.versions import find_version
from tests.support.town import Asker, Imported, Map, apart, benchmarks, import_map, offset

CENTRE = (180.0, -16.8)
BOX = (179.9, -16.9, -179.9, -16.7)


def make_islands() -> Map:
    """Two shores with places to eat, on one and the other in turn; the nearest to Hotel East lies across the line."""
    islands = Map(box=BOX)
    for number in range(-5, 6):
        for side, kind in ((250, "restaurant"), (280, "cafe")):
            place = offset(CENTRE, 0, 900.0 * number + 3 * side)
            where = offset(place, 270 if number % 2 else 90, side)
            islands.eat(where, 0, 0, f"{kind.title()} {number}", kind, **{"addr:street": "Shore Road"})
    islands.node(offset(CENTRE, 90, 200), tourism="hotel", name="Hotel East")
    islands.node(offset(CENTRE, 270, 200), tourism="hotel", name="Hotel West")
    return islands


@pytest.fixture(scope="module")
def islands(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    settings, drawn = make_database(), make_islands()
    file = drawn.write(tmp_path_factory.mktemp("islands") / "islands.osm")
    import_map(settings, file, "islands")
    return Imported(settings, "islands", file, drawn)


def test_the_line_is_no_end_of_the_map(islands: Imported) -> None:
    with islands.connect() as connection:
        layers: Layers = Asker.on(connection, "islands").layers
    for lon in (179.999, -179.999, 180.0, -180.0):
        inside, room = layers.room(lon, -16.8) or (False, 0.0)
        to_the_side, _ = apart((lon, -16.8), (179.9 if lon > 0 else -179.9, -16.8))
        assert inside
        assert room == pytest.approx(min(to_the_side, apart((lon, -16.8), (lon, -16.7))[0]), rel=1e-3)


def test_questions_look_over_the_line(islands: Imported) -> None:
    drawn = islands.map
    assert drawn is not None
    with islands.connect() as connection:
        asker = Asker.on(connection, "islands")
        east, west = islands.key("Hotel East"), islands.key("Hotel West")
        found = asker.ask("T5", anchor=east, category="restaurant")
        assert not isinstance(found, str), found
        nearest = min(
            (key for name, key in drawn.names.items() if name.startswith("Restaurant")),
            key=lambda key: apart(drawn.places[east], drawn.places[key])[0],
        )
        assert drawn.places[nearest][0] > 0 > drawn.places[east][0]
        assert nearest in str(found.derived.evidence)
        away = asker.ask("T17", anchor=west, category="restaurant")
        assert not isinstance(away, str), away


def test_what_is_made_there_is_proved(islands: Imported) -> None:
    with islands.connect() as connection:
        recipe = Recipe(benchmarks()["gsqa"], find_snapshots(connection, ["islands"]), 0, 30, 30, 0.0)
        generated = generate(connection, recipe, lambda *told: None)
        store(connection, "islands", 1, generated, SystemClock())
        questions = load_questions(connection, find_version(connection, "islands@1"))
        result = verify(connection, questions, lambda done: None)
    assert result.failures == []
    assert result.questions > 100
    assert result.assumed_edge == 0
