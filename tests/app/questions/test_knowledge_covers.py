"""Find_Cover_AOI_All on a little map: the area by hand, what is nested, what is refused."""

from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from app.questions.accepting import Accepted, accept_questions
from app.questions.terms import Terms
from tests.support.town import Asker, Imported, Map, area_of, import_map, offset, rectangle, template_of

MIDDLE = (10.0, 50.0)
NESTED = [f"Ring {word}" for word in "One Two Three Four Five Six Seven Eight Nine Ten".split()]


def make_map() -> Map:
    """Ten areas around three stalls; five plain courts; one whose stall stands at its edge; one of nearly another's size."""
    made = Map()
    for number, name in enumerate(NESTED):
        made.way(rectangle(MIDDLE, 0, 0, 100 + 40 * number, 100), landuse="retail", name=name)
    _stalls(made, MIDDLE, "Core")
    for number, name in enumerate(("Yard Green", "Yard White", "Yard Black", "Yard Brown", "Yard Amber")):
        place = offset(MIDDLE, 0, 1000 + 300 * number)
        made.way(rectangle(place, 0, 0, 100, 100), landuse="industrial", name=name)
        _stalls(made, place, name.removeprefix("Yard "))
    edge = offset(MIDDLE, 180, 1000)
    ring = rectangle(edge, 0, 0, 100, 100)
    made.way(ring, landuse="industrial", name="Yard Edge")
    _stalls(made, edge, "Edge")
    made.node(offset((ring[0][0], edge[1]), 90, 0.5), shop="kiosk", name="Edge Four")
    twins = offset(MIDDLE, 180, 2000)
    for wide, name in ((100.0, "Yard Twin"), (100.5, "Yard Sister")):
        made.way(rectangle(twins, 0, 0, wide, 100), landuse="industrial", name=name)
    _stalls(made, twins, "Twin")
    own = offset(MIDDLE, 180, 3000)
    made.way(rectangle(own, 0, 0, 100, 100), landuse="industrial", name="Yard Own")
    _stalls(made, own, "Own")
    made.way(rectangle(own, 0, 0, 200, 200), landuse="industrial", name="Own Two")
    return made


def _stalls(made: Map, place: tuple[float, float], name: str) -> None:
    for number, word in enumerate(("One", "Two", "Three")):
        made.node(offset(place, 120 * number, 15), shop="kiosk", name=f"{name} {word}")


@pytest.fixture(scope="module")
def courts(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    made = make_map()
    file = made.write(tmp_path_factory.mktemp("courts") / "courts.osm")
    settings = make_database()
    import_map(settings, file, "courts")
    return Imported(settings, "courts", file, made)


@pytest.fixture(scope="module")
def asker(courts: Imported) -> Iterator[Asker]:
    with courts.connect() as connection:
        yield Asker.on(connection, courts.name)


def stalls(courts: Imported, name: str, *more: str) -> list[str]:
    return sorted(courts.key(f"{name} {word}") for word in ("One", "Two", "Three", *more))


def test_the_area_around_all(asker: Asker, courts: Imported) -> None:
    for one in asker.drawn("Find_Cover_AOI_All", 16, 6, pois=stalls(courts, "Green")):
        assert one.gold["text"] == "Yard Green"
        assert one.gold["objects"] == [courts.key("Yard Green")]
        assert one.options
        assert one.options[one.gold["index"]] == "Yard Green"
        assert all(f"Green {word}" in one.picked.one("pois").label for word in ("One", "Two", "Three"))
        assert set(one.derived.names) == {"Green One", "Green Two", "Green Three"}


def test_of_ten_nested_areas_the_smallest_and_none_of_the_others(asker: Asker, courts: Imported) -> None:
    for one in asker.drawn("Find_Cover_AOI_All", 16, 6, pois=stalls(courts, "Core")):
        assert one.gold["text"] == NESTED[0]
        assert one.options
        assert not set(one.options) & set(NESTED[1:])
    assert area_of(rectangle(MIDDLE, 0, 0, 100, 100)) < area_of(rectangle(MIDDLE, 0, 0, 140, 100))


@pytest.mark.parametrize(
    ("name", "more", "reason"),
    [
        ("Edge", ("Four",), "near_area_edge"),  # half a metre inside
        ("Twin", (), "margin"),  # the next one is half a percent larger
        ("Own", (), "names_itself"),  # the larger area is called like one of the places
    ],
)
def test_it_is_refused(asker: Asker, courts: Imported, name: str, more: tuple[str, ...], reason: str) -> None:
    assert asker.ask("Find_Cover_AOI_All", pois=stalls(courts, name, *more)) == reason


def test_every_set_is_accepted_or_counted(asker: Asker) -> None:
    outcome = accept_questions(asker.ground, template_of("Find_Cover_AOI_All"), Terms(0), 10**6, set())
    assert len(outcome.accepted) + sum(outcome.refused.values()) == outcome.capacity
    assert outcome.accepted
    assert "second_path_disagrees" not in outcome.refused
    assert all(isinstance(one, Accepted) for one in outcome.accepted)
