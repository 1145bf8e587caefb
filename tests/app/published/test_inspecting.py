"""One question over REST: its proof, why options are wrong, its map, answers; and of a hidden one nothing of these."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.derivation_words import words_of
from app.published.inspected import QuestionMap
from app.published.reasons import why_wrong
from tests.support.factories import MadeVersion
from tests.support.inspected_dataset import make_inspected
from tests.support.service import patient_client, serving


class Shown(NamedTuple):
    settings: Settings
    version: MadeVersion
    client: httpx.Client

    def read(self, number: int, **parameters: Any) -> Any:
        path = f"/v1/datasets/shown/questions/{self.version.questions[number]}"
        return self.client.get(path, params=parameters).raise_for_status().json()


@pytest.fixture(scope="module")
def shown(make_database: Callable[[], Settings]) -> Iterator[Shown]:
    settings = make_database()
    version = make_inspected(settings)
    with serving(settings) as address, patient_client(address) as client:
        yield Shown(settings, version, client)


def ask(settings: Settings, statement: str, **binds: Any) -> Any:
    with connect(settings, Role.MAINTAINER) as connection:
        return connection.execute(text(statement), binds).one()


def test_a_question_with_its_proof(shown: Shown) -> None:
    found = shown.read(0)
    assert found["question"]["gold"]["text"] == "Adler"
    assert found["proof"]["margin"] == {"behind": 219.7, "wanted": 10.0, "outline": "box"}
    assert found["proof"]["binds"] == {"poi": "n1"}
    assert (found["before"], found["after"]) == (None, shown.version.questions[1])
    assert found["map"] is None
    assert found["attribution"].startswith("© OpenStreetMap contributors")


def test_why_options_are_wrong_is_measured_on_the_map(shown: Shown) -> None:
    wrong = {one["letter"]: one for one in shown.read(0)["wrong"]}
    assert {letter: one["text"] for letter, one in wrong.items()} == {
        "A": "Krone",
        "C": "Linde",
        "D": "Wurst Eck",
    }
    schema = shown.version.map.schema
    measured = ask(
        shown.settings,
        f"select st_distance(a.geog, b.geog) as right, st_distance(a.geog, c.geog) as wrong"
        f" from {schema}.poi a, {schema}.poi b, {schema}.poi c"
        " where a.osm_key = 'n1' and b.osm_key = 'n2' and c.osm_key = 'n4'",
    )
    expected = f"It lies {measured.wrong:.1f}\u202fm away; the answer lies {measured.right:.1f}\u202fm away."
    assert wrong["C"]["why"] == expected


def test_the_map_shows_what_the_proof_speaks_of(shown: Shown) -> None:
    drawn = shown.read(0, map=True)["map"]
    marks = [one["properties"] for one in drawn["features"]]
    roles = {mark["osm_key"]: mark["role"] for mark in marks if mark["osm_key"]}
    assert roles == {"n1": "anchor", "n2": "gold", "n3": "wrong", "n4": "wrong", "n6": "wrong"}
    assert {mark["osm_key"]: mark["letter"] for mark in marks if mark["letter"]} == {
        "n2": "B",
        "n3": "A",
        "n4": "C",
        "n6": "D",
    }
    west, south, east, north = drawn["bbox"]
    for one in drawn["features"]:
        if one["properties"]["role"] in ("anchor", "gold", "wrong"):
            lon, lat = one["geometry"]["coordinates"]
            assert west < lon < east
            assert south < lat < north
    assert [mark["role"] for mark in marks].count("ground") == 1
    assert {mark["layer"] for mark in marks if mark["role"] == "around"} == {"aoi", "park"}, (
        "the pond lies beyond"
    )


def test_shapes_around_and_other_places_have_no_names(shown: Shown) -> None:
    """The map is closed: what a public question does not name is nobody's business."""
    marks = [one["properties"] for one in shown.read(0, map=True)["map"]["features"]]
    others = [mark for mark in marks if mark["role"] in ("around", "place", "ground")]
    assert len(others) == 4
    assert all(mark["name"] is None and mark["osm_key"] is None for mark in others)
    assert sum(mark["role"] == "place" for mark in marks) == 1, "n8; Adler of 7 lies beyond the ground"


def test_a_hidden_question_is_its_text_and_options(shown: Shown) -> None:
    found = shown.read(1, map=True)
    assert found["question"]["text"] == "A hidden question?"
    assert len(found["question"]["options"]) == 4
    assert found["question"]["gold"] is None
    assert (found["proof"], found["wrong"], found["answers"], found["map"]) == (None, [], [], None)


def test_the_servers_role_draws_no_hidden_question(shown: Shown) -> None:
    drawn = text("select count(*) from map_of_question(:version, :question, 100)")
    with connect(shown.settings, Role.API) as connection:
        counts = [
            connection.execute(drawn, {"version": shown.version.id, "question": one}).scalar_one()
            for one in shown.version.questions
        ]
    assert counts[1] == 0
    assert min(counts[0], counts[2]) > 5


