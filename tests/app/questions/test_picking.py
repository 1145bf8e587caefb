"""Tuples: each exactly once, in an order that the seed decides; distances inside their bands."""

import math
from collections.abc import Callable
from itertools import combinations, islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.core import seeds
from app.core.identity import digest
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.picking import Pick, Space, combination, open_space, round_distance
from app.questions.text_forms import length_in_words
from tests.support.town import Asker, Imported, Map, benchmarks, import_map, rectangle, template_of


@given(size=st.integers(1, 3000), seed=st.integers(0, 2**63 - 1))
@example(size=1, seed=0)
@example(size=2, seed=0)
@example(size=1024, seed=7)
@settings(max_examples=60, deadline=None)
def test_a_permutation_takes_every_number_once(size: int, seed: int) -> None:
    assert sorted(seeds.permutation(size, seed, "name")) == list(range(size))


@given(size=st.integers(10**12, 10**20), seed=st.integers(0, 2**63 - 1))
@settings(max_examples=20, deadline=None)
def test_a_permutation_of_a_huge_space_starts_at_once(size: int, seed: int) -> None:
    first = list(islice(seeds.permutation(size, seed), 50))
    assert len(set(first)) == 50
    assert all(0 <= number < size for number in first)
    assert max(first) > size // 100, "spread over the whole space"


def test_seed_and_name_decide_a_permutation() -> None:
    orders = [tuple(seeds.permutation(200, seed, name)) for seed in range(5) for name in ("a", "b")]
    assert len(set(orders)) == len(orders)
    assert orders[0] == tuple(seeds.permutation(200, 0, "a"))


