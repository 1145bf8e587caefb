"""Published questions of MapQA answered again from a map that is imported here: a village checked by hand, and a country."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.benchmarks.mapqa.rechecks.asked import Asked, read_words
from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.command_line import trigpoint
from tests.support.published_mapqa import Place, write_release
from tests.support.service import patient_client, serving
from tests.support.town import Map, import_map, offset, rectangle

MILL = (-88.0, 42.0)
BOX = (-88.1, 41.9, -87.9, 42.1)


def at(azimuth: float, metres: float) -> tuple[float, float]:
    return offset(MILL, azimuth, metres)


def make_village() -> Map:
    """What there is now. Crust, the bakery 35 m from the mill, and Well, the pub in the south, are no more."""
    village = Map(box=BOX)
    village.node(MILL, tourism="museum", name="Mill")
    village.node(at(0, 30), shop="bakery", name="Oven")
    village.node(at(0, 1000), amenity="pub", name="Inn")
    village.node(at(90, 60), amenity="restaurant", name="Hall")
    village.node(at(180, 200), amenity="pub", name="Spring")
    for metres in (2000, 2040):
        village.node(at(90, metres), shop="kiosk", name="Twin")
    middle = village.node(at(270, 900))
    for name, azimuth in (("North Road", 0), ("West Road", 270)):
        end = village.node(offset(village.places[middle], azimuth, 100))
        village.through([middle, end], highway="residential", name=name)
    village.node(at(225, 3000), amenity="cafe", name="Bean")
    village.way(rectangle(MILL, 0, -2000, 300, 200), leisure="park", name="Green")
    return village


def place(name: str, osm_id: int, where: tuple[float, float]) -> Place:
    return name, osm_id, where[1], where[0]


ANCHOR = place("Mill", 1, MILL)
ON_PLANE: Place = ("Mill", 1, 5160979.44, -9796115.19)
OVEN, INN, HALL = place("Oven", 2, at(0, 30)), place("Inn", 3, at(0, 1000)), place("Hall", 4, at(90, 60))
SPRING, WELL = place("Spring", 5, at(180, 200)), place("Well", 905, at(180, 150))
CRUST = place("Crust", 902, at(45, 35))
TWIN, BEYOND = place("Twin", 907, at(90, 2020)), place("Beyond", 908, at(90, 20_000))
GREEN = place("Green", 909, at(180, 2000))
PUBLISHED: Mapping[str, Sequence[tuple[str, str, str, Sequence[Place]]]] = {
    "adjacent_dataset": [
        ("1", "What bakery is next to Mill?", "Oven; Crust", [ANCHOR, OVEN, CRUST]),
        ("2", "What bakery is beside Mill?", "Oven", [ANCHOR, OVEN]),
    ],
    "amenities_dataset": [
        ("1", "What amenity is available at Inn?", "pub", [INN]),
        ("2", "What amenity is available at Hall?", "cafe", [HALL]),
        ("3", "What amenity is available at Well?", "pub", [WELL]),
    ],
    "amenities_around_dataset": [
        ("1", "What are the amenities within 100m of Mill?", "cafe; restaurant", [("Mill", 1, -88.0, 42.0)]),
        ("2", "What are the amenities within 100m of Mill?", "bench; restaurant", [("Mill", 1, -88.0, 42.0)]),
    ],
    "amenities-around-specific": [
        ("1", "What pubs are within 50m of Spring?", "Well", [SPRING, WELL]),
    ],
    "compare-closer": [
        ("1", "Which is closer to Mill, Inn or Oven?", "Oven", [ANCHOR, INN, OVEN]),
    ],
    "direction_nearest_dataset": [
        ("1", "What is the nearest pub found north of Mill?", "Inn", [ON_PLANE, INN]),
        ("2", "What is the nearest pub found south of Mill?", "Well", [ON_PLANE, WELL]),
    ],
    "distance_dataset": [
        ("1", "How far is Mill from Inn?", "1344.96 meters", [ANCHOR, INN]),
        ("2", "How far is Mill from Oven?", "400.00 meters", [ANCHOR, OVEN]),
        ("3", "How far is Mill from Twin?", "2700.00 meters", [ANCHOR, TWIN]),
        ("4", "How far is Mill from Beyond?", "27000.00 meters", [ANCHOR, BEYOND]),
        ("5", "How far is Mill from Lost Stop?", "70.00 meters", [ANCHOR, place("Lost Stop", 910, at(0, 52))]),
    ],
    "intersection_dataset": [
        ("0", "Which pub is closest to where North Road meets West Road?", "Spring", [SPRING]),
        ("1", "Which pub is closest to the corner of North Road and South Road?", "Spring", [SPRING]),
    ],
    "nearest_amenity_dataset": [
        ("1", "What is the nearest pub around Green?", "Spring", [GREEN, SPRING]),
        ("2", "Where do people drink around Green?", "Spring", [GREEN, SPRING]),
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def loaded(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Settings:
    settings = make_database()
    folder = tmp_path_factory.mktemp("release")
    import_map(settings, make_village().write(folder / "village.osm"), "village")
    write_release(folder / "wales", PUBLISHED)
    done = trigpoint(settings, "load", "mapqa", str(folder / "wales"), "--out", "small")
    assert done.status == 0, done.err
    return settings


def told(settings: Settings, dataset: str, on_map: str, *more: str) -> Any:
    done = trigpoint(settings, "recheck", dataset, "--map", on_map, *more, "--json")
    assert done.status == 0, done.err
    (found,) = [one for one in done.json["maps"] if one["snapshot"].startswith(on_map)]
    return found


def test_each_question_is_answered_again_from_the_map(loaded: Settings, tmp_path: Path) -> None:
    found = told(loaded, "small", "village", "--markdown", str(tmp_path / "report.md"))
    said = {one["key"].removeprefix("wales/"): (one["outcome"], one["working"]) for one in found["items"]}
    assert {key: outcome for key, (outcome, _) in said.items()} == {
        "adjacent/1": "changed",
        "adjacent/2": "agrees still",
        "amenities/1": "agrees still",
        "amenities/2": "changed",
        "amenities/3": "object gone",
        "amenities_around/1": "changed",
        "amenities_around/2": "agrees still",
        "amenities_around_specific/1": "changed",
        "compare_closer/1": "agrees still",
        "direction_nearest/1": "agrees still",
        "direction_nearest/2": "changed",
        "distance/1": "agrees still",
        "distance/2": "changed",
        "distance/3": "not matched",
        "distance/4": "not matched",
        "distance/5": "not matched",
        "intersection/0": "agrees still",
        "intersection/1": "not matched",
        "nearest_amenity/1": "agrees still",
        "nearest_amenity/2": "not matched",
    }
    for key, words in (
        ("adjacent/1", "no longer Crust"),
        ("amenities/2", "Hall (n4) is restaurant; the key is cafe"),
        ("amenities_around/1", "no longer cafe"),
        ("amenities_around/2", "Not compared, as the map has no place of that kind: bench"),
        (
            "direction_nearest/2",
            "Spring, 270 m away, not Well. Nothing within 250 m of its place is called Well",
        ),
        ("distance/3", "2 objects there are called Twin (n6, n7)"),
        ("distance/4", "Beyond lies beyond the edge of the map"),
        ("distance/5", "or of a kind that maps here do not keep"),
        ("intersection/1", "North Road and South Road are not both names of roads on the map"),
        ("nearest_amenity/2", "not those of the published wordings"),
    ):
        assert words in said[key][1]
    assert found["outcomes"] == {"agrees still": 8, "changed": 6, "object gone": 1, "not matched": 5}
    written = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert f"## What {found['snapshot']} says now" in written
    assert "| amenities | 1 | 1 | 1 | 0 |" in written


def test_answering_again_replaces_what_the_map_said(loaded: Settings) -> None:
    assert told(loaded, "small", "village")["items"] == told(loaded, "small", "village")["items"]
    with connect(loaded, Role.WORKER) as connection:
        assert connection.execute(text("select count(*) from trigpoint.question_on_map")).scalar_one() == 20


def test_only_an_open_data_set_shows_what_a_map_says(loaded: Settings) -> None:
    told(loaded, "small", "village")
    rows = text("select count(*) from trigpoint.question_on_map")
    with serving(loaded) as address, patient_client(address) as client:
        with connect(loaded, Role.API) as connection:
            assert connection.execute(rows).scalar_one() == 0
        assert client.get("/datasets/small/recheck").status_code == 404
        assert trigpoint(loaded, "imported", "open", "small", "--licence", "CC-BY-4.0").status == 0
        (said,) = client.get("/v1/datasets/small/recheck").json()["maps"]
        page = client.get("/datasets/small/recheck").text
    assert said["outcomes"]["changed"] == 6
    assert f'data-map="{said["snapshot"]}"' in page
    assert '<td class="number" data-cell="object gone">1</td>' in page


def test_a_map_of_another_region_is_refused_and_nothing_is_stored(loaded: Settings, tmp_path: Path) -> None:
    rows = {
        "amenities_dataset": [("1", "What amenity is available at Inn?", "pub", [("Inn", 77, 10.0, 10.0)])]
    }
    assert (
        trigpoint(loaded, "load", "mapqa", str(write_release(tmp_path / "far", rows)), "--out", "far").status
        == 0
    )
    done = trigpoint(loaded, "recheck", "far", "--map", "village")
    assert (
        done.status,
        "None of the 1 questions of far@1 is about a place on the map village@" in done.err,
    ) == (1, True)
    with connect(loaded, Role.WORKER) as connection:
        statement = "select count(*) from trigpoint.question_recheck join trigpoint.question using (version_id) where template = 'far'"
        assert connection.execute(text(statement)).scalar_one() == 0
    assert (
        "There is no published snapshot 'nowhere'"
        in trigpoint(loaded, "recheck", "far", "--map", "nowhere").err
    )


@pytest.mark.parametrize(
    ("template", "words", "asked"),
    [
        ("adjacent", "What arts_centre neighbors Halsted & 18th Street?", Asked(frozenset({"arts_centre"}))),
        ("adjacent", "What ice_cream is beside Bao", Asked(frozenset({"ice_cream"}))),
        ("nearest_amenity", "What is the closest desk found near X?", Asked(frozenset({"desk"}))),
        ("nearest_amenity", "What auto_towing is closest to Lake?", Asked(frozenset({"auto_towing"}))),
        ("nearest_amenity", "What is the nearest salon in the vicinity of X?", Asked(frozenset({"salon"}))),
        (
            "direction_nearest",
            "What is the closest doctors;pharmacy positioned north of Miles Station?",
            Asked(frozenset({"doctors;pharmacy"}), "north"),
        ),
        (
            "intersection",
            "Which Furniture Maker is nearest to the intersection of 1000E and 1050th Street?",
            Asked(frozenset({"Furniture Maker", "Furniture_Maker"}), None, ("1000E", "1050th Street")),
        ),
        ("distance", "How far is X from Y?", Asked()),
        ("adjacent", "Where is X?", Asked()),
    ],
)
def test_the_words_of_the_files_are_read(template: str, words: str, asked: Asked) -> None:
    assert read_words(template, words) == asked


def test_plurals_of_the_files_are_read() -> None:
    for words, kind in (
        ("Which atms are within 50m of Bank of America?", "atm"),
        ("What benchs exist within 50m of Chang Memorial Bench?", "bench"),
        ("What are the bars located within 50m of Chalamo?", "bar"),
        ("What bars can be found within 50m of O'Callaghan's?", "bar"),
        ("What libraries are within 50m of X?", "library"),
    ):
        assert kind in read_words("amenities_around_specific", words).kinds, words
