"""What a wrong option denies is true of nothing on the map, by all tags, whether a layer keeps it or not.

Five hidden shops with information boards, private gardens and named buildings around, 3 km from each other.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from app.core.settings import Settings
from app.questions.drawing import OptionsWanted
from tests.support.second_path import answer, wrong_options
from tests.support.town import Asker, Imported, Map, Place, import_map, offset, rectangle

CLASSES = {
    "Alpenblick": {"shop": "bakery"},
    "Bergruh": {"shop": "butcher"},
    "Chalet": {"amenity": "bank"},
    "Dorfkern": {"shop": "books"},
    "Enzian": {"tourism": "information", "information": "office"},
    "Felsen": {"leisure": "garden"},
}
MIDDLE = (10.0, 50.0)


def spot(name: str) -> Place:
    return offset(MIDDLE, 90, 3000 * list(CLASSES).index(name))


def make_map() -> Map:
    made = Map()
    for name, tags in CLASSES.items():
        street = {"addr__street": f"{name}weg", "addr__housenumber": "1"}
        made.node(spot(name), name=name, **tags, **street)
        for number, shop in enumerate(("kiosk", "tailor", "optician")):
            made.node(offset(spot(name), 120 * number, 50 + 5 * number), shop=shop)
    # A board 250 m off that no layer of places keeps; a private garden.
    made.node(offset(spot("Alpenblick"), 45, 250), tourism="information", information="board")
    made.way(rectangle(offset(spot("Bergruh"), 45, 200), 0, 0, 10, 10), leisure="garden", access="private")
    # A bank whose tags say that it has books, too; a board that bears the butcher's name.
    made.node(offset(MIDDLE, 0, 2000), amenity="bank", name="Gletscher", sells="books;postcards")
    made.node(offset(MIDDLE, 180, 2000), tourism="information", information="map", name="BERGRUH")
    return made


@pytest.fixture(scope="module")
def denied(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    made, settings = make_map(), make_database()
    file = made.write(tmp_path_factory.mktemp("denied") / "denied.osm")
    import_map(settings, file, "denied")
    return Imported(settings, "denied", file, made)


@pytest.fixture(scope="module")
def asker(denied: Imported) -> Iterator[Asker]:
    with denied.connect() as connection:
        yield replace(Asker.on(connection, denied.name), wanted=OptionsWanted("hard"))


def shown(asker: Asker, template: str, **parameters: str) -> set[str]:
    """All options that any of 40 seeds shows beside the key."""
    drawn = asker.drawn(template, 40, 1, **parameters)
    return {option for one in drawn for option in one.options or ()} - {drawn[0].gold["text"]}


def test_a_scene_denies_nothing_that_a_layer_leaves_out(asker: Asker, denied: Imported) -> None:
    board, garden, plain = (
        shown(asker, "Infer_POI_From_Scene", scene=denied.key(name))
        for name in ("Alpenblick", "Bergruh", "Chalet")
    )
    assert "tourist information office" not in board
    assert "garden" in board
    assert "garden" not in garden
    assert "tourist information office" in garden
    assert {"tourist information office", "garden"} <= plain


def test_a_category_is_denied_by_all_tags(asker: Asker, denied: Imported) -> None:
    assert "tourist information office" not in shown(asker, "Classify_POI", poi=denied.key("Bergruh"))
    assert "tourist information office" in shown(asker, "Classify_POI", poi=denied.key("Alpenblick"))
    assert "bookshop" not in shown(asker, "Classify_POI", poi=denied.key("Gletscher"))
    assert "bookshop" in shown(asker, "Classify_POI", poi=denied.key("Alpenblick"))


def test_a_place_of_a_category_is_denied_by_all_that_bear_its_name(asker: Asker, denied: Imported) -> None:
    assert "Bergruh" not in shown(asker, "Find_Instances_By_Type", poi=denied.key("Enzian"))
    assert "Gletscher" not in shown(asker, "Find_Instances_By_Type", poi=denied.key("Dorfkern"))
    assert {"Bergruh", "Gletscher"} <= shown(asker, "Find_Instances_By_Type", poi=denied.key("Alpenblick"))


@pytest.mark.parametrize(
    ("template", "parameter", "subject", "text", "since"),
    [
        ("Infer_POI_From_Scene", "scene", "Alpenblick", "information", 4),
        ("Infer_POI_From_Scene", "scene", "Bergruh", "garden", 4),
        ("Classify_POI", "poi", "Bergruh", "information", 2),
        ("Classify_POI", "poi", "Gletscher", "books", 2),
        ("Find_Instances_By_Type", "poi", "Enzian", "Bergruh", 2),
        ("Find_Instances_By_Type", "poi", "Dorfkern", "Gletscher", 2),
        ("Find_Nearest_POI", "poi", "Chalet", "Bergruh", 3),
    ],
)
def test_the_second_path_sees_it_and_judges_earlier_versions_as_before(
    asker: Asker, denied: Imported, template: str, parameter: str, subject: str, text: str, since: int
) -> None:
    parameters = {parameter: denied.key(subject)}
    for version, wrong in ((since - 1, True), (since, False), (None, False)):
        second = answer(asker.layers, template, parameters, version)
        options = [second.value["text"], text]
        (verdict,) = wrong_options(asker.layers, template, parameters, second, options, 0, version)
        if template != "Find_Nearest_POI" or not wrong:
            assert verdict.wrong is wrong, (version, verdict.why)


# --- names over all layers ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shared(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Asker]:
    """Six areas of clearly other sizes; a building, a helipad and a suburb share a name with three of them."""
    made, settings = Map(), make_database()
    for number, name in enumerate(("Alm", "Bann", "Cron", "Spital", "Bank", "Vorstadt", "Damm")):
        middle = offset(MIDDLE, 90, 900 * number)
        use = {"amenity": "hospital"} if name == "Spital" else {"landuse": "retail"}
        made.way(rectangle(middle, 0, 0, 100 * (number + 1), 100), name=name, **use)
        road = [offset(middle, azimuth, 30) for azimuth in (270, 90)]
        made.way(road, closed=False, highway="residential", name=f"{name}gasse")
    made.node(offset(MIDDLE, 0, 700), aeroway="helipad", name="Spital")
    made.way(rectangle(MIDDLE, 0, 3000, 30, 30), building="yes", name="bank ")
    made.area(rectangle(MIDDLE, 0, 9000, 500, 500), place="suburb", name="Vorstadt")
    file = made.write(tmp_path_factory.mktemp("shared") / "shared.osm")
    import_map(settings, file, "shared")
    with Imported(settings, "shared", file, made).connect() as connection:
        yield Asker.on(connection, "shared")


@pytest.mark.parametrize("template", ["Compare_Area_Size", "Compare_POI_Count"])
def test_areas_are_compared_whose_names_nothing_else_has(shared: Asker, template: str) -> None:
    assert len(shared.values(template, "aois")) == 4


def test_roads_are_asked_about_in_areas_whose_names_nothing_else_has(shared: Asker) -> None:
    assert len(shared.values("Find_Junctions", "stretch")) == 4
    assert len(shared.values("Identify_Connections", "stretch")) == 4


def test_the_second_path_knows_who_shares_a_name(shared: Asker) -> None:
    keys = sorted(row.osm_key for row in shared.layers["aoi"].rows if row.name in ("Alm", "Bann", "Cron"))
    for name, refusal in (("Damm", None), ("Spital", "name_not_unique"), ("Bank", "name_not_unique")):
        (key,) = (row.osm_key for row in shared.layers["aoi"].rows if row.name == name)
        parameters = {"aois": sorted([*keys, key]), "rank": "largest"}
        assert answer(shared.layers, "Compare_Area_Size", parameters).refusal == refusal
        assert answer(shared.layers, "Compare_Area_Size", parameters, 2).refusal is None
