"""T21, T23, T25 and T26 on the toy town: the truth by hand, and each reason of refusal where it must be.

And the coverage that decides whether a question would be answered by a blind guess.
"""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.benchmarks.gsqa.derivations.numbers import covered, covered_of_circle
from app.benchmarks.gsqa.second_path.measures import _share_of_circle, _share_of_range
from tests.support.town import Asker, Imported

CENTIMETRE = 0.02


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


def museum(town: Imported, name: str) -> str:
    return town.key(f"Museum {name}")


# --- T26 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cluster", "category", "metres"),
    [
        ("Alpha", "restaurant", 100),
        ("Gamma", "cafe", 21),
        ("Delta", "restaurant", 50),  # without a name, which a distance does not need
        ("Zeta", "fast_food", 250),
    ],
)
def test_distance_to_the_nearest(
    asker: Asker, town: Imported, cluster: str, category: str, metres: float
) -> None:
    one = asker.accepted("T26", anchor=museum(town, cluster), category=category)
    assert one.gold["distance"] == pytest.approx(metres, abs=CENTIMETRE)
    assert [place["distance"] for place in one.gold["objects"]] == [one.gold["distance"]]


@pytest.mark.parametrize(
    ("cluster", "category", "reason"),
    [
        ("Beta", "restaurant", "margin"),
        ("Beta", "cafe", "margin"),
        ("Gamma", "restaurant", "too_close"),
        ("Delta", "cafe", "repaired_geometry"),
        ("Epsilon", "cafe", "leaves_outline"),
    ],
)
def test_distance_to_the_nearest_is_refused(
    asker: Asker, town: Imported, cluster: str, category: str, reason: str
) -> None:
    assert asker.ask("T26", anchor=museum(town, cluster), category=category) == reason


# --- T25 ----------------------------------------------------------------------------------------------------


def test_any_distance_in_a_range(asker: Asker, town: Imported) -> None:
    # Adler at 100 m, Krone at 250 m; 20 m and 50 m of 600 m are 12 %. The unnamed one at 400 m counts, and the
    # hotel at 500 m: 80 and 100 m more make 42 %.
    one = asker.accepted("T25", anchor=museum(town, "Alpha"), category="restaurant", distance=300.0)
    assert [place["distance"] for place in one.gold["objects"]] == [
        pytest.approx(100, abs=CENTIMETRE),
        pytest.approx(250, abs=CENTIMETRE),
    ]
    assert one.gold["tolerated"] == []
    assert one.derived.margin["covered"] == pytest.approx(70 / 300, abs=1e-3)
    alpha = museum(town, "Alpha")
    assert asker.ask("T25", anchor=alpha, category="restaurant", distance=600.0) == "vacuous"


def test_a_distance_near_the_circle_is_tolerated(asker: Asker, town: Imported) -> None:
    for template in ("T21", "T25"):
        one = asker.accepted(template, anchor=museum(town, "Alpha"), category="restaurant", distance=252.0)
        assert [place["name"] for place in one.gold["objects"]] == ["Adler"]
        assert [place["name"] for place in one.gold["tolerated"]] == [
            "Krone"
        ]  # at 250 m, within 5 m of the circle


@pytest.mark.parametrize("template", ["T21", "T25"])
@pytest.mark.parametrize(
    ("cluster", "category", "distance", "reason"),
    [
        ("Alpha", "restaurant", 100.0, "no_answer"),  # tolerated only
        ("Gamma", "restaurant", 200.0, "too_close"),  # 19 m
        ("Iota", "cafe", 200.0, "too_many_answers"),
        ("Delta", "cafe", 200.0, "repaired_geometry"),
        ("Epsilon", "restaurant", 200.0, "leaves_outline"),
    ],
)
def test_any_of_a_range_is_refused(
    asker: Asker, town: Imported, template: str, cluster: str, category: str, distance: float, reason: str
) -> None:
    outcome = asker.ask(template, anchor=museum(town, cluster), category=category, distance=distance)
    assert outcome == reason


# --- T21 ----------------------------------------------------------------------------------------------------


def test_any_direction_in_a_range(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T21", anchor=museum(town, "Alpha"), category="restaurant", distance=300.0)
    assert [place["azimuth"] for place in one.gold["objects"]] == [
        pytest.approx(80, abs=0.01),
        pytest.approx(200, abs=0.01),
    ]
    assert one.derived.margin["covered"] == pytest.approx(72 / 360)


def test_directions_that_cover_a_quarter_of_the_circle_are_no_question(asker: Asker, town: Imported) -> None:
    alpha = museum(town, "Alpha")  # 80, 200 and 300 degrees: 108 degrees of the circle are right
    assert asker.ask("T21", anchor=alpha, category="restaurant", distance=450.0) == "vacuous"


# --- T23 ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cluster", "category", "distance", "count"),
    [
        ("Alpha", "restaurant", 450.0, 3),  # the unnamed one counts; the hotel is at 500 m
        ("Alpha", "food", 1100.0, 4),
        ("Theta", "restaurant", 400.0, 4),  # 396 and 404 m are clear of the circle by more than a metre
        ("Iota", "cafe", 2000.0, 22),
    ],
)
def test_count_in_a_range(
    asker: Asker, town: Imported, cluster: str, category: str, distance: float, count: int
) -> None:
    one = asker.accepted("T23", anchor=museum(town, cluster), category=category, distance=distance)
    assert one.gold == {"count": count}
    assert len(one.derived.evidence) == count


@pytest.mark.parametrize(
    ("cluster", "category", "distance", "reason"),
    [
        ("Alpha", "restaurant", 100.5, "near_circle"),
        ("Alpha", "restaurant", 99.5, "near_circle"),
        ("Beta", "cafe", 611.5, "near_circle"),
        ("Alpha", "fast_food", 500.0, "zero"),
        ("Delta", "cafe", 200.0, "repaired_geometry"),
        ("Epsilon", "restaurant", 199.5, "leaves_outline"),
    ],
)
def test_count_in_a_range_is_refused(
    asker: Asker, town: Imported, cluster: str, category: str, distance: float, reason: str
) -> None:
    outcome = asker.ask("T23", anchor=museum(town, cluster), category=category, distance=distance)
    assert outcome == reason


# --- how much a blind guess would get -------------------------------------------------------------------------


@given(st.lists(st.integers(0, 359), max_size=12), st.integers(1, 60))
def test_degrees_covered_are_those_counted_one_by_one(azimuths: list[int], spread: int) -> None:
    halves = [degree + 0.5 for degree in range(360)]
    near = [half for half in halves if any(abs((half - one + 180) % 360 - 180) < spread for one in azimuths)]
    assert covered_of_circle(map(float, azimuths), spread) == pytest.approx(len(near))
    if spread == 18:
        assert _share_of_circle([float(one) for one in azimuths]) == pytest.approx(len(near) / 360)


@given(st.lists(st.floats(0, 359.999), min_size=1, max_size=10))
def test_both_paths_measure_the_circle_alike(azimuths: list[float]) -> None:
    assert _share_of_circle(azimuths) == pytest.approx(covered_of_circle(azimuths, 18) / 360, abs=1e-9)


@given(st.lists(st.floats(20, 1000), min_size=1, max_size=10))
def test_both_paths_measure_the_range_alike(distances: list[float]) -> None:
    intervals = [(0.9 * one, min(1.1 * one, 1000)) for one in distances]
    assert _share_of_range(distances, 1000) == pytest.approx(covered(intervals) / 1000, abs=1e-9)
