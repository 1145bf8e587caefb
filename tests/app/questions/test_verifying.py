"""Verify on the toy town: everything holds as made, and each single change is found, by question and by path.

Changes are made as the superuser with triggers off, inside a transaction that is rolled back.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from psycopg.types.json import Jsonb
from sqlalchemy import Connection, create_engine, text

from app.cli.verify import lines_of
from app.core.clock import SystemClock
from app.core.identity import digest
from app.core.settings import Settings
from app.db.engine import use_schema
from app.questions.generating import Recipe, generate
from app.questions.snapshots import find_snapshots
from app.questions.stored import StoredQuestion, load_questions
from app.questions.storing import store
from app.questions.verification import Failure, Verification
from app.questions.verifying import verify
from app.questions.versions import find_version
from tests.support.town import (
    Imported,
    Map,
    benchmarks,
    import_map,
    make_town,
    template_of,
    town_benchmarks,
)

LEAN_ON_FACTS = {"T7", "T8"}
"""The town has no external facts; tests/app/questions/test_facts.py asks and proves these."""
TEMPLATES = [
    name
    for benchmark in town_benchmarks().values()
    for name in benchmark.templates
    if name not in LEAN_ON_FACTS
]
OPTIONS = list(benchmarks()["urban_knowledge"].templates)
BANKS = {"gsqa": 150, "urban_knowledge": 40}
"""Questions a template; the nearest place is asked for in all categories of GS-QA, each from every anchor."""

OTHERS = 10
"""Questions of the same template that are proved beside one that was changed, and must not be accused."""


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    """The town with a version of each benchmark, so many questions a template that those asked for are among them."""
    settings = make_database()
    toy = make_town()
    file = toy.write(tmp_path_factory.mktemp("verified") / "town.osm")
    import_map(settings, file, "town")
    town = Imported(settings, "town", file, toy)
    with town.connect() as connection:
        for benchmark in town_benchmarks().values():
            bank = BANKS[benchmark.name]
            recipe = Recipe(benchmark, find_snapshots(connection, ["town"]), 0, bank, bank, 0.0)
            generated = generate(connection, recipe, lambda *told: None)
            store(connection, benchmark.name, 1, generated, SystemClock())
        connection.commit()
    return town


class Tampering:
    """A connection that may change anything, and proves afterwards."""

    def __init__(self, connection: Connection, toy: Map) -> None:
        self.connection, self.toy = connection, toy
        self.schema = find_snapshots(connection, ["town"])[0].schema

    def key(self, name: str) -> str:
        return self.toy.names[name]

    def questions(self, template: str) -> list[StoredQuestion]:
        benchmark = next(one.name for one in benchmarks().values() if template in one.templates)
        version = find_version(self.connection, benchmark)
        of_template = text(
            "select id from trigpoint.question where version_id = :version and template = :template"
        )
        ids = (
            self.connection.execute(of_template, {"version": version.id, "template": template})
            .scalars()
            .all()
        )
        return load_questions(self.connection, version, ids)

    def question(self, template: str, **parameters: Any) -> StoredQuestion:
        return next(
            one
            for one in self.questions(template)
            if all(one.parameters[name] == value for name, value in parameters.items())
        )

    def change(self, table: str, question: StoredQuestion, column: str, value: Any) -> None:
        key = "id" if table == "question" else "question_id"
        stored = Jsonb(value) if isinstance(value, dict | list) else value
        done = self.connection.execute(
            text(f"update trigpoint.{table} set {column} = :value where {key} = :id"),
            {"value": stored, "id": question.id},
        )
        assert done.rowcount == 1

    def on_map(self, statement: str, **binds: Any) -> None:
        use_schema(self.connection, self.schema)
        assert self.connection.execute(text(statement), binds).rowcount == 1

    def copy_poi(self, original: str, **columns: str) -> None:
        """A new POI, n999999999, like another one but for `columns` (SQL expressions)."""
        use_schema(self.connection, self.schema)
        names = self.connection.execute(
            text(
                "select column_name from information_schema.columns where table_schema = :schema"
                " and table_name = 'poi' and is_generated = 'NEVER'"
            ),
            {"schema": self.schema},
        ).scalars()
        values = {name: name for name in names} | {"osm_id": "999999999", "osm_type": "'n'"} | columns
        self.on_map(
            f"insert into poi ({', '.join(values)}) select {', '.join(values.values())} from poi where osm_key = :key",
            key=original,
        )
        self.tell_classes("n999999999")

    def tell_classes(self, key: str) -> None:
        """The layer poi_class tells of a POI what the layer poi does now, as on an imported map."""
        use_schema(self.connection, self.schema)
        self.connection.execute(text("delete from poi_class where osm_key = :key"), {"key": key})
        self.connection.execute(
            text(
                "insert into poi_class (osm_key, class, geog)"
                " select osm_key, unnest(classes), geog from poi where osm_key = :key"
            ),
            {"key": key},
        )

    def prove(self, template: str) -> Verification:
        return verify(self.connection, self.questions(template), lambda done: None)

    def failures(self, question: StoredQuestion) -> list[Failure]:
        """What fails, of the question and some others of its template, after a change that concerns it alone."""
        asked = self.questions(question.template)
        others = [one for one in asked if one.id != question.id][:OTHERS]
        result = verify(
            self.connection, [one for one in asked if one.id == question.id] + others, lambda done: None
        )
        assert not result.proved
        assert {one.id for one in result.failures} == {question.id}
        assert {one.template for one in result.failures} == {question.template}
        return result.failures


def paths(failures: list[Failure]) -> set[str]:
    return {one.path for one in failures}


@pytest.fixture
def tampering(made: Imported, superuser_of: Callable[[Settings], str]) -> Iterator[Tampering]:
    url = superuser_of(made.settings).replace("postgresql://", "postgresql+psycopg://")
    engine = create_engine(url)
    with engine.connect() as connection:
        connection.execute(text("set session_replication_role = replica"))
        assert made.map
        yield Tampering(connection, made.map)
        connection.rollback()
    engine.dispose()


@pytest.mark.parametrize("template", TEMPLATES)
def test_as_made_everything_holds(tampering: Tampering, template: str) -> None:
    result = tampering.prove(template)
    assert result.questions > 0
    assert result.failures == []
    assert result.stored_sql == {"agree": result.questions, "differ": 0}
    assert result.second_path == {"agree": result.questions, "differ": 0}
    assert result.evidence == {"agree": result.questions, "differ": 0}
    wrong = 3 * result.questions if template in OPTIONS else 0
    assert result.distractors == {"checked": wrong, "not_wrong": 0}
    assert result.proved


def test_questions_that_look_around_on_a_map_known_by_its_box_are_counted(tampering: Tampering) -> None:
    assert tampering.prove("T22").assumed_edge == 0, "its edge is known by a .poly file"
    tampering.on_map(
        "update trigpoint.snapshot set outline_source = :source where name = 'town'", source="box"
    )
    around, alone = tampering.prove("T22"), tampering.prove("T17")
    assert tampering.questions("T22")[0].header.search == "circle"
    assert around.assumed_edge == around.questions > 0
    looks = sum(one.header.search != "none" for one in tampering.questions("T17"))
    assert alone.assumed_edge == looks


@pytest.mark.parametrize(
    ("edge", "words"),
    [
        (0, "Proved."),
        (1, "Proved; 1 question assumes that the map's box is complete."),
        (12, "Proved; 12 questions assume that the map's box is complete."),
    ],
)
def test_what_a_proof_assumes_is_said_at_its_end(edge: int, words: str) -> None:
    assert lines_of("x@1", Verification(questions=20, assumed_edge=edge))[-1] == words
    failed = Verification(questions=20, assumed_edge=edge, failures=[Failure("q", "T22", "identity", 1, 2)])
    assert lines_of("x@1", failed)[-1] == "NOT proved."
    assert not failed.proved


def test_nothing_checked_is_nothing_proved(tampering: Tampering) -> None:
    assert not verify(tampering.connection, [], lambda done: None).proved


# --- gold -------------------------------------------------------------------------------------------------


def _name(gold: dict[str, Any]) -> None:
    gold["names"] = ["Somebody Else"]


def _object(gold: dict[str, Any]) -> None:
    gold["objects"][0]["osm_key"] = "n424242"


def _distance(gold: dict[str, Any]) -> None:
    gold["objects"][0]["distance"] += 0.01


def _azimuth(gold: dict[str, Any]) -> None:
    gold["azimuth"] = (gold["azimuth"] + 1e-4) % 360


def _tolerated(gold: dict[str, Any]) -> None:
    gold["tolerated"] = [*gold["tolerated"], {**gold["objects"][0], "osm_key": "n424242"}]


def _address(gold: dict[str, Any]) -> None:
    gold["objects"][0]["address"]["city"] = "Elsewhere"


def _count(gold: dict[str, Any]) -> None:
    gold["count"] += 1


def _area(gold: dict[str, Any]) -> None:
    gold["area"] *= 1.00001


def _index(gold: dict[str, Any]) -> None:
    gold["index"] = (gold["index"] + 1) % 4


def _beyond(gold: dict[str, Any]) -> None:
    gold["index"] = 7


def _no_index(gold: dict[str, Any]) -> None:
    del gold["index"]


def _key(gold: dict[str, Any]) -> None:
    gold["objects"] = ["n424242"]


@pytest.mark.parametrize(
    ("template", "alter"),
    [
        *(
            (template, alter)
            for template in ("T1", "T5", "T9")
            for alter in (_name, _object, _distance, _tolerated)
        ),
        ("T13", _address),
        ("T17", _address),
        ("T22", _azimuth),
        ("T24", _count),
        ("T27", _area),
        *((template, alter) for template in OPTIONS for alter in (_index, _beyond, _no_index, _key)),
    ],
)
def test_one_gold_value(tampering: Tampering, template: str, alter: Callable[[dict[str, Any]], None]) -> None:
    question = tampering.questions(template)[0]
    alter(question.gold)
    tampering.change("gold", question, "value", question.gold)
    found = paths(tampering.failures(question))
    assert {"second_path", "identity"} <= found
    assert "stored_sql" in found or alter in (_no_index,)


# --- options ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("template", OPTIONS)
def test_a_wrong_option_made_equal_to_the_key(tampering: Tampering, template: str) -> None:
    question = tampering.questions(template)[0]
    assert question.options
    options = [*question.options]
    options[(question.gold["index"] + 1) % 4] = options[question.gold["index"]]
    tampering.change("question", question, "options", options)
    found = tampering.failures(question)
    assert "distractor" in paths(found)
    assert any(one.expected == f"{question.gold['text']} is wrong" for one in found)


@pytest.mark.parametrize(
    ("template", "about", "option"),
    [
        ("Find_Cover_AOI", "Museum Quad", "Big Campus"),  # covers it as well
        ("Retrieve_Coordinates", "Museum Alpha", "(10.00010, 50.00010)"),  # 13 m from it
        ("Find_Nearest_POI", "Toy Zoo", "Nobody Called So"),  # not proved wrong
        ("Retrieve_POI_Address", "Haus Wort", "11a Market Lane, Toyville, 9999"),  # may be number 11
        ("Retrieve_POI_Address", "Haus Wort", "5 Ring, Toyville"),  # five kilometres away, and says less
        ("Retrieve_POI_Name", "Haus Korn", "Haus Naht"),  # somewhere in the same street
        ("Retrieve_POI_Name", "Haus Korn", "Museum Beta"),  # without any address
        ("Retrieve_AOI_Address", "Green Court", "1a Forum Way, Toyville, 9999"),  # nobody's
        ("Retrieve_AOI_Address", "Green Court", "1 Market Lane, Toyville, 9999"),  # no area's
        ("Retrieve_AOI_Name", "Green Court", "Grey Yard"),  # somewhere in the same street
        ("Retrieve_AOI_Name", "Green Court", "Big Campus"),  # without any address
        ("Retrieve_POI_Address", "Haus Wort", "99 Market Lane, Toyville, 9999"),  # nobody's
        ("Find_Junctions", "Main Street", "First Lane and Middle Lane"),  # both meet it
        ("Find_Junctions", "Main Street", "Bridge Road or Last Lane"),  # no pair
        ("Identify_Connections", "Main Street", "Bridge Road"),  # is not connected either
        ("Identify_Connections", "First Lane", "Main Street"),  # is connected as well
        ("Infer_POI_From_Scene", "Bakery of Square 0", "butcher"),  # there is one 60 m away
        ("Infer_POI_From_Scene", "Bakery of Square 0", "dragon lair"),  # no class
        ("Query_Length", "Toy Street", "800 m"),  # a seventh off
        ("Query_Length", "Toy Street", "1.4 km"),  # in another unit
    ],
)
def test_a_wrong_option_made_true(tampering: Tampering, template: str, about: str, option: str) -> None:
    subject, *_ = template_of(template).header.parameters
    questions = tampering.questions(template)
    question = next(one for one in questions if one.parameters[subject].split()[0] == tampering.key(about))
    assert question.options
    options = [*question.options]
    options[(question.gold["index"] + 1) % 4] = option
    tampering.change("question", question, "options", options)
    found = tampering.failures(question)
    assert "distractor" in paths(found)
    assert any(one.expected == f"{option} is wrong" for one in found)


@pytest.mark.parametrize("template", ["Calculate_Distance", "Calculate_Distance_Context"])
def test_a_distance_made_nearly_true(tampering: Tampering, template: str) -> None:
    question = tampering.questions(template)[0]
    assert question.options
    option = f"{float(question.gold['text'].split()[0]) + 0.3:.2f} km"
    options = [*question.options]
    options[(question.gold["index"] + 1) % 4] = option
    tampering.change("question", question, "options", options)
    assert any(one.expected == f"{option} is wrong" for one in tampering.failures(question))


def another_bearer(tampering: Tampering, question: StoredQuestion) -> str:
    """The name of another place of the class that a question asks an instance of, which nobody else bears."""
    (key,) = question.parameters.values()
    use_schema(tampering.connection, tampering.schema)
    statement = (
        "select other.name from poi join poi as other using (class) where poi.osm_key = :key and poi.name <> other.name"
        " order by abs(length(poi.name) - length(other.name)), other.name limit 1"
    )
    found = tampering.connection.execute(text(statement), {"key": key}).scalar_one_or_none()
    return str(found or "")


@pytest.mark.parametrize("template", ["Landuse_AOI", "Classify_POI", "Find_Instances_By_Type"])
def test_a_wrong_kind_made_true(tampering: Tampering, template: str) -> None:
    """Another place of the asked category; a class that says nothing; what is no class at all."""
    vague = {"Landuse_AOI": "Farm", "Classify_POI": "shop"}
    for question in tampering.questions(template):
        option = vague.get(template) or another_bearer(tampering, question)
        if option:
            break
    assert question.options
    options = [*question.options]
    options[(question.gold["index"] + 1) % 4] = option
    tampering.change("question", question, "options", options)
    found = tampering.failures(question)
    assert any((one.path, one.expected) == ("distractor", f"{option} is wrong") for one in found)


def test_a_class_that_becomes_the_places_own(tampering: Tampering) -> None:
    """The map says that the place is what a wrong option says: key and option are named."""
    question = tampering.questions("Classify_POI")[0]
    assert question.options
    wrong = question.options[(question.gold["index"] + 1) % 4]
    tampering.on_map(
        "update poi set class = :class, classes = array[:class] where osm_key = :key",
        **{"class": wrong.replace(" ", "_"), "key": question.parameters["poi"]},
    )
    found = [one for one in tampering.prove("Classify_POI").failures if one.id == question.id]
    assert paths(found) == {"stored_sql", "second_path", "evidence", "distractor"}
    assert any(one.expected == f"{wrong} is wrong" for one in found)


@pytest.mark.parametrize(
    "template", ["Compare_Area_Size", "Compare_POI_Count", "Compare_Type_Diversity", "Find_Cover_AOI_All"]
)
def test_an_area_that_becomes_as_good_as_the_key(tampering: Tampering, template: str) -> None:
    """The map gives a wrong option's area the key's ground: as large, holding as much, around all places."""
    question = tampering.questions(template)[0]
    assert question.options
    wrong = question.options[(question.gold["index"] + 1) % 4]
    tampering.on_map(
        "update aoi set geom = (select geom from aoi where osm_key = :key) where name = :name",
        key=question.gold["objects"][0],
        name=wrong,
    )
    found = [one for one in tampering.prove(template).failures if one.id == question.id]
    assert {"second_path", "distractor"} <= paths(found)
    assert any(one.expected == f"{wrong} is wrong" for one in found)


def test_a_place_that_becomes_the_nearest(tampering: Tampering) -> None:
    """The map moves a wrong option's place next to the subject: key and option are named."""
    question = tampering.questions("Find_Nearest_POI")[0]
    assert question.options
    wrong = question.options[(question.gold["index"] + 1) % 4]
    tampering.on_map(
        "update poi set geom = (select st_translate(geom, 0.00001, 0) from poi where osm_key = :key) where name = :name",
        key=question.parameters["poi"],
        name=wrong,
    )
    found = [one for one in tampering.prove("Find_Nearest_POI").failures if one.id == question.id]
    assert {"second_path", "distractor"} <= paths(found)
    assert any(one.expected == f"{wrong} is wrong" for one in found)


