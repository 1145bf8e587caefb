"""What maintainers change over REST: endpoints, checks as jobs, runs; once each, on the record, and by nobody else."""

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import text

from app.access.audit import read_audit
from app.access.keys import KeyRole
from app.api import middleware, routers
from app.api.strict_body import StrictRoute
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.jobs.claims import MOST_ATTEMPTS, kinds_waiting
from app.operations.jobs import JobWorker, work_jobs
from tests.support.factories import FAILED, MadeVersion, make_run, make_version, options_dataset
from tests.support.http_server import Answer, Request, serving_http
from tests.support.planted_secrets import make_key
from tests.support.processes import scalar
from tests.support.service import serving

URL = "http://127.0.0.1:9/v1"
NOWHERE = {"name": "nowhere", "url": URL, "model": "none"}


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    # Redis is away: what is told to PostgreSQL is told.
    changes = {"redis_url": SecretStr("redis://127.0.0.1:9/0"), "request_timeout_seconds": 1.0}
    return make_database().model_copy(update=changes)


@pytest.fixture(scope="module")
def version(settings: Settings) -> MadeVersion:
    return make_version(settings, options_dataset(8))


@pytest.fixture(scope="module")
def keys(settings: Settings) -> dict[KeyRole, str]:
    return {role: make_key(settings, role) for role in ("reader", "submitter", "maintainer")}


@pytest.fixture(scope="module")
def client(settings: Settings, version: MadeVersion, keys: dict[KeyRole, str]) -> Iterator[httpx.Client]:
    headers = {"Authorization": f"Bearer {keys['maintainer']}"}
    with serving(settings) as address, httpx.Client(base_url=address, headers=headers, timeout=30) as client:
        yield client


def good(client: httpx.Client, settings: Settings, name: str = "good", **found: Any) -> None:
    """An endpoint whose last look was good, and found this beside."""
    assert client.post("/v1/endpoints", json=NOWHERE | {"name": name}).status_code in (200, 201)
    health = {"state": "ok", "said": "", "engine": None, "latency_ms": 1, "guides": ["json_schema"]}
    health |= found
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text("update endpoint set health = cast(:health as jsonb) where name = :name"),
            {"health": json.dumps(health), "name": name},
        )
        connection.commit()


def audit(settings: Settings) -> list[tuple[str, str]]:
    with connect(settings, Role.MAINTAINER) as connection:
        rows = read_audit(connection, None, 1000)
    return [(row.action, row.subject) for row in reversed(rows)]


# Who may


POSTS = [
    ("/v1/endpoints", NOWHERE),
    ("/v1/endpoints/x/check", None),
    ("/v1/runs", {"dataset": "toy", "solver": "random"}),
    ("/v1/disputes/1/decision", {"verdict": "reject", "text": "x"}),
    *((f"/v1/runs/1/{verb}", None) for verb in ("pause", "resume", "cancel", "retry")),
]


@pytest.mark.parametrize(("path", "body"), POSTS, ids=[path for path, _ in POSTS])
@pytest.mark.parametrize("role", [None, "reader", "submitter"])
def test_only_maintainers_change(
    client: httpx.Client,
    settings: Settings,
    keys: dict[KeyRole, str],
    role: KeyRole | None,
    path: str,
    body: Any,
) -> None:
    before = audit(settings)
    headers = {} if role is None else {"Authorization": f"Bearer {keys[role]}"}
    answer = httpx.post(f"{client.base_url}{path}", json=body, headers=headers)
    assert answer.status_code == (401 if role is None else 403)
    assert audit(settings) == before


# Endpoints


def test_an_endpoint_is_stored_and_changed(client: httpx.Client, settings: Settings) -> None:
    body = NOWHERE | {
        "name": "stored",
        "limits": {"concurrency": 3},
        "prices": {"prompt": 0.15, "completion": "2"},
    }
    made = client.post("/v1/endpoints", json=body)
    assert (made.status_code, made.headers["location"]) == (201, "/v1/endpoints/stored")
    assert made.json()["prices"] == {"prompt": "0.15", "completion": "2", "currency": "USD"}
    assert made.json()["url"] == URL
    assert client.post("/v1/endpoints", json=body).status_code == 200
    changed = client.post("/v1/endpoints", json=body | {"key_variable": "ENDPOINT_KEY_X"})
    assert (changed.status_code, changed.json()["key_variable"]) == (200, "ENDPOINT_KEY_X")
    assert client.get(made.headers["location"]).json() == changed.json()
    assert [one for one in audit(settings) if one[1] == "stored"] == [("endpoint.add", "stored")] * 2


