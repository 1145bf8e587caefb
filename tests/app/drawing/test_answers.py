"""Answers from a record alone, on pictures of a town whose places are counted by hand."""

import json
from dataclasses import replace
from functools import cache

from app.drawing.answers.counting import SymbolCount, count_symbols
from app.drawing.answers.directions import direction_between
from app.drawing.answers.labels import Unclear, find_spot
from app.drawing.answers.nearness import NearestLabel, nearest_label
from app.drawing.answers.presence import presence_of
from app.drawing.answers.roads import LabelByRoad, RoadSeen, label_by_road, road_between
from app.drawing.picture import draw_map
from app.drawing.record import Record, read_record
from tests.support.drawn_town import FRAME, place, town

PLACES = (
    place("n1", "cafe", "Café Anker", -150, 90),
    place("n2", "cafe", "Lindt", -150, -30),
    place("n3", "bank", "Old Bank", 150, 30),
    place("n4", "hotel", "Grand Hotel", 150, -95),
    place("n5", "pharmacy", "Rose Pharmacy", -60, 30),
    place("n6", "school", "Mill School", 230, -40),
)


@cache
def drawn() -> Record:
    """The town as a picture's record, written as JSON and read again."""
    told = draw_map(town(*PLACES), FRAME).record.as_json()
    return read_record(json.loads(json.dumps(told)))


def test_a_record_survives_json() -> None:
    assert drawn() == draw_map(town(*PLACES), FRAME).record


def test_symbols_are_counted_by_what_they_look_like() -> None:
    assert count_symbols(drawn(), "cafe") == SymbolCount(2, ["n1", "n2"])
    assert count_symbols(drawn(), "fuel") == SymbolCount(0, [])
    assert count_symbols(drawn(), "university") == Unclear("look_alike"), "a school's hat looks like it"
    cut = [replace(one, whole=False) if one.osm_key == "n2" else one for one in drawn().symbols]
    assert count_symbols(replace(drawn(), symbols=cut), "cafe") == Unclear("cut")


def test_the_nearest_label() -> None:
    found = nearest_label(drawn(), "n1", ["n3", "n4", "n5", "n2"])
    assert isinstance(found, NearestLabel)
    assert found.osm_key == "n5"
    # From Café Anker 90 steps east and 60 south to Rose Pharmacy: 0.00090 and 0.00060 degrees at 47.1 degrees north.
    assert 90 < found.metres < 100
    assert found.margin > 0.25


def test_nearly_equal_distances_are_unclear() -> None:
    # Old Bank and Grand Hotel lie east of Lindt at about 300 steps each.
    assert nearest_label(drawn(), "n2", ["n3", "n4"]) == Unclear("close")


def test_labels_that_cannot_be_told_apart_are_unclear() -> None:
    twice = draw_map(town(*PLACES, place("n7", "bar", "CAFE ANKER", -20, -110)), FRAME).record
    assert find_spot(twice, "n1") == Unclear("not_unique")
    assert find_spot(twice, "n99") == Unclear("not_drawn")
    assert nearest_label(twice, "n1", ["n2", "n3"]) == Unclear("not_unique")


def test_directions_are_those_of_the_picture() -> None:
    def direction(start: str, end: str) -> str:
        found = direction_between(drawn(), start, end)
        return found.reason if isinstance(found, Unclear) else found.direction

    assert direction("n1", "n2") == "south"
    assert direction("n2", "n1") == "north"
    assert direction("n2", "n4") == "east"
    assert direction("n4", "n2") == "west"
    assert direction("n1", "n5") == "off_axis", (
        "45 degrees in the picture, as a degree of latitude is longer there"
    )
    assert direction("n1", "n1") == "close"


def test_the_road_between_two_labels() -> None:
    assert road_between(drawn(), "n1", "n2") == RoadSeen("Mill Road", ["w1"])
    assert road_between(drawn(), "n5", "n3") == RoadSeen("Church Street", ["w2"])
    assert road_between(drawn(), "n2", "n3") == Unclear("several_roads")
    assert road_between(drawn(), "n1", "n5") == Unclear("no_road")
    unlabelled = replace(drawn(), labels=[one for one in drawn().labels if one.text != "Mill Road"])
    assert road_between(unlabelled, "n1", "n2") == Unclear("not_labelled")


def test_the_label_by_a_road() -> None:
    found = label_by_road(drawn(), "Church Street", ["n1", "n3", "n5"])
    assert isinstance(found, LabelByRoad)
    assert found.osm_key == "n5"
    assert label_by_road(drawn(), "Mill Road", ["n3", "n5"]) == Unclear("close")
    assert label_by_road(drawn(), "Church Street", ["n1", "n4"]) == Unclear("far")
    assert label_by_road(drawn(), "Elm Lane", ["n1", "n4"]) == Unclear("no_road")


def test_what_cannot_be_read_in_the_picture() -> None:
    assert presence_of(drawn(), "cafe anker") == "shown"
    assert presence_of(drawn(), "Church Street") == "shown"
    assert presence_of(drawn(), "Anker") == "in_part"
    assert presence_of(drawn(), "Grand Hotel Bellevue") == "in_part"
    assert presence_of(drawn(), "Blue Lagoon") == "absent"
    second = draw_map(town(*PLACES, place("n8", "cafe", "Second Cup", -150, 90)), FRAME).record
    assert presence_of(second, "Second Cup") == "hidden"
