"""Answers parsed by a chat endpoint on the loopback: stored as steps, reused, checked against the rules."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import text

from app.core.settings import Role, Settings
from app.db.engine import connect
from app.scores.parsing.asked import FIELDS, MAX_TOKENS
from tests.app.map_tools.nominatim_server import serving_nominatim
from tests.support.command_line import trigpoint
from tests.support.factories import (
    FAILED,
    QuestionSpec,
    azimuth_question,
    count_question,
    make_run,
    make_version,
    name_question,
)
from tests.support.http_server import Answer, Request, serving_http
from tests.support.scored_runs import score

COMMAND = ("run", "rescore", "--json", "--parser", "chat")
ANSWERS = ["The Adler it is", "Krone, I think", "north", "nothing at all", "four", None, FAILED]
READ: dict[str, dict[str, Any]] = {
    "The Adler it is": {"name": "Adler"},
    "Krone, I think": {"name": "Linde"},
    "north": {"azimuth_angle": 90},
    "four": {"count": 4},
}


@dataclass
class Model:
    """A parsing model by the book; `script` holds answers that go before, one a request."""

    url: str = ""
    script: list[Answer] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)

    def answer(self, request: Request) -> Answer:
        if request.path.endswith("/models"):
            return as_json({"data": [{"id": "parser-1"}]})
        body = json.loads(request.body)
        self.asked.append(body)
        if self.script:
            return self.script.pop(0)
        told = READ.get(json.loads(body["messages"][-1]["content"])["answer"])
        entries = [dict.fromkeys(FIELDS) | told] if told else []
        return completion(json.dumps({"answers": entries}))


def as_json(value: Any) -> Answer:
    return Answer(200, {"Content-Type": "application/json"}, json.dumps(value).encode())


def completion(content: str | None) -> Answer:
    usage = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
    message = {"role": "assistant", "content": content}
    return as_json({"choices": [{"message": message, "finish_reason": "stop"}], "usage": usage})


@pytest.fixture
def model() -> Iterator[Model]:
    one = Model()
    with serving_http(one.answer) as address:
        one.url = f"{address}/v1"
        yield one


@pytest.fixture
def run(database: Settings) -> int:
    questions = [
        name_question(0),
        name_question(1),
        azimuth_question(2),
        azimuth_question(3),
        *(count_question(number) for number in (4, 5, 6)),
    ]
    run_id = make_run(database, make_version(database, questions), ANSWERS, status="incomplete")
    score(database, run_id)
    return run_id


def rescore(settings: Settings, run_id: int, *options: str) -> tuple[int, Any, str]:
    done = trigpoint(
        settings,
        *(*COMMAND, str(run_id), *options),
        TRIGPOINT_TRIES="2",
        TRIGPOINT_BACKOFF_SECONDS="0",
        TRIGPOINT_CONCURRENCY="1",
    )
    return done.status, done.json if done.out else None, done.err


def query(settings: Settings, statement: str) -> list[Any]:
    with connect(settings, Role.WORKER) as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


CHAT = "select outcome, value from score where profile = 'published+chat' order by prediction_id"


def test_answers_are_parsed_once_and_stored_as_steps(database: Settings, run: int, model: Model) -> None:
    before = query(database, "select score::text from score order by 1")
    code, said, err = rescore(database, run, "--endpoint", model.url)
    assert code == 0, err
    assert (said["profile"], said["parser"], said["answers"]) == ("published+chat", "parser-1", 5)
    assert said["parsed"] == {
        "answers": 5,
        "stored": 0,
        "requests": 5,
        "unparseable": 0,
        "usage": {"prompt_tokens": 50, "completion_tokens": 25, "total_tokens": 75},
    }
    assert [outcome for outcome, _ in query(database, CHAT)] == [
        "correct",
        "wrong",
        "correct",
        "unparseable",
        "correct",
    ]
    steps = query(database, "select state, kind, usage ->> 'total_tokens' from step")
    assert steps == [("done", "parse", "15")] * 5
    first = query(database, "select score::text from score where profile not like '%+%' order by 1")
    assert first == before, "the first scores stand"
    told = query(database, "select distinct parsed ->> 'parser' from score where profile = 'published+chat'")
    assert told == [("parser-1",)]


@pytest.mark.long
def test_what_is_stored_is_not_asked_for_again(database: Settings, run: int) -> None:
    one = Model()
    with serving_http(one.answer) as address:
        code, _, err = rescore(database, run, "--endpoint", f"{address}/v1")
        assert code == 0, err
    rows = query(database, CHAT.replace("outcome, value", "score::text"))
    code, said, err = rescore(database, run, "--endpoint", f"{address}/v1", "--model", "parser-1")
    assert code == 0, err
    assert (said["parsed"]["stored"], said["parsed"]["requests"]) == (5, 0)
    assert said["parsed"]["usage"]["total_tokens"] == 75
    assert query(database, CHAT.replace("outcome, value", "score::text")) == rows


def test_it_is_checked_against_the_rules(database: Settings, run: int, model: Model) -> None:
    _, said, _ = rescore(database, run, "--endpoint", model.url)
    agreed = said["agreement"]
    assert agreed["answers"] == 5
    assert sum(agreed[kind] for kind in ("same", "differ", "only_rules", "only_chat", "neither")) == 5
    assert agreed["by_kind"]["count"] | {"agree": 1.0, "same": 1} == agreed["by_kind"]["count"]
    assert agreed["by_kind"]["angle"]["differ"] == 1
    assert 0 < agreed["agree"] < 1


@pytest.mark.parametrize(
    "content", [None, "", "Adler", '{"answers": [{"name": "Adler"}]}', "[" * 50_000], ids=range(5)
)
@pytest.mark.long
def test_a_garbled_reply_is_unparseable_by_rule(
    database: Settings, run: int, model: Model, content: str | None
) -> None:
    model.script = [completion(content)]
    code, said, err = rescore(database, run, "--endpoint", model.url)
    assert code == 0, err
    assert said["parsed"]["unparseable"] == 1
    assert query(database, CHAT)[0] == ("unparseable", 0.0)


@pytest.mark.parametrize(
    ("faults", "requests"),
    [([Answer(400, {}, b"no")], 5), ([Answer(500, {}, b"no")] * 2, 6), ([Answer(200, {}, b"<html>")] * 2, 6)],
    ids=["refused", "failing", "page"],
)
@pytest.mark.long
def test_an_endpoint_that_fails_is_no_wrong_answer(
    database: Settings, run: int, model: Model, faults: list[Answer], requests: int
) -> None:
    model.script = list(faults)
    code, said, err = rescore(database, run, "--endpoint", model.url)
    assert (code, said) == (1, None)
    assert "1 of 5 answers could not be parsed" in err
    assert query(database, CHAT) == []
    assert len(model.asked) == requests
    code, said, err = rescore(database, run, "--endpoint", model.url)
    assert code == 0, err
    assert (said["parsed"]["stored"], said["parsed"]["requests"]) == (4, 1)
    assert len(query(database, CHAT)) == 5
    failed = query(database, "select count(*) from step where state = 'failed' and error is not null")
    assert failed == [(len(faults),)]


def test_a_stored_parser_is_asked_by_its_body_and_its_failures_within_success_are_tried_again(
    database: Settings, run: int, model: Model
) -> None:
    add = ("endpoint", "add", "reader", "--url", model.url, "--model", "parser-1", "--body")
    added = trigpoint(database, *add, '{"max_completion_tokens": 5, "temperature": null}')
    assert added.status == 0, added.err
    model.script = [as_json({"error": {"code": 502, "message": "it broke"}})]
    code, said, err = rescore(database, run, "--endpoint", "reader")
    assert code == 0, err
    assert (said["parsed"]["answers"], said["parsed"]["requests"]) == (5, 6)
    sent = {
        (body.get("max_tokens"), body["max_completion_tokens"], "temperature" in body) for body in model.asked
    }
    assert sent == {(None, MAX_TOKENS, False)}


def test_a_parser_without_money_is_asked_once(database: Settings, run: int, model: Model) -> None:
    model.script = [as_json({"error": {"code": "insufficient_quota", "message": "no"}})] * 9
    code, said, err = rescore(database, run, "--endpoint", model.url)
    assert (code, said, len(model.asked)) == (1, None, 1)
    assert "its quota is exhausted" in err


@pytest.mark.long
def test_a_call_that_a_stopped_command_left_is_lost(database: Settings, run: int, model: Model) -> None:
    rescore(database, run, "--endpoint", model.url)
    with connect(database, Role.WORKER) as connection:
        connection.execute(
            text("update step set state = 'sent', response = null where id = (select min(id) from step)")
        )
        connection.commit()
    code, said, err = rescore(database, run, "--endpoint", model.url)
    assert code == 0, err
    assert (said["parsed"]["stored"], said["parsed"]["requests"]) == (4, 1)
    assert query(database, "select state, count(*) from step group by 1 order by 1") == [
        ("done", 5),
        ("lost", 1),
    ]
    shown = trigpoint(database, "run", "show", str(run), "--json")
    assert shown.json["endpoint_requests"] == 0, "parsing is not counted as asking the model"


@pytest.mark.long
def test_a_parser_and_a_geocoder_together(database: Settings, model: Model) -> None:
    place = {"lon": 9.5, "lat": 47.1, "name": "Adler", "address": None}
    gold = {"objects": [place], "tolerated": []}
    about = {"anchor": "n1", "category": "restaurant"}
    version = make_version(database, [QuestionSpec("T17", "location", "Where?", gold, about)])
    run_id = make_run(database, version, ["By the big tree."])
    score(database, run_id)
    told = {"answers": [dict.fromkeys(FIELDS) | {"address": "Tree Lane 1"}]}
    model.script = [completion(json.dumps(told))]
    with serving_nominatim() as nominatim:
        nominatim.places = {"Tree Lane 1": (9.5, 47.1)}
        contact = {"TRIGPOINT_CONTACT": "tests@example.org"}
        options = ("--endpoint", model.url, "--geocoder", nominatim.url)
        done = trigpoint(database, *COMMAND, str(run_id), *options, **contact)
    assert done.status == 0, done.err
    said = done.json
    assert said["profile"] == "published+chat+nominatim"
    assert said["locations"] == {"placed": 1, "unplaced": 0, "without_address": 0}
    assert said["agreement"]["by_kind"]["location"]["only_chat"] == 1
    statement = (
        "select components -> 'parsed_distance_error' ->> 'value' from score where profile like '%+nominatim'"
    )
    assert query(database, statement) == [("0.0",)]


@pytest.mark.long
def test_options_that_do_not_go_together(database: Settings, run: int, model: Model) -> None:
    for options, words in (
        ((), "give --endpoint"),
        (("--parser", "oracle"), "no parser 'oracle'"),
        (("--parser", "rules", "--endpoint", model.url), "Only --parser chat"),
        (("--endpoint", model.url, "--key-variable", "NO_SUCH_KEY"), "NO_SUCH_KEY"),
    ):
        code, _, err = rescore(database, run, *options)
        assert code == 2, err
        assert words in err
    assert model.asked == []
