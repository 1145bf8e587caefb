"""Readings on Liechtenstein: a question that stands without coordinates has its answer from any vertex of its anchor."""

import random
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest

from app.questions.accepting import Accepted, accept_questions
from app.questions.readings import is_same_number
from app.questions.readings.grounds import grounds_of
from app.questions.second_path import Layers, answer
from app.questions.second_path.geodesy import circular_difference
from app.questions.terms import Terms
from tests.support.second_path import rules_of
from tests.support.town import Asker, Imported, template_of

TRIED = 4
"""Vertices of each anchor."""


@pytest.fixture(scope="module")
def asker(liechtenstein: Imported) -> Iterator[Asker]:
    with liechtenstein.connect() as connection:
        yield Asker.on(connection, liechtenstein.name)


@contextmanager
def standing_at(layers: Layers, position: int, lon: float, lat: float) -> Iterator[None]:
    """The place is at that point, for as long as this lasts."""
    own = layers["poi"].coordinates[position].copy()
    layers["poi"].coordinates[position] = lon, lat
    try:
        yield
    finally:
        layers["poi"].coordinates[position] = own


def keys(value: Mapping[str, Any], *parts: str) -> set[str]:
    return {one["osm_key"] for part in parts for one in value.get(part, ())}


def is_same(template: str, wanted: Mapping[str, Any], got: Mapping[str, Any]) -> bool:
    """Whether two answers earn full credit alike."""
    if template == "T23":
        return bool(wanted["count"] == got["count"])
    if template == "T26" and not is_same_number(wanted["distance"], got["distance"]):
        return False
    if template == "T22" and float(circular_difference(wanted["azimuth"], got["azimuth"])) > 1.8:
        return False
    either = keys(wanted, "objects", "tolerated")
    return keys(wanted, "objects") <= keys(got, "objects", "tolerated") and keys(got, "objects") <= either


def accepted(asker: Asker, template: str) -> list[Accepted]:
    outcome = accept_questions(asker.ground, template_of(template), Terms(3, register="precise"), 120, set())
    assert "second_path_disagrees" not in outcome.refused
    return outcome.accepted


@pytest.mark.long
@pytest.mark.parametrize("template", ["T1", "T3", "T5", "T9", "T13", "T17", "T19", "T22", "T23", "T26"])
def test_any_vertex_of_the_anchor_gives_the_same(asker: Asker, template: str) -> None:
    grounds, drawn, areas = grounds_of(asker.layers), random.Random(template), 0
    for one in accepted(asker, template):
        parameters = one.picked.parameters
        assert one.reading is not None
        points = grounds.points(asker.layers["poi"].position[parameters["anchor"]])
        if one.reading.told or len(points) == 1:
            continue
        areas += 1
        for lon, lat in drawn.choices(points.tolist(), k=TRIED):
            with standing_at(asker.layers, asker.layers["poi"].position[parameters["anchor"]], lon, lat):
                found = answer(asker.layers, rules_of(template), parameters)
            assert is_same(template, one.second.value, found.value), (parameters, lon, lat, found)
    assert areas >= 5, "enough anchors are areas"
