"""Full inspection: batches, second looks, maps of what is printed, and which batch is to be redone."""

import json
import re
from pathlib import Path

import pytest

from app.core.settings import Settings
from app.reviews.batches import Batch, cut_batches, inspect_batch
from app.reviews.maps import map_of
from app.reviews.printed_shapes import Shape, Spot, shapes_in
from tests.support.command_line import trigpoint
from tests.support.factories import make_version, option_question

A, B = (47.14123, 9.52012), (47.15, 9.53)
WORDS = """Data:
Coordinates are latitude, then longitude.
- Gasthof <Löwen>: (47.14123, 9.52012)
Leg 1: A (47.14123, 9.52012) to B (47.15000, 9.53000)
Area Park: (47.14000, 9.52000), (47.14100, 9.52000), (47.14100, 9.52100)
- Post: 47°08'28"S 9°31'12"W

How far is it (in km)?"""
DOCUMENT = {
    "places": [{"name": "Löwen", "coordinates": "(47.14123, 9.52012)"}],
    "shapes": [
        {
            "kind": "area",
            "name": "Park",
            "points": ["(47.14000, 9.52000)", "(47.14100, 9.52000)", "(47.14100, 9.52100)"],
        }
    ],
}
LEGS = {"legs": [{"from": "A", "to": "B", "bearing_degrees": "90.00", "distance_km": "1.00"}]}


def test_points_lines_and_boundaries_are_read_from_words() -> None:
    assert shapes_in(WORDS) == [
        Shape("Gasthof <Löwen>", (Spot(*A),)),
        Shape("Leg 1: A", (Spot(*A), Spot(*B))),
        Shape("Area Park", (Spot(47.14, 9.52), Spot(47.141, 9.52), Spot(47.141, 9.521)), closed=True),
        Shape("Post", (Spot(-(47 + 8 / 60 + 28 / 3600), -(9 + 31 / 60 + 12 / 3600)),)),
    ]


def test_the_longitude_comes_first_where_the_words_say_so() -> None:
    said = "I am at longitude, latitude (9.52012, 47.14123). Find a car park near here."
    assert shapes_in(said) == [Shape("I am at", (Spot(*A),))]


def test_and_from_documents() -> None:
    text = f"Data:\n{json.dumps(DOCUMENT, ensure_ascii=False, indent=2)}\n\nHow far?"
    assert shapes_in(text) == [
        Shape("Löwen", (Spot(*A),)),
        Shape("Park", (Spot(47.14, 9.52), Spot(47.141, 9.52), Spot(47.141, 9.521)), closed=True),
    ]


@pytest.mark.parametrize(
    "text", ["- From A to B: 90.00 degrees (E), 1.00 km", f"Data:\n{json.dumps(LEGS, indent=2)}\n\nWhat?"]
)
def test_legs_are_drawn_one_after_the_other(text: str) -> None:
    leg, start, end = shapes_in(text)
    assert (start.label, end.label) == ("A", "B")
    assert start.spots == (Spot(0.0, 0.0),)
    assert end.spots[0].lat == pytest.approx(0.0, abs=1e-12)
    assert end.spots[0].lon == pytest.approx(1000 / 111_195)
    assert leg.spots == (start.spots[0], end.spots[0])


def test_a_map_has_every_shape_a_scale_and_no_markup_of_others() -> None:
    drawn = map_of("\n".join(WORDS.split("\n")[:5]))
    assert drawn is not None
    assert (drawn.count("<circle"), drawn.count('Z"')) == (6, 1)
    assert "Gasthof &lt;Löwen&gt;" in drawn
    assert re.search(r"\d+ (m|km)</text>", drawn)
    assert map_of("Which place lies nearest?") is None
    assert map_of("- A: (47.14123, 9.52012)") is not None


def test_a_hostile_text_ends_soon() -> None:
    assert map_of("- From " + " to " * 200_000) is None
    assert shapes_in("{\n" + "[" * 100_000 + "\n}") == []


