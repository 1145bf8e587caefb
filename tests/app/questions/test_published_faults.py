"""Faults that were measured in the published questions: each is put into a template or the code, and is refused.

The mutants are templates of the checkout with one thing changed, asked on the toy town. Faults of numbers, regions and
roads; numbers as in sql_templates/gsqa/README.md's table of differences.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions import verifying
from app.questions.accepting import accept_questions
from app.questions.derivations import DERIVATIONS, Case, Derived
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.terms import Terms
from app.scores.registry import get_scorer
from app.scores.score import Outcome
from app.templates.templates import Template
from tests.support.town import Asker, Imported, benchmarks, import_map, make_town, template_of

DISAGREES = "second_path_disagrees"


@pytest.fixture(scope="module")
def asker(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


@pytest.fixture(scope="module")
def toyville(town: Imported) -> str:
    return town.key("Toyville")


def mutant(name: str, *changes: tuple[str, str]) -> Template:
    """A template with parts of its SELECT replaced."""
    body = template_of(name).body
    for old, new in changes:
        assert old in body, f"{name} has no {old!r}"
        body = body.replace(old, new)
    return replace(template_of(name), body=body)


def lenient(name: str, **limits: float) -> Template:
    """A template whose header allows more."""
    template = template_of(name)
    header = template.header.model_copy(update={"limits": {**template.header.limits, **limits}})
    return replace(template, header=header)


# --- whole objects instead of their parts inside; what only touches ------------------------------------------


@pytest.mark.parametrize(
    ("name", "parameter", "value", "change"),
    [
        ("T11", "ground", "protected_area", ("st_intersection(area.geom, part.geom)", "part.geom")),
        ("T12", "line", "residential", ("st_intersection(area.geom, part.geom)", "part.geom")),
        ("T27", "surface", "park", (":semantics = 'intersects'", "(:semantics = 'intersects' or true)")),
        ("T28", "line", "residential", (":semantics = 'intersects'", "(:semantics = 'intersects' or true)")),
        ("T28", "line", "residential", ("when st_touches(area.geom, part.geom) then null", "")),
        ("T12", "line", "residential", ("not st_touches(area.geom, part.geom)", "true")),
    ],
)
def test_whole_objects_are_refused(
    asker: Asker, toyville: str, name: str, parameter: str, value: str, change: tuple[str, str]
) -> None:
    asker.accepted(name, region=toyville, **{parameter: value})
    assert asker.ask(mutant(name, change), region=toyville, **{parameter: value}) == DISAGREES


def test_no_part_is_larger_than_its_region(asker: Asker, town: Imported, toyville: str) -> None:
    (region,) = asker.connection.exec_driver_sql(
        "select st_area(geog) from region where osm_key = %(key)s", {"key": toyville}
    ).scalars()
    for surface in ("park", "water", "protected_area"):
        assert asker.accepted("T27", region=toyville, surface=surface).gold["area"] < region


# --- single ways ranked as roads ----------------------------------------------------------------------------


def test_single_ways_are_not_roads(asker: Asker, toyville: str) -> None:
    """Toy Street has 700 m in two ways; the longest way is Long Lane's, 600 m."""
    single = mutant("T12", ("group by piece.name", "group by piece.name, piece.osm_key"))
    assert asker.accepted("T12", region=toyville, line="residential").gold["names"] == ["Toy Street"]
    assert asker.ask(single, region=toyville, line="residential") == DISAGREES


# --- a hidden filter: the statement that is stored is not the one that made the answer -------------------------


@pytest.mark.parametrize(
    ("name", "hidden"),
    [
        ("T28", ("and st_intersects(road.geom, area.geom)", "and road.name <> 'Long Lane' and true")),
        ("T12", ("and road.name is not null", "and road.name <> 'Toy Street'")),
    ],
)
def test_a_hidden_filter_is_refused(asker: Asker, toyville: str, name: str, hidden: tuple[str, str]) -> None:
    assert asker.ask(mutant(name, hidden), region=toyville, line="residential") == DISAGREES


@pytest.fixture
def village(make_database: Callable[[], Settings], tmp_path: Any) -> Imported:
    """The town in a database that a test may write to."""
    settings = make_database()
    toy = make_town()
    file = toy.write(tmp_path / "town.osm")
    import_map(settings, file, "town")
    return Imported(settings, "town", file, toy)


