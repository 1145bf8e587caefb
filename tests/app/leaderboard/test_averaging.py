"""The paper's overall averages, quarters of tag counts, and groups at matched popularity."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.leaderboard.averaging import (
    Averages,
    mean_of_all,
    mean_of_groups,
    overall_averages,
    quartile_labels,
    standardise,
)

# UrbanGeoEval's dimensions and how many templates each has.
TEMPLATES = {"node": 5, "area": 4, "road": 3, "type": 3, "function": 3, "surroundings": 2}
SHARES = st.floats(0, 1)
VALUES = st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=12)
GROUPS = st.dictionaries(
    st.sampled_from("abcd"),
    st.dictionaries(st.sampled_from("xyz"), VALUES, min_size=1),
    min_size=2,
)


def test_both_overall_figures_by_hand() -> None:
    means = {"node": 1.0, "area": 0.5, "road": 0.0, "type": 0.0, "function": 0.0, "surroundings": 0.0}
    found = overall_averages(means, TEMPLATES)
    assert found == pytest.approx((1.5 / 6, (5 * 1.0 + 4 * 0.5) / 20))


@given(st.fixed_dictionaries(dict.fromkeys(TEMPLATES, SHARES)))
def test_averages_lie_between_the_dimensions(means: dict[str, float]) -> None:
    for average in overall_averages(means, TEMPLATES):
        assert average is not None
        assert min(means.values()) - 1e-12 <= average <= max(means.values()) + 1e-12
    same = overall_averages(means, dict.fromkeys(TEMPLATES, 3))
    assert same.dimension_mean == pytest.approx(same.template_weighted, abs=1e-12)


def test_a_dimension_without_a_mean_leaves_no_average() -> None:
    assert overall_averages({"node": 0.5, "area": None}, TEMPLATES) == Averages(None, None)
    assert overall_averages({}, {}) == Averages(None, None)


def test_matched_by_hand() -> None:
    """Paris has the well-known places, Rome the others; in each stratum both are equally good."""
    found = standardise(
        {
            "Paris": {"known": [1.0, 1.0, 1.0, 0.0], "unknown": [0.0, 1.0]},
            "Rome": {"known": [1.0, 1.0, 1.0, 0.0] * 2, "unknown": [1.0, 0.0] * 5, "odd": [1.0]},
        }
    )
    assert found is not None
    assert found.weights == {"known": pytest.approx(0.5), "unknown": pytest.approx(0.5)}
    paris, rome = found.groups["Paris"], found.groups["Rome"]
    assert (paris.n, rome.n) == (6, 18)
    assert paris.crude == pytest.approx(4 / 6)
    assert rome.crude == pytest.approx(11 / 18)
    assert paris.score == rome.score == pytest.approx(0.5 * 0.75 + 0.5 * 0.5)
    # Worth 1 / (0.25 / 4 + 0.25 / 2) = 16 / 3 questions: Wilson's for 0.625 of as many.
    n, z2 = 16 / 3, 1.959963984540054**2
    half = math.sqrt(z2) / (1 + z2 / n) * math.sqrt(0.625 * 0.375 / n + z2 / (4 * n * n))
    middle = (0.625 + z2 / (2 * n)) / (1 + z2 / n)
    assert (paris.low, paris.high) == pytest.approx((middle - half, middle + half))


def test_nothing_to_compare() -> None:
    assert standardise({}) is None
    assert standardise({"a": {"x": [1.0]}}) is None
    assert standardise({"a": {"x": [1.0]}, "b": {"y": [1.0]}}) is None


@given(GROUPS)
def test_standardised_scores(values: dict[str, dict[str, list[float]]]) -> None:
    found = standardise(values)
    assume(found is not None)
    assert found is not None
    assert math.fsum(found.weights.values()) == pytest.approx(1)
    for group, of in found.groups.items():
        means = [math.fsum(values[group][name]) / len(values[group][name]) for name in found.weights]
        assert min(means) - 1e-9 <= of.score <= max(means) + 1e-9
        assert 0 <= of.low <= of.score <= of.high <= 1
        assert of.n == sum(len(values[group][name]) for name in found.weights)


@given(st.dictionaries(st.sampled_from("xyz"), VALUES, min_size=1))
def test_groups_alike_are_as_without_matching(of: dict[str, list[float]]) -> None:
    found = standardise({"one": of, "other": of})
    assert found is not None
    for one in found.groups.values():
        assert one.score == pytest.approx(one.crude)


@given(GROUPS, st.permutations("abcd"))
def test_the_order_of_groups_changes_nothing(
    values: dict[str, dict[str, list[float]]], order: list[str]
) -> None:
    turned = {name: dict(reversed(values[name].items())) for name in order if name in values}
    assert standardise(turned) == standardise(values)


def test_quarters_by_hand() -> None:
    labels = quartile_labels([1, 2, 3, 4, 5, 6, 7, 8, 9])  # bounds 3, 5, 7
    assert [labels[count] for count in (1, 3, 4, 5, 6, 7, 8, 9)] == [
        "1 of 4: 1 to 3",
        "1 of 4: 1 to 3",
        "2 of 4: 4 to 5",
        "2 of 4: 4 to 5",
        "3 of 4: 6 to 7",
        "3 of 4: 6 to 7",
        "4 of 4: 8 to 9",
        "4 of 4: 8 to 9",
    ]
    assert quartile_labels([]) == {}
    assert quartile_labels([5]) == {5: "1 of 4: 5"}
    assert set(quartile_labels([4, 4, 4, 4]).values()) == {"1 of 4: 4"}


@given(st.lists(st.integers(0, 60), min_size=1, max_size=80))
def test_quarters_are_in_order_and_cover_all(counts: list[int]) -> None:
    labels = quartile_labels(counts)
    assert set(labels) == set(counts)
    in_order = [labels[count] for count in sorted(labels)]
    assert in_order == sorted(in_order, key=lambda label: label[0])
    assert len(set(in_order)) <= 4


def test_a_group_of_few_counts_as_one_of_many_in_the_mean_of_groups() -> None:
    groups = {"poi": [1.0, 1.0, 1.0, 0.0], "trip": [0.0, 0.5], "none": []}
    assert (mean_of_all(groups), mean_of_groups(groups)) == (3.5 / 6, 0.5)
    assert (mean_of_all({}), mean_of_groups({"none": []})) == (None, None)
