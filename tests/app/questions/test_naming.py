"""Names: the form that a question asks them in, their script, and how well known the objects are that it names."""

from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest
from psycopg import sql
from sqlalchemy import text

from app.core.identity import content_hash
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.naming import scripts_of
from tests.support.command_line import export, generate, lines, trigpoint
from tests.support.town import Map, import_map, make_town, offset

MIDDLE = (10.0, 50.0)
# Name, name:en, further tags; the number of tags includes name, name:en, tourism, and the country that Map adds.
PLACES: list[tuple[str, str | None, dict[str, str]]] = [
    ("متحف السلام", "Peace Museum", {"wikidata": "Q1", "website": "x"}),
    ("दिल्ली हाट", "Dilli Haat", {}),
    ("東京タワー", "Tokyo Tower", {"wikidata": "Q2"}),
    ("Alpha", "Twin", {}),
    ("Beta", " twin ", {}),  # two places are called so in English
    ("Gamma", "Delta  House", {}),  # another bears it as its name
    ("Delta House", None, {}),
    ("Epsilon", "EPSILON", {}),  # says nothing else
    ("ب" * 500, None, {}),
]
OWN_ENGLISH = {"متحف السلام": "Peace Museum", "दिल्ली हाट": "Dilli Haat", "東京タワー": "Tokyo Tower"}
LONG = "ب" * 2000
# As published: wrong coordinates need no other places near by.
BANKS = ("--bank", "60", "--per-template", "60", "--variant", "published")
IN_ENGLISH = {"Retrieve_Coordinates", "Calculate_Distance"}


class Stored(NamedTuple):
    """A question as it is stored."""

    template: str
    text: str
    options: list[str] | None
    names: dict[str, Any]
    popularity: list[dict[str, Any]] | None


def questions_of(settings: Settings, dataset: str) -> list[Stored]:
    statement = (
        "select question.template, prompt -> 0 ->> 'text', options, names, popularity from question"
        " join dataset_version on version_id = dataset_version.id join dataset on dataset_id = dataset.id"
        " where dataset.name = :name order by question.position"
    )
    with connect(settings, Role.API) as connection:  # what is public is read as the public does
        return [Stored(*row) for row in connection.execute(text(statement), {"name": dataset})]


@pytest.fixture(scope="module")
def scripts(make_database: Any, tmp_path_factory: pytest.TempPathFactory, superuser_of: Any) -> Settings:
    """Nine museums around a middle, in four scripts, one of them with a name of 2,000 letters."""
    made = Map()
    for number, (name, english, tags) in enumerate(PLACES):
        more = {"name__en": english} if english else {}
        made.node(
            offset(MIDDLE, 40 * number, 1500 * (number + 1)), tourism="museum", name=name, **more, **tags
        )
    settings: Settings = make_database()
    import_map(settings, made.write(tmp_path_factory.mktemp("scripts") / "scripts.osm"), "scripts")
    with psycopg.connect(superuser_of(settings)) as connection:
        _lengthen(connection)
    for form in ("local", "en", "both"):
        done = generate(settings, "urban_knowledge", "scripts", f"in_{form}", *BANKS, "--names", form)
        assert done.status == 0, done.err
    return settings


def _lengthen(connection: psycopg.Connection[Any]) -> None:
    """Files with names of more than 1,024 bytes are refused, so one grows in the database."""
    schema = connection.execute("select schema_name from trigpoint.snapshot").fetchone()
    assert schema is not None
    poi = sql.SQL("{}.poi").format(sql.Identifier(schema[0]))
    chosen = sql.SQL("select osm_key, class, tags, st_asbinary(geom) from {} where length(name) = 500")
    row = connection.execute(chosen.format(poi)).fetchone()
    assert row is not None
    changed = sql.SQL("update {} set name = %s, content_hash = %s where osm_key = %s").format(poi)
    connection.execute(changed, (LONG, content_hash(row[0], LONG, *row[1:]), row[0]))


def told_in(question: Stored) -> list[str]:
    """The map's names that stand in the text, the longest first."""
    names = [name for name, _, _ in PLACES[:-1]] + [LONG]
    return [name for name in names if f"{name} (museum" in question.text]


def test_local_names_and_their_scripts(scripts: Settings) -> None:
    found = [one for one in questions_of(scripts, "in_local") if one.template == "Retrieve_Coordinates"]
    assert {one.names["form"] for one in found} == {"local"}
    by_name = {tuple(told_in(one)): (one.names["script"], one.popularity) for one in found}
    assert by_name["متحف السلام",] == ("Arabic", [{"wikidata": True, "tags": 6}])
    assert by_name["दिल्ली हाट",] == ("Devanagari", [{"wikidata": False, "tags": 4}])
    assert by_name["東京タワー",] == ("Han+Katakana", [{"wikidata": True, "tags": 5}])
    assert by_name[LONG,] == ("Arabic", [{"wikidata": False, "tags": 3}])
    assert by_name["Delta House",] == ("Latin", [{"wikidata": False, "tags": 3}])
    assert len(by_name) == len(PLACES)


