"""Filling a bank: every tuple is accepted or refused for a reason; chunks and other maps change nothing."""

from collections.abc import Callable, Iterator

import pytest

from app.core.settings import Settings
from app.questions import accepting
from app.questions.accepting import Acceptance, accept_questions
from app.questions.terms import Terms
from tests.support.town import Asker, Imported, import_map, make_town, template_of, town_benchmarks

LEAN_ON_FACTS = {"T7", "T8"}
"""The town has no external facts; tests/app/questions/test_facts.py asks and proves these."""
TEMPLATES = [
    name
    for benchmark in town_benchmarks().values()
    for name in benchmark.templates
    if name not in LEAN_ON_FACTS
]


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


def fill(
    asker: Asker, template: str, seed: int = 0, bank: int = 10**6, seen: set[str] | None = None
) -> Acceptance:
    found = set() if seen is None else seen
    return accept_questions(asker.ground, template_of(template), Terms(seed), bank, found)


def ids(outcome: Acceptance) -> list[str]:
    return [one.id for one in outcome.accepted]


OF_SETS = [
    name
    for name in TEMPLATES
    if any(parameter.choose > 1 for parameter in template_of(name).header.parameters.values())
]
"""Too many tuples to ask them all, as T9 has."""


@pytest.mark.parametrize("template", [name for name in TEMPLATES if name not in (*OF_SETS, "T9")])
def test_every_tuple_is_accepted_or_refused(asker: Asker, template: str) -> None:
    outcome = fill(asker, template)
    assert len(outcome.accepted) + sum(outcome.refused.values()) == outcome.capacity
    assert outcome.accepted, outcome.refused
    assert len(set(ids(outcome))) == len(outcome.accepted)
    assert "second_path_disagrees" not in outcome.refused
    assert "duplicate" not in outcome.refused


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_full_bank_ends_the_search(asker: Asker, template: str) -> None:
    outcome = fill(asker, template, bank=1)
    assert len(outcome.accepted) == 1
    assert sum(outcome.refused.values()) < outcome.capacity


@pytest.mark.parametrize("template", ["T1", "T9", "Find_Nearest_POI", "Compare_Area_Size"])
def test_the_size_of_chunks_does_not_matter(
    asker: Asker, template: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = fill(asker, template, bank=7)
    for size in (1, 5):
        monkeypatch.setattr(accepting, "CHUNKS", (size, size))
        other = fill(asker, template, bank=7)
        assert ids(other) == ids(usual)
        assert other.refused == usual.refused
        assert [one.gold for one in other.accepted] == [one.gold for one in usual.accepted]
        assert [one.options for one in other.accepted] == [one.options for one in usual.accepted]


def test_the_same_seed_gives_the_same_and_another_others(asker: Asker) -> None:
    first, again, other = (fill(asker, "Compare_Area_Size", seed, bank=10) for seed in (1, 1, 2))
    assert ids(first) == ids(again)
    assert [one.options for one in first.accepted] == [one.options for one in again.accepted]
    assert set(ids(first)) != set(ids(other))


def test_an_id_depends_on_the_tuple_alone(asker: Asker) -> None:
    """Not on the seed, nor on what else was drawn."""
    by_tuple = {repr(one.picked.parameters): one.id for one in fill(asker, "T5", 1).accepted}
    other = {repr(one.picked.parameters): one.id for one in fill(asker, "T5", 2).accepted}
    assert by_tuple == other
    assert len(set(by_tuple.values())) == len(by_tuple)


def test_margins_are_kept_and_said(asker: Asker) -> None:
    for one in fill(asker, "T5").accepted:
        wanted = max(10, 0.02 * one.gold["objects"][0]["distance"])
        assert one.derived.margin["wanted"] == pytest.approx(wanted)
        assert one.derived.margin["behind"] is None or one.derived.margin["behind"] >= wanted
    for one in fill(asker, "Compare_Area_Size", bank=50).accepted:
        assert one.derived.margin["closest_ratio"] <= 0.9


def test_evidence_is_what_the_gold_stands_on(asker: Asker, town: Imported) -> None:
    one = asker.accepted("T24", region=town.key("Toyville"), category="restaurant")
    named = {("poi", town.key("Ville One")), ("poi", town.key("Ville Two"))}
    assert named < set(one.derived.evidence)
    assert len(one.derived.evidence) == 3
    park = asker.accepted("T27", region=town.key("Toyville"), surface="park")
    assert {layer for layer, _ in park.derived.evidence} == {"park"}
    assert len(park.derived.evidence) == 3
    quad = asker.accepted("Find_Cover_AOI", poi=town.key("Museum Quad"))
    assert set(quad.derived.evidence) == {("aoi", town.key("Small Quad")), ("aoi", town.key("Big Campus"))}


def test_a_second_map_of_the_same_ground_repeats_nothing(
    make_database: Callable[[], Settings], tmp_path
) -> None:
    """What one map refused may stand on the other; what it gave is not given again."""
    settings = make_database()
    large, small = make_town(), make_town()
    small.box = (9.99, 49.99, 10.01, 50.01)  # around Alpha alone
    small.timestamp = "2024-06-06T00:00:00Z"
    import_map(settings, small.write(tmp_path / "small.osm"), "small")
    import_map(settings, large.write(tmp_path / "large.osm"), "large")
    with Imported(settings, "small", tmp_path).connect() as connection:
        seen: set[str] = set()
        first = fill(Asker.on(connection, "small"), "T5", seen=seen)
        assert first.refused["leaves_outline"] > 0
        assert set(ids(first)) == seen
        second = fill(Asker.on(connection, "large"), "T5", seen=seen)
        alone = fill(Asker.on(connection, "large"), "T5")
    assert second.refused["duplicate"] == len(first.accepted)
    assert set(ids(first)) | set(ids(second)) == set(ids(alone))
    assert not set(ids(first)) & set(ids(second))
