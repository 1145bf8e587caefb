"""What answers show beside their scores: the place they name, how near it is, the sign of their errors."""

import json
from dataclasses import replace

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.questions.snapshots import find_snapshots
from app.scores.diagnosing import diagnose_run, summarise_run
from app.scores.diagnosis import (
    Named,
    diagnose_number,
    diagnose_place,
    forms_in,
    nearness,
    summarise,
)
from app.scores.scoring import score_run
from tests.support.command_line import trigpoint
from tests.support.factories import MadeMap, make_run, make_version, name_question
from tests.support.town import Imported, import_map

GOLD = {"names": ["Adler"], "objects": [{"name": "Adler", "lon": 10.0, "lat": 50.0}], "tolerated": []}
KNOWN = {"krone": [Named("krone", 10.0, 50.00899), Named("krone", 11.0, 50.0)]}


def test_names_are_looked_for_in_the_answer_and_not_in_the_question() -> None:
    forms = forms_in("It is the Café Krone, 350 m away.", "How far is it from the Museum Krone?")
    assert "café krone" in forms
    assert "krone" not in forms
    assert forms.index("the café krone") < forms.index("café krone")
    assert forms_in("12 m", "How far?") == []


def test_a_wrong_place_is_worth_its_nearness() -> None:
    assert nearness(0.0) == 1.0
    assert nearness(1000.0) == 0.5
    right = diagnose_place(["adler"], GOLD, KNOWN)
    assert (right.components["entity"].value, right.credit, right.told["metres"]) == (1.0, 1.0, 0.0)
    near = diagnose_place(["the krone", "krone"], GOLD, KNOWN)
    assert near.components["entity"].value == 0.0
    assert near.told["metres"] == pytest.approx(1000.0, abs=1.0)
    assert near.credit == pytest.approx(0.5, abs=0.001)
    none = diagnose_place(["nowhere"], GOLD, KNOWN)
    assert not none.components["entity"].attempted
    assert none.credit == 0.0


def test_numbers_have_a_sign_and_a_summary() -> None:
    over = diagnose_number("count", {"count": 4}, {"count": 6.0})
    assert over is not None
    assert over.told == {"ratio": 1.5}
    assert diagnose_number("count", {"count": 4}, {"unread": "no number"}) is None
    under = {"components": {}, "parsed": {"ratio": 0.5}}
    place = diagnose_place(["adler"], GOLD, {})
    rows = [
        under,
        {"components": {}, "parsed": dict(over.told)},
        {"components": {name: part.as_json() for name, part in place.components.items()}, "parsed": {}},
    ]
    found = summarise(rows)
    assert (found.places, found.named, found.right, found.nearness) == (1, 1, 1, 1.0)
    assert (found.numbers, found.over, found.under, found.median_ratio) == (2, 1, 1, 1.0)
    assert summarise([]).nearness is None


def test_answers_of_a_run_on_a_map(database: Settings, town: Imported) -> None:
    """Adler is right; the Omega Inn is a real place elsewhere; nobody knows the third; the fourth is hidden."""
    settings = database
    import_map(settings, town.file, town.name)
    with connect(settings, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, [town.name])
        adler = connection.execute(
            text(
                f"select st_x(geom) as lon, st_y(geom) as lat from {snapshot.schema}.poi where name = 'Adler'"
            )
        ).one()
    place = {"osm_key": "n1", "name": "Adler", "lon": adler.lon, "lat": adler.lat}
    gold = {"names": ["Adler"], "objects": [place], "tolerated": []}
    splits = ("public", "public", "public", "hidden")
    questions = [
        replace(name_question(number, split=split), gold=gold) for number, split in enumerate(splits)
    ]
    version = make_version(settings, questions, made_map=MadeMap(snapshot.id, snapshot.schema))
    run = make_run(settings, version, ["Adler", "Omega Inn", "Xyzzy", "Omega Inn"])
    with connect(settings, Role.WORKER) as connection:
        score_run(connection, run)
        connection.commit()
        found = summarise_run(connection, run)
        assert found is not None
        assert (found.places, found.named, found.right) == (3, 2, 1)
        assert found.nearness is not None
        assert 0.5 < found.nearness < 1.0
        rows = text(
            "select score.* from score join prediction on prediction.id = prediction_id"
            " where profile = 'diagnosis' and run_id = :run order by prediction_id"
        )
        first = [dict(row) for row in connection.execute(rows, {"run": run}).mappings()]
        assert len(first) == 3
        assert diagnose_run(connection, run) == 3
        assert [dict(row) for row in connection.execute(rows, {"run": run}).mappings()] == first
    told = trigpoint(settings, "report", str(run), "--json")
    assert told.status == 0, told.err
    assert json.loads(told.out)["runs"][0]["diagnosis"]["right"] == 1