def test_batches_have_a_second_look_of_fifteen_per_cent() -> None:
    ids = [f"q{number:03}" for number in range(47)]
    batches = cut_batches(ids, 20, 7)
    assert [len(one.questions) for one in batches] == [20, 20, 7]
    assert [len(one.second_look) for one in batches] == [3, 3, 2]
    assert [one for batch in batches for one in batch.questions] == ids
    assert batches == cut_batches(ids, 20, 7)
    assert [one.second_look for one in batches] != [one.second_look for one in cut_batches(ids, 20, 8)]


def test_a_batch_is_open_then_done_or_to_be_redone() -> None:
    ids = [f"q{number:02}" for number in range(70)]
    batch = Batch(1, ids, ids[:11])
    first = [(one, "Ada", "natural") for one in ids]
    assert inspect_batch(batch, first[:-1]).state == "open"
    assert inspect_batch(batch, first).state == "open", "nobody looked a second time"
    second = [(one, "Ben", "natural") for one in ids[:11]]
    done = inspect_batch(batch, first + second)
    assert (done.state, done.agreement, done.second, done.not_natural) == ("done", 1.0, 11, 0)
    one_off = inspect_batch(batch, [*first, *second[:-1], (ids[10], "Ben", "wrong")])
    assert (one_off.state, one_off.not_natural) == ("done", 1)
    assert one_off.agreement == pytest.approx(10 / 11)
    two_off = inspect_batch(batch, [*first, *second[:-2], *((one, "Ben", "wrong") for one in ids[9:11])])
    assert two_off.state == "redo"
    assert two_off.agreement == pytest.approx(9 / 11)


def test_from_pages_to_the_state_of_batches(database: Settings, tmp_path: Path) -> None:
    """By the command line: pages of two batches, marks of two people, and the second batch to be redone."""
    questions = [option_question(place, split="hidden" if place == 3 else "public") for place in range(12)]
    version = make_version(database, questions, name="toy")
    folder = tmp_path / "pages"
    made = trigpoint(database, "review", "inspect", "toy", "--batch", "8", "--to", str(folder), "--json")
    assert made.status == 0, made.err
    assert made.json["batches"] == 2
    names = ["batch-001", "batch-001-second-look", "batch-002", "batch-002-second-look"]
    assert [Path(one).stem for one in made.json["files"]] == names
    ids = {name: re.findall(r'data-id="([^"]+)"', (folder / f"{name}.html").read_text()) for name in names}
    assert ids["batch-001"] + ids["batch-002"] == list(version.questions)
    assert [len(ids[name]) for name in names] == [8, 2, 4, 1]
    again = trigpoint(database, "review", "inspect", "toy", "--batch", "8", "--to", str(folder))
    assert again.status == 2
    assert "may hold marks" in again.err

    def load(person: str, mark: str, *pages: str) -> None:
        marks = [{"id": one, "mark": mark, "note": ""} for page in pages for one in ids[page]]
        path = tmp_path / f"{person}.json"
        path.write_text(json.dumps({"dataset": "toy@1", "seed": 0, "size": 12, "marks": marks}))
        done = trigpoint(database, "review", "load", "toy", str(path), "--reviewer", person)
        assert done.status == 0, done.err

    load("Ada", "natural", "batch-001", "batch-002")
    load("Ben", "natural", "batch-001-second-look")
    load("Cem", "wrong", "batch-002-second-look")
    shown = trigpoint(database, "review", "batches", "toy", "--batch", "8", "--json")
    assert [one["state"] for one in shown.json["batches"]] == ["done", "redo"]
    told = trigpoint(database, "review", "batches", "toy", "--batch", "8").out
    assert (
        "Batch 2: 4 of 4 inspected, 1 of 1 looked at twice, 0.0 % alike, 1 not natural: to be redone" in told
    )
