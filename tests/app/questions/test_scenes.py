"""Hidden places on a hand-checked map: the key, each reason of refusal, and what makes a kind wrong."""

from collections.abc import Callable, Iterator

import pytest

from app.core.class_words import class_word
from app.core.settings import Settings
from tests.support.second_path import answer, wrong_options
from tests.support.town import BOX, Asker, Imported, Map, Place, import_map, offset, rectangle

CORNERS = {(700, 700): "toys", (700, -700): "shoes", (-700, -700): "optician", (-700, 700): "jewelry"}
STREET = {"addr__street": "Long Road", "addr__housenumber": "1"}


def at(middle: Place, east: float, north: float) -> Place:
    up = offset(middle, 0 if north >= 0 else 180, abs(north))
    return offset(up, 90 if east >= 0 else 270, abs(east))


def scene(made: Map, name: str, middle: Place, klass: str = "bakery", street: str = "Long Road") -> None:
    """A hidden shop, three others around it, and a place in each corner."""
    made.node(middle, shop=klass, name=name, **{**STREET, "addr__street": street})
    for number, other in enumerate(("butcher", "florist", "books")):
        made.node(offset(middle, 120 * number, 50 + 10 * number), shop=other)
    for (east, north), corner in CORNERS.items():
        made.node(at(middle, east, north), shop=corner)


@pytest.fixture(scope="module")
def scenes(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    made = Map()
    places = iter(
        [at((10.0, 50.0), 3000 * column, 3000 * row) for row in range(-3, 3) for column in range(-4, 5)]
    )
    middle = next(places)
    scene(made, "Plain", middle)
    made.way(rectangle(middle, 0, 0, 300, 300), landuse="retail", name="Old Market")
    middle = next(places)
    scene(made, "In Scene", middle)
    made.node(offset(middle, 10, 150), shop="bakery")
    middle = next(places)
    scene(made, "Ninth", middle)  # the ninth place around is a bakery: the scene shows eight
    for number in range(5):
        made.node(offset(middle, 60 * number, 100), shop="kiosk")
    made.node(offset(middle, 10, 150), shop="bakery")
    middle = next(places)
    scene(made, "On Circle", middle)
    made.node(offset(middle, 10, 199.5), shop="kiosk")
    middle = next(places)
    scene(made, "Spoilt", middle)  # toys and shoes are to be had nearby: two corners are left
    made.node(offset(middle, 10, 250), shop="toys")
    made.node(offset(middle, 190, 300.5), shop="shoes")
    middle = next(places)
    scene(made, "Spared", middle)  # at 302 m they are not
    made.node(offset(middle, 10, 302), shop="toys")
    scene(made, "Named", next(places), street="Bakery Lane")
    scene(made, "Vague", next(places), klass="yes")
    scene(made, "Crafts", next(places), klass="craft")
    middle = next(places)
    made.node(middle, shop="bakery", name="Lonely", **STREET)
    made.node(offset(middle, 0, 50), shop="butcher")
    scene(made, "Border", offset((BOX[2], 50.15), 270, 290))
    settings = make_database()
    file = made.write(tmp_path_factory.mktemp("scenes") / "scenes.osm")
    import_map(settings, file, "scenes")
    return Imported(settings, "scenes", file, made)


@pytest.fixture(scope="module")
def asker(scenes: Imported) -> Iterator[Asker]:
    with scenes.connect() as connection:
        yield Asker.on(connection, scenes.name)


def test_a_scene_and_its_corners(asker: Asker, scenes: Imported) -> None:
    one = asker.accepted("Infer_POI_From_Scene", scene=scenes.key("Plain"))
    assert one.gold["text"] == "bakery"
    assert one.picked.one("scene").label == (
        "on Long Road in Old Market, near a butcher, a florist and a bookshop"
    )
    wrong = [option["text"] for option in one.distractors or ()]
    assert len(set(wrong)) == 3
    assert set(wrong) < {class_word(one) for one in CORNERS.values()}
    assert len(one.gold["scene"]) == 3


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("In Scene", "in_scene"),
        ("Ninth", "bakery"),
        ("On Circle", "near_circle"),
        ("Spoilt", "too_few_distractors"),
        ("Spared", "bakery"),
        ("Named", "names_itself"),
        ("Border", "leaves_outline"),
    ],
)
def test_scenes_that_are_asked_about(asker: Asker, scenes: Imported, name: str, outcome: str) -> None:
    found = asker.ask("Infer_POI_From_Scene", scene=scenes.key(name))
    assert (found if isinstance(found, str) else found.gold["text"]) == outcome


def test_scenes_that_are_not_offered(asker: Asker, scenes: Imported) -> None:
    offered = asker.values("Infer_POI_From_Scene", "scene")
    for name in ("Vague", "Crafts", "Lonely"):  # shops called shop and craft; one place around
        assert scenes.key(name) not in offered
        assert answer(asker.layers, "Infer_POI_From_Scene", {"scene": scenes.key(name)}).refusal in (
            "no_one_class",
            "too_few_points",
        )


def test_kinds_are_wrong_where_no_such_place_is_near(asker: Asker, scenes: Imported) -> None:
    parameters = {"scene": scenes.key("Spared")}
    second = answer(asker.layers, "Infer_POI_From_Scene", parameters)
    for text, wrong in (
        ("toy shop", True),
        ("toys", False),  # so a tag says it, nobody else  # 302 m away
        ("butcher", False),
        ("shop", False),  # a bakery is one
        ("dragon lair", False),
        ("bakery", False),
    ):
        options = ["the key", text, "x", "y"]
        verdict = wrong_options(asker.layers, "Infer_POI_From_Scene", parameters, second, options, 0)[0]
        assert verdict.wrong is wrong, text
