"""What areas hold, compared on the toy town: keys, each reason of refusal, and what makes an area wrong."""

import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.core.settings import Settings
from app.questions.second_path import answer, wrong_options
from tests.town import HELD, Asker, Imported, Map, import_map, offset, rectangle


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


def four(town: Imported, *names: str) -> list[str]:
    return sorted(town.key(name) for name in names)


YARDS = ("Market Yard", "Books Yard", "Shop Yard", "Kiosk Yard")


def test_the_most_places_and_the_most_kinds(asker: Asker, town: Imported) -> None:
    one = asker.accepted("Compare_POI_Count", aois=four(town, *YARDS))
    assert (one.gold["text"], one.gold["count"]) == ("Market Yard", 10)
    assert sum(layer == "poi" for layer, _ in one.derived.evidence) == sum(map(len, HELD.values()))
    one = asker.accepted("Compare_Type_Diversity", aois=four(town, *YARDS))
    assert (one.gold["text"], one.gold["count"]) == ("Books Yard", 5)
    assert one.options is not None
    assert sorted(one.options) == sorted(YARDS)


def test_areas_that_are_compared(asker: Asker, town: Imported) -> None:
    offered = asker.values("Compare_Type_Diversity", "aois")
    assert town.key("Kiosk Yard") in offered, "five places"
    assert town.key("Empty Yard") not in offered
    assert town.key("Empty Yard") in asker.values("Compare_POI_Count", "aois")
    second = answer(asker.layers, "Compare_Type_Diversity", {"aois": four(town, *YARDS[:3], "Empty Yard")})
    assert second.refusal == "too_few_points"


def test_nothing_in_any(asker: Asker, town: Imported) -> None:
    empty = four(town, "Empty Yard", "Square Four", "Square Three", "Square Two")
    assert asker.ask("Compare_POI_Count", aois=empty) == "zero"


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        ((10, 9, 1, 0), "Area 0"),  # nine tenths of the most
        ((11, 10, 1, 0), "margin"),
        ((3, 3, 1, 0), "margin"),
        ((1, 0, 0, 0), "Area 0"),
    ],
)
def test_margins(
    make_database: Callable[[], Settings], tmp_path: Path, counts: tuple[int, ...], outcome: str
) -> None:
    made = areas(counts)
    settings = make_database()
    import_map(settings, made.write(tmp_path / "areas.osm"), "areas")
    with Imported(settings, "areas", tmp_path, made).connect() as connection:
        asking = Asker.on(connection, "areas")
        chosen = sorted(made.names[f"Area {number}"] for number in range(4))
        found = asking.ask("Compare_POI_Count", aois=chosen)
        assert (found if isinstance(found, str) else found.gold["text"]) == outcome


def areas(counts: tuple[int, ...]) -> Map:
    """Areas a kilometre apart, with so many places each."""
    made = Map()
    for number, count in enumerate(counts):
        middle = offset((10.0, 50.0), 90, 1000 * number)
        made.way(rectangle(middle, 0, 0, 200, 200), landuse="retail", name=f"Area {number}")
        for place in range(count):
            made.node(offset(middle, 25 * place, 50), shop="bakery")
    return made


@pytest.mark.parametrize(
    ("counts", "metres", "outcome"),
    [
        ((10, 9, 1, 0), -0.5, "margin"),  # inside: ten
        ((10, 9, 1, 0), 0.5, "near_area_edge"),  # outside: nine or ten of ten
        ((10, 8, 1, 0), 0.5, "Area 0"),  # nine at most
        ((10, 9, 1, 0), 1.5, "Area 0"),
        ((10, 9, 1, 0), -1.5, "margin"),
    ],
)
def test_a_place_on_the_border_of_the_second(
    make_database: Callable[[], Settings],
    tmp_path: Path,
    counts: tuple[int, ...],
    metres: float,
    outcome: str,
) -> None:
    made = areas(counts)
    middle = offset((10.0, 50.0), 90, 1000)
    made.node(offset(offset(middle, 0, 100), 0 if metres > 0 else 180, abs(metres)), shop="bakery")
    settings = make_database()
    import_map(settings, made.write(tmp_path / "areas.osm"), "areas")
    with Imported(settings, "areas", tmp_path, made).connect() as connection:
        asking = Asker.on(connection, "areas")
        chosen = sorted(made.names[f"Area {number}"] for number in range(4))
        found = asking.ask("Compare_POI_Count", aois=chosen)
        assert (found if isinstance(found, str) else found.gold["text"]) == outcome


def test_areas_are_wrong_when_they_hold_clearly_fewer(asker: Asker, town: Imported) -> None:
    for template, wrong in (
        (
            "Compare_POI_Count",
            {"Books Yard": True, "Market Yard": False, "Empty Yard": False, "Nowhere": False},
        ),
        ("Compare_Type_Diversity", {"Shop Yard": True, "Books Yard": False, "Empty Yard": False}),
    ):
        parameters = {"aois": four(town, *YARDS)}
        second = answer(asker.layers, template, parameters)
        for text, expected in wrong.items():
            options = ["the key", text, "x", "y"]
            verdict = wrong_options(asker.layers, template, parameters, second, options, 0)[0]
            assert verdict.wrong is expected, (template, text)


@pytest.mark.parametrize("twin", ["Cafe\u0301 Platz", "Cafe Platz", "ＣＡＦＥ\u3000Platz"])
def test_names_that_differ_in_accents_or_width_alone(
    make_database: Callable[[], Settings], tmp_path: Path, twin: str
) -> None:
    """By accents the options would be alike; by width or composition the names are not unique in the first place."""
    made = Map()
    for number, name in enumerate(("Café Platz", twin, "Hof", "Wiese", "Garten")):
        middle = offset((10.0, 50.0), 90, 1000 * number)
        side = 100 + 50 * number
        made.way(rectangle(middle, 0, 0, side, side), landuse="retail", name=name)
    made.node((10.0, 50.0), shop="bakery")
    settings = make_database()
    import_map(settings, made.write(tmp_path / "twins.osm"), "twins")
    with Imported(settings, "twins", tmp_path, made).connect() as connection:
        asking = Asker.on(connection, "twins")
        offered = asking.values("Compare_Area_Size", "aois")
        keys = sorted(made.names[name] for name in ("Café Platz", twin, "Hof", "Garten"))
        if unicodedata.normalize("NFKC", twin).casefold() == "café platz":
            assert not {made.names["Café Platz"], made.names[twin]} & set(offered)
        else:
            assert asking.ask("Compare_Area_Size", aois=keys) == "options_alike"


def test_options_that_differ_in_an_accent_are_not_proved_wrong(asker: Asker, town: Imported) -> None:
    parameters = {"aois": four(town, *YARDS)}
    second = answer(asker.layers, "Compare_POI_Count", parameters)
    verdicts = wrong_options(
        asker.layers, "Compare_POI_Count", parameters, second, ["Márket Yard", "Market Yard", "x", "y"], 0
    )
    assert not verdicts[0].wrong
    assert "the same as option 0" in verdicts[0].why