@pytest.mark.parametrize("template", OPTIONS)
def test_one_distractor_of_the_proof(tampering: Tampering, template: str) -> None:
    question = tampering.questions(template)[0]
    assert question.distractors
    distractors = [dict(one) for one in question.distractors]
    distractors[1]["text"] += " Two"
    tampering.change("proof", question, "distractors", distractors)
    assert paths(tampering.failures(question)) == {"distractor"}


def test_a_crossing_that_becomes_a_junction(tampering: Tampering) -> None:
    """A wrong option stands on a road's sharing no node with the street."""
    main = tampering.key("Main Street")
    question = next(
        one for one in tampering.questions("Find_Junctions") if one.parameters["stretch"].startswith(main)
    )
    assert question.distractors
    other = question.distractors[0]["osm_keys"][0]
    tampering.on_map(
        "insert into road_node (node_id, way_ids, geom) select 999999999, array[:main, :other]::bigint[],"
        " st_startpoint(geom) from road where osm_key = :key",
        main=int(main[1:]),
        other=int(other[1:]),
        key=other,
    )
    found = [one for one in tampering.prove("Find_Junctions").failures if one.id == question.id]
    assert paths(found) == {"distractor"}
    single = [one for one in question.distractors if one["osm_keys"] == [other]]
    assert {f"{one['text']} is wrong" for one in single} <= {one.expected for one in found}