def test_an_endpoint_says_what_its_last_check_found_it_able_to_do(
    client: httpx.Client, settings: Settings, keys: dict[KeyRole, str]
) -> None:
    good(client, settings, "old")
    old = client.get("/v1/endpoints/old").json()
    assert (old["abilities"], old["context"]) == (None, None), "not looked at"

    found = {"abilities": {"tools": "yes", "pictures": "no"}, "context": 4096}
    good(client, settings, "able", **found, remarks=["It refuses pictures: no eyes."])
    assert client.get("/v1/endpoints/able").json()["said"].endswith("It refuses pictures: no eyes")
    headers = {"Authorization": f"Bearer {keys['reader']}"}
    card = httpx.get(f"{client.base_url}/v1/endpoints/able", headers=headers).json()
    assert {name: card[name] for name in found} == found
    assert card["said"] is None, "words of a server are for maintainers"


def test_a_body_of_calls_is_stored_and_stands_in_runs(
    client: httpx.Client, settings: Settings, version: MadeVersion
) -> None:
    """The endpoint's with the run's on top; another body is another run."""
    good(client, settings, "shaped")
    kept = client.post(
        "/v1/endpoints", json=NOWHERE | {"name": "shaped", "body": {"seed": None, "top_p": 0.5}}
    )
    assert (kept.status_code, kept.json()["body"]) == (200, {"seed": None, "top_p": 0.5})
    asked = {"dataset": version.reference, "solver": "direct", "endpoint": "shaped"}

    def sampling(more: dict[str, Any]) -> Any:
        made = client.post("/v1/runs", json=asked | more)
        assert made.status_code == 202, made.text
        return client.get(made.headers["location"]).json()["sampling"]

    assert sampling({})["body"] == {"seed": None, "top_p": 0.5}
    on_top = {"seed": None, "temperature": None, "top_p": 0.9}
    assert sampling({"body": {"top_p": 0.9, "temperature": None}}) == {"body": on_top}
    for body in ({"messages": []}, {"seed": 1}, {"api_key": "x"}, {"stream": True}, [1]):
        assert client.post("/v1/runs", json=asked | {"body": body}).status_code == 422, body
        assert client.post("/v1/endpoints", json=NOWHERE | {"body": body}).status_code == 422, body


@pytest.mark.parametrize(
    "change",
    [
        {"url": "file:///etc/passwd"},
        {"url": "http://"},
        {"url": "http://user:secret@host/v1"},
        {"url": "http://host/v1?key=1"},
        {"url": "http://[::1/v1"},
        {"url": "http://host:99999/v1"},
        {"url": "http://ho st/v1"},
        {"url": "x" * 600},
        {"key_variable": "TRIGPOINT_PASSWORD_OWNER"},
        {"key_variable": "AWS_SECRET_ACCESS_KEY"},
        {"key_variable": "ENDPOINT_KEY_a"},
        {"name": "a b"},
        {"name": "../x"},
        {"name": ""},
        {"model": "a\u0000b"},
        {"model": ""},
        {"limits": {"concurrency": 0}},
        {"limits": {"unknown": 1}},
        {"prices": {"prompt": 1}},
        {"prices": {"prompt": -1, "completion": 1}},
        {"prices": {"prompt": "1e400", "completion": 1}},
        {"prices": {"prompt": "NaN", "completion": 1}},
        {"prices": {"prompt": 1, "completion": 1, "currency": "euro"}},
        {"unknown": 1},
    ],
    ids=lambda change: json.dumps(change)[:40],
)
def test_endpoints_that_are_none(client: httpx.Client, change: dict[str, Any]) -> None:
    answer = client.post("/v1/endpoints", json=NOWHERE | change)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid"), answer.text
    assert answer.json()["faults"]


