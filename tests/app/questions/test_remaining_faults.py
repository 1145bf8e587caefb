"""Faults of the published set, put in again, that test_published_faults.py and test_place_faults.py leave open.

Numbers as in docs/faults.md: 5 texts that do not say what counts, 7 double blanks, 8 questions that nearly any answer
fits, 9 answers without an address lost, and addresses of others, 12 views without ids.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.db.naming import reference_schema
from app.questions.accepting import Accepted
from app.questions.derivations import DERIVATIONS, Case, Derived
from app.questions.phrasing import Wording, phrase
from app.templates.templates import Template
from tests.support.processes import scalar
from tests.support.town import Asker, Imported, Map, benchmarks, import_map, offset, template_of

DISAGREES = "second_path_disagrees"
START = (10.0, 50.0)
GOAL_AZIMUTH = 5.0


def make_street() -> Map:
    """A museum; the nearest café has no address of its own, the next one has; a gallery tells where they lie."""
    made = Map()
    made.node(START, tourism="museum", name="Museum Street")
    made.node(offset(START, GOAL_AZIMUTH, 3000), tourism="gallery", name="Gallery Goal")
    odd = {"addr__street": "Long  Road", "addr__housenumber": "7", "addr__city": "Toy\nVille"}
    made.node(offset(START, 2, 600), tourism="museum", name="The  Odd\tMuseum ", **odd)
    made.eat(START, 2, 100, "Plain", "cafe", cuisine="cake")
    own = {"addr__street": "Street", "addr__housenumber": "2", "addr__city": "Toyville"}
    made.eat(START, 3, 200, "Numbered", "cafe", cuisine="cake", **own)
    for number in range(20):
        made.eat(START, 180, 5000 + 100 * number, f"Far {number}", "cafe", cuisine="cake")
    return made


@pytest.fixture(scope="module")
def street(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Imported:
    made = make_street()
    file = made.write(tmp_path_factory.mktemp("street") / "street.osm")
    settings = make_database()
    import_map(settings, file, "street")
    return Imported(settings, "street", file, made)


@pytest.fixture(scope="module")
def on_street(street: Imported) -> Iterator[Asker]:
    with street.connect() as connection:
        yield Asker.on(connection, street.name)


@pytest.fixture(scope="module")
def in_town(town: Imported) -> Iterator[Asker]:
    with town.connect() as connection:
        yield Asker.on(connection, town.name)


JOIN = re.compile(r"left join poi_address on (?P<place>\w+\.osm_key) = poi_address\.osm_key")


def joined(name: str, other: str) -> Template:
    """A template that takes addresses another way; `\\g<place>` in `other` is the place's key."""
    template = template_of(name)
    body, changed = JOIN.subn(other, template.body)
    assert changed == 1, template.body
    return replace(template, body=body)


def lenient(name: str, **limits: float) -> Template:
    """A template whose header allows more."""
    template = template_of(name)
    header = template.header.model_copy(update={"limits": {**template.header.limits, **limits}})
    return replace(template, header=header)


# --- 5: the text says what counts -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["T27", "T28"])
def test_every_phrasing_says_what_counts_of_an_object(in_town: Asker, town: Imported, name: str) -> None:
    other = "surface" if name == "T27" else "line"
    chosen = {"region": town.key("Toyville"), other: "park" if name == "T27" else "residential"}
    said = {
        semantics: all_texts(in_town.accepted(name, **chosen, semantics=semantics))
        for semantics in ("clipped", "intersects")
    }
    assert all("counting only the part inside" in text for text in said["clipped"])
    assert all("counting the whole of whatever lies partly inside" in text for text in said["intersects"])


def all_texts(one: Accepted) -> set[str]:
    """What the question is in every phrasing."""
    benchmark = benchmarks()["gsqa"]
    texts = {
        phrase(benchmark, one.template, one.picked, Wording("en", seed), one.id)[1] for seed in range(400)
    }
    assert len(texts) == len(one.template.phrasings["en"]["precise"])
    return texts


# --- 7: double blanks ---------------------------------------------------------------------------------------


def test_blanks_of_the_map_are_one_blank_in_texts(street: Imported, on_street: Asker) -> None:
    """Of a name, a street and a city that hold two blanks, a tab and a line's end."""
    odd = street.key("The  Odd\tMuseum ")
    one = on_street.accepted("T5", anchor=odd, category="cafe")
    assert one.picked.one("anchor").label == "The Odd Museum (museum, Long Road 7, Toy Ville, Liechtenstein)"
    for text in all_texts(one):
        assert "The Odd Museum (museum, Long Road 7, Toy Ville, Liechtenstein)" in text
        assert "  " not in text