def test_what_models_said(shown: Shown) -> None:
    answers = {one["name"][:14]: one for one in shown.read(0)["answers"]}
    assert (answers["oracle"]["answer"], answers["oracle"]["outcome"]) == ("B", "correct")
    assert answers["org/model-1:in"]["outcome"] == "wrong"
    assert answers["<i>markup</i>x"]["outcome"] == "unparseable"
    assert (answers["all failed"]["state"], answers["all failed"]["error"]) == (
        "error",
        "the endpoint cannot be reached",
    )
    stored = ask(
        shown.settings,
        "select score.value from score join prediction on prediction.id = score.prediction_id"
        " where prediction.run_id = :run and prediction.question_id = :question and score.gold_key = 'default'",
        run=answers["oracle"]["run"],
        question=shown.version.questions[0],
    )
    assert answers["oracle"]["value"] == stored.value


def test_questions_by_words_and_split(shown: Shown) -> None:
    def texts(**parameters: Any) -> list[str]:
        found = shown.client.get("/v1/questions", params={"dataset": "shown", **parameters})
        return [one["text"][:9] for one in found.raise_for_status().json()["questions"]]

    assert texts(words="MUSEUM") == ["Which of "]
    assert texts(words="100%_") == []
    assert texts(split="hidden") == ["A hidden "]
    assert texts(split="public", words="script") == ["<script>a"]
    answer = shown.client.get("/v1/questions", params={"words": "x", "class": "restaurant"})
    assert (answer.status_code, answer.json()["code"]) == (400, "usage_error")


def test_a_question_that_is_not_there(shown: Shown) -> None:
    answer = shown.client.get("/v1/datasets/shown/questions/nope")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert shown.client.get("/v1/datasets/nope/questions/nope").status_code == 404


@pytest.mark.parametrize(
    ("wrong", "gold", "facts", "said"),
    [
        (
            {"text": "1.65 km", "distance": 1651.2},
            {"distance": 608.7},
            {},
            "Measured on the map it is 608.7\u202fm.",
        ),
        (
            {"text": "9 m", "length": 9.0},
            {"length": 1234.0},
            {},
            "Measured on the map it is 1\u202f234\u202fm.",
        ),
        (
            {"text": "b", "osm_key": "w2"},
            {"objects": ["w1"]},
            {"counts": {"w1": 18, "w2": 13}},
            "It counts 13; the answer counts 18.",
        ),
        (
            {"text": "b", "osm_key": "w2", "area": 12.0},
            {"objects": ["w1"]},
            {"areas": {"w1": 3.04}},
            "Its area is 12.0\u202fm²; that of the answer is 3.0\u202fm².",
        ),
        ({"text": "pub", "osm_key": None}, {"text": "restaurant"}, {}, "The map says restaurant."),
    ],
    ids=["distance", "length", "count", "area", "kind"],
)
def test_reasons(wrong: dict[str, Any], gold: dict[str, Any], facts: dict[str, Any], said: str) -> None:
    assert why_wrong(wrong, gold, facts, None) == said


@pytest.mark.parametrize(
    ("derive", "facts", "said"),
    [
        (
            "cover_option",
            {"area": 9846.3},
            "On the map, it does not contain everything that the question asks about.",
        ),
        ("name_at_address_option", {"sharers": []}, "The map has no place of this name at that address."),
        ("connection_option", {"met": ["Kirkkokatu"], "direct": []}, "The road meets it."),
        ("connection_option", {"met": ["Unioninkatu"]}, "It shares no junction with the road."),
        (
            "junctions_option",
            {"junctions": [[1, "Bulevardi"], [2, "Simonkatu"], [3, "Kalevankatu"]], "met": ["Bulevardi"]},
            "The road meets Bulevardi and Kalevankatu first and last.",
        ),
        ("another", {}, "Neither the statement of the proof nor the second path gives it."),
    ],
)
def test_reasons_by_what_was_asked(derive: str, facts: dict[str, Any], said: str) -> None:
    not_found = words_of("urban_knowledge", derive).not_found
    assert why_wrong({"text": "Kirkkokatu", "osm_key": "w1"}, {"text": "a"}, facts, None, not_found) == said


def test_a_place_of_another_class_is_told_by_its_class() -> None:
    mark = {"role": "wrong", "layer": "poi", "osm_key": "n7", "name": "Muji", "class": "department_store"}
    mark |= {"letter": "A", "metres": None, "point": None}
    shape = {"geometry": {"type": "Point", "coordinates": [0, 0]}, "properties": mark}
    drawn = QuestionMap.model_validate({"bbox": [0, 0, 1, 1], "features": [shape], "left_out": 0})
    said = why_wrong({"text": "Muji", "osm_key": "n7"}, {"text": "Dokkan"}, {"class": "gallery"}, drawn)
    assert said == "The map says department store, and not gallery."