def test_half_of_a_pair_in_json(client: httpx.Client) -> None:
    body = json.dumps(NOWHERE).replace('"none"', '"\\ud800"')
    answer = client.post("/v1/endpoints", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422


def test_a_check_is_a_job(client: httpx.Client, settings: Settings) -> None:
    client.post("/v1/endpoints", json=NOWHERE)
    accepted = client.post("/v1/endpoints/nowhere/check")
    assert accepted.status_code == 202
    where = accepted.headers["location"]
    assert client.get(where).json()["state"] == "waiting"
    engine = make_engine(settings, Role.WORKER)
    with engine.connect() as connection:
        assert kinds_waiting(connection, settings, SystemClock().now())
    assert work_jobs(JobWorker(engine, settings, SystemClock(), "me")) >= 1
    job = client.get(where).json()
    assert (job["state"], job["result"]["state"], job["attempt"]) == ("done", "failed", 1)
    assert job["result"]["measured"] is None
    assert client.get("/v1/jobs", params={"limit": 1}).json()["jobs"] == [job]
    assert client.get("/v1/endpoints/nowhere").json()["state"] == "failed"
    assert client.post("/v1/endpoints/nope/check").status_code == 404
    with engine.connect() as connection:
        assert not kinds_waiting(connection, settings, SystemClock().now())
    engine.dispose()


def test_a_check_says_how_many_calls_at_once_are_well(client: httpx.Client, settings: Settings) -> None:
    """To whom may check it: the job's result, and the endpoint's record."""

    def answer(request: Request) -> Answer:
        listed = b'{"data": [{"id": "none"}]}'
        chat = b'{"choices": [{"message": {"content": "A"}, "finish_reason": "stop"}]}'
        body = listed if request.path.endswith("/models") else chat
        return Answer(200, {"Content-Type": "application/json"}, body)

    with serving_http(answer) as url:
        allowed = {"concurrency": 2, "timeout_seconds": 90}
        told = {"name": "quick", "url": f"{url}/v1", "model": "none", "limits": allowed}
        assert client.post("/v1/endpoints", json=told).status_code == 201
        where = client.post("/v1/endpoints/quick/check").headers["location"]
        engine = make_engine(settings, Role.WORKER)
        work_jobs(JobWorker(engine, settings, SystemClock(), "me"))
        engine.dispose()
    measured = client.get(where).json()["result"]["measured"]
    assert measured["timeout_seconds"] == 90
    assert 1 <= measured["concurrency"] <= 2
    assert [one["at_once"] for one in measured["rounds"]] == [1, 2]
    card = client.get("/v1/endpoints/quick").json()
    assert card["measured"] == measured
    assert f"It keeps up with {measured['concurrency']} call" in card["said"]


def test_a_job_whose_key_is_missing_fails(client: httpx.Client, settings: Settings) -> None:
    client.post("/v1/endpoints", json=NOWHERE | {"name": "keyed", "key_variable": "ENDPOINT_KEY_MISSING"})
    where = client.post("/v1/endpoints/keyed/check").headers["location"]
    engine = make_engine(settings, Role.WORKER)
    work_jobs(JobWorker(engine, settings, SystemClock(), "me"))
    engine.dispose()
    job = client.get(where).json()
    assert (job["state"], "ENDPOINT_KEY_MISSING" in job["error"]) == ("failed", True)


def test_a_job_whose_workers_are_lost_fails_in_the_end(client: httpx.Client, settings: Settings) -> None:
    client.post("/v1/endpoints", json=NOWHERE)
    where = client.post("/v1/endpoints/nowhere/check").headers["location"]
    with connect(settings, Role.WORKER) as connection:
        connection.execute(
            text(
                "update job set state = 'running', attempt = :most, deadline = now() - interval '1 second'"
                " where state = 'waiting'"
            ),
            {"most": MOST_ATTEMPTS},
        )
        connection.commit()
    engine = make_engine(settings, Role.WORKER)
    assert work_jobs(JobWorker(engine, settings, SystemClock(), "me")) == 0
    engine.dispose()
    assert client.get(where).json()["state"] == "failed"


# Runs


def start(client: httpx.Client, **more: Any) -> httpx.Response:
    return client.post("/v1/runs", json={"dataset": "toy", "solver": "direct", "endpoint": "good", **more})


def test_a_run_is_started_and_gone_on_with(client: httpx.Client, settings: Settings) -> None:
    good(client, settings)
    made = start(client, seed=1)
    assert made.status_code == 202, made.text
    told = made.json()
    assert (told["was"], told["run"]["status"], told["run"]["total"]) == ("new", "queued", 8)
    assert made.headers["location"] == told["address"] == f"/v1/runs/{told['run']['run']}"
    assert told["run"]["progress"]["waiting"] == 8
    assert start(client, seed=1).json()["was"] == "open"
    assert scalar(settings, "select count(*) from batch where run_id = :id", id=told["run"]["run"]) == 1
    guided = start(client, seed=1, guided=True, sample=4).json()["run"]
    assert (guided["sample"], guided["label"]) == (4, "none (sample of 4, guided)")


def without_commands(said: str) -> str:
    """A message without the commands in it, which keep their options; elsewhere it names the fields of REST."""
    return re.sub(r"`trigpoint [^`]*`", "", said)


def test_a_run_is_steered(client: httpx.Client, settings: Settings) -> None:
    good(client, settings)
    where = start(client, seed=2, budget_tokens=1000).headers["location"]
    assert client.post(f"{where}/pause").json()["status"] == "paused"
    assert client.post(f"{where}/pause").status_code == 200
    resumed = client.post(f"{where}/resume", json={"budget_tokens": 5000})
    assert (resumed.status_code, resumed.json()["status"]) == (202, "queued")
    assert resumed.json()["progress"]["budget"] == {"tokens": 5000, "money": None}
    assert client.post(f"{where}/retry").status_code == 409
    assert client.post(f"{where}/cancel").json()["status"] == "cancelled"
    refused = client.post(f"{where}/resume")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert "--" not in without_commands(refused.text)
    subject = where.replace("/v1/runs/", "run ")
    told = [action for action, of in audit(settings) if of == subject]
    assert told == ["run.start", "run.pause", "run.resume", "run.cancel"]


def test_errors_are_asked_again(client: httpx.Client, settings: Settings, version: MadeVersion) -> None:
    run = make_run(settings, version, ["A"] * 6 + [FAILED] * 2, "broken", status="incomplete")
    answer = client.post(f"/v1/runs/{run}/retry")
    assert (answer.status_code, answer.json()["status"]) == (202, "queued")
    assert answer.json()["states"] == {"answered": 6, "no_answer": 0, "error": 0}
    assert scalar(settings, "select count(*) from batch where run_id = :id", id=run) == 1


@pytest.mark.parametrize(
    ("change", "status", "word"),
    [
        ({"dataset": "nope"}, 404, "no published data set"),
        ({"endpoint": "nope"}, 404, "no endpoint"),
        ({"endpoint": None}, 400, "name one"),
        ({"endpoint": "unseen"}, 409, "never checked"),
        ({"solver": "oracle"}, 400, "remove endpoint"),
        ({"solver": "oracle", "endpoint": None, "budget_tokens": 5}, 400, "budget_tokens"),
        ({"solver": "judge"}, 422, "schema"),
        ({"budget_money": "1"}, 400, "no prices"),
        ({"budget_money": "0"}, 400, "above 0"),
        ({"budget_money": "1e9"}, 422, "schema"),
        ({"repeats": 0}, 422, "schema"),
        ({"seed": -1}, 422, "schema"),
        ({"temperature": "NaN"}, 422, "schema"),
        ({"seed": 2**70}, 422, "schema"),
        ({"unknown": 1}, 422, "schema"),
    ],
    ids=lambda value: json.dumps(value) if isinstance(value, dict) else None,
)
def test_runs_that_are_refused(
    client: httpx.Client, settings: Settings, change: dict[str, Any], status: int, word: str
) -> None:
    good(client, settings)
    client.post("/v1/endpoints", json=NOWHERE | {"name": "unseen"})
    runs = scalar(settings, "select count(*) from run")
    answer = start(client, **change)
    assert (answer.status_code, word in answer.text) == (status, True), answer.text
    assert "--" not in without_commands(answer.text)
    assert scalar(settings, "select count(*) from run") == runs


def test_runs_that_are_not_there(client: httpx.Client) -> None:
    for verb in ("pause", "resume", "cancel", "retry"):
        assert client.post(f"/v1/runs/999999/{verb}").status_code == 404


# Sent twice


def test_what_is_sent_twice_is_done_once(client: httpx.Client, settings: Settings) -> None:
    good(client, settings)
    headers = {"Idempotency-Key": "check-1"}
    answers = [client.post("/v1/endpoints/good/check", headers=headers) for _ in range(3)]
    assert len({(one.status_code, one.text, one.headers["location"]) for one in answers}) == 1
    other = client.post("/v1/endpoints/good/check", headers={"Idempotency-Key": "check-2"})
    assert other.headers["location"] != answers[0].headers["location"]


def test_twice_at_the_same_time(client: httpx.Client, settings: Settings, keys: dict[KeyRole, str]) -> None:
    good(client, settings)
    headers = {"Idempotency-Key": "together", "Authorization": f"Bearer {keys['maintainer']}"}
    found: list[str] = []

    def send() -> None:
        found.append(
            httpx.post(f"{client.base_url}/v1/endpoints/good/check", headers=headers, timeout=30).text
        )

    threads = [threading.Thread(target=send) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6
    assert len(set(found)) == 1


def test_a_key_is_for_one_request(client: httpx.Client, settings: Settings) -> None:
    good(client, settings)
    headers = {"Idempotency-Key": "used"}
    assert client.post("/v1/endpoints/good/check", headers=headers).status_code == 202
    for path, body in (
        ("/v1/endpoints/nowhere/check", None),
        ("/v1/runs", {"dataset": "toy", "solver": "random"}),
    ):
        answer = client.post(path, json=body, headers=headers)
        assert (answer.status_code, "another request" in answer.text) == (409, True)


def test_what_failed_is_tried_anew(client: httpx.Client) -> None:
    headers = {"Idempotency-Key": "failed"}
    assert client.post("/v1/endpoints/late/check", headers=headers).status_code == 404
    client.post("/v1/endpoints", json=NOWHERE | {"name": "late"})
    assert client.post("/v1/endpoints/late/check", headers=headers).status_code == 202


def test_an_answer_is_kept_for_a_day(client: httpx.Client, settings: Settings) -> None:
    good(client, settings)
    headers = {"Idempotency-Key": "old"}
    first = client.post("/v1/endpoints/good/check", headers=headers).headers["location"]
    with connect(settings, Role.OWNER) as connection:
        connection.execute(
            text("update trigpoint.sent_request set created_at = created_at - interval '25 hours'")
        )
        connection.commit()
    assert client.post("/v1/endpoints/good/check", headers=headers).headers["location"] != first


@pytest.mark.parametrize("word", ["", "x" * 201, "a b"], ids=["empty", "long", "blank"])
def test_words_that_are_no_keys(client: httpx.Client, word: str) -> None:
    assert client.post("/v1/runs/1/pause", headers={"Idempotency-Key": word}).status_code == 422


# Bodies


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"a":' * 2000],
    ids=["none", "half", "list", "null", "bytes", "deep"],
)
def test_bodies_that_are_none(client: httpx.Client, body: bytes) -> None:
    answer = client.post("/v1/endpoints", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422), answer.text
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize(
    ("path", "body", "twice"),
    [
        ("/v1/endpoints", '{"name": "a", "url": "http://x/v1", "model": "m", "name": "b"}', "name"),
        ("/v1/endpoints", '{"name": "a", "limits": {"concurrency": 1, "concurrency": 9}}', "concurrency"),
        ("/v1/runs", '{"dataset": "toy", "solver": "random", "seed": 1, "seed": 2}', "seed"),
        ("/v1/datasets", '{"benchmark": "gsqa", "hidden": 0.5, "hidden": 0}', "hidden"),
        ("/v1/snapshots", '{"source": "a", "s\\u006furce": "b"}', "source"),
        ("/v1/schedules", '{"dataset": "toy", "dataset": "toy"}', "dataset"),
        ("/v1/disputes/1/decision", '{"verdict": "reject", "verdict": "accept"}', "verdict"),
        ("/v1/runs/1/resume", '{"budget_tokens": 1, "budget_tokens": 2}', "budget_tokens"),
        ("/v1/datasets/toy@1/questions/x/disputes", '{"kind": "gold", "kind": "text"}', "kind"),
    ],
)
def test_what_a_body_says_twice_is_refused(client: httpx.Client, path: str, body: str, twice: str) -> None:
    told = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert (told.status_code, told.json()["code"]) == (422, "invalid")
    assert f"'{twice}' stands in one object twice" in told.json()["detail"]


def test_every_body_in_json_is_read_strictly() -> None:
    modules = [import_module(f"{routers.__name__}.{one.name}") for one in iter_modules(routers.__path__)]
    routes = [route for module in modules for route in module.router.routes]
    found = [route for route in routes if getattr(route, "body_field", None)]
    assert len(found) > 5
    assert {type(route) for route in found} == {StrictRoute}


def test_a_body_that_is_too_large(client: httpx.Client) -> None:
    def pieces() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 100_000

    for content in (b" " * 2_000_000, pieces()):
        answer = client.post("/v1/endpoints", content=content, headers={"Content-Type": "application/json"})
        assert (answer.status_code, answer.headers["content-type"]) == (413, "application/problem+json")


def test_a_body_that_does_not_come(
    client: httpx.Client, keys: dict[KeyRole, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.3)
    host, port = client.base_url.host, client.base_url.port
    assert port is not None
    head = (
        f"POST /v1/endpoints HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {keys['maintainer']}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    with socket.create_connection((host, port), timeout=20) as raw:
        raw.sendall(head.encode())
        assert raw.recv(4096).startswith(b"HTTP/1.1 408")
