"""Questions about drives on Liechtenstein with planted stations and a real router: both paths agree, and both keys score."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.clock import SystemClock
from app.core.identity import canonical_json
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.generating import Recipe, generate
from app.questions.refusals import meaning
from app.questions.snapshots import find_snapshots
from app.questions.stored import load_questions
from app.questions.storing import store
from app.questions.verifying import verify
from app.routing.apart import RoutersApart
from app.scores.registry import get_scorer
from osm_import.planting import plant
from tests.support.routers import own_routers
from tests.support.town import benchmarks, import_map

NAME, TEMPLATE = "evgeoqa", "Destination_By_Drive"
NUMBER = 12


@pytest.mark.long
def test_those_that_one_reaches_soonest_are_proved_and_the_nearest_are_a_key_of_their_own(
    make_database: Callable[[], Settings], extracts: Path, tmp_path: Path
) -> None:
    made = make_database()
    plant(extracts / "liechtenstein-2022-07-24.osm.pbf", tmp_path / "p.osm.pbf", "charging_station", 120, 1)
    import_map(made, tmp_path / "p.osm.pbf", "planted")
    whole = benchmarks()[NAME]
    drives = replace(whole, templates={TEMPLATE: whole.templates[TEMPLATE]})
    judge = get_scorer("hits").judge
    differing = 0
    with own_routers(made, tmp_path) as settings, connect(settings, Role.WORKER) as connection:
        routers = RoutersApart(settings, Role.WORKER)
        maps = find_snapshots(connection, ["planted"])
        recipe = Recipe(drives, maps, 2, NUMBER, NUMBER, 0.0, router=routers.engine)
        found = generate(connection, recipe, lambda *told: None, routers)
        (report,) = found.reports.values()
        assert report.selected == NUMBER
        assert "second_path_disagrees" not in report.refused
        assert not [reason for reason in report.refused if meaning(reason, NAME) is None]
        for record in found.records:
            times = [one["drive_s"] for one in record.gold["stations"]]
            lengths = record.second_path["facts"]["drive_m"]
            assert len(lengths) == len(times)
            assert all(
                metres <= seconds * 130 / 3.6 + 1 for metres, seconds in zip(lengths, times, strict=True)
            )
            assert any(
                metres > one["geodesic_m"]
                for metres, one in zip(lengths, record.gold["stations"], strict=True)
            )
            assert times == sorted(times)
            assert all(
                one["drive_s"] >= one["geodesic_m"] / (130 / 3.6) for one in record.gold["stations"]
            ), "nobody drives faster than at 130 km/h"
            for key in record.gold_keys.values():
                near = [one["geodesic_m"] for one in key["value"]["stations"]]
                assert near == sorted(near)
                assert near[-1] <= max(one["geodesic_m"] for one in record.gold["stations"]) + 0.01
                first = [{"station_id": key["value"]["stations"][0]["osm_key"]}]
                scores = [
                    judge(canonical_json(first * 3), gold, None) for gold in (record.gold, key["value"])
                ]
                assert scores[1].components["hits_1"].value == 1.0
            differing += any(
                key["value"]["stations"][0]["osm_key"] != record.gold["stations"][0]["osm_key"]
                for key in record.gold_keys.values()
            )
        assert differing, "the nearest is not always reached soonest"
        version = store(connection, "drives", 1, found, SystemClock())
        result = verify(connection, load_questions(connection, version), lambda done: None, routers)
    assert result.failures == []
    assert result.stored_sql == result.second_path == {"agree": NUMBER, "differ": 0}
    assert result.no_plan == {"times": NUMBER}
    assert result.proved
