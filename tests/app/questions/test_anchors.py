"""Which places GS-QA measures from, on a small map: told apart by city, grounds too, each with something of where it is."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from app.core.settings import Settings
from app.questions.accepting import Accepted
from app.questions.picking import open_space
from tests.support.second_path import answer
from tests.support.town import Asker, Imported, Map, Place, import_map, offset, rectangle, template_of

MIDDLE: Place = (10.0, 50.0)
EAST = offset(MIDDLE, 90, 8000)
NOWHERE = offset(MIDDLE, 270, 8000)


def make_map() -> Map:
    """Two villages, eight kilometres apart, and fields in which nothing but a tag says where one is."""
    made = Map()
    for place, name in ((MIDDLE, "Adorf"), (EAST, "Bdorf")):
        made.area(rectangle(place, 0, 0, 4000, 4000), name=name, boundary="administrative", admin_level="8")
        made.node(offset(place, 0, 500), tourism="museum", name="Heimatmuseum", addr__country="AT")
        made.eat(place, 180, 300, f"Krone {name}")
    made.way(rectangle(MIDDLE, 800, 0, 400, 400), leisure="park", name="Stadtpark", addr__country="AT")
    made.node(offset(MIDDLE, 90, 1500), tourism="hotel", name="Post", addr__country="AT")
    made.node(offset(NOWHERE, 0, 100), tourism="hotel", name="POST ", addr__country="AT")
    made.node(offset(MIDDLE, 270, 500), tourism="gallery", name="Blau; Rot", addr__country="AT")
    made.node(
        offset(MIDDLE, 270, 900),
        tourism="viewpoint",
        name="Wilde Höhe",
        addr__street="Höhenweg",
        addr__country="AT",
    )
    made.eat(MIDDLE, 0, 1200, "Linde;Zur Linde", "cafe")
    made.eat(MIDDLE, 0, 1600, "Eck", "cafe")
    return made


@pytest.fixture(scope="module")
def imported(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    made = make_map()
    file = made.write(tmp_path_factory.mktemp("anchors") / "anchors.osm")
    settings = make_database()
    import_map(settings, file, "anchors")
    return Imported(settings, "anchors", file, made)


@pytest.fixture(scope="module")
def asker(imported: Imported) -> Iterator[Asker]:
    with imported.connect() as connection:
        yield Asker.on(connection, imported.name)


@pytest.fixture(scope="module")
def labels(asker: Asker) -> dict[str, str]:
    """By key: how a text names each anchor."""
    space = open_space(asker.connection, template_of("T5"), 0, asker.snapshot.outline)
    return {str(pick.value): pick.label for pick in space.choices["anchor"]}


def test_anchors_are_told_by_city_and_country(labels: dict[str, str]) -> None:
    assert sorted(labels.values()) == [
        "Heimatmuseum (museum, Adorf, Austria)",
        "Heimatmuseum (museum, Bdorf, Austria)",
        "Stadtpark (park, Adorf, Austria)",
        "Wilde Höhe (viewpoint, Höhenweg, Adorf, Austria)",
    ]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Post", "anchor_not_unique"),  # of the other of that name nobody knows the city
        ("Blau; Rot", "two_names"),
        ("Krone Adorf", "not_an_anchor"),
    ],
)
def test_others_are_refused_by_the_second_path(
    asker: Asker, imported: Imported, labels: dict[str, str], name: str, reason: str
) -> None:
    key = imported.key(name)
    assert key not in labels
    assert answer(asker.layers, "T5", {"anchor": key, "category": "restaurant"}).refusal == reason


def test_a_place_of_which_nothing_says_where_it_is_is_refused(asker: Asker, imported: Imported) -> None:
    """Of the first version's questions it was enough that nobody else had the name."""
    layers = asker.layers
    position = layers["poi"].position[imported.key("Wilde Höhe")]
    bare = layers["poi"].rows[position]._replace(tags={"tourism": "viewpoint"})
    rows = {"poi": [row if row.osm_key != bare.osm_key else bare for row in layers["poi"].rows]}
    without = type(layers).from_rows(rows, bytes.fromhex(asker.snapshot.outline or ""))
    asked = {"anchor": bare.osm_key, "category": "restaurant"}
    assert answer(without, "T5", asked).refusal == "place_not_told"
    assert answer(without, "T5", asked, 2).refusal is None


def test_a_ground_is_measured_from(asker: Asker, imported: Imported) -> None:
    park = imported.key("Stadtpark")
    assert asker.accepted("T5", anchor=park, category="restaurant").gold["names"] == ["Krone Adorf"]


def test_both_museums_of_one_name_are_asked_from(asker: Asker, labels: dict[str, str]) -> None:
    """The first version of T6 and its like would refuse either."""
    keys = sorted(key for key, label in labels.items() if label.startswith("Heimatmuseum"))
    found = [asker.accepted("T5", anchor=key, category="restaurant").gold["names"] for key in keys]
    assert sorted(found) == [["Krone Adorf"], ["Krone Bdorf"]]
    old = answer(asker.layers, "T5", {"anchor": keys[0], "category": "restaurant"}, 2)
    assert old.refusal == "anchor_not_unique"


OWN: dict[str, dict[str, Any]] = {
    "T1": {"distance": 900.0},
    "T5": {},
    "T9": {"sector": 0},
    "T21": {"distance": 900.0},
    "T23": {"distance": 900.0},
    "T25": {"distance": 900.0},
    "T26": {},
}


@pytest.mark.parametrize("template", OWN)
def test_nobody_asks_for_the_anchors_own_class(asker: Asker, imported: Imported, template: str) -> None:
    asked = {"anchor": imported.key("Stadtpark"), "category": "park", **OWN[template]}
    assert asker.ask(template, **asked) == "own_class"
    assert answer(asker.layers, template, asked).refusal in ("own_class", "no_candidate")


def test_either_name_of_an_answer_is_right(asker: Asker, imported: Imported) -> None:
    one = asker.accepted("T5", anchor=imported.key("Stadtpark"), category="cafe")
    assert isinstance(one, Accepted)
    assert one.gold["names"] == ["Linde", "Linde;Zur Linde", "Zur Linde"]