# --- the map ----------------------------------------------------------------------------------------------


def test_an_evidence_row_that_moved(tampering: Tampering) -> None:
    tampering.on_map(
        "update poi set geom = st_translate(geom, 0.00001, 0) where osm_key = :key",
        key=tampering.key("Adler"),
    )
    question = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="restaurant")
    found = [one for one in tampering.prove("T5").failures if one.id == question.id]
    assert paths(found) == {"stored_sql", "second_path", "evidence"}
    assert any(tampering.key("Adler") in str(one.expected) for one in found if one.path == "evidence")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ('update poi set tags = tags || \'{"cuisine": "thai"}\' where osm_key = :key', {"evidence"}),
        (
            "update poi set class = 'bar', classes = array['bar', 'restaurant'] where osm_key = :key",
            {"evidence"},
        ),
        ("update poi set name = 'Adlers' where osm_key = :key", {"stored_sql", "second_path", "evidence"}),
        ("delete from poi where osm_key = :key", {"stored_sql", "second_path", "evidence"}),
        ("update poi set repaired = true where osm_key = :key", {"stored_sql", "second_path"}),
        (
            "update poi set class = 'bar', classes = array['bar'] where osm_key = :key",
            {"stored_sql", "second_path", "evidence"},
        ),
    ],
)
def test_an_evidence_row_that_changed(tampering: Tampering, statement: str, expected: set[str]) -> None:
    tampering.on_map(statement, key=tampering.key("Adler"))
    tampering.tell_classes(tampering.key("Adler"))
    question = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="restaurant")
    found = [one for one in tampering.prove("T5").failures if one.id == question.id]
    assert paths(found) == expected


