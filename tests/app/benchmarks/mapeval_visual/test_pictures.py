"""What a picture answers, on pictures of a town whose places are counted and placed by hand."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import islice

import pytest

from app.drawing.answers.labels import Unclear
from app.drawing.picture import draw_map
from app.drawing.record import DrawnLabel, DrawnRoad, DrawnSymbol, Record, read_record
from app.questions.gold import NO_ANSWER
from app.questions.pictures.registers import Lot, Values, drawn_of
from tests.support.drawn_town import FRAME, place, town
from tests.support.town import benchmarks

NAME = "mapeval_visual"
PLACES = (
    place("n1", "cafe", "Anker", -150, 90),
    place("n2", "cafe", "Lindt", -150, -30),
    place("n3", "bank", "Old Till", 150, 30),
    place("n4", "hotel", "The Grand", 150, -95),
    place("n5", "pharmacy", "Rose", -60, 30),
    place("n6", "school", "Mill School", 230, -40),
)


@cache
def drawn() -> Record:
    """The town as it is kept with gold: written as JSON and read again."""
    told = draw_map(town(*PLACES), FRAME).record.as_json()
    return read_record(json.loads(json.dumps(told)))


def answer(template: str, options: list[str] | None = None, **values: str | list[str]) -> object:
    return read(template, values, options)


def read(template: str, values: Values, options: list[str] | None = None) -> object:
    found = drawn_of(NAME, template).read(drawn(), values, options)
    return found.reason if isinstance(found, Unclear) else found.get("text")


def asked(template: str) -> list[Values]:
    return list(islice(drawn_of(NAME, template).ask(drawn(), Lot(1, ("test",))), 40))


def test_symbols_are_counted() -> None:
    assert answer("Symbols_Counted", symbol="cafe") == "2"
    assert answer("Symbols_Counted", symbol="bank") == "1"
    # two cafés, and one of each other kind: both numbers are drawn
    assert {read("Symbols_Counted", values) for values in asked("Symbols_Counted")} == {"1", "2"}


def test_directions_are_those_of_the_picture() -> None:
    assert answer("Direction_In_Picture", origin="n1", destination="n2") == "south"
    assert answer("Direction_In_Picture", origin="n2", destination="n1") == "north"
    assert answer("Direction_In_Picture", origin="n2", destination="n3") == "east"
    # 90 steps east and 60 south, on a picture where a step north is 1.47 times one east: 45 degrees off
    assert answer("Direction_In_Picture", origin="n1", destination="n5") == "off_axis"


def test_the_nearest_of_four_must_be_clear() -> None:
    assert answer("Nearest_In_Picture", anchor="n1", places=["n3", "n4", "n5", "n6"]) == "Rose"
    assert all(values["anchor"] not in values["places"] for values in asked("Nearest_In_Picture"))


def test_the_place_nearest_to_a_symbol_is_told_by_the_only_one_of_its_kind() -> None:
    # n6 stands 114 pixels from the hotel, n3 184; from the bank, n4 stands 184 and n5 210
    places = ["n1", "n2", "n3", "n6"]
    assert answer("Nearest_To_Symbol", symbol="hotel", places=places) == "Mill School"
    assert answer("Nearest_To_Symbol", symbol="bank", places=["n1", "n2", "n4", "n5"]) == "close"
    assert answer("Nearest_To_Symbol", symbol="cafe", places=["n3", "n4", "n5", "n6"]) == "not_one_right"
    assert answer("Nearest_To_Symbol", symbol="museum", places=places) == "not_one_right"
    for values in asked("Nearest_To_Symbol"):
        assert values["symbol"] in ("bank", "hotel", "pharmacy", "school")
        own = {"bank": "n3", "hotel": "n4", "pharmacy": "n5", "school": "n6"}[str(values["symbol"])]
        assert own not in values["places"]


def test_texts_do_not_tell_whether_a_symbol_is_there() -> None:
    """The same words ask for the place nearest to a symbol that is shown, and to one that is not."""
    templates = benchmarks()[NAME].templates
    assert templates["Nearest_To_Symbol"].phrasings == templates["Not_In_Picture"].phrasings


def test_a_kind_is_told_by_the_symbol_and_by_no_name() -> None:
    assert answer("Kind_In_Picture", symbol="bank", places=["n1", "n3", "n4", "n5"]) == "Old Till"
    assert answer("Kind_In_Picture", symbol="cafe", places=["n1", "n2", "n4", "n5"]) == "not_one_right"
    offered = {place for values in asked("Kind_In_Picture") for place in values["places"]}
    assert offered == {"n1", "n2", "n3", "n4", "n5"}, "the name of Mill School says what it is"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["130 m", "200 m", "90 m"], "130 m"),
        (["130 m", "135 m"], "several_lengths"),
        (["200 m", "90 m"], "several_lengths"),
    ],
)
def test_a_distance_is_the_only_length_that_fits(options: list[str], expected: str) -> None:
    # 0.0012 degrees of latitude are 133 m
    assert answer("Apart_In_Picture", options, origin="n1", destination="n2") == expected


def test_roads_between_places_and_places_by_roads() -> None:
    assert answer("Road_Between", origin="n1", destination="n2", roads=["w1", "w2"]) == "Mill Road"
    assert answer("Road_Between", origin="n1", destination="n4", roads=["w1", "w2"]) == "several_roads"
    assert answer("Place_By_Road", road="w1", places=["n1", "n2", "n4"]) == "Lindt"
    assert answer("Place_By_Road", road="w1", places=["n1", "n2", "n6"]) == "close"
    assert answer("Place_By_Road", road="w3", places=["n1", "n2", "n4", "n6"]) == "no_road"


def test_what_is_not_drawn_has_no_answer() -> None:
    places = ["n1", "n2", "n3", "n4"]
    assert answer("Not_In_Picture", symbol="fuel", places=places) == NO_ANSWER
    assert answer("Not_In_Picture", symbol="hotel", places=places) == "look_alike"
    kinds = {values["symbol"] for values in asked("Not_In_Picture")}
    assert kinds.isdisjoint({"cafe", "bank", "hotel", "pharmacy", "school"})
    assert "museum" in kinds


def spots(*told: tuple[str, str, int, int]) -> tuple[list[DrawnSymbol], list[DrawnLabel]]:
    """Symbols of places at pixels, by key, symbol, x and y; the labels say `Place n1` and so on."""
    symbols = [DrawnSymbol(key, kind, kind, key, True, (x, y, x, y), True) for key, kind, x, y in told]
    labels = [
        DrawnLabel(key, "place", kind, f"Place {key}", f"Place {key}", (x, y, x, y), True, (x, y))
        for key, kind, x, y in told
    ]
    return symbols, labels


def crossed_by(places: tuple[list[DrawnSymbol], list[DrawnLabel]], roads: Sequence[int]) -> Record:
    """A picture with places and with roads from top to bottom at these x, w100 at 100 and so on."""
    symbols, labels = places
    names = [f"Road {x}" for x in roads]
    labels = labels + [
        DrawnLabel(f"w{x}", "road", "primary", name, name, (x, 0, x, 9), True, (x, 5))
        for x, name in zip(roads, names, strict=True)
    ]
    lines = [[[(float(x), 0.0), (float(x), 600.0)]] for x in roads]
    drawn = [
        DrawnRoad(name, [f"w{x}"], ["primary"], line, True)
        for x, name, line in zip(roads, names, lines, strict=True)
    ]
    return Record({"metres_per_pixel": 1.0}, symbols, labels, drawn, [], {}, {})


def first_asked(record: Record, template: str) -> Iterable[Values]:
    """What is asked first, 60 questions by each of 20 seeds."""
    for seed in range(20):
        yield from islice(drawn_of(NAME, template).ask(record, Lot(seed, ("fair",))), 60)


def keys_by_option(record: Record, template: str, options: str) -> dict[str, float]:
    """How often each option that is offered is the answer."""
    offered: Counter[str] = Counter()
    right: Counter[str] = Counter()
    texts = {one.osm_key: one.text for one in record.labels}
    for values in first_asked(record, template):
        seen = drawn_of(NAME, template).read(record, values, None)
        assert not isinstance(seen, Unclear), seen.reason
        offered.update(values[options])
        right.update(one for one in values[options] if texts[one] == seen["text"])
    return {one: right[one] / times for one, times in offered.items()}


def test_a_road_between_many_places_is_the_answer_no_more_often_than_others() -> None:
    """36 pairs of places lie to both sides of the first road, few at the others, and none at the last."""
    many = [(f"n{side}{i}", "cafe", side, 50 + 80 * i) for side in (50, 150) for i in range(6)]
    few = [(f"n{x}", "cafe", x, 300) for x in (250, 350, 450)]
    record = crossed_by(spots(*many, *few), (100, 200, 300, 400, 700))
    shares = keys_by_option(record, "Road_Between", "roads")
    assert shares.keys() == {"w100", "w200", "w300", "w400"}
    assert all(share == pytest.approx(0.25, abs=0.07) for share in shares.values()), shares


def test_a_place_by_roads_is_the_answer_no_more_often_than_others() -> None:
    """One place lies by two roads, two by the same one, and one by none."""
    places = [("n1", 110), ("n2", 310), ("n3", 320), ("n4", 450), ("n5", 600), ("n6", 760)]
    record = crossed_by(
        spots(*((key, "cafe", x, 100 + 30 * i) for i, (key, x) in enumerate(places))),
        (90, 130, 300, 440, 610),
    )
    shares = keys_by_option(record, "Place_By_Road", "places")
    assert shares.keys() == {"n1", "n2", "n3", "n4", "n5"}
    assert all(share == pytest.approx(0.25, abs=0.07) for share in shares.values()), shares
    assert not any({"n2", "n3"} <= {*values["places"]} for values in first_asked(record, "Place_By_Road"))


def test_a_frequent_kind_is_asked_for_no_more_often_than_others() -> None:
    """There are five cafés, one of each other kind, and a kind that is not asked for."""
    kinds = ["cafe"] * 5 + ["bank", "bakery", "museum", "pharmacy", "books"]
    record = crossed_by(spots(*((f"n{i}", kind, 60 * i, 100) for i, kind in enumerate(kinds))), ())
    shares = keys_by_option(record, "Kind_In_Picture", "places")
    assert shares.keys() == {f"n{i}" for i in range(9)}
    cafes = {one: share for one, share in shares.items() if one < "n5"}
    others = [share for one, share in shares.items() if one >= "n5"]
    assert sum(cafes.values()) / 5 == pytest.approx(0.25, abs=0.07)
    assert all(share == pytest.approx(0.25, abs=0.07) for share in others), shares
