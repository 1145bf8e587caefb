"""Cities that have too few roads, areas or addresses for options: no question, and a counted reason for every tuple."""

from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.settings import Settings
from app.questions.accepting import accept_questions
from app.questions.drawing import OptionsWanted
from app.questions.terms import Terms
from tests.support.town import Asker, Imported, Map, benchmarks, import_map, offset, rectangle, template_of

TEMPLATES = list(benchmarks()["urban_knowledge"].templates)
MIDDLE = (10.0, 50.0)
ALWAYS = {"Retrieve_Coordinates"}
"""As published, its wrong options are made, not found."""


def make_hamlet() -> Map:
    """Two shops with addresses in two areas, two roads that meet once."""
    made = Map()
    for number, (name, shop) in enumerate((("Haus Korn", "bakery"), ("Haus Wurst", "butcher"))):
        place = offset(MIDDLE, 90, 1000 * number)
        house = {"addr__street": "Hauptweg", "addr__housenumber": str(2 * number + 1)}
        made.node(place, shop=shop, name=name, **house)
        made.way(
            rectangle(place, 0, 0, 200 + number, 200), True, landuse="retail", name=f"Feld {number}", **house
        )
    crossing = made.node(offset(MIDDLE, 0, 50))
    ends = [made.node(offset(offset(MIDDLE, 0, 50), azimuth, 400)) for azimuth in (90, 0)]
    for name, end in zip(("Hauptweg", "Nebenweg"), ends, strict=True):
        made.through([crossing, end], highway="residential", name=name)
    return made


def make_empty() -> Map:
    """Nothing that has a name."""
    made = Map()
    made.node(MIDDLE, shop="bakery")
    return made


@pytest.mark.parametrize("make", [make_hamlet, make_empty])
def test_too_little_gives_reasons_and_no_questions(
    make_database: Callable[[], Settings], tmp_path: Path, make: Callable[[], Map]
) -> None:
    settings = make_database()
    import_map(settings, make().write(tmp_path / "city.osm"), "city")
    with Imported(settings, "city", tmp_path).connect() as connection:
        asker = Asker.on(connection, "city")
        for name in TEMPLATES:
            terms = Terms(0, wanted=OptionsWanted("published" if name in ALWAYS else "hard"))
            outcome = accept_questions(asker.ground, template_of(name), terms, 1000, set())
            assert len(outcome.accepted) + sum(outcome.refused.values()) == outcome.capacity > 0, name
            assert "second_path_disagrees" not in outcome.refused, (name, outcome.refused)
            asked = name in ALWAYS and make is make_hamlet
            assert bool(outcome.accepted) == asked, (name, outcome.refused)