@pytest.mark.parametrize(
    ("template", "layer", "name"),
    [
        ("T1", "poi", "Kette"),
        ("T9", "poi", "Zeta Cafe"),
        ("T22", "poi", "Adler"),
        ("T24", "poi", "Ville One"),
        ("T24", "region", "Toyville"),
        ("T27", "park", "Park One"),
        ("T27", "water", "Toy Lake"),
        ("Retrieve_Coordinates", "poi", "Museum Alpha"),
        ("Find_Nearest_POI", "poi", "Kiosk Corner"),
        ("Find_Cover_AOI", "aoi", "Small Quad"),
        ("Compare_Area_Size", "aoi", "Big Campus"),
        ("Compare_POI_Count", "aoi", "Books Yard"),
        ("Compare_Type_Diversity", "aoi", "Books Yard"),
        ("Retrieve_AOI_Address", "aoi", "Black Court"),
        ("Retrieve_AOI_Name", "aoi", "Black Court"),
        ("Find_Cover_AOI_All", "aoi", "Black Court"),
        ("Find_Cover_AOI_All", "poi", "Black Stand 1"),
        ("Landuse_AOI", "aoi", "Small Quad"),
        ("Retrieve_POI_Address", "poi", "Haus Klar"),
        ("Retrieve_POI_Name", "poi", "Haus Klar"),
        ("Query_Length", "road", "Long Lane"),
        ("Calculate_Distance", "poi", "Museum Alpha"),
        ("Infer_POI_From_Scene", "poi", "Butcher of Square 0"),
        ("Calculate_Distance_Context", "poi", "Bakery of Square 0"),
        ("Calculate_Distance_Context", "aoi", "Scene Square 1"),
        ("Identify_Connections", "road", "Second Hop"),
        ("Find_Junctions", "road", "Last Lane"),
        ("Find_Junctions", "aoi", "Junction Field"),
    ],
)
def test_every_template_watches_its_evidence(
    tampering: Tampering, template: str, layer: str, name: str
) -> None:
    key = tampering.key(name)
    concerned = {
        one.id
        for one in tampering.questions(template)
        if any(item["osm_key"] == key for item in one.evidence)
    }
    assert concerned, "the town's questions stand on it"
    tampering.on_map(f'update {layer} set tags = tags || \'{{"note": "x"}}\' where osm_key = :key', key=key)
    result = tampering.prove(template)
    assert {one.id for one in result.failures} == concerned
    assert paths(result.failures) == {"evidence"}
    tampering.on_map(f"delete from {layer} where osm_key = :key", key=key)
    result = tampering.prove(template)
    assert concerned <= {one.id for one in result.failures}
    assert {"second_path", "evidence"} <= paths(result.failures)


