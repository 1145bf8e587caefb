"""T7 and T8 on a map whose facts are known by hand: gold, refusals, the second path, and that sets never change."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from app.benchmarks.gsqa.second_path.facts import fault_of
from app.core.clock import SystemClock
from app.core.identity import digest
from app.core.settings import Role, Settings
from app.db.engine import connect, use_schema
from app.exports.versions import export_generated, export_published
from app.facts.files import read_facts
from app.facts.normalising import Value
from app.facts.storing import store_file_facts
from app.questions.generating import Recipe, generate
from app.questions.picking import Space
from app.questions.queries import RECORDS
from app.questions.reproducing import reproduce
from app.questions.second_path import Layers, disagreements
from app.questions.second_path.reading import FactRow
from app.questions.snapshots import find_snapshots, find_snapshots_with_facts
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from app.solvers.oracle import say_gold
from app.solvers.random import distributions
from app.templates.catalogue import Benchmark
from tests.app.questions.facts_map import make_facts_map
from tests.support.command_line import trigpoint
from tests.support.second_path import answer
from tests.support.town import Asker, Imported, benchmarks, import_map, template_of

NAME = "road"
DISAGREES = "second_path_disagrees"
FILE = [
    {"subject": "Q77", "attribute": "mascot", "value": "Bär", "names": ["Bruno"], "credit": "the register"},
    {"subject": "Q78", "attribute": "start_year", "value": "1950", "credit": "the register"},
    {"subject": "Q80", "attribute": "start_year", "value": "1951", "credit": "the register"},
    {"subject": "Q79", "attribute": "capacity", "value": 55, "credit": "the register"},
    {"subject": "Q81", "attribute": "beds", "value": 7, "credit": "the register"},
]


def load(settings: Settings, folder: Path, lines: list[dict[str, Any]]) -> None:
    file = folder / "facts.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    with connect(settings, Role.WORKER) as connection:
        store_file_facts(connection, read_facts(file, SystemClock().now()), None)
        connection.commit()


@pytest.fixture(scope="module")
def road(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    folder = tmp_path_factory.mktemp("road")
    toy = make_facts_map()
    file = toy.write(folder / "road.osm")
    settings = make_database()
    import_map(settings, file, NAME)
    load(settings, folder, FILE)
    return Imported(settings, NAME, file, toy)


@pytest.fixture(scope="module")
def asker(road: Imported) -> Iterator[Asker]:
    with road.connect() as connection:
        yield Asker.on(connection, NAME)


def ask7(asker: Asker, road: Imported, station: str, attribute: str, credit: str = "OpenStreetMap") -> Any:
    anchor = road.key(f"Gallery {station}")
    return asker.ask("T7", anchor=anchor, category="school", attribute=f"{attribute}@{credit}")


# --- T7 ---------------------------------------------------------------------------------------------------


def test_a_fact_about_the_nearest(asker: Asker, road: Imported) -> None:
    one = ask7(asker, road, "Told", "start_year")
    fact = one.gold["fact"]
    assert (fact["kind"], fact["value"], fact["source"], fact["licence"]) == (
        "year",
        "1984",
        "osm",
        "ODbL-1.0",
    )
    key = road.key("School Told")
    assert fact["source_url"] == f"https://www.openstreetmap.org/node/{key[1:]}"
    assert [place["name"] for place in one.gold["objects"]] == ["School Told"]
    assert one.gold["objects"][0]["distance"] == pytest.approx(300, abs=0.02)
    assert one.derived.facts == [fact["id"]]
    assert ask7(asker, road, "Told", "capacity").gold["fact"]["value"] == "120"


@pytest.mark.parametrize(
    ("station", "attribute", "credit", "reason"),
    [
        ("Silent", "start_year", "OpenStreetMap", "no_fact"),  # ~1900 is no year
        ("Silent", "capacity", "OpenStreetMap", "no_fact"),  # 10+ is not a number
        ("Twin", "start_year", "OpenStreetMap", "no_fact"),  # two tags contradict each other
        ("Torn", "start_year", "OpenStreetMap", "no_fact"),  # file and tag contradict each other
        ("Torn", "start_year", "the register", "no_fact"),
        ("Item", "start_year", "OpenStreetMap", "no_fact"),  # equal, and the file's counts
        ("Told", "operator", "OpenStreetMap", "no_fact"),  # of another school only
    ],
)
def test_what_is_no_fact_is_not_asked_for(
    asker: Asker, road: Imported, station: str, attribute: str, credit: str, reason: str
) -> None:
    assert ask7(asker, road, station, attribute, credit) == reason


def test_equal_facts_count_once_and_name_the_source_that_counts(asker: Asker, road: Imported) -> None:
    fact = ask7(asker, road, "Item", "start_year", "the register").gold["fact"]
    assert (fact["source"], fact["credit"], fact["value"]) == ("file", "the register", "1950")


def test_a_class_is_not_asked_for_from_its_own(asker: Asker, road: Imported) -> None:
    anchor = road.key("Gallery Told")
    assert (
        asker.ask("T7", anchor=anchor, category="gallery", attribute="architect@OpenStreetMap") == "own_class"
    )


# --- T8 ---------------------------------------------------------------------------------------------------


def test_which_places_facts_describe(asker: Asker, road: Imported) -> None:
    """Not the two of one architect, nor those of one item, nor the school, which nobody travels to."""
    assert asker.values("T8", "anchor") == sorted(
        [
            f"{road.key('Gallery Told')} architect",
            f"{road.key('Gallery Told')} height",
            f"{road.key('Gallery Item')} mascot",
            f"{road.key('Gallery Torn')} capacity",
        ]
    )


def test_nearest_to_the_place_that_a_fact_describes(asker: Asker, road: Imported) -> None:
    one = asker.accepted("T8", anchor=f"{road.key('Gallery Told')} architect", category="restaurant")
    assert one.gold["names"] == ["Inn Told"]
    assert one.gold["objects"][0]["distance"] == pytest.approx(150, abs=0.02)
    assert one.gold["fact"]["value"] == "Anna Beck"  # without its footnote mark
    assert one.binds["anchor"] == "architect=anna beck"
    assert one.picked.one("anchor").label == "the art gallery in Liechtenstein whose architect is Anna Beck"
    height = asker.accepted("T8", anchor=f"{road.key('Gallery Told')} height", category="food")
    assert height.picked.one("anchor").label.endswith("is 12.5 m")


# --- the second path, and faults put into facts -----------------------------------------------------------


def with_rows(asker: Asker, change: Callable[[FactRow], FactRow]) -> Layers:
    """The map's layers with facts that were tampered with."""
    rows = [change(row) for row in asker.layers.facts]
    layers = Layers(asker.connection, asker.snapshot.schema, bytes.fromhex(asker.snapshot.outline or ""))
    layers._read_facts = lambda: rows
    return layers


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("start_year", "nan"),
        ("start_year", ""),
        ("start_year", "~1984"),
        ("capacity", "nan"),
        ("capacity", "0"),
        ("capacity", "inf"),
        ("operator", "nan"),
        ("operator", "Toyville [1]"),
        ("operator", "Toyville²"),
    ],
)
def test_unsound_values_are_refused_by_the_second_path(
    asker: Asker, road: Imported, attribute: str, value: str
) -> None:
    """GS-QA's gold held "nan" and footnote marks: such a value, wherever it came from, is not proved."""
    station = "Other" if attribute == "operator" else "Told"
    one = ask7(asker, road, station, attribute)

    def change(row: FactRow) -> FactRow:
        return row._replace(value=value, names=[value]) if row.fact_id == one.gold["fact"]["id"] else row

    second = answer(with_rows(asker, change), "T7", one.picked.parameters)
    assert second.refusal == "unsound_fact"
    gold = {**one.gold, "fact": {**one.gold["fact"], "value": value}}
    assert disagreements("T7", gold, second, None) != []


