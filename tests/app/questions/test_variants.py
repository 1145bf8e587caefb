"""Variants and five options on hand-checked maps: what each shows, and that the second path proves it."""

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from app.benchmarks.urban_knowledge.distractors.other_numbers import OtherNumbers
from app.core.settings import Settings
from app.questions.accepting import Accepted, accept_questions
from app.questions.drawing import OptionsWanted
from app.questions.picking import open_space
from app.questions.strategies import Sources
from app.questions.terms import Terms
from tests.app.questions.roads_map import make_roads
from tests.support.town import Asker, Imported, Map, apart, benchmarks, import_map, offset, template_of

PUBLISHED, HARD = OptionsWanted("published"), OptionsWanted("hard")
KNOWLEDGE = benchmarks()["urban_knowledge"].templates
WITH_VARIANTS = [name for name, one in KNOWLEDGE.items() if one.header.has_variants]
ALWAYS_FOUR = {"others", "length_multiples", "junction_grid"}


def imported(make: Callable[[], Settings], made: Map, folder: Any, name: str) -> Imported:
    settings, file = make(), made.write(folder.mktemp(name) / f"{name}.osm")
    import_map(settings, file, name)
    return Imported(settings, name, file, made)


@pytest.fixture(scope="module")
def roads(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Asker, Map]]:
    made = make_roads()
    # streets and fields are not called as their lanes are: a key would share that word with its question
    made._objects["way"] = [
        re.sub(r'v="(\w+) (Street|Field)"', lambda found: f'v="{found[1][::-1]} {found[2]}"', way)
        for way in made._objects["way"]
    ]
    town = imported(make_database, made, tmp_path_factory, "roads")
    assert town.map
    with town.connect() as connection:
        yield replace(Asker.on(connection, "roads"), wanted=HARD), town.map


MUSEUMS = {"A": (0, 0), "B": (0, 700), "C": (90, 1600), "D": (90, 3000), "E": (180, 2600), "F": (270, 4400)}
"""Degrees and metres from the middle."""


@pytest.fixture(scope="module")
def museums(
    make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Asker, Map]]:
    made = Map()
    for name, (azimuth, metres) in MUSEUMS.items():
        made.node(offset((10.0, 50.0), azimuth, metres), tourism="museum", name=f"Museum {name}")
    town = imported(make_database, made, tmp_path_factory, "museums")
    with town.connect() as connection:
        yield replace(Asker.on(connection, "museums"), wanted=HARD), made


def known_numbers(asking: Asker, template: str) -> list[float]:
    """What the pool of a template lists on a map."""
    one = template_of(template)
    space = open_space(asking.connection, one, 0, asking.snapshot.outline)
    strategy = one.header.strategy_of("hard")
    assert strategy
    sources = Sources(asking.connection, asking.snapshot, one, strategy, space.choices, 0, lambda tuples: [])
    numbers = OtherNumbers(sources)._numbers
    return [numbers._scale.value(float(place)) for place in numbers._places]


def all_of(
    asking: Asker, template: str, wanted: OptionsWanted, bank: int = 10**6, seed: int = 0
) -> list[Accepted]:
    told = accept_questions(asking.ground, template_of(template), Terms(seed, wanted=wanted), bank, set())
    assert "second_path_disagrees" not in told.refused
    return told.accepted


def test_lengths_are_drawn_from_those_that_are_asked_for(roads: tuple[Asker, Map]) -> None:
    asking, _ = roads
    golds = [one.gold["length"] for one in all_of(asking, "Query_Length", PUBLISHED)]
    known = known_numbers(asking, "Query_Length")
    halfway = next(length for length in known if 500.4 < length < 500.6)
    assert halfway not in golds, "it is near rounding, and not asked for"
    known.remove(halfway)
    assert sorted(known) == pytest.approx(sorted(golds), abs=1e-6)


def test_distances_are_drawn_from_all_pairs(museums: tuple[Asker, Map]) -> None:
    asking, made = museums
    pairs = combinations([made.places[made.names[f"Museum {name}"]] for name in MUSEUMS], 2)
    wanted = sorted(metres for one, other in pairs if 500 <= (metres := apart(one, other)[0]) <= 25_000)
    assert sorted(known_numbers(asking, "Calculate_Distance")) == pytest.approx(wanted, rel=1e-6)


def test_a_hard_distance(museums: tuple[Asker, Map]) -> None:
    asking, _ = museums
    accepted = [one for seed in range(20) for one in all_of(asking, "Calculate_Distance", HARD, seed=seed)]
    assert len(accepted) > 20
    for one in accepted:
        assert one.variant == "hard"
        numbers = [float(text.removesuffix(" km")) for text in one.options or ()]
        assert len(numbers) == 4
        assert all(round(abs(a - b), 2) >= 0.3 for a, b in combinations(numbers, 2))


def test_a_hard_pair_of_junctions(roads: tuple[Asker, Map]) -> None:
    """The two wrong roads are keys of other questions of the neighbourhood, never strangers that nothing meets."""
    asking, _ = roads
    accepted = [one for seed in range(5) for one in all_of(asking, "Find_Junctions", HARD, seed=seed)]
    key_roads = {name for one in accepted for name in one.gold["names"]}
    assert len(accepted) > 20
    for one in accepted:
        pairs = [set(text.split(" and ")) for text in one.options or ()]
        counts = Counter(road for pair in pairs for road in pair)
        assert set(counts.values()) == {2}
        wrong = counts.keys() - set(one.gold["names"])
        assert len(wrong) == 2
        assert not any("Stranger" in road or "Middle" in road for road in wrong - key_roads)
        assert {len(pair & wrong) for pair in pairs} == {0, 1, 2}