@pytest.mark.parametrize("form", ["en", "both"])
def test_english_names_where_no_other_place_has_them(scripts: Settings, form: str) -> None:
    asked = questions_of(scripts, f"in_{form}")
    in_form = [one for one in asked if one.names["form"] == form]
    assert {one.template for one in in_form} == IN_ENGLISH
    for one in in_form:
        named = [local for local, english in OWN_ENGLISH.items() if english in one.text]
        assert len(named) == (1 if one.template == "Retrieve_Coordinates" else 2)
        for local in named:
            shown = OWN_ENGLISH[local] if form == "en" else f"{local} ({OWN_ENGLISH[local]})"
            assert f"{shown} (museum" in one.text
            assert (local in one.text) == (form == "both")
    assert {one.names["script"] for one in in_form if one.template == "Retrieve_Coordinates"} == (
        {"Latin"} if form == "en" else {"Arabic+Latin", "Devanagari+Latin", "Han+Katakana+Latin"}
    )
    others = [one for one in asked if one.names["form"] == "local" and one.template == "Retrieve_Coordinates"]
    assert len(others) == len(PLACES) - len(OWN_ENGLISH)
    assert not [one for one in asked if "Twin" in one.text or "Delta  House" in one.text]


@pytest.mark.parametrize("form", ["local", "en", "both"])
def test_every_form_is_proved_and_made_again(scripts: Settings, form: str) -> None:
    verified = trigpoint(scripts, "verify", f"in_{form}", "--json")
    assert (verified.status, verified.json["failures"]) == (0, [])
    assert trigpoint(scripts, "reproduce", f"in_{form}").status == 0


def test_the_form_changes_texts_alone(scripts: Settings, tmp_path: Path) -> None:
    by_form = {
        form: lines(export(scripts, f"in_{form}", tmp_path / form, "--with-gold"))
        for form in ("local", "en", "both")
    }
    for form in ("en", "both"):
        for one, local in zip(by_form[form], by_form["local"], strict=True):
            for name in ("id", "options", "gold", "template", "split"):
                assert one[name] == local[name]
    again = generate(scripts, "urban_knowledge", "scripts", "in_local", *BANKS)
    assert again.json["version"] == 1, "local is what a recipe without names means"


def test_a_text_in_english_that_names_another_fails(scripts: Settings, superuser_of: Any) -> None:
    assert generate(scripts, "urban_knowledge", "scripts", "forged", *BANKS, "--names", "en").status == 0
    with psycopg.connect(superuser_of(scripts)) as connection:
        connection.execute("alter table trigpoint.question disable trigger user")
        connection.execute(
            "update trigpoint.question set prompt = replace(prompt::text, 'Peace Museum', 'Dilli Haat')::jsonb"
            " where version_id = (select max(id) from trigpoint.dataset_version)"
        )
        connection.execute(
            'update trigpoint.question set names = \'{"form": "en", "script": "Latin"}\''
            " where version_id = (select max(id) from trigpoint.dataset_version)"
            " and template = 'Find_Nearest_POI'"
        )
        connection.execute("alter table trigpoint.question enable trigger user")
    verified = trigpoint(scripts, "verify", "forged", "--json")
    named = {(one["template"], one["got"]) for one in verified.json["failures"] if one["path"] == "names"}
    assert verified.status == 1
    assert ("Retrieve_Coordinates", "no 'Peace Museum' in the text") in named


@pytest.mark.parametrize(
    ("option", "value", "message"),
    [
        ("--names", "english", "--names 'english': there are local, en, both."),
        ("--locale", "fi", "Retrieve_Coordinates has no phrasings for locale 'fi'; it has en."),
    ],
)
def test_what_there_is_not(scripts: Settings, option: str, value: str, message: str) -> None:
    done = generate(scripts, "urban_knowledge", "scripts", "none", option, value)
    assert done.status == 2
    assert message in " ".join(done.err.split())


def test_english_is_the_default(scripts: Settings) -> None:
    same = generate(scripts, "urban_knowledge", "scripts", "in_local", *BANKS, "--locale", "en")
    assert same.json["version"] == 1


# How many objects the questions of each template name; those whose name is asked for, or hidden, are not told of.
NAMED = {
    "Compare_Area_Size": {4},
    "Compare_POI_Count": {4},
    "Compare_Type_Diversity": {4},
    "Calculate_Distance": {2},
    "Calculate_Distance_Context": {2},
    "Find_Cover_AOI_All": {3, 4, 5},
    "Find_Junctions": {2},
    "Identify_Connections": {2},
    "Retrieve_POI_Name": {0},
    "Retrieve_AOI_Name": {0},
    "Find_Instances_By_Type": {0},
    "Infer_POI_From_Scene": {0},
    "T4": {2},
    "T10": {2},
    "T16": {2},
    "T20": {2},
    "T8": {0},
}


@pytest.mark.parametrize("benchmark", ["urban_knowledge", "gsqa"])
@pytest.mark.long
def test_what_the_town_names(database: Settings, tmp_path: Path, benchmark: str) -> None:
    import_map(database, make_town().write(tmp_path / "town.osm"), "town")
    assert generate(database, benchmark, "town", "toy", "--bank", "12", "--per-template", "12").status == 0
    asked = questions_of(database, "toy")
    assert asked
    for one in asked:
        known = one.popularity or []
        assert len(known) in NAMED.get(one.template, {1}), one
        assert one.popularity is None or known
        assert one.names["form"] == "local"
        hides = one.template in ("Infer_POI_From_Scene",)
        assert (one.names["script"] is None) == hides or not known, one
    names_only = [one for one in asked if one.template in ("Retrieve_POI_Name", "Find_Instances_By_Type")]
    for one in names_only:
        assert one.names["script"] == scripts_of(one.options or [])
