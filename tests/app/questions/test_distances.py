"""How far two places are apart: keys on the toy town, each reason of refusal, and what makes a number wrong."""

from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from app.questions.picking import open_space
from tests.support.second_path import answer, wrong_options
from tests.support.town import Asker, Imported, Map, import_map, offset, rectangle, template_of

HOME = (10.0, 50.0)
APART = {
    "Half": 500.3,
    "Nearer": 499.0,
    "Middle": 1005.0,
    "Five": 5004.0,
    "Far": 24_998.0,
    "Farther": 25_003.0,
}
"""Metres north of home."""


@pytest.fixture(scope="module")
def asker(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Asker, Map]]:
    made = Map(box=(9.6, 49.8, 10.4, 50.4))
    made.node(HOME, tourism="museum", name="Home")
    for name, metres in APART.items():
        made.node(offset(HOME, 0, metres), tourism="museum", name=name)
    settings = make_database()
    file = made.write(tmp_path_factory.mktemp("distances") / "distances.osm")
    import_map(settings, file, "distances")
    with Imported(settings, "distances", file, made).connect() as connection:
        yield Asker.on(connection, "distances"), made


def pair(made: Map, name: str) -> list[str]:
    return sorted([made.names["Home"], made.names[name]])


@pytest.mark.parametrize(
    ("name", "outcome"),
    [
        ("Half", "0.50 km"),
        ("Nearer", "out_of_range"),
        ("Middle", "near_rounding"),  # 1.00 km or 1.01 km
        ("Five", "5.00 km"),
        ("Far", "25.00 km"),
        ("Farther", "out_of_range"),
    ],
)
def test_distances_that_are_asked_for(asker: tuple[Asker, Map], name: str, outcome: str) -> None:
    asking, made = asker
    found = asking.ask("Calculate_Distance", pois=pair(made, name))
    assert (found if isinstance(found, str) else found.gold["text"]) == outcome


def test_the_sphere_stands_beside_the_spheroid(asker: tuple[Asker, Map]) -> None:
    asking, made = asker
    one = asking.accepted("Calculate_Distance", pois=pair(made, "Five"))
    assert one.gold["distance"] == pytest.approx(5004.0, abs=0.02)
    # Along a meridian at 50 degrees the ellipsoid's radius of curvature is 6,372.96 km, 0.03 % more than the mean.
    assert one.gold["sphere"] == pytest.approx(5004.0 * 6371.009 / 6372.956, rel=1e-4)
    assert set(one.gold["objects"]) == set(pair(made, "Five"))
    assert one.options
    assert len(set(one.options)) == 4


def test_numbers_are_wrong_when_clearly_off(asker: tuple[Asker, Map]) -> None:
    asking, made = asker
    parameters = {"pois": pair(made, "Five")}
    second = answer(asking.layers, "Calculate_Distance", parameters)
    for text, wrong in (
        ("5.31 km", True),
        ("5.30 km", False),
        ("4.69 km", True),
        ("4.70 km", False),
        ("13.1 km", False),  # other decimals
        ("7000 m", False),
        ("07.00 km", False),
    ):
        options = ["5.00 km", text, "9.00 km", "12.00 km"]
        verdict = wrong_options(asking.layers, "Calculate_Distance", parameters, second, options, 0)[0]
        assert verdict.wrong is wrong, text


@pytest.mark.parametrize("pois", [["n1"], ["n1", "n1"], ["n1", 2], "n1", ["n1", "n999"]])
def test_what_is_no_pair(asker: tuple[Asker, Map], pois: object) -> None:
    found = answer(asker[0].layers, "Calculate_Distance", {"pois": pois})
    assert found.refusal in ("bad_parameters", "unknown_object")


