"""A place that is mapped as a point and as an area is no two places: counts are refused where one may be doubled."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from app.core.settings import Settings
from app.questions.accepting import Accepted
from app.questions.drawing import OptionsWanted
from tests.support.second_path import answer
from tests.support.town import Asker, Imported, Map, import_map, offset, rectangle

MIDDLE = (10.0, 50.0)
FAR = offset(MIDDLE, 90, 8000)
YARDS = offset(MIDDLE, 0, 6000)


def make_map() -> Map:
    made = Map()
    for place, name in ((MIDDLE, "Mitte"), (FAR, "Rand")):
        made.node(place, tourism="museum", name=f"Museum {name}")
        made.area(
            rectangle(place, 0, 0, 2000, 2000),
            name=f"{name}dorf",
            boundary="administrative",
            admin_level="8",
            wikidata="Q1",
        )
    # 20 m apart, written otherwise; a snack of the same name is another place.
    made.eat(MIDDLE, 0, 300, "Krone")
    made.way(rectangle(offset(MIDDLE, 0, 320), 0, 0, 8, 8), amenity="restaurant", name="KRONE ")
    made.eat(MIDDLE, 90, 300, "Imbiss", "fast_food")
    made.eat(MIDDLE, 90, 310, "Imbiss", "cafe")
    # 31 m apart, and nameless ones at one door.
    made.eat(FAR, 0, 300, "Post")
    made.eat(FAR, 0, 331, "Post")
    made.eat(FAR, 180, 300, None)
    made.eat(FAR, 180, 301, None)
    for number, count in enumerate((12, 6, 3, 1)):
        yard = offset(YARDS, 90, 500 * number)
        made.way(rectangle(yard, 0, 0, 200, 200 + number), landuse="retail", name=f"Hof {'ABCD'[number]}")
        for stand in range(count):
            made.node(offset(yard, 30 * stand, 60), shop="kiosk", name=f"Stand {number} {stand}")
    twin = offset(YARDS, 90, 1500)
    made.node(offset(twin, 180, 50), shop="kiosk", name="Stand 3 0")
    made.way(rectangle(offset(twin, 180, 60), 0, 0, 4, 4), shop="kiosk", name="Stand 3 0")
    made.way(rectangle(offset(YARDS, 90, 2500), 0, 0, 200, 190), landuse="retail", name="Hof E")
    made.node(offset(YARDS, 90, 2500), shop="kiosk", name="Stand 4 0")
    return made


@pytest.fixture(scope="module")
def doubled(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    made, settings = make_map(), make_database()
    file = made.write(tmp_path_factory.mktemp("doubled") / "doubled.osm")
    import_map(settings, file, "doubled")
    return Imported(settings, "doubled", file, made)


@pytest.fixture(scope="module")
def asker(doubled: Imported) -> Iterator[Asker]:
    with doubled.connect() as connection:
        yield Asker.on(connection, doubled.name)


@pytest.mark.parametrize(
    ("where", "category", "expected"),
    [
        ("Mitte", "restaurant", "twice_mapped"),
        ("Mitte", "food", "twice_mapped"),
        ("Mitte", "cafe", 1),
        ("Rand", "restaurant", 4),
    ],
)
def test_counts(asker: Asker, doubled: Imported, where: str, category: str, expected: str | int) -> None:
    for template, parameters in (
        ("T23", {"anchor": doubled.key(f"Museum {where}"), "category": category, "distance": 600.0}),
        ("T24", {"region": doubled.key(f"{where}dorf"), "category": category}),
    ):
        outcome = asker.ask(template, **parameters)
        found = outcome.gold["count"] if isinstance(outcome, Accepted) else outcome
        assert found == expected, template
        refusal = expected if isinstance(expected, str) else None
        assert answer(asker.layers, template, parameters).refusal == refusal
        assert answer(asker.layers, template, parameters, 1).refusal is None


@pytest.mark.parametrize(("last", "expected"), [("D", "twice_mapped"), ("E", None)])
def test_areas_compared_by_what_they_hold(
    asker: Asker, doubled: Imported, last: str, expected: str | None
) -> None:
    aois = sorted(doubled.key(f"Hof {name}") for name in ("A", "B", "C", last))
    published = replace(asker, wanted=OptionsWanted("published"))
    outcome = published.ask("Compare_POI_Count", aois=aois, rank="first")
    assert (None if isinstance(outcome, Accepted) else outcome) == expected
    parameters = {"aois": aois, "rank": "first"}
    assert answer(asker.layers, "Compare_POI_Count", parameters).refusal == expected
    assert answer(asker.layers, "Compare_POI_Count", parameters, 2).refusal is None
