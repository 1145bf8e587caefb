"""Dials: ranges of what makes questions hard. Questions on the toy town; what boards read of them is what was wanted."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import Connection

from app.core.clock import ManualClock
from app.core.errors import UsageError
from app.core.settings import Role
from app.db.engine import connect, use_service_tables
from app.leaderboard.amounts import read_amounts
from app.questions.dials import (
    Dials,
    Range,
    check_dials,
    dials_of_json,
    kilometres_apart,
    places_offered,
    read_range,
)
from app.questions.generating import Generated, NoQuestions, Recipe, generate
from app.questions.gold import NO_ANSWER
from app.questions.reproducing import reproduce
from app.questions.snapshots import find_snapshots
from app.questions.storing import store
from app.questions.versions import PublishedVersion
from app.templates.catalogue import find_benchmark
from tests.support.factories import MADE_AT
from tests.support.town import Imported

BANK = 500
"""More than any of these templates has questions of on the town."""


@pytest.fixture
def worker(town: Imported) -> Iterator[Connection]:
    """A connection to the town, of which nothing is kept."""
    with connect(town.settings, Role.WORKER) as connection:
        yield connection
        connection.rollback()


def make(connection: Connection, benchmark: str, only: tuple[str, ...], **more: Any) -> Generated:
    maps = find_snapshots(connection, ["town"])
    recipe = Recipe(find_benchmark(benchmark).only(only), maps, 3, BANK, BANK, 0.0, only=sorted(only), **more)
    return generate(connection, recipe, lambda *told: None)


def keep(connection: Connection, made: Generated) -> PublishedVersion:
    use_service_tables(connection)
    return store(connection, "dialled", 1, made, ManualClock(MADE_AT))


@pytest.mark.parametrize(
    ("text", "least", "most"), [("2-3", 2, 3), ("2", 2, 2), ("0.25-1", 0.25, 1), ("0", 0, 0)]
)
def test_a_range_is_two_numbers_or_one(text: str, least: float, most: float) -> None:
    assert read_range(text, "hops") == Range(least, most)


@pytest.mark.parametrize("text", ["", "-", "3-2", "2-", "-2", "1e3", "٢", "2-3-4", "nan", "9" * 20])
def test_what_is_no_range_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"hops .*: write MIN-MAX, such as 2-3, or one number"):
        read_range(text, "hops")


def test_the_mean_distance_is_the_same_whichever_option_is_the_key() -> None:
    """On a meridian near the equator: 0, 1 and 3 minutes north; the distances are 1, 2 and 3 minutes."""
    points = [(9.0, 0.0), (9.0, 1 / 60), (9.0, 3 / 60)]
    apart = kilometres_apart(points)
    assert apart == pytest.approx(2 * 1.8429, rel=1e-4)
    assert kilometres_apart(points[::-1]) == pytest.approx(apart, rel=1e-12)


def test_options_are_places_where_each_names_one_object() -> None:
    wrong = [{"text": "A", "osm_key": "n2"}, {"text": NO_ANSWER}]
    assert places_offered({"objects": ["n1"]}, wrong) == ["n1", "n2"]
    assert places_offered({"objects": [{"osm_key": "n1"}]}, wrong) == ["n1", "n2"]
    assert places_offered({"objects": []}, wrong) is None, "that there is no answer is no place"
    assert places_offered({"objects": ["n1", "n3"]}, wrong) is None
    assert places_offered({"count": 3}, [{"text": "4", "osm_key": None}]) is None


def test_recipes_store_dials_and_read_them_again() -> None:
    dials = Dials(hops=Range(2, 3), region_km=Range(0.2, 1), noise=8)
    assert dials.as_json() == {"hops": [2, 3], "region_km": [0.2, 1], "noise": 8}
    assert dials_of_json(dials.as_json()) == dials
    assert dials_of_json({}).as_json() == {}


@pytest.mark.parametrize(
    ("benchmark", "dials", "said"),
    [
        ("gsqa", Dials(hops=Range(1, 2)), r"hops means nothing for T3, .*, T28 of gsqa: no calls .*T1 --template T2"),
        ("gsqa", Dials(region_km=Range(0, 1)), r"region_km means nothing for T11, T12, T24, T27, T28 of gsqa: they"),
        ("gsqa", Dials(nearness_km=Range(0, 1)), r"nearness_km means nothing for T1, .*Leave out nearness_km\."),
        ("mapeval", Dials(hops=Range(1, 2)), r"hops means nothing for Not_On_The_Map of mapeval"),
        ("mapeval_visual", Dials(hops=Range(1, 2)), r"hops means nothing for .*Leave out hops\."),
        ("urban_reasoning", Dials(noise=3), r"noise means nothing for Distance, .* of urban_reasoning"),
        ("urban_knowledge", Dials(noise=3), r"noise means nothing for .*Leave out noise\."),
    ],
)  # fmt: skip
def test_dials_without_a_meaning_name_the_templates(benchmark: str, dials: Dials, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        check_dials(find_benchmark(benchmark), dials, None, 0.0, 0.0)


def test_ranges_that_would_tell_of_hidden_or_unanswerable_questions_are_refused() -> None:
    benchmark = find_benchmark("gsqa").only(["T5"])
    for dials in (Dials(hops=Range(1, 1)), Dials(region_km=Range(0, 1))):
        with pytest.raises(UsageError, match="cannot be given together with hidden questions"):
            check_dials(benchmark, dials, None, 0.1, 0.0)
        with pytest.raises(UsageError, match="questions without an answer have no such amount"):
            check_dials(benchmark, dials, None, 0.0, 0.1)
        check_dials(benchmark, dials, None, 0.0, 0.0)


def test_questions_within_the_ranges_are_those_that_come_without_them(worker: Connection) -> None:
    """Same ids, texts and gold; the amounts that boards read lie in the ranges; the same bytes come out again."""
    only = ("T5", "T22", "T26")
    dials = Dials(hops=Range(1, 1), region_km=Range(0.15, 0.6))
    free, held = make(worker, "gsqa", only), make(worker, "gsqa", only, dials=dials)
    usual = {one.id: (one.text, one.gold) for one in free.records}
    assert 5 < len(held.records) < len(free.records)
    assert all(usual[one.id] == (one.text, one.gold) for one in held.records)
    assert held.recipe.as_json() == {**free.recipe.as_json(), "dials": dials.as_json()}
    for report in held.reports.values():
        refused = report.refused
        assert report.accepted + sum(refused.values()) == report.capacity
    assert sum(one.refused.get("other_region", 0) for one in held.reports.values()) > 0
    assert held.reports["T22"].refused["other_hops"] > 0, "a bearing takes a second call"
    version = keep(worker, held)
    ids = {one.id for one in held.records}
    hops, region = (read_amounts(worker, version, dial) for dial in ("hops", "region"))
    assert hops.keys() == region.keys() == ids
    assert {*hops.values()} == {1}
    assert 0.15 * 0.999 <= min(region.values()) <= max(region.values()) <= 0.6 * 1.001
    again = reproduce(worker, version, lambda *told: None)
    assert again.records == held.records


def test_the_radius_on_boards_is_that_of_the_question(worker: Connection) -> None:
    """T25 looks within a distance that its text tells, and its edge: max(5 m, 1 %) more."""
    made = make(worker, "gsqa", ("T25",))
    region = read_amounts(worker, keep(worker, made), "region")
    assert len(region) > 5
    for one in made.records:
        metres = one.binds["distance"]
        edge = max(one.binds["edge_metres"], one.binds["edge_ratio"] * metres)
        assert region[one.id] == pytest.approx((metres + edge) / 1000, rel=1e-3)


def test_a_template_that_never_lies_within_is_given_up(
    worker: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.questions.dialled.MOST_IN_VAIN", 3)
    monkeypatch.setattr("app.questions.accepting.CHUNKS", (8, 8))
    with pytest.raises(NoQuestions, match=r"T5: dials_in_vain [1-9].*other_hops [3-9]"):
        make(worker, "gsqa", ("T5",), dials=Dials(hops=Range(9, 9)))


def test_how_far_options_lie_apart_is_held_and_read_again(worker: Connection) -> None:
    """The range is one that about half of the questions have; boards read the very same numbers."""
    only = ("Retrieve_POI_Name",)
    free = make(worker, "urban_knowledge", only)
    with worker.begin_nested() as kept:
        amounts = read_amounts(worker, keep(worker, free), "nearness")
        kept.rollback()
    assert amounts.keys() == {one.id for one in free.records}
    middle = sorted(amounts.values())[len(amounts) // 2]
    held = make(worker, "urban_knowledge", only, dials=Dials(nearness_km=Range(0, middle)))
    wanted = {one for one, apart in amounts.items() if apart <= middle}
    assert {one.id for one in held.records} == wanted
    assert held.reports["Retrieve_POI_Name"].refused["other_nearness"] == len(amounts) - len(wanted)
    usual = {one.id: one.options for one in free.records}
    assert all(usual[one.id] == one.options for one in held.records)
