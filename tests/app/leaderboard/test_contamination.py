"""What `contamination` says of stored runs: pairs of the same question, hidden ones left out, refusals, canaries."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from sqlalchemy import text

from app.core.errors import Conflict, NotFound, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.contamination import Contamination, find_canaries, measure_contamination
from tests.support.command_line import trigpoint
from tests.support.factories import make_map, make_run, make_version, option_question
from tests.support.planted_secrets import make_key
from tests.support.processes import scalar
from tests.support.scored_runs import score
from tests.support.service import patient_client, serving


class Made(NamedTuple):
    """Runs of two versions with the same 24 questions, six of which are hidden."""

    settings: Settings
    known: int
    fresh: int
    open: int
    canary: str


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Made:
    settings = make_database()
    town = make_map(settings)
    questions = [option_question(i, split="hidden" if i % 4 == 3 else "public") for i in range(24)]
    versions = [make_version(settings, questions, name=name, made_map=town) for name in ("known", "fresh")]
    canary = scalar(settings, "select canary from dataset_version where id = :id", id=versions[0].id)
    # Hidden questions are right on both sides. Of the public ones all are right, and then the first nine of 18.
    half = ["A" if i % 4 == 3 or i < 12 else "B" for i in range(24)]
    told = [f"A, of {str(canary).upper()}", *half[1:]]
    known = make_run(settings, versions[0], ["A"] * 24, "all right")
    fresh = make_run(settings, versions[1], told, "half right")
    for run in (known, fresh):
        score(settings, run)
    unfinished = make_run(settings, versions[1], half, "unfinished", status="running")
    return Made(settings, known, fresh, unfinished, str(canary))


def measure(made: Made, known: int, fresh: int) -> Contamination:
    with connect(made.settings, Role.API) as connection:
        return measure_contamination(connection, known, fresh)


def test_public_questions_are_compared_with_themselves(made: Made) -> None:
    found = measure(made, made.known, made.fresh)
    assert (found.pairing, found.n, found.unpaired, found.places) == ("same_questions", 18, 0, 18)
    assert (found.known.score, found.fresh.score, found.gap) == (1, 0.5, 0.5)
    assert found.shown == "gap"
    assert found.low is not None
    assert found.low > 0
    assert found.verdict.startswith("a gap of 50 points (")
    assert [(one.template, one.n, one.gap) for one in found.templates] == [("Find_Nearest_POI", 18, 0.5)]
    turned = measure(made, made.fresh, made.known)
    assert (turned.gap, turned.shown) == (-0.5, "reverse")
    assert "less was right on the public questions" in turned.verdict


def test_canaries_are_found_in_answers(made: Made) -> None:
    with connect(made.settings, Role.API) as connection:
        (found,) = find_canaries(connection, [made.known, made.fresh])
    assert (found.run, found.dataset, found.canary, found.questions) == (made.fresh, "known", made.canary, 1)


def test_what_cannot_be_compared_is_refused(made: Made) -> None:
    with pytest.raises(NotFound, match="no run 999"):
        measure(made, made.known, 999)
    with pytest.raises(UsageError, match="of one version"):
        measure(made, made.fresh, made.open)
    with pytest.raises(Conflict, match="not complete"):
        measure(made, made.known, made.open)


def test_hidden_answers_are_not_searched(made: Made) -> None:
    """A canary in the completion of a hidden question is no public figure."""
    with connect(made.settings, Role.WORKER) as connection:
        connection.execute(
            text(
                "update prediction set answer = :canary from question where question.version_id = prediction.version_id"
                " and question.id = prediction.question_id and question.split = 'hidden' and run_id = :run"
            ),
            {"canary": made.canary, "run": made.known},
        )
        connection.commit()
    with connect(made.settings, Role.API) as connection:
        assert find_canaries(connection, [made.known]) == []


def test_rest_and_the_command_say_the_same(made: Made) -> None:
    headers = {"Authorization": f"Bearer {make_key(made.settings, 'reader')}"}
    asked = {"run": made.known, "fresh_run": made.fresh}
    with serving(made.settings) as address, patient_client(f"{address}/v1") as client:
        client.headers.update(headers)
        gap = client.get("/contamination", params=asked)
        canaries = client.get(f"/runs/{made.fresh}/canaries").json()
        statuses = [
            client.get("/contamination", params=asked | {"fresh_run": other}).status_code
            for other in (999, made.open, made.known)
        ]
        assert client.get("/contamination", params=asked, headers={"Authorization": ""}).status_code == 401
        assert client.get("/runs/999/canaries").status_code == 404
    assert statuses == [404, 409, 400]
    assert gap.json() == measure(made, made.known, made.fresh).model_dump(mode="json")
    assert gap.headers["cache-control"].startswith("private")
    assert (
        gap.json()
        == trigpoint(made.settings, "contamination", str(made.known), str(made.fresh), "--json").json
    )
    assert canaries == trigpoint(made.settings, "contamination", str(made.fresh), "--json").json
    assert [one["canary"] for one in canaries["canaries"]] == [made.canary]