def test_a_hard_connection(roads: tuple[Asker, Map]) -> None:
    """Wrong roads are keys of questions that ask the same, each in its turn; the map's strangers never are."""
    asking, _ = roads
    accepted = [one for seed in range(5) for one in all_of(asking, "Identify_Connections", HARD, seed=seed)]
    forms = {
        form: [one for one in accepted if one.picked.parameters["form"] == form]
        for form in ("connected", "not_connected")
    }
    assert len(forms["connected"]) > 20
    for asked in forms.values():
        keys = {one.gold["text"] for one in asked}
        assert {text for one in asked for text in one.options or ()} <= keys
    assert not any("Stranger" in text for one in forms["connected"] for text in one.options or ())


def coordinates_of(one: Accepted) -> list[tuple[float, float]]:
    return [
        (float(lon), float(lat)) for lon, lat in (text.strip("()").split(", ") for text in one.options or ())
    ]


def test_hard_coordinates_are_near_other_places(museums: tuple[Asker, Map]) -> None:
    asking, made = museums
    accepted = [one for seed in range(40) for one in all_of(asking, "Retrieve_Coordinates", HARD, seed=seed)]
    assert len(accepted) > 20
    for one in accepted:
        points = coordinates_of(one)
        assert len(points) == 4
        assert all(apart(a, b)[0] >= 149 for a, b in combinations(points, 2))
        nearest = [
            min(made.places.values(), key=lambda at, point=point: apart(at, point)[0]) for point in points
        ]
        assert len(set(nearest)) == 4, "four places"
        assert all(
            abs(at[axis] - point[axis]) < 0.00031
            for at, point in zip(nearest, points, strict=True)
            for axis in (0, 1)
        )


def test_the_variant_is_part_of_the_id(museums: tuple[Asker, Map]) -> None:
    asking, _ = museums
    seed, drawn = next(
        (seed, one) for seed in range(40) for one in all_of(asking, "Retrieve_Coordinates", HARD, seed=seed)
    )
    asking, ids = replace(asking, seed=seed), {}
    for wanted in (PUBLISHED, HARD, OptionsWanted(), OptionsWanted("nobody's")):
        one = replace(asking, wanted=wanted).accepted("Retrieve_Coordinates", **drawn.picked.parameters)
        ids[wanted.variant] = one.id, one.variant
    assert ids["published"][1] == "published"
    assert ids[None] == ids["nobody's"] == ids["published"], "without a wish, the first"
    assert ids["hard"][0] != ids["published"][0]


def test_five_coordinates_are_the_place_and_all_corners(museums: tuple[Asker, Map]) -> None:
    asking, made = museums
    five = replace(asking, wanted=OptionsWanted("published", five=True))
    one = five.accepted("Retrieve_Coordinates", poi=made.names["Museum A"])
    points = coordinates_of(one)
    assert len(set(points)) == 5
    off = {(round(lon - 10.0, 5), round(lat - 50.0, 5)) for lon, lat in points}
    assert off == {(0, 0), (0.01, 0.01), (0.01, -0.01), (-0.01, 0.01), (-0.01, -0.01)}


@pytest.mark.parametrize("variant", ["published", "hard"])
def test_five_options_where_there_are_as_many(town: Imported, variant: str) -> None:
    """A template whose strategy makes three wrong options keeps four options; others have five, or four."""
    with town.connect() as connection:
        asking = Asker.on(connection, town.name)
        shown = {
            name: {
                len(one.options or ()) for one in all_of(asking, name, OptionsWanted(variant, True), bank=6)
            }
            for name in KNOWLEDGE
        }
    for name, sizes in shown.items():
        header = KNOWLEDGE[name].header
        strategy = header.strategy_of(header.variant_for(variant))
        assert strategy
        assert sizes <= ({4} if strategy.strategy in ALWAYS_FOUR else {4, 5}), name
    assert shown["Retrieve_Coordinates"] == {5} if variant == "published" else {4, 5}
    assert shown["Calculate_Distance"] == {5}
    assert shown["Find_Nearest_POI"] | shown["Classify_POI"] | shown["Retrieve_POI_Name"] >= {5}


ON_HELSINKI = ("Compare_Type_Diversity", "Find_Cover_AOI", "Find_Cover_AOI_All")


@pytest.mark.parametrize("template", WITH_VARIANTS)
@pytest.mark.long
def test_every_variant_on_a_real_map(request: pytest.FixtureRequest, template: str) -> None:
    """What one variant asks the other can ask too, where the map gives wrong options; the second path agrees."""
    # Liechtenstein has too few areas of which four are clearly apart by their kinds of places, or by what they cover.
    place: Imported = request.getfixturevalue("helsinki" if template in ON_HELSINKI else "liechtenstein")
    with place.connect() as connection:
        asking = Asker.on(connection, place.name)
        for wanted in (PUBLISHED, HARD, OptionsWanted("hard", five=True)):
            accepted = all_of(asking, template, wanted, bank=60)
            assert len(accepted) >= 10, wanted
            assert {one.variant for one in accepted} == {wanted.variant}