def test_sound_values_pass_the_second_path(asker: Asker) -> None:
    assert [row for row in asker.layers.facts if fault_of(row)] == []


@pytest.mark.parametrize(
    "change",
    [
        lambda row: row._replace(value="1985", key="1985"),
        lambda row: row._replace(subject="n999"),
        lambda row: row._replace(credit="Wikidata"),
        lambda row: row._replace(fact_id="0" * 32),
    ],
)
def test_other_facts_are_a_disagreement(asker: Asker, road: Imported, change: Any) -> None:
    one = ask7(asker, road, "Told", "start_year")
    key, layers = (
        road.key("School Told"),
        with_rows(
            asker,
            lambda row: (
                change(row)
                if (row.osm_key, row.attribute) == (road.key("School Told"), "start_year")
                else row
            ),
        ),
    )
    assert key
    assert disagreements("T7", one.gold, answer(layers, "T7", one.picked.parameters), None) != []


def test_another_bearer_is_a_disagreement(asker: Asker, road: Imported) -> None:
    """Even one that contradicts itself: somebody may know that place by it."""
    one = asker.accepted("T8", anchor=f"{road.key('Gallery Told')} architect", category="restaurant")
    layers = with_rows(asker, lambda row: row)
    rows = [*layers.facts]
    twin = next(row for row in rows if row.osm_key == road.key("Gallery Twin"))
    layers._read_facts = lambda: [*rows, twin._replace(value="Anna Beck", key="anna beck", fact_id="1")]
    layers.__dict__.pop("facts")
    second = answer(layers, "T8", one.picked.parameters)
    assert second.refusal == "ambiguous_anchor"