def test_a_nearer_restaurant_that_nothing_stood_on(tampering: Tampering) -> None:
    question = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="restaurant")
    tampering.copy_poi(
        tampering.key("Krone"), name="'Newcomer'", geom="st_setsrid(st_makepoint(10.0005, 50.0), 4326)"
    )
    found = [one for one in tampering.prove("T5").failures if one.id == question.id]
    assert paths(found) == {"stored_sql", "second_path"}


def test_one_more_restaurant_in_the_region(tampering: Tampering) -> None:
    question = tampering.question("T24", region=tampering.key("Toyville"), category="restaurant")
    tampering.copy_poi(tampering.key("Ville One"), geom="st_translate(geom, -0.001, -0.001)")
    assert paths([one for one in tampering.prove("T24").failures if one.id == question.id]) == {
        "stored_sql",
        "second_path",
    }


def test_a_namesake_of_a_subject(tampering: Tampering) -> None:
    question = tampering.question("Retrieve_Coordinates", poi=tampering.key("Museum Alpha"))
    tampering.copy_poi(tampering.key("Museum Alpha"), geom="st_translate(geom, 0.2, 0.1)")
    found = tampering.failures(question)
    assert paths(found) == {"second_path"}
    assert "name_not_unique" in str(found[0].expected)


# --- the proof --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("limit 8", "limit 0"),
        ("order by place", "order by place desc"),
        ("candidate.name,", "candidate.osm_key as name,"),
        ("select", "selct"),
        ("from poi", "from nowhere"),
    ],
)
def test_stored_sql_that_changed(tampering: Tampering, old: str, new: str) -> None:
    question = tampering.question("T5", anchor=tampering.key("Museum Beta"), category="fast_food")
    assert old in question.sql
    tampering.change("proof", question, "sql", question.sql.replace(old, new))
    found = tampering.failures(question)
    assert paths(found) == {"stored_sql"}


