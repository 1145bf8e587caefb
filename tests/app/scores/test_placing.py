"""Distance errors of locations, by the question's own map."""

from dataclasses import replace
from typing import Any

import pytest

from app.benchmarks.gsqa.published.answers import published_scorer
from app.questions.snapshots import find_snapshots
from app.scores.paper_rules import find_rules
from app.scores.placing import COMPONENT, Located, by_gazetteer, with_distance_errors
from app.scores.score import Component
from tests.support.town import Imported

RULES = find_rules("gsqa")
assert RULES


def errors(town: Imported, gold: dict[str, Any], *answers: str) -> list[Component]:
    scorer = published_scorer("location")
    assert scorer is not None
    with town.connect() as connection:
        (snapshot,) = find_snapshots(connection, [town.name])
        located = {
            number: Located(snapshot.schema, gold, scorer.judge(answer, gold, None))
            for number, answer in enumerate(answers)
        }
        found = with_distance_errors(RULES, located, by_gazetteer(connection))
    for number, one in located.items():
        assert replace(found[number], components={}) == replace(one.score, components={})
    return [found[number].components[COMPONENT] for number in range(len(answers))]


def test_an_address_is_as_far_off_as_its_place(town: Imported) -> None:
    with town.connect() as connection:
        (snapshot,) = find_snapshots(connection, [town.name])
        lon, lat = connection.exec_driver_sql(
            f"select st_x(geom), st_y(geom) from {snapshot.schema}.poi where name = 'Museum Alpha'"
        ).one()
    here = {"objects": [{"lon": lon, "lat": lat, "name": None, "address": None}]}
    far = {"objects": [{"lon": lon, "lat": lat + 1.0, "name": None, "address": None}]}
    assert errors(town, here, "Ring 5, Toyville", "Nowhere Street 7, Atlantis", "no idea") == [
        Component(0.0, 1.0, True),
        Component(1.0, 1.0, False),
        Component(1.0, 1.0, False),
    ]
    (one,) = errors(town, far, "5 Ring, Toyville")
    assert one.value == pytest.approx(111.2 / 500, abs=0.001)
