"""Regions: what they are called, and ways along their borders, which count or do not by a hair."""

from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from app.questions.accepting import Accepted
from app.questions.picking import open_space
from tests.support.second_path import answer
from tests.support.town import Asker, Imported, Map, Place, import_map, offset, rectangle, template_of

MIDDLE = (10.0, 50.0)


def region(made: Map, middle: Place, side: float, name: str, **tags: str) -> None:
    made.area(rectangle(middle, 0, 0, side, side), name=name, wikidata="Q1", **tags)


def border(level: int, **tags: str) -> dict[str, str]:
    return {"boundary": "administrative", "admin_level": str(level), **tags}


def make_map() -> Map:
    made = Map()
    region(made, MIDDLE, 16_000, "Valles", **border(2), **{"ISO3166-1": "AD"})
    ground = {
        "Ordino": border(7),
        "Encamp": border(7, place="municipality", border_type="municipality"),
        "Canillo": border(7, border_type="borough"),
        "Massana": {"place": "village"},
    }
    for number, (name, tags) in enumerate(ground.items()):
        region(made, offset(MIDDLE, 90, 4000 * (number - 1.5)), 2000, name, **tags)
    region(made, offset(MIDDLE, 90, -6000), 500, "Segudet", **border(9))
    region(made, offset(MIDDLE, 180, 4000), 2000, "Sispony", **border(8))
    _lines(made, offset(MIDDLE, 90, -6000), offset(MIDDLE, 90, -2000))
    return made


def _lines(made: Map, ordino: Place, encamp: Place) -> None:
    # Along Ordino's western border, 8 m outside, two kilometres; inside, half a kilometre. A street along the northern one.
    def line(start: Place, azimuth: float, metres: float, **tags: str) -> None:
        made.way([start, offset(start, azimuth, metres)], closed=False, **tags)

    corner = offset(offset(ordino, 270, 1008), 180, 1000)
    line(corner, 0, 2000, waterway="river", name="Grenzbach")
    line(offset(ordino, 180, 500), 90, 500, waterway="river", name="Mittelbach")
    line(offset(offset(ordino, 0, 995), 90, 0), 90, 150, highway="residential", name="Randweg")
    line(offset(ordino, 0, 500), 90, 900, highway="residential", name="Hauptweg")
    # One that crosses the border of Encamp, and ends in it.
    line(offset(encamp, 270, 2000), 90, 1500, waterway="river", name="Querbach")
    line(offset(encamp, 180, 300), 90, 200, waterway="river", name="Innbach")


@pytest.fixture(scope="module")
def valley(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    made, settings = make_map(), make_database()
    file = made.write(tmp_path_factory.mktemp("valley") / "valley.osm")
    import_map(settings, file, "valley")
    return Imported(settings, "valley", file, made)


@pytest.fixture(scope="module")
def asker(valley: Imported) -> Iterator[Asker]:
    with valley.connect() as connection:
        yield Asker.on(connection, valley.name)


def test_regions_are_called_what_their_country_calls_them(asker: Asker) -> None:
    space = open_space(asker.connection, template_of("T24"), 0, asker.snapshot.outline)
    assert {pick.facts["name"]: pick.label for pick in space.choices["region"]} == {
        "Valles": "Valles (country)",
        "Ordino": "Ordino (parish)",
        "Encamp": "Encamp (parish)",
        "Canillo": "Canillo (borough)",
        "Massana": "Massana (village)",
        "Segudet": "Segudet (administrative area of level 9 in Ordino)",
        "Sispony": "Sispony (administrative area of level 8 in Valles)",
    }


@pytest.mark.parametrize(
    ("template", "name", "line", "expected"),
    [
        ("T28", "Ordino", "river", "along_border"),
        ("T12", "Ordino", "river", "along_border"),
        ("T28", "Ordino", "residential", "along_border"),
        ("T12", "Ordino", "residential", "Hauptweg"),
        ("T28", "Encamp", "river", 700.0),
        ("T12", "Encamp", "river", "Querbach"),
    ],
)
def test_ways_along_a_border(
    asker: Asker, valley: Imported, template: str, name: str, line: str, expected: str | float
) -> None:
    parameters = {"region": valley.key(name), "line": line}
    outcome = asker.ask(template, **parameters)
    if not isinstance(outcome, Accepted):
        assert outcome == expected
        assert answer(asker.layers, template, parameters).refusal == "along_border"
        assert answer(asker.layers, template, parameters, 1).refusal is None
    elif template == "T12":
        assert outcome.gold["names"] == [expected]
    else:
        assert outcome.gold["length"] == pytest.approx(expected, abs=0.5)