@given(n=st.integers(0, 11), data=st.data())
@settings(max_examples=60, deadline=None)
def test_combinations_are_unranked_in_order(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    found = [tuple(combination(n, k, rank)) for rank in range(math.comb(n, k))]
    assert found == list(combinations(range(n), k))


def test_a_combination_of_many() -> None:
    last = math.comb(2000, 4) - 1
    assert combination(2000, 4, 0) == [0, 1, 2, 3]
    assert combination(2000, 4, last) == [1996, 1997, 1998, 1999]


@given(low=st.floats(100, 150000), ratio=st.floats(1.3, 10), share=st.floats(0, 0.999999))
@example(
    low=100.0, ratio=1.4953487812212205, share=0.999
)  # 149 m rounded to the nearest is 150 m, beyond the band
def test_a_round_distance_stays_in_its_band(low: float, ratio: float, share: float) -> None:
    high = low * ratio
    metres = round_distance(low + share * (high - low), low)
    assert low <= metres < high
    assert metres == float(f"{metres:.1e}"), "two significant digits, and no float dust"


@given(longest=st.floats(500, 200000), seed=st.integers(0, 2**32))
@settings(max_examples=200, deadline=None)
def test_bands_never_give_the_same_distance(longest: float, seed: int) -> None:
    edges = [100 * (longest / 100) ** (band / 4) for band in range(5)]
    drawn = [
        round_distance(low + seeds.unit(seed, band) * (high - low), low)
        for band, (low, high) in enumerate(pairwise(edges))
    ]
    assert len(set(drawn)) == 4


def test_how_distances_are_said() -> None:
    said = {
        100.0: "100 m",
        450.0: "450 m",
        990.0: "990 m",
        1000.0: "1 km",
        1200.0: "1.2 km",
        27000.0: "27 km",
    }
    assert {metres: length_in_words(metres) for metres in said} == said


# --- spaces on a map ---------------------------------------------------------------------------------------

ALL = [
    name
    for one in benchmarks().values()
    for name, template in one.templates.items()
    if template.header.picture is None
    and all(parameter.choose == 1 for parameter in template.header.parameters.values())
]


MOST_TUPLES = 20_000
"""Tuples of a template that are compared: a permutation as a whole is tested above."""


def opened(town: Imported, template: str, seed: int = 0) -> Space:
    with town.connect() as connection:
        asker = Asker.on(connection, town.name)
        facts = asker.snapshot.facts
        return open_space(connection, template_of(template), seed, asker.snapshot.outline, facts=facts)


def parameters(space: Space, limit: int | None = None) -> list[dict[str, Any]]:
    return [one.parameters for one in islice(space.tuples(), limit)]


@pytest.mark.parametrize("template", ALL)
def test_capacity_is_the_product_and_every_tuple_comes_once(town: Imported, template: str) -> None:
    space = opened(town, template)
    sizes = [len(space.choices[name]) for name in space.template.header.parameters]
    assert (space.missing is None) == all(sizes)
    # A parameter for which the town has no value counts as one that is refused.
    assert space.capacity == math.prod(max(1, size) for size in sizes)
    if space.missing is not None:
        return
    found = parameters(space, MOST_TUPLES)
    assert len(found) == min(MOST_TUPLES, space.capacity)
    assert len({repr(one) for one in found}) == len(found)


def test_capacity_of_sets(town: Imported) -> None:
    space = opened(town, "Compare_Area_Size")
    assert space.capacity == 5 * math.comb(len(space.choices["aois"]), 4) > 100
    for one in parameters(space, 100):
        assert one["aois"] == sorted(set(one["aois"]))
        assert len(one["aois"]) == 4


def test_seed_decides_the_order(town: Imported) -> None:
    assert parameters(opened(town, "T9", 1)) == parameters(opened(town, "T9", 1))
    one, other = parameters(opened(town, "T9", 1)), parameters(opened(town, "T9", 2))
    assert one != other
    assert sorted(map(repr, one)) == sorted(map(repr, other)), "the space itself does not depend on the seed"


def test_distances_lie_within_their_bands(town: Imported) -> None:
    space = opened(town, "T1")
    bands = [(pick.facts["low"], pick.facts["high"]) for pick in space.choices["distance"]]
    assert len(bands) == 4
    assert bands[0][0] == pytest.approx(100)
    # The largest circle in a box of 0.4 degrees of latitude has a radius of 22.2 km.
    assert bands[-1][1] == pytest.approx(22_240, rel=0.01)
    assert [high for _, high in bands[:-1]] == pytest.approx([low for low, _ in bands[1:]])
    drawn = [one["distance"] for one in parameters(space)]
    counts = [sum(low <= metres < high for metres in drawn) for low, high in bands]
    assert counts == [space.capacity // 4] * 4


def test_what_a_map_lacks(town: Imported) -> None:
    space = opened(town, "T24")
    lacking = Space(space.template, {**space.choices, "region": []}, 0)
    assert lacking.missing == "no_region"
    categories = len(space.choices["category"])
    assert lacking.capacity == categories > 1, "a parameter without a value counts as one that is refused"
    areas = [Pick(f"w{n}", f"w{n}", "x") for n in range(3)]
    few = Space(template_of("Compare_Area_Size"), {"aois": areas, "rank": areas}, 0)
    assert few.missing == "no_aois"
    assert space.missing is None


@pytest.fixture(scope="module")
def twins(make_database: Callable[[], Settings]) -> Settings:
    return make_database()


@pytest.mark.parametrize("twin", ["Toy Museum ", " toy  museum", "TOY\u00a0MUSEUM"])
def test_names_that_differ_in_blanks_or_case_are_not_unique(
    twins: Settings, tmp_path: Path, twin: str
) -> None:
    sparse = Map()
    for number, name in enumerate(("Toy Museum", twin, "Another Museum")):
        place = (10 + number / 100, 50.0)
        sparse.node(place, tourism="museum", name=name)
        sparse.way(rectangle(place, 0, 0, 100 + number, 100), landuse="forest", name=f"{name} Wood")
        sparse.area(
            rectangle(place, 0, 0, 500, 500),
            name=name,
            boundary="administrative",
            admin_level="8",
            place="town",
            wikidata="Q1",
        )
    name = f"twins_{digest(twin)[:8]}"
    import_map(twins, sparse.write(tmp_path / "twins.osm"), name)
    with connect(twins, Role.WORKER) as connection:
        asker = Asker.on(connection, name)
        for template, parameter in (
            ("T5", "anchor"),
            ("Retrieve_Coordinates", "poi"),
            ("T24", "region"),
            ("Compare_Area_Size", "aois"),
        ):
            space = open_space(connection, template_of(template), 0, asker.snapshot.outline)
            (pick,) = space.choices[parameter]
            assert pick.facts["name"].removesuffix(" Wood") == "Another Museum", template