# --- 8: questions that nearly any answer fits -------------------------------------------------------------


@pytest.mark.parametrize("name", ["T1", "T13"])
def test_more_answers_than_anybody_wants_are_no_question(in_town: Asker, town: Imported, name: str) -> None:
    iota = {"anchor": town.key("Museum Iota"), "category": "cafe", "distance": 200.0}  # 22 cafes
    assert in_town.ask(name, **iota) == "too_many_answers"
    assert in_town.ask(lenient(name, answers=1000, share=1.0), **iota) == DISAGREES


@pytest.mark.parametrize("name", ["T1", "T13"])
def test_a_quarter_of_the_category_is_the_most(in_town: Asker, town: Imported, name: str) -> None:
    theta = {"anchor": town.key("Museum Theta"), "category": "restaurant", "distance": 5000.0}
    assert in_town.ask(name, **theta) == "vacuous"
    assert in_town.ask(lenient(name, share=1.0), **theta) == DISAGREES


# --- 9: answers without an address ------------------------------------------------------------------------


def near_street(street: Imported, name: str) -> dict[str, Any]:
    """Values for a template's parameters, at the street's museum."""
    parameters = template_of(name).header.parameters
    values: dict[str, Any] = {
        "anchor": street.key("Museum Street"),
        "towards": street.key("Gallery Goal"),
        "category": "cafe:cuisine=cake" if parameters["category"].type == "filter" else "cafe",
        "sector": 0,
        "distance": 300.0,
    }
    return {key: values[key] for key in parameters}


@pytest.mark.parametrize("name", ["T14", "T17", "T18", "T19", "T20"])
def test_the_nearest_without_an_address_is_not_passed_over(
    on_street: Asker, street: Imported, name: str
) -> None:
    asked = near_street(street, name)
    gold = on_street.accepted(name, **asked).gold
    assert gold["objects"][0]["name"] == "Plain"
    assert gold["objects"][0]["address"]["source"] == "near"
    own = "inner join poi_address on \\g<place> = poi_address.osm_key and poi_address.source = 'own'"
    assert on_street.ask(joined(name, own), **asked) == DISAGREES


@pytest.mark.parametrize("name", ["T13", "T14", "T17", "T18", "T19", "T20"])
@pytest.mark.parametrize("wrong", ["anchor.osm_key", "'no place'"])
def test_another_address_is_found_out(on_street: Asker, street: Imported, name: str, wrong: str) -> None:
    """That of the anchor, or none."""
    asked = near_street(street, name)
    assert isinstance(on_street.ask(name, **asked), Accepted)
    faulty = joined(name, f"left join poi_address on {wrong} = poi_address.osm_key")
    assert on_street.ask(faulty, **asked) == DISAGREES


@pytest.mark.parametrize(
    ("part", "value"),
    [("housenumber", "3"), ("city", "toyville"), ("street", None), ("metres", 1.0), ("source", "own")],
)
def test_an_altered_part_of_an_address_is_found_out(
    on_street: Asker, street: Imported, monkeypatch: pytest.MonkeyPatch, part: str, value: object
) -> None:
    derive = DERIVATIONS.find("gsqa", "nearest_location")
    assert derive

    def alter(case: Case) -> Derived:
        derived = derive(case)
        for place in derived.gold["objects"]:
            place["address"] |= {part: value}
            place["address"] = {name: said for name, said in place["address"].items() if said is not None}
        return derived

    asked = near_street(street, "T17")
    monkeypatch.setitem(DERIVATIONS.added, ("gsqa", "nearest_location"), alter)
    assert on_street.ask("T17", **asked) == DISAGREES


# --- 12: ids in the views ---------------------------------------------------------------------------------


@pytest.mark.parametrize("view", ["pois", "parks", "lakes", "roads", "regions"])
def test_every_reference_row_keeps_its_osm_identity(town: Imported, view: str) -> None:
    number = scalar(town.settings, "select id from trigpoint.snapshot where name = 'town'")
    with connect(town.settings, Role.READER) as connection:
        rows = connection.exec_driver_sql(f"select * from {reference_schema(number)}.{view}").mappings().all()
    assert rows
    for row in rows:
        assert row["osm_type"] in ("n", "w", "r")
        assert row["osm_id"] > 0
        assert row["osm_version"] > 0
    assert len({(row["osm_type"], row["osm_id"]) for row in rows}) == len(rows)
