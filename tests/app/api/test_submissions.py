"""Submissions over REST: checked in the request, seen by their own key alone, and never with their contact."""

import gzip
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from pydantic import SecretStr

from app.access.keys import KeyRole, Wanted, create_key
from app.api import middleware
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.predictions.submissions import storing
from app.scores.submitted import score_submissions
from tests.support.command_line import trigpoint
from tests.support.factories import MadeVersion, make_version, option_question
from tests.support.planted_secrets import make_key
from tests.support.processes import scalar
from tests.support.service import serving

CONTACT = "private-contact@example.org"
SUBMISSIONS = "/v1/datasets/toy@1/submissions"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    # Redis is away: what is submitted is stored, and scored by whoever looks.
    return make_database().model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:9/0")})


@pytest.fixture(scope="module")
def version(settings: Settings) -> MadeVersion:
    questions = [option_question(i, key=i % 4, split="hidden" if i % 3 == 0 else "public") for i in range(12)]
    return make_version(settings, questions, name="toy")


@pytest.fixture(scope="module")
def keys(settings: Settings) -> dict[str, str]:
    roles: dict[str, KeyRole] = {
        "reader": "reader",
        "ada": "submitter",
        "bob": "submitter",
        "maintainer": "maintainer",
    }
    return {name: make_key(settings, role) for name, role in roles.items()}


