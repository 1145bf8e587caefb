"""Questions without an answer: a share of a version that looks like all others, each proved twice."""

from collections import Counter
from dataclasses import replace

import pytest

from app.benchmarks.gsqa.second_path import unanswerable
from app.core.errors import UsageError
from app.questions.generating import Generated, Recipe, generate
from app.questions.gold import UNANSWERABLE
from app.questions.snapshots import find_snapshots
from app.questions.unanswerable import check_share, quotas
from app.templates.catalogue import Benchmark, find_benchmark
from tests.support.town import Imported

SOME = ("T1", "T13", "T21", "T25", "T11", "T12")


def some_templates() -> Benchmark:
    whole = find_benchmark("gsqa")
    return replace(whole, templates={name: whole.templates[name] for name in SOME})


def made(imported: Imported, share: float, benchmark: Benchmark | None = None) -> Generated:
    with imported.connect() as connection:
        snapshots = find_snapshots(connection, [imported.name])
        recipe = Recipe(benchmark or some_templates(), snapshots, 5, 12, 8, 0.0, unanswerable=share)
        return generate(connection, recipe, lambda *progress: None)


@pytest.mark.parametrize("name", ["town", pytest.param("liechtenstein", marks=pytest.mark.long)])
def test_a_share_has_no_answer_and_looks_like_the_rest(name: str, request: pytest.FixtureRequest) -> None:
    imported: Imported = request.getfixturevalue(name)
    generated = made(imported, 0.25)
    without = [one for one in generated.records if one.gold_kind == UNANSWERABLE]
    assert len(without) == round(len(generated.records) * 0.25)
    assert len({one.template for one in without}) >= 4
    assert all(one.gold == {} and one.second_path["kind"] == UNANSWERABLE for one in without)
    assert not [report for report in generated.reports.values() if "second_path_disagrees" in report.refused]
    for report in generated.reports.values():
        assert report.unanswerable is not None
        assert "second_path_disagrees" not in report.unanswerable["refused"]
    selected = Counter(one.template for one in without)
    assert {
        name: report.unanswerable["selected"]
        for name, report in generated.reports.items()
        if report.unanswerable
    } == {name: selected[name] for name in SOME}
    # The same words and headers as the others of their template; only what is hidden with gold tells them apart.
    for one in without:
        others = [
            other for other in generated.records if other.template == one.template and other not in without
        ]
        if others:
            assert {
                (other.variant, other.answer_type, other.scorer, other.template_version) for other in others
            } == {(one.variant, one.answer_type, one.scorer, one.template_version)}
        assert "unanswerable" not in one.text
    places = [one.gold_kind for one in generated.records if one.template == "T1"]
    assert places != sorted(places, reverse=True), "those without an answer do not stand at the end"
    again = made(imported, 0.25)
    assert [vars(one) for one in again.records] == [vars(one) for one in generated.records]


def test_without_a_share_nothing_changes(town: Imported) -> None:
    plain = made(town, 0.0)
    assert "unanswerable" not in plain.recipe.as_json()
    assert all(report.unanswerable is None for report in plain.reports.values())
    whole = made(town, 0.25)
    answerable = {one.id for one in whole.records if one.gold_kind != UNANSWERABLE}
    assert answerable == {one.id for one in plain.records}


def test_shares_spread_over_templates() -> None:
    assert quotas({"T1": 5, "T2": 0, "T3": 2}, 10, 0.5) == {"T1": 5, "T2": 0, "T3": 2}
    assert quotas({"T1": 5, "T2": 9, "T3": 2}, 27, 0.1) == {"T1": 1, "T2": 1, "T3": 1}
    assert quotas({"T1": 5}, 10, 0.0) == {"T1": 0}


def test_a_share_that_cannot_be_is_refused() -> None:
    with pytest.raises(UsageError, match=r"from 0 to 0\.5"):
        check_share(find_benchmark("gsqa"), 0.6)
    with pytest.raises(UsageError, match="no questions without an answer"):
        check_share(find_benchmark("urban_knowledge"), 0.1)


def test_both_paths_take_the_same_classes_for_alike() -> None:
    """The tables of the SELECTs and of the second path are written twice, and say the same."""
    forms = find_benchmark("gsqa").templates
    for name, layer_names, groups in (
        ("T1", (), unanswerable.ALIKE_PLACES),
        ("T11", ("park", "water"), unanswerable.ALIKE_GROUNDS),
        ("T12", ("road", "water"), unanswerable.ALIKE_LINES),
    ):
        form = forms[name].unanswerable
        assert form is not None
        rows = [
            line.strip().strip("(),'") for line in form.body.splitlines() if line.strip().startswith("('")
        ]
        told = {frozenset(word.partition(":")[2] or word for word in row.split()) for row in rows}
        assert told == set(groups), name
        assert layer_names or ":" not in "".join(rows)