# --- mutants: the published fault, put in again ------------------------------------------------------------


@pytest.mark.parametrize(
    ("template", "station", "attribute"),
    [("T7", "Silent", "start_year"), ("T7", "Silent", "capacity"), ("T8", "Silent", "architect")],
)
def test_a_normaliser_that_lets_everything_pass_makes_no_question(
    road: Imported, monkeypatch: pytest.MonkeyPatch, template: str, station: str, attribute: str
) -> None:
    """`nan`, `~1900` and `10+` as facts: the second path refuses them."""
    monkeypatch.setattr(
        "app.facts.resolving.normalise", lambda one, said: Value(said, said.casefold(), one.unit, (said,))
    )
    with road.connect() as connection:
        mutant = Asker.on(connection, NAME)
        if template == "T7":
            assert ask7(mutant, road, station, attribute) == DISAGREES
        else:
            anchor = f"{road.key(f'Gallery {station}')} {attribute}"
            assert mutant.ask("T8", anchor=anchor, category="restaurant") == DISAGREES


def test_a_template_that_takes_contradicted_facts_makes_no_question(asker: Asker, road: Imported) -> None:
    template = template_of("T7")
    mutant = replace(template, body=template.body.replace("and told.chosen", ""))
    outcome = asker.ask(
        mutant, anchor=road.key("Gallery Torn"), category="school", attribute="start_year@OpenStreetMap"
    )
    assert outcome == DISAGREES


def test_a_template_that_takes_descriptions_of_two_places_makes_no_question(
    asker: Asker, road: Imported
) -> None:
    """First its pick alone, which the derivation refuses; then its SELECT too, which the second path does."""
    template = template_of("T8")
    once = "\n    and told.first_bearer = told.last_bearer"
    assert once in template.picks["described_poi"]
    picks = {**template.picks, "described_poi": template.picks["described_poi"].replace(once, "")}
    told = {"anchor": f"{road.key('Gallery Doubled')} beds", "category": "restaurant"}
    assert asker.ask(replace(template, picks=picks), **told) == "ambiguous_anchor"
    blind = template.body.replace("count(distinct bearer.osm_key)", "1 as one")
    blind = blind.replace("and bearer.descriptor = :anchor", "and bearer.descriptor = :anchor limit 1")
    assert asker.ask(replace(template, picks=picks, body=blind), **told) == DISAGREES


# --- versions ---------------------------------------------------------------------------------------------


def only_facts(benchmark: Benchmark) -> Benchmark:
    return replace(benchmark, templates={name: benchmark.templates[name] for name in ("T5", "T7", "T8")})


def make(settings: Settings, bank: int = 500) -> tuple[PublishedVersion, Any]:
    with connect(settings, Role.WORKER) as connection:
        found = find_snapshots_with_facts(connection, [NAME])
        recipe = Recipe(
            only_facts(benchmarks()["gsqa"]), found, 3, bank, bank, 0.5, secret_draws=True, secret="a secret"
        )
        generated = generate(connection, recipe, lambda *progress: None)
        version = store(connection, "facts", 1, generated, SystemClock())
        connection.commit()
    return version, generated


@pytest.fixture
def own_road(make_database: Callable[[], Settings], road: Imported, tmp_path: Path) -> Settings:
    settings = make_database()
    import_map(settings, road.file, NAME)
    load(settings, tmp_path, FILE)
    return settings


