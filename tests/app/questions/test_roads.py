"""Questions about roads on a hand-checked map: keys, each reason of refusal, and what makes an option wrong."""

from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from tests.app.questions.roads_map import make_roads
from tests.town import Asker, Imported, import_map


@pytest.fixture(scope="module")
def roads(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The map of roads_map.py; read only."""
    made = make_roads()
    file = made.write(tmp_path_factory.mktemp("roads") / "roads.osm")
    settings = make_database()
    import_map(settings, file, "roads")
    return Imported(settings, "roads", file, made)


@pytest.fixture(scope="module")
def asker(roads: Imported) -> Iterator[Asker]:
    with roads.connect() as connection:
        yield Asker.on(connection, roads.name)


def test_a_road_is_all_its_drivable_ways(asker: Asker, roads: Imported) -> None:
    one = asker.accepted("Query_Length", road=roads.key("Twin Street"))
    assert one.gold["text"] == "650 m"
    assert one.gold["length"] == pytest.approx(650.2, abs=0.05)
    assert len(one.gold["objects"]) == 2
    assert one.options is not None
    assert sorted(one.options) == sorted(["650 m", "100 m", "1300 m", "1951 m"])
    assert set(one.derived.evidence) == {("road", key) for key in one.gold["objects"]}


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("Just Long Enough", "300 m"),
        ("Just Too Short", "too_short"),
        ("Half a Metre", "near_rounding"),
        ("Leaving", "leaves_outline"),
        ("Ending", "leaves_outline"),
    ],
)
def test_lengths_that_are_asked_for(asker: Asker, roads: Imported, name: str, outcome: str) -> None:
    found = asker.ask("Query_Length", road=roads.key(name))
    assert (found if isinstance(found, str) else found.gold["text"]) == outcome


def test_roads_that_are_offered(asker: Asker, roads: Imported) -> None:
    offered = set(asker.values("Query_Length", "road"))
    assert roads.key("Twin Street") in offered
    for name in ("Gasse", "GASSE", "Foot Only"):  # two that read alike, and one that is not for cars
        assert roads.key(name) not in offered