def test_binds_that_changed(tampering: Tampering) -> None:
    question = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="restaurant")
    tampering.change("proof", question, "binds", {**question.binds, "category": "cafe"})
    assert paths(tampering.failures(question)) == {"stored_sql"}


@pytest.mark.parametrize("binds", [{}, {"anchor": "n1", "category": "cafe", "distance": "far"}])
def test_binds_that_the_sql_cannot_take_accuse_nobody_else(
    tampering: Tampering, binds: dict[str, Any]
) -> None:
    question = tampering.questions("T1")[0]
    tampering.change("proof", question, "binds", binds)
    found = tampering.failures(question)
    assert paths(found) == {"stored_sql"}
    assert "error" in found[0].got


@pytest.mark.parametrize("derive", ["nearest_azimuth", "count_in_region", "no_such_thing"])
def test_another_derivation(tampering: Tampering, derive: str) -> None:
    question = tampering.questions("T5")[0]
    tampering.change("proof", question, "derive", derive)
    assert paths(tampering.failures(question)) == {"stored_sql"}


def test_parameters_that_changed(tampering: Tampering) -> None:
    question = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="restaurant")
    tampering.change("proof", question, "parameters", {**question.parameters, "category": "cafe"})
    assert paths(tampering.failures(question)) == {"second_path", "identity"}
    tampering.change("proof", question, "parameters", {})
    assert paths(tampering.failures(question)) == {"second_path", "identity"}


def test_evidence_that_was_left_out(tampering: Tampering) -> None:
    question = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="restaurant")
    tampering.change("proof", question, "evidence", list(question.evidence)[1:])
    (found,) = tampering.failures(question)
    assert found.path == "evidence"
    assert question.evidence[0]["osm_key"] in found.expected


def test_a_whole_other_question_under_the_same_id(tampering: Tampering) -> None:
    """Parameters, binds and gold changed so that both paths agree: the id tells."""
    question = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="restaurant")
    other = tampering.question("T5", anchor=tampering.key("Museum Alpha"), category="cafe")
    for column in ("parameters", "binds", "evidence"):
        tampering.change("proof", question, column, getattr(other, column))
    tampering.change("gold", question, "value", other.gold)
    tampering.change("question", question, "revision", digest(question.prompt_hash, other.gold))
    (found,) = tampering.failures(question)
    assert (found.path, found.expected) == ("identity", f"id {question.id}")


def test_a_text_that_changed(tampering: Tampering) -> None:
    question = tampering.questions("T22")[0]
    prompt = [{"type": "text", "text": question.prompt[0]["text"].replace("nearest", "farthest")}]
    tampering.change("question", question, "prompt", prompt)
    assert paths(tampering.failures(question)) == {"identity"}
