"""What areas hold, compared on the toy town: keys, each reason of refusal, and what makes an area wrong."""

import math
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, islice, pairwise
from pathlib import Path

import pytest

from app.benchmarks.urban_knowledge.derivations.comparing import FIRST, RANKS
from app.core.settings import Settings
from app.questions.accepting import Accepted
from app.questions.drawing import OptionsWanted
from app.questions.picking import open_space
from app.questions.prechecks import Intended, refused_beforehand
from tests.support.second_path import answer, wrong_options
from tests.support.town import HELD, SQUARES, Asker, Imported, Map, import_map, offset, rectangle, template_of


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


def four(town: Imported, *names: str) -> list[str]:
    return sorted(town.key(name) for name in names)


YARDS = ("Market Yard", "Books Yard", "Shop Yard", "Kiosk Yard")


def of_rank(asker: Asker, template: str, aois: list[str]) -> tuple[str, Accepted | str]:
    """The one rank that is asked of these four in the variant `hard`, and what became of it."""
    hard = replace(asker, wanted=OptionsWanted("hard"))
    outcomes = {rank: hard.ask(template, aois=aois, rank=rank) for rank in (FIRST, *RANKS)}
    ((rank, outcome),) = ((rank, one) for rank, one in outcomes.items() if one != "other_form")
    return rank, outcome


def accepted(asker: Asker, template: str, aois: list[str]) -> tuple[str, Accepted]:
    rank, outcome = of_rank(asker, template, aois)
    assert isinstance(outcome, Accepted), outcome
    return rank, outcome


def test_places_and_kinds_by_rank(asker: Asker, town: Imported) -> None:
    rank, one = accepted(asker, "Compare_POI_Count", four(town, *YARDS))
    by_number = [("Market Yard", 10), ("Books Yard", 7), ("Shop Yard", 6), ("Kiosk Yard", 5)]
    assert (one.gold["text"], one.gold["count"]) == by_number[RANKS.index(rank)]
    assert sum(layer == "poi" for layer, _ in one.derived.evidence) == sum(map(len, HELD.values()))
    assert one.options is not None
    assert sorted(one.options) == sorted(YARDS)
    rank, one = accepted(asker, "Compare_Type_Diversity", four(town, *YARDS))
    by_kinds = [("Books Yard", 5), ("Market Yard", 3), ("Shop Yard", 2), ("Kiosk Yard", 1)]
    assert (one.gold["text"], one.gold["count"]) == by_kinds[RANKS.index(rank)]


def test_areas_by_rank(asker: Asker, town: Imported) -> None:
    """Over many sets every rank is asked, and the key is the area of that rank."""
    names = ["Big Campus", "Square Four", "Square Three", "Square Two", *YARDS, "Junction Field"]
    sizes = {
        "Big Campus": 1e6,
        "Junction Field": 420.0**2,
        **{name: SQUARES[name] ** 2 for name in names[1:4]},
    }
    sizes |= {name: (150 + list(HELD).index(name)) * 150.0 for name in YARDS}
    asked = set()
    for chosen in combinations(names, 4):
        rank, outcome = of_rank(asker, "Compare_Area_Size", four(town, *chosen))
        by_size = sorted(chosen, key=lambda name: -sizes[name])
        if any(sizes[small] > 0.9 * sizes[large] for large, small in pairwise(by_size)):
            assert outcome == "margin"
            continue
        assert isinstance(outcome, Accepted)
        assert outcome.gold["text"] == by_size[RANKS.index(rank)]
        asked.add(rank)
    assert asked == set(RANKS)


@pytest.mark.parametrize(
    ("template", "key", "count"),
    [("Compare_POI_Count", "Market Yard", 10), ("Compare_Type_Diversity", "Books Yard", 5)],
)
def test_as_published_the_first_is_asked(
    asker: Asker, town: Imported, template: str, key: str, count: int
) -> None:
    yards = four(town, *YARDS)
    one = asker.accepted(template, aois=yards, rank=FIRST)
    assert (one.variant, one.gold["text"], one.gold["count"]) == ("published", key, count)
    for rank in RANKS:
        assert asker.ask(template, aois=yards, rank=rank) == "other_form"


