"""Runs scored again: the same bits, other geocoders beside the first scores, and failures that are ours."""

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.app.map_tools.nominatim_server import Nominatim, serving_nominatim
from tests.support.command_line import trigpoint
from tests.support.factories import QuestionSpec, make_run, make_version, name_question, options_dataset
from tests.support.http_server import Answer
from tests.support.scored_runs import score

PLACE = {"lon": 9.5, "lat": 47.1, "name": "Adler", "address": {"street": "Ring", "housenumber": "5"}}
NEAR, FAR = (9.5, 47.1), (9.5, 48.1)


def location_question(number: int) -> QuestionSpec:
    gold = {"objects": [PLACE], "tolerated": []}
    return QuestionSpec(
        "T17",
        "location",
        f"Where? (test question {number})",
        gold,
        {"anchor": f"n{number}", "category": "restaurant"},
    )


@pytest.fixture
def nominatim() -> Iterator[Nominatim]:
    with serving_nominatim() as server:
        server.places = {"5 Ring, Dorf": NEAR, "7 Lane, Dorf": FAR}
        yield server


@pytest.fixture
def run(database: Settings) -> int:
    """A scored run: a place that is right, one a degree off, one that no map knows, an answer that names none."""
    questions = [*(location_question(number) for number in range(4)), name_question(9)]
    answers = ["Ring 5, Dorf", "Lane 7, Dorf", "Nowhere Street 9, Atlantis", "I would walk.", "Adler"]
    run_id = make_run(database, make_version(database, questions), answers)
    score(database, run_id)
    return run_id


def rows(settings: Settings, profile: str | None = None) -> list[str]:
    """Score rows as text, floats in their shortest exact form."""
    statement = "select score::text from score where coalesce(:profile, profile) = profile order by 1"
    with connect(settings, Role.WORKER) as connection:
        return list(connection.execute(text(statement), {"profile": profile}).scalars())


def errors(settings: Settings, profile: str) -> list[tuple[float, bool]]:
    statement = (
        "select components -> 'parsed_distance_error' from score join prediction on prediction.id = prediction_id"
        " where profile = :profile and scorer = 'location' order by prediction.id"
    )
    with connect(settings, Role.WORKER) as connection:
        found = connection.execute(text(statement), {"profile": profile}).scalars()
        return [(one["value"], one["attempted"]) for one in found]


def rescore(settings: Settings, run_id: int, *options: str) -> tuple[int, Any, str]:
    done = trigpoint(
        settings, "run", "rescore", str(run_id), "--json", *options, TRIGPOINT_CONTACT="tests@example.org"
    )
    return done.status, done.json if done.out else None, done.err


def test_again_by_the_same_rules_changes_no_bit(database: Settings, run: int) -> None:
    before = rows(database)
    code, said, _ = rescore(database, run)
    assert code == 0
    assert (said["profile"], said["answers"], said["geocoder"]) == ("trigpoint", 5, "gazetteer")
    assert said["geocoded"] is None
    assert sum(said["locations"].values()) == 4
    assert rows(database) == before


def test_a_geocoder_scores_beside_the_map(database: Settings, run: int, nominatim: Nominatim) -> None:
    before = rows(database)
    code, said, _ = rescore(database, run, "--geocoder", nominatim.url + "/search")
    assert code == 0
    assert said["profile"] == "published+nominatim"
    assert said["locations"] == {"placed": 2, "unplaced": 1, "without_address": 1}
    assert said["geocoded"] == {"addresses": 3, "cached": 0, "asked": 3, "requests": 3}
    right, off, unplaced, silent = errors(database, "published+nominatim")
    assert right == (0.0, True)
    assert off[0] == pytest.approx(111.2 / 500, abs=0.001)
    assert unplaced == silent == (1.0, False)
    assert [row for row in rows(database) if "nominatim" not in row] == before
    with connect(database, Role.WORKER) as connection:
        told = connection.execute(
            text("select distinct parsed ->> 'geocoder' from score where profile like '%+%'")
        )
        assert told.scalars().all() == [nominatim.url]


def test_the_same_bits_when_the_server_is_gone(database: Settings, run: int) -> None:
    with serving_nominatim() as nominatim:
        nominatim.places = {"5 Ring, Dorf": (9.500000000000001, 47.1)}
        url = nominatim.url
        rescore(database, run, "--geocoder", url)
    before = rows(database, "published+nominatim")
    assert before
    code, said, _ = rescore(database, run, "--geocoder", url)
    assert (code, said["geocoded"]["asked"], said["geocoded"]["requests"]) == (0, 0, 0)
    assert rows(database, "published+nominatim") == before


@pytest.mark.parametrize(
    "fault", [Answer(500, {}, b""), Answer(200, {}, b"{}"), Answer(429, {"Retry-After": "999"}, b"")]
)
def test_a_geocoder_that_fails_is_no_wrong_answer(
    database: Settings, run: int, nominatim: Nominatim, fault: Answer
) -> None:
    nominatim.script = [Answer(200, {}, b"[]"), fault]
    code, said, err = rescore(database, run, "--geocoder", nominatim.url)
    assert (code, said) == (1, None)
    assert nominatim.url in err
    assert rows(database, "published+nominatim") == []
    code, said, _ = rescore(database, run, "--geocoder", nominatim.url)
    assert (code, said["geocoded"]["cached"], said["geocoded"]["asked"]) == (0, 1, 2)


def test_what_cannot_be_scored_so_is_said(database: Settings, nominatim: Nominatim) -> None:
    options = make_run(database, make_version(database, options_dataset(1), name="options"), ["A"])
    code, _, err = rescore(database, options, "--geocoder", nominatim.url)
    assert code == 1
    assert "urban_knowledge" in err
    running = make_run(database, make_version(database, [name_question(1)]), ["Adler"], status="running")
    code, _, err = rescore(database, running)
    assert code == 1
    assert "is running" in err
    code, _, err = rescore(database, 999)
    assert code == 2
    assert "no run 999" in err
    code, _, err = rescore(database, options, "--geocoder", "nominatim")
    assert code == 2
    assert "TRIGPOINT_NOMINATIM_URL" in err


def test_gold_is_sent_to_nobody(database: Settings, nominatim: Nominatim) -> None:
    run_id = make_run(
        database, make_version(database, [location_question(1)]), ["Ring 5, Dorf"], solver="oracle"
    )
    score(database, run_id)
    code, _, err = rescore(database, run_id, "--geocoder", nominatim.url)
    assert code == 1
    assert "whose answers are gold" in err
    assert nominatim.asked == []
    assert rescore(database, run_id)[0] == 0