def published(village: Imported, names: list[str]) -> Any:
    """The questions of a version with these templates alone, read back."""
    benchmark = benchmarks()["gsqa"]
    some = replace(benchmark, templates={name: benchmark.templates[name] for name in names})
    with connect(village.settings, Role.WORKER) as connection:
        recipe = Recipe(some, find_snapshots(connection, ["town"]), 0, 4, 4, 0.0)
        generated = generate(connection, recipe, lambda *progress: None)
        version = store(connection, "faulty", 1, generated, SystemClock())
        connection.commit()
        return load_questions(connection, version)


def failing(village: Imported, questions: Any) -> set[str]:
    with connect(village.settings, Role.MAINTAINER) as connection:
        return {one.path for one in verifying.verify(connection, questions, lambda done: None).failures}


def test_a_stored_statement_must_give_the_gold(village: Imported) -> None:
    questions = published(village, ["T12", "T28"])
    assert failing(village, questions) == set()
    filtered = [
        replace(
            one,
            sql=one.sql.replace(
                "st_intersects(road.geom", "road.name <> 'Toy Street' and st_intersects(road.geom"
            ),
        )
        for one in questions
        if one.parameters["line"] in ("residential",)
    ]
    assert filtered
    assert "stored_sql" in failing(village, filtered)


# --- questions that a blind guess answers ---------------------------------------------------------------------


@pytest.mark.parametrize("name", ["T21", "T25"])
def test_vacuous_questions_are_refused(asker: Asker, town: Imported, name: str) -> None:
    alpha = town.key("Museum Alpha")  # 100, 250, 400 and 500 m; 80, 200, 300 and 90 degrees
    asked = {"anchor": alpha, "category": "restaurant", "distance": 600.0}
    assert asker.ask(name, **asked) == "vacuous"
    assert asker.ask(lenient(name, share=1.0), **asked) == DISAGREES
    iota = {"anchor": town.key("Museum Iota"), "category": "cafe", "distance": 90.0}
    assert asker.ask(lenient(name, share=1.0, answers=1000), **iota) == DISAGREES


def test_a_blind_guess_is_rarely_right(town: Imported) -> None:
    """Whatever one says to every question of a range, it is right in no more than some of them."""
    with town.connect() as connection:
        asker = Asker.on(connection, town.name)
        for name in ("T21", "T25"):
            template = template_of(name)
            found = accept_questions(asker.ground, template, Terms(0), 10**6, set())
            for one in found.accepted:
                reach = 360.0 if name == "T21" else one.picked.parameters["distance"]
                guesses = [reach * (step + 0.5) / 200 for step in range(200)]
                judge = get_scorer(template.header.scorer).judge
                right = [
                    judge(f"{guess:.6f}", one.gold, None).outcome == Outcome.CORRECT for guess in guesses
                ]
                assert sum(right) <= 0.25 * 200 + 3, one.picked.parameters


# --- answers that are none, and objects without ids -------------------------------------------------------------


@pytest.mark.parametrize("value", ["'NaN'", "'Infinity'", "0"])
def test_numbers_that_are_none_are_refused(asker: Asker, toyville: str, value: str) -> None:
    broken = mutant(
        "T28",
        ("sum(st_length(cut.counted::geography) order by part.osm_key)", f"{value}::double precision"),
    )
    outcome = asker.ask(broken, region=toyville, line="residential")
    assert outcome == ("zero" if value == "0" else DISAGREES)


@pytest.mark.parametrize("name", ["T11", "T12", "T23", "T24", "T27", "T28"])
def test_questions_without_the_ids_of_their_objects_fail(
    village: Imported, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """A refresh finds what has changed by OSM ids: roads and regions have theirs in the evidence."""
    template = template_of(name)
    key = (template.benchmark, template.header.derive)
    derive = DERIVATIONS.find(*key)
    assert derive

    def forgetful(case: Case) -> Derived:
        return replace(derive(case), evidence=())

    with monkeypatch.context() as patch:
        patch.setitem(DERIVATIONS.added, key, forgetful)
        questions = published(village, [name])
    assert failing(village, questions) == {"evidence"}