def test_as_published_the_others_may_be_alike(asker: Asker, town: Imported) -> None:
    """395 and 400 metres square, beside a campus of a kilometre."""
    squares = four(town, "Big Campus", "Square Four", "Square Same", "Square Two")
    assert asker.accepted("Compare_Area_Size", aois=squares, rank=FIRST).gold["text"] == "Big Campus"
    assert of_rank(asker, "Compare_Area_Size", squares)[1] == "margin"
    assert asker.ask("Compare_Area_Size", aois=four(town, *SQUARES), rank=FIRST) == "margin"


def test_every_rank_is_asked_as_often(asker: Asker) -> None:
    """So that whoever knows how the four compare, and not what is asked, is right once in four times."""
    space = open_space(asker.connection, template_of("Compare_Area_Size"), 0, asker.snapshot.outline)
    kept = Counter(
        picked.parameters["rank"]
        for picked in islice(space.tuples(), 25_000)
        if refused_beforehand("urban_knowledge", Intended(picked.binds, {}, "hard")) is None
    )
    mean = sum(kept.values()) / 4
    assert mean > 1000
    assert all(abs(kept[rank] - mean) < 4 * math.sqrt(mean) for rank in RANKS), kept


def test_areas_that_are_compared(asker: Asker, town: Imported) -> None:
    offered = asker.values("Compare_Type_Diversity", "aois")
    assert town.key("Kiosk Yard") in offered, "five places"
    assert town.key("Empty Yard") not in offered
    assert town.key("Empty Yard") in asker.values("Compare_POI_Count", "aois")
    parameters = {"aois": four(town, *YARDS[:3], "Empty Yard"), "rank": "largest"}
    second = answer(asker.layers, "Compare_Type_Diversity", parameters)
    assert second.refusal == "too_few_points"


def test_nothing_in_any(asker: Asker, town: Imported) -> None:
    empty = four(town, "Empty Yard", "Square Four", "Square Three", "Square Two")
    assert of_rank(asker, "Compare_POI_Count", empty)[1] == "zero"


@pytest.mark.parametrize(
    ("counts", "outcome"),
    [
        ((10, 9, 1, 0), "asked"),  # nine tenths of the most
        ((11, 10, 1, 0), "margin"),
        ((10, 3, 3, 1), "margin"),
        ((20, 11, 10, 0), "margin"),
        ((1, 0, 0, 0), "zero"),
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
        rank, found = of_rank(asking, "Compare_POI_Count", chosen)
        assert (found if isinstance(found, str) else "asked") == outcome
        assert isinstance(found, str) or found.gold["text"] == f"Area {RANKS.index(rank)}"


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
        ((10, 8, 1, 0), 0.5, "asked"),  # nine at most
        ((10, 8, 8, 0), -0.5, "near_area_edge"),  # inside: nine, or eight as the third has
        ((10, 0, 4, 0), -0.5, "near_area_edge"),  # inside: the only one
        ((10, 9, 1, 0), 1.5, "asked"),
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
        rank, found = of_rank(asking, "Compare_POI_Count", chosen)
        assert (found if isinstance(found, str) else "asked") == outcome
        assert isinstance(found, str) or found.gold["text"] == f"Area {RANKS.index(rank)}"


def test_areas_are_wrong_when_they_hold_clearly_fewer_or_more(asker: Asker, town: Imported) -> None:
    for template, rank, wrong in (
        (
            "Compare_POI_Count",
            "largest",
            {"Books Yard": True, "Market Yard": False, "Empty Yard": False, "Nowhere": False},
        ),
        ("Compare_POI_Count", "third", {"Books Yard": True, "Shop Yard": False, "Kiosk Yard": True}),
        ("Compare_Type_Diversity", "largest", {"Shop Yard": True, "Books Yard": False, "Empty Yard": False}),
        ("Compare_Type_Diversity", "smallest", {"Shop Yard": True, "Books Yard": True}),
    ):
        parameters = {"aois": four(town, *YARDS), "rank": rank}
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
            assert of_rank(asking, "Compare_Area_Size", keys)[1] == "options_alike"


def test_options_that_differ_in_an_accent_are_not_proved_wrong(asker: Asker, town: Imported) -> None:
    parameters = {"aois": four(town, *YARDS), "rank": "largest"}
    second = answer(asker.layers, "Compare_POI_Count", parameters)
    verdicts = wrong_options(
        asker.layers, "Compare_POI_Count", parameters, second, ["Márket Yard", "Market Yard", "x", "y"], 0
    )
    assert not verdicts[0].wrong
    assert "the same as option 0" in verdicts[0].why
