"""The answers of a run over real HTTP: public questions with gold and score, pages without seams, filters, keys."""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.published.queries_answers import OF_RUN
from app.scores.scoring import score_run
from tests.support.factories import FAILED, make_run, make_version, name_question, option_question
from tests.support.planted_secrets import make_key
from tests.support.service import serving

HIDDEN_ANSWER = "words to a hidden question"
SAID = ["A", "B", "<b>A</b>", "A", HIDDEN_ANSWER, None, FAILED]


class Made(NamedTuple):
    settings: Settings
    client: httpx.Client
    run: int
    questions: list[str]

    def answers(self, **parameters: Any) -> Any:
        return self.client.get(f"/v1/runs/{self.run}/answers", params=parameters).raise_for_status().json()


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    settings = make_database()
    public = [option_question(i, key=0) for i in range(4)]
    version = make_version(
        settings,
        [*public, option_question(4, key=0, split="hidden"), name_question(5), name_question(6)],
        name="answered",
    )
    run = make_run(settings, version, SAID, "model", status="incomplete")
    with connect(settings, Role.WORKER) as connection:
        score_run(connection, run)
        connection.commit()
    headers = {"Authorization": f"Bearer {make_key(settings, 'reader')}"}
    with serving(settings) as address, httpx.Client(base_url=address, headers=headers) as client:
        yield Made(settings, client, run, list(version.questions))


def test_answers_to_public_questions_in_order(made: Made) -> None:
    found = made.answers()
    asked = made.questions[:4] + made.questions[5:]
    assert [one["question"] for one in found["answers"]] == asked
    assert found["next"] is None
    assert found["attribution"].startswith("© OpenStreetMap contributors")
    first = found["answers"][0]
    assert (first["answer"], first["outcome"], first["score"], first["gold"]["index"]) == (
        "A",
        "correct",
        1.0,
        0,
    )


def test_no_filter_finds_a_hidden_question(made: Made) -> None:
    every = [{}, {"question": made.questions[4]}, {"state": "answered"}, {"outcome": "unparseable"}]
    for parameters in every:
        answer = made.client.get(f"/v1/runs/{made.run}/answers", params=parameters)
        assert HIDDEN_ANSWER not in answer.raise_for_status().text
    assert made.answers(question=made.questions[4])["answers"] == []


@pytest.mark.parametrize(
    ("name", "value", "field"),
    [
        ("template", "Find_Nearest_POI", "template"),
        ("state", "error", "state"),
        ("state", "no_answer", "state"),
        ("outcome", "correct", "outcome"),
        ("outcome", "wrong", "outcome"),
    ],
)
def test_a_filter_leaves_what_it_names(made: Made, name: str, value: str, field: str) -> None:
    whole = made.answers()["answers"]
    if name == "template":
        value = whole[0]["template"]
    expected = [one for one in whole if one[field] == value]
    assert 0 < len(expected) < len(whole)
    assert made.answers(**{name: value})["answers"] == expected


def test_a_question_that_was_asked(made: Made) -> None:
    (only,) = made.answers(question=made.questions[2])["answers"]
    assert only["answer"] == "<b>A</b>"


@pytest.mark.parametrize("limit", [1, 2, 5, 6])
@pytest.mark.parametrize("more", [{}, {"state": "answered"}])
def test_pages_are_the_whole_without_seams(made: Made, limit: int, more: dict[str, str]) -> None:
    whole = made.answers(**more)["answers"]
    paged: list[Any] = []
    address: str | None = f"/v1/runs/{made.run}/answers"
    parameters: dict[str, Any] = {"limit": limit, **more}
    while address is not None:
        answer = made.client.get(address, params=parameters).raise_for_status()
        paged += answer.json()["answers"]
        cursor = answer.json()["next"]
        parameters, address = {**parameters, "cursor": cursor}, address if cursor else None
    assert paged == whole


def test_what_is_refused(made: Made) -> None:
    path = f"/v1/runs/{made.run}/answers"
    bare = httpx.get(f"{made.client.base_url}{path}")
    assert bare.status_code == 401
    assert made.client.get("/v1/runs/999999/answers").status_code == 404
    for parameters in ({"state": "odd"}, {"outcome": "right"}, {"limit": "201"}):
        assert made.client.get(path, params=parameters).status_code == 422
    cursor = made.answers(limit=1)["next"]
    moved = made.client.get(path, params={"cursor": cursor, "state": "answered"})
    assert moved.status_code == 400, "a cursor belongs to its filters"


def test_an_answer_that_is_held_already(made: Made) -> None:
    path = f"/v1/runs/{made.run}/answers"
    tag = made.client.get(path).headers["ETag"]
    assert made.client.get(path, headers={"If-None-Match": tag}).status_code == 304


def test_the_calls_of_an_answer_are_found_by_its_question(made: Made) -> None:
    """An agent's run has many calls, and the last request of an episode holds all messages before it."""
    asked = {"run_id": made.run, "profile": "any", "scorers": "{}", "most": 100}
    asked |= dict.fromkeys(("after_position", "after_repeat", "after_rotation"), -1)
    asked |= dict.fromkeys(("template", "question", "state", "outcome"))
    with connect(made.settings, Role.OWNER) as connection:
        connection.execute(text("set enable_seqscan = off"))
        plan = connection.execute(text("explain (costs off)" + OF_RUN.text), asked).scalars().all()
    of_steps = [place for place, line in enumerate(plan) if re.search(r"Scan using \w+ on step\b", line)]
    assert len(of_steps) == 2, plan
    inside, last = (plan[place + 1] for place in of_steps)
    assert "run_id = " in inside
    assert "wanted." not in inside, "the steps of a run are not read again for each of its answers"
    assert "id = " in last, "of the requests, the last alone is read"