@pytest.fixture(scope="module")
def client(settings: Settings, version: MadeVersion) -> Iterator[httpx.Client]:
    with serving(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


@pytest.fixture
def answers(version: MadeVersion) -> bytes:
    lines: list[object] = [{"card": {"name": "mine", "contact": CONTACT}}]
    lines += [{"id": name, "answer": "ABCD"[place % 4]} for place, name in enumerate(version.questions)]
    return "\n".join(map(json.dumps, lines)).encode()


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_from_the_request_to_the_board_and_away(
    client: httpx.Client, settings: Settings, keys: dict[str, str], answers: bytes
) -> None:
    ada, bob = bearer(keys["ada"]), bearer(keys["bob"])
    made = client.post(SUBMISSIONS, content=answers, headers=ada)
    assert (made.status_code, made.json()["state"], made.json()["before"]) == (202, "waiting", 0)
    address = made.headers["location"]
    again = client.post(SUBMISSIONS, content=gzip.compress(answers), headers=ada)
    assert again.headers["location"] == address
    second = client.post(SUBMISSIONS, content=answers, headers=bob, params={"name": "other"}).json()
    assert second["before"] == 1
    with connect(settings, Role.WORKER) as connection:
        assert score_submissions(connection, SystemClock(), "test") == 2
    found = client.get(address, headers=ada)
    assert (found.json()["state"], found.json()["card"]["name"]) == ("scored", "mine")
    board = client.get("/v1/leaderboards/toy").json()
    assert [(row["name"], row["solver"], row["score"]) for row in board["rows"]] == [
        ("mine", "submitted", 1.0),
        ("other", "submitted", 1.0),
    ]
    assert client.get(address, headers=bob).status_code == 404
    assert client.delete(address, headers=bob).status_code == 404
    of_ada = client.get("/v1/submissions", headers=ada).json()["submissions"]
    of_all = client.get("/v1/submissions?limit=1", headers=bearer(keys["maintainer"]))
    assert [one["name"] for one in of_ada] == ["mine"]
    assert [one["name"] for one in of_all.json()["submissions"]] == ["other"]
    assert of_all.json()["next"]
    for told in (made, found, of_all, client.get(address, headers=bearer(keys["maintainer"]))):
        assert CONTACT not in told.text
    assert client.post(f"{address}/withdraw", headers=ada).json()["state"] == "withdrawn"
    assert [row["name"] for row in client.get("/v1/leaderboards/toy").json()["rows"]] == ["other"]
    assert client.delete(address, headers=ada).json()["state"] == "deleted"
    assert client.delete(address, headers=ada).status_code == 404
    assert scalar(settings, "select count(*) from submission where contact is not null") == 1


def test_faults_come_by_line_and_nothing_is_stored(
    client: httpx.Client, settings: Settings, keys: dict[str, str], answers: bytes
) -> None:
    before = scalar(settings, "select count(*) from submission")
    bad = answers.replace(b'"answer": "B"', b'"answer": NaN', 1) + b"\n\xff"
    told = client.post(SUBMISSIONS, content=bad, headers=bearer(keys["ada"]))
    assert (told.status_code, told.json()["code"]) == (422, "bad_submission")
    assert [fault["where"] for fault in told.json()["faults"]] == [
        ["body", "line", 3],
        ["body", "line", 14],
        ["body"],
    ]
    assert told.json()["faults"][0]["what"].startswith("NaN is not a number of JSON")
    assert scalar(settings, "select count(*) from submission") == before
    card = answers.replace(b'"name": "mine", ', b"")
    assert client.post(SUBMISSIONS, content=card, headers=bearer(keys["ada"])).status_code == 400


@pytest.mark.parametrize(
    ("key", "status"), [(None, 401), ("trig_0_0", 401), ("reader", 403)], ids=["none", "bad", "reader"]
)
def test_who_may_not_submit_is_told_before_the_body_is_read(
    client: httpx.Client, keys: dict[str, str], key: str | None, status: int
) -> None:
    headers = bearer(keys.get(key, key)) if key else {}
    assert client.post(SUBMISSIONS, content=b"x", headers=headers).status_code == status
    assert client.get("/v1/submissions/1", headers=headers).status_code == status


def test_answers_may_be_larger_than_other_bodies_and_not_without_bound(
    client: httpx.Client, keys: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    large = b" " * (middleware.MOST_BYTES + 1)
    assert client.post(SUBMISSIONS, content=large, headers=bearer(keys["ada"])).status_code == 422
    monkeypatch.setattr(middleware, "MOST_BYTES_OF_ANSWERS", 1000)
    told = client.post(SUBMISSIONS, content=b" " * 1001, headers=bearer(keys["ada"]))
    assert (told.status_code, middleware.bounds_of("/v1/runs")[0]) == (413, middleware.MOST_BYTES)


def test_who_else_has_the_name_is_told(client: httpx.Client, keys: dict[str, str], answers: bytes) -> None:
    for name, status in (("ada", 202), ("bob", 409)):
        told = client.post(f"{SUBMISSIONS}?name=taken", content=answers, headers=bearer(keys[name]))
        assert told.status_code == status


def test_a_key_that_replaces_another_has_what_that_one_submitted(
    client: httpx.Client, settings: Settings, answers: bytes
) -> None:
    old = trigpoint(settings, "key", "create", "Eve", "--role", "submitter", "--json").json
    new = trigpoint(
        settings, "key", "create", "Eve", "--role", "submitter", "--replaces", old["prefix"], "--json"
    ).json
    where = client.post(f"{SUBMISSIONS}?name=eve", content=answers, headers=bearer(old["key"])).headers[
        "location"
    ]
    assert client.get(where, headers=bearer(new["key"])).status_code == 200
    later = client.post(f"{SUBMISSIONS}?name=eve", content=answers, headers=bearer(new["key"]))
    assert later.headers["location"] == where, "the same again is the same submission"
    assert client.post(f"{where}/withdraw", headers=bearer(new["key"])).json()["state"] == "withdrawn"
    assert client.get(where, headers=bearer(make_key(settings, "submitter"))).status_code == 404


def test_what_a_maintainer_ends_is_on_the_record(
    client: httpx.Client, settings: Settings, keys: dict[str, str], answers: bytes
) -> None:
    where = client.post(f"{SUBMISSIONS}?name=ended", content=answers, headers=bearer(keys["bob"])).headers[
        "location"
    ]
    number = where.rsplit("/", 1)[1]
    assert client.post(f"{where}/withdraw", headers=bearer(keys["maintainer"])).json()["state"] == "withdrawn"
    assert trigpoint(settings, "submission", "delete", number, "--json").json["state"] == "deleted"
    entries = client.get("/v1/audit?limit=2", headers=bearer(keys["maintainer"])).json()["entries"]
    assert [(entry["action"], entry["subject"]) for entry in entries] == [
        ("submission.delete", f"submission {number}"),
        ("submission.withdraw", f"submission {number}"),
    ]
    assert [entry["name"] for entry in entries] == [None, "a maintainer"]


def test_a_race_wins_nobody_more_than_the_quota(
    settings: Settings, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixteen requests at once, each with a key of one owner, to four data sets: as many are taken as one by one."""
    monkeypatch.setattr(storing, "MOST_A_DAY", 5)
    names = [f"raced_{number}" for number in range(4)]
    question = option_question(0)
    versions = [make_version(settings, [question], name=name) for name in names]
    with connect(settings, Role.MAINTAINER) as connection:
        wanted = Wanted("a racer", "submitter", 1_000_000)
        tokens = [create_key(connection, wanted, SystemClock().now())[0] for _ in range(16)]
        connection.commit()
    start = threading.Barrier(16)

    def submit(number: int) -> int:
        version = versions[number % 4]
        body = json.dumps([{"id": version.questions[0], "answer": "A"}])
        start.wait(timeout=30)
        return client.post(
            f"/v1/datasets/{version.reference}/submissions",
            content=body,
            headers=bearer(tokens[number]),
            params={"name": f"model {number}"},
        ).status_code

    with ThreadPoolExecutor(16) as pool:
        found = Counter(pool.map(submit, range(16)))
    assert found == {202: 5, 429: 11}