def test_hints_about_either_place(town: Imported) -> None:
    with town.connect() as connection:
        asking = Asker.on(connection, town.name)
        pair_of_bakeries = sorted(town.key(f"Bakery of Square {number}") for number in (0, 2))
        one = asking.accepted("Calculate_Distance_Context", pois=pair_of_bakeries)
        labels = [pick.label for pick in one.picked.picks["pois"]]
        second = answer(asking.layers, "Calculate_Distance_Context", {"pois": pair_of_bakeries})
    assert one.gold["text"] == "1.80 km"
    by_key = {town.key(f"Bakery of Square {number}"): number for number in (0, 2)}
    for key, label, area, near in zip(
        pair_of_bakeries, labels, one.gold["areas"], one.gold["near"], strict=True
    ):
        number = by_key[key]
        assert label == (
            f"Bakery of Square {number} (bakery at Scene Street {10 * number + 1}, in Scene Square {number}, near "
            f"Butcher of Square {number}, Hairdresser of Square {number} and Florist of Square {number})"
        )
        assert area == town.key(f"Scene Square {number}")
        kinds = ("Butcher", "Florist", "Hairdresser")
        assert set(near) == {town.key(f"{kind} of Square {number}") for kind in kinds}
        assert {("aoi", area), *(("poi", one_near) for one_near in near)} <= set(one.derived.evidence)
    assert "." not in "".join(labels), "no coordinates"
    assert second.value == {name: value for name, value in one.gold.items() if name != "index"} | {
        "distance": pytest.approx(one.gold["distance"], abs=1e-3),
        "sphere": pytest.approx(one.gold["sphere"], abs=1e-3),
    }


def test_hints_do_not_name_the_place(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The place's own ground and what is called after it tell nothing of where it is."""
    made, around = Map(), {}
    for number, middle in enumerate(((10.0, 50.0), (10.05, 50.0))):
        street = {"addr:street": "Road", "addr:housenumber": str(number + 1)}
        made.area(rectangle(middle, 0, 0, 20, 20), name=f"Hotel {number} Park", amenity="school", **street)
        made.area(rectangle(middle, 0, 0, 60, 60), name=f"Garden of Hotel {number} Park", leisure="park")
        made.area(rectangle(middle, 0, 0, 200, 200), name=f"Quarter {number}", landuse="residential")
        for turn, name in enumerate((f"hotel {number} Park Bar", "Ash", "Oak", "Elm", "Fir")):
            made.node(offset(middle, 72 * turn, 10 + 10 * turn), amenity="bar", name=f"{name} {number}")
        around[f"Hotel {number} Park"] = [f"{name} {number}" for name in ("Ash", "Oak", "Elm")]
    settings, file = make_database(), made.write(tmp_path_factory.mktemp("hotels") / "hotels.osm")
    import_map(settings, file, "hotels")
    with Imported(settings, "hotels", file, made).connect() as connection:
        asking = Asker.on(connection, "hotels")
        template = template_of("Calculate_Distance_Context")
        picks = open_space(connection, template, 0, asking.snapshot.outline).choices["pois"]
        second = answer(asking.layers, template.id, {"pois": sorted(made.names[name] for name in around)})
    labels = {pick.facts["name"]: pick.label for pick in picks}
    quarters = [made.names[f"Quarter {number}"] for number in (0, 1)]
    assert sorted(second.value["areas"]) == sorted(quarters)
    for number, (name, near) in enumerate(around.items()):
        assert labels[name].endswith(f", in Quarter {number}, near {', '.join(near[:-1])} and {near[-1]})")


def test_places_without_a_street_are_not_offered(town: Imported) -> None:
    with town.connect() as connection:
        asking = Asker.on(connection, town.name)
        offered = asking.values("Calculate_Distance_Context", "pois")
        assert town.key("Museum Quad") not in offered, "it has no street"
        alone = sorted([town.key("Museum Alpha"), town.key("Museum Quad")])
        found = answer(asking.layers, "Calculate_Distance_Context", {"pois": alone})
    assert "" in found.value["areas"], "Museum Alpha is in no area, and may be asked about"