def test_every_question_is_proved_again_and_made_again_whatever_is_loaded_later(
    own_road: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version, generated = make(own_road)
    for name, report in generated.reports.items():
        assert report.accepted > 0, name
        assert report.accepted + sum(report.refused.values()) == report.capacity, name
        assert "second_path_disagrees" not in report.refused, name
    # other facts now: the version stands on its own set
    load(own_road, tmp_path, [{**FILE[0], "value": "Wolf", "names": []}, {**FILE[3], "value": 66}])
    monkeypatch.setattr(
        "app.questions.reproducing.find_benchmark", lambda name: only_facts(benchmarks()["gsqa"])
    )
    with connect(own_road, Role.MAINTAINER) as connection:
        questions = load_questions(connection, version)
        result = verify(connection, questions, lambda done: None)
        assert result.proved, result.failures[:3]
        again = reproduce(connection, version, lambda *progress: None)
        assert [one.id for one in again.records] == [one.id for one in generated.records]
        assert [one.gold for one in again.records] == [one.gold for one in generated.records]
        files = export_published(connection, version, with_gold=True, include_hidden=True)
        assert "Facts beyond the map, each under its own licence: the register (unstated)." in str(
            files["LICENSE"]
        )
        assert export_generated(connection, again, version.name, version.number) == files
        rows = connection.exec_driver_sql(RECORDS, {"version_id": version.id, "ids": None}).all()
        told = {row.id: row.gold["fact"]["id"] for row in rows if "fact" in row.gold}
        ids = connection.execute(
            text("select question_id, fact_ids, name_keys from trigpoint.footprint")
        ).all()
    assert {row.question_id: row.fact_ids for row in ids if row.fact_ids} == {
        question: [fact] for question, fact in told.items()
    }
    assert any("architect=anna beck" in row.name_keys for row in ids)
    with connect(own_road, Role.WORKER) as connection:
        use_schema(connection, find_snapshots(connection, [NAME])[0].schema)
        answers = _random_answers(connection, version)
    golds = {one.id: (one.answer_type, one.gold) for one in generated.records}
    assert answers.keys() == golds.keys()
    for question, (answer_type, gold) in golds.items():
        said = say_gold(answer_type, gold)
        assert said in answers[question], (said, answers[question])


def _random_answers(connection: Any, version: PublishedVersion) -> dict[str, Any]:
    connection.execute(text("set local search_path = trigpoint, public"))
    return dict(distributions(connection, version.id))


def test_the_same_facts_make_the_same_set_in_any_database(own_road: Settings, road: Imported) -> None:
    sets = []
    for settings in (own_road, road.settings):
        with connect(settings, Role.WORKER) as connection:
            sets.append(find_snapshots_with_facts(connection, [NAME])[0].facts)
    assert sets[0] == sets[1]


def test_nobody_may_change_a_set(own_road: Settings) -> None:
    make(own_road, bank=5)
    for statement in ("update map_fact set value = 'x'", "delete from map_fact"):
        with (
            connect(own_road, Role.WORKER) as connection,
            pytest.raises(Exception, match="permission denied"),
        ):
            connection.execute(text(statement))


@pytest.mark.long
def test_without_facts_all_is_refused_and_said(make_database: Callable[[], Settings], tmp_path: Path) -> None:
    from tests.support.town import Map, offset

    silent = Map()
    silent.node((10.0, 50.0), tourism="museum", name="Museum")
    silent.eat((10.0, 50.0), 90, 120, "Inn")
    silent.node(offset((10.0, 50.0), 0, 900), amenity="school", name="School", start_date="C19")
    settings = make_database()
    import_map(settings, silent.write(tmp_path / "silent.osm"), "silent")
    done = trigpoint(settings, "generate", "gsqa", "--snapshot", "silent", "--out", "mute", "--json")
    assert done.status == 0, done.err
    assert "T7, T8: no external facts are known of silent@" in " ".join(done.err.split())
    templates = done.json["templates"]
    for name in ("T7", "T8"):
        assert templates[name]["refused"] == {"no_facts": templates[name]["capacity"]}
        assert templates[name]["capacity"] >= 1


def test_capacity_counts_what_can_be_asked(asker: Asker) -> None:
    from app.questions.picking import open_space

    space: Space = open_space(
        asker.connection,
        benchmarks()["gsqa"].templates["T7"],
        0,
        asker.snapshot.outline,
        facts=asker.snapshot.facts,
    )
    assert space.capacity == len(space.choices["anchor"]) * 2 * len(space.choices["attribute"])
    assert {pick.value for pick in space.choices["category"]} == {"gallery", "school"}
    ids = {digest("gsqa", "T7", "default", one.parameters) for one in space.tuples()}
    assert len(ids) == space.capacity
