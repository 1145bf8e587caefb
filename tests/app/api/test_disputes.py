"""Disputes over real HTTP: by any key, decided by maintainers, put right by a worker; of hidden questions nothing is told."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from app.access.keys import KeyRole
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect, make_engine
from app.disputes import opening
from app.operations.jobs import JobWorker, work_jobs
from tests.support.command_line import environment
from tests.support.factories import MadeVersion, make_run, make_version, option_question
from tests.support.planted_secrets import PLANTED, crawl, make_key
from tests.support.processes import query, scalar
from tests.support.scored_runs import score
from tests.support.service import serving

WORDS = {"reason": "other_right_answer", "text": "Krone is as near.", "proposed": "Krone"}
VOID = {"verdict": "void", "text": "Both are right."}
MARKUP = "<script>alert(1)</script> [bold]x[/bold] {{ 7*7 }} %s ${x} '; drop table dispute; --"


@pytest.fixture(scope="module")
def settings(make_database: Callable[[], Settings]) -> Settings:
    # Redis is away: what is told to PostgreSQL is told.
    return make_database().model_copy(update={"redis_url": SecretStr("redis://127.0.0.1:9/0")})


@pytest.fixture(scope="module")
def version(settings: Settings) -> MadeVersion:
    """Twelve questions, every third hidden, and two runs."""
    questions = [option_question(i, key=i % 4, split="hidden" if i % 3 == 0 else "public") for i in range(12)]
    made = make_version(settings, questions, name="toy")
    for label, letters in (
        ("always A", ["A"] * 12),
        ("mostly right", ["ABCD"[i % 4] for i in range(11)] + ["A"]),
    ):
        score(settings, make_run(settings, made, letters, label))
    return made


@pytest.fixture(scope="module")
def keys(settings: Settings) -> dict[str, dict[str, str]]:
    roles: dict[str, KeyRole] = {"ada": "reader", "bob": "submitter", "maintainer": "maintainer"}
    return {name: {"Authorization": f"Bearer {make_key(settings, role)}"} for name, role in roles.items()}


@pytest.fixture(scope="module")
def client(settings: Settings, version: MadeVersion) -> Iterator[httpx.Client]:
    with serving(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        yield client


Ask = Callable[..., httpx.Response]


@pytest.fixture
def dispute(client: httpx.Client, version: MadeVersion, keys: dict[str, dict[str, str]]) -> Ask:
    """Dispute the question of that place."""

    def ask(place: int, who: str = "ada", **more: Any) -> httpx.Response:
        path = f"/v1/datasets/toy@1/questions/{version.questions[place]}/disputes"
        return client.post(path, json=WORDS | more, headers=keys[who])

    return ask


@pytest.fixture
def decide(client: httpx.Client, keys: dict[str, dict[str, str]]) -> Ask:
    """Decide the dispute of that address."""

    def ask(address: str, who: str = "maintainer", **body: Any) -> httpx.Response:
        return client.post(f"{address}/decision", json=body, headers=keys[who])

    return ask


def work(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Do the jobs that wait, as a worker does: each as a command in a process of its own."""
    for name, value in environment(settings).items():
        monkeypatch.setenv(name, value)
    engine = make_engine(settings, Role.WORKER)
    assert work_jobs(JobWorker(engine, settings, SystemClock(), "test")) >= 1
    engine.dispose()


def board(client: httpx.Client, reference: str) -> bytes:
    return client.get(f"/v1/leaderboards/{reference}").raise_for_status().content


def right_without(settings: Settings, label: str, question: str) -> int:
    """Right answers of the old version's run to public questions but for one: from scores, not from a board."""
    count: int = scalar(
        settings,
        "select count(*) from score join prediction on prediction.id = score.prediction_id join run on run.id = run_id"
        " join question on question.version_id = prediction.version_id and question.id = prediction.question_id"
        " where label = :label and carried_from is null and score.profile = 'trigpoint' and outcome = 'correct'"
        " and question_id <> :question and split = 'public'",
        label=label,
        question=question,
    )
    return count


def test_from_the_doubt_to_the_new_board(
    client: httpx.Client,
    settings: Settings,
    version: MadeVersion,
    keys: dict[str, dict[str, str]],
    dispute: Ask,
    decide: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, question = board(client, "toy@1"), version.questions[1]
    made = dispute(1)
    assert (made.status_code, made.json()["state"], made.json()["dataset"]) == (201, "open", "toy@1")
    address = made.headers["location"]
    again = dispute(1)
    assert (again.status_code, again.headers["location"], again.json()) == (200, address, made.json())
    assert dispute(1, text="something else").status_code == 409
    second = dispute(1, "bob", text="It is ambiguous.").headers["location"]
    proof = client.get(f"{address}/proof", headers=keys["maintainer"]).json()
    assert (proof["gold"]["index"], proof["sql"], proof["others"]) == (1, "select 1", 1)
    assert [(one["label"], one["answer"], one["outcome"]) for one in proof["answers"]] == [
        ("always A", "A", "wrong"),
        ("mostly right", "B", "correct"),
    ]
    assert client.get(f"{address}/proof", headers=keys["ada"]).status_code == 403
    assert decide(address, "bob", **VOID).status_code == 403
    accepted = decide(address, **VOID)
    assert (accepted.status_code, accepted.json()["job"]["kind"]) == (202, "erratum"), accepted.text
    assert decide(address, **VOID).status_code == 409
    assert client.get(address, headers=keys["ada"]).json()["state"] == "open"
    work(settings, monkeypatch)
    job = client.get(accepted.headers["location"], headers=keys["maintainer"]).json()
    assert (job["state"], job["result"]["erratum"]) == ("done", "toy@2"), job["error"]
    for one, who in ((address, "ada"), (second, "bob")):
        told = client.get(one, headers=keys[who]).json()
        assert (told["state"], told["outcome"], told["erratum"]) == ("accepted", "voided", "toy@2")
        assert told["decision"] == VOID["text"]
    assert board(client, "toy@1") == before
    told = json.loads(board(client, "toy@2"))
    assert {row["name"]: (row["states"]["correct"], row["n"]) for row in told["rows"]} == {
        label: (right_without(settings, label, question), 7) for label in ("always A", "mostly right")
    }
    assert all(row["carried_from"] for row in told["rows"])
    erratum = {"earlier": "toy@1", "later": "toy@2", "voided": [question], "corrected": []}
    for reference in ("toy@1", "toy@2"):
        assert client.get(f"/v1/datasets/{reference}").json()["errata"] == [erratum]
    settled = dispute(1)
    assert (settled.status_code, "newer version" in settled.text) == (409, True)
    record = client.get("/v1/audit?limit=2", headers=keys["maintainer"]).json()["entries"]
    assert [(one["action"], one["name"]) for one in record] == [
        ("dispute.accept", "a maintainer"),
        ("dispute.decide", "a maintainer"),
    ]


def test_rejected_and_sent_twice(client: httpx.Client, keys: dict[str, dict[str, str]], dispute: Ask) -> None:
    address = dispute(2).headers["location"]
    body = {"verdict": "reject", "text": "The map has one."}
    headers = keys["maintainer"] | {"Idempotency-Key": "reject-2"}
    answers = [client.post(f"{address}/decision", json=body, headers=headers) for _ in range(2)]
    assert [(one.status_code, one.json()["dispute"]["state"]) for one in answers] == [(200, "rejected")] * 2
    told = client.get(address, headers=keys["ada"]).json()
    assert (told["state"], told["decision"], told["erratum"]) == ("rejected", "The map has one.", None)
    assert client.post(f"{address}/decision", json=body, headers=keys["maintainer"]).status_code == 409
    assert dispute(2).headers["location"] != address


def test_a_dispute_that_is_sent_twice(
    client: httpx.Client, settings: Settings, version: MadeVersion, keys: dict[str, dict[str, str]]
) -> None:
    path = f"/v1/datasets/toy@1/questions/{version.questions[5]}/disputes"

    def send(who: str, word: str, **more: Any) -> httpx.Response:
        return client.post(path, json=WORDS | more, headers=keys[who] | {"Idempotency-Key": word})

    first, again = send("ada", "once"), send("ada", "once")
    assert (first.status_code, again.status_code) == (201, 201)
    assert (again.json(), again.headers["location"]) == (first.json(), first.headers["location"])
    assert send("bob", "once").json()["dispute"] != first.json()["dispute"], "a word is its key's own"
    other = send("ada", "once", text="Something else.")
    assert (other.status_code, "another request" in other.text) == (409, True)
    client.post(f"{first.headers['location']}/withdraw", headers=keys["ada"]).raise_for_status()
    late = send("ada", "once")
    assert (late.status_code, late.json()) == (201, first.json()), "a copy that comes late opens nothing"
    assert client.get(first.headers["location"], headers=keys["ada"]).json()["state"] == "withdrawn"
    assert send("ada", "a b").status_code == 422
    assert send("maintainer", "reject-5").status_code == 201
    refused = send("ada", "twice", reason="unheard of")
    assert (refused.status_code, send("ada", "twice").status_code) == (422, 201), "what failed is tried anew"
    counted = "select count(*) from dispute where question_id = :id"
    assert scalar(settings, counted, id=version.questions[5]) == 4


@pytest.mark.parametrize(
    ("body", "form", "said"),
    [
        ('{"reason": "ambig', "application/json", "it is not JSON: a text has no closing quote"),
        (
            json.dumps(WORDS),
            "application/x-www-form-urlencoded",
            "send JSON with `Content-Type: application/json`",
        ),
        ("", "application/json", "Field required"),
    ],
    ids=["half", "form", "none"],
)
def test_bodies_that_are_not_understood(
    client: httpx.Client,
    version: MadeVersion,
    keys: dict[str, dict[str, str]],
    body: str,
    form: str,
    said: str,
) -> None:
    path = f"/v1/datasets/toy@1/questions/{version.questions[7]}/disputes"
    told = client.post(path, content=body, headers=keys["ada"] | {"Content-Type": form})
    assert told.status_code == 422
    assert said in told.json()["faults"][0]["what"]
    assert said in told.json()["detail"]


def test_what_others_were_answered_is_told_to_nobody(
    settings: Settings, client: httpx.Client, keys: dict[str, dict[str, str]]
) -> None:
    """Who cannot name all that was asked has not asked it, and the server's own role reads no stored answer."""
    endpoint = {"name": "secret", "url": "http://127.0.0.1:9/v1", "model": "none"}
    headers = keys["maintainer"] | {"Idempotency-Key": "endpoint"}
    client.post("/v1/endpoints", json=endpoint, headers=headers).raise_for_status()
    with connect(settings, Role.OWNER) as connection:
        of_word = text("select key_id from trigpoint.sent_request where idempotency_key = 'endpoint'")
        key_id = connection.execute(of_word).scalar_one()
    with connect(settings, Role.API) as connection:
        opening.begin_writing(connection)
        asked = text("select * from answer_of_request(:id, 'endpoint', 'x', now() - interval '1 day')")
        assert [tuple(row) for row in connection.execute(asked, {"id": key_id})] == [
            (False, None, None, None)
        ]
        with pytest.raises(ProgrammingError, match="permission denied"):
            connection.execute(text("select body from sent_request"))


def test_withdrawn_by_its_own_key(
    client: httpx.Client, keys: dict[str, dict[str, str]], dispute: Ask, decide: Ask
) -> None:
    address = dispute(4).headers["location"]
    assert client.post(f"{address}/withdraw", headers=keys["bob"]).status_code == 404
    assert client.get(address, headers=keys["bob"]).status_code == 404
    for _ in range(2):
        assert client.post(f"{address}/withdraw", headers=keys["ada"]).json()["state"] == "withdrawn"
    assert decide(address, **VOID).status_code == 409
    rejected = dispute(5).headers["location"]
    decide(rejected, verdict="reject", text="no")
    assert client.post(f"{rejected}/withdraw", headers=keys["ada"]).status_code == 409


def test_pages(client: httpx.Client, keys: dict[str, dict[str, str]], dispute: Ask) -> None:
    for place in (7, 8):
        dispute(place)
    dispute(7, "bob")
    whole = client.get("/v1/disputes", headers=keys["ada"]).json()["disputes"]
    page = client.get("/v1/disputes?limit=1", headers=keys["ada"])
    second = client.get(page.links["next"]["url"], headers=keys["ada"]).json()["disputes"]
    assert page.json()["disputes"] + second == whole[:2]
    everybodys = client.get("/v1/disputes?dataset=toy@1&state=open", headers=keys["maintainer"]).json()[
        "disputes"
    ]
    assert len(everybodys) > len([one for one in whole if one["state"] == "open"])
    assert client.get("/v1/disputes?dataset=toy@2", headers=keys["maintainer"]).json()["disputes"] == []


def test_of_hidden_questions_nothing_is_told(
    client: httpx.Client,
    settings: Settings,
    version: MadeVersion,
    keys: dict[str, dict[str, str]],
    dispute: Ask,
    decide: Ask,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """But that it was accepted or rejected, and voided: the words of who decides speak of its gold here."""
    rejected, voided = (dispute(place).headers["location"] for place in (3, 6))
    said = f"{PLANTED}_gold is right"
    assert decide(rejected, verdict="reject", text=said).status_code == 200
    assert decide(voided, verdict="void", text=said).status_code == 202
    work(settings, monkeypatch)
    told = [client.get(address, headers=keys["ada"]).json() for address in (rejected, voided)]
    assert [(one["state"], one["outcome"], one["decision"]) for one in told] == [
        ("rejected", None, None),
        ("accepted", "voided", None),
    ]
    newest = told[1]["erratum"]
    starts = [rejected, voided, "/v1/disputes", "/v1/runs", "/v1/audit", "/v1/jobs"]
    for reference in ("toy@1", newest):
        starts += [f"/v1/datasets/{reference}", f"/v1/questions?dataset={reference}&gold=true"]
        starts += [f"/v1/leaderboards/{reference}", f"/leaderboards/{reference}", f"/datasets/{reference}"]
        starts += [f"/v1/datasets/{reference}/questions/{version.questions[place]}" for place in (3, 6)]
    for address, raw in crawl(client, starts, keys["ada"]):
        assert PLANTED.encode() not in raw, address
    proof = client.get(f"{voided}/proof", headers=keys["maintainer"]).json()
    assert (proof["dispute"]["decision"], proof["split"]) == (said, "hidden")


def test_two_who_decide_at_once(client: httpx.Client, dispute: Ask, decide: Ask, settings: Settings) -> None:
    address = dispute(10, "bob").headers["location"]
    found: list[int] = []

    def send(verdict: str) -> None:
        found.append(decide(address, verdict=verdict, text=verdict).status_code)

    threads = [threading.Thread(target=send, args=(verdict,)) for verdict in ("reject", "void") * 3]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found)[1:] == [409] * 5
    assert sorted(found)[0] in (200, 202)
    jobs = scalar(settings, "select count(*) from job where kind = 'erratum' and state = 'waiting'")
    assert jobs == (202 in found)
    query(settings, "update job set state = 'failed', error = 'test' where state = 'waiting' returning id")


def test_limits(dispute: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOST_OPEN", 0)
    refused = dispute(11)
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "3600")


def test_markup_is_text(client: httpx.Client, keys: dict[str, dict[str, str]], dispute: Ask) -> None:
    made = dispute(11, "bob", text=f"{MARKUP}\r\nsecond line\t", proposed="ئەلف 🗺️ <b>")
    assert made.status_code == 201
    told = client.get(made.headers["location"], headers=keys["bob"]).json()
    assert (told["text"], told["proposed"]) == (f"{MARKUP}\nsecond line", "ئەلف 🗺️ <b>")


@pytest.mark.parametrize(
    "change",
    [
        {"text": ""},
        {"text": " \n "},
        {"text": "x" * 2001},
        {"text": "a\u0000b"},
        {"text": "a\u001b[31m"},
        {"text": "a\u202eb"},
        {"text": "\ud800"},
        {"text": 7},
        {"proposed": "x" * 501},
        {"proposed": ""},
        {"reason": "no"},
        {"unknown": 1},
    ],
    ids=lambda change: json.dumps(change)[:30],
)
def test_bodies_that_are_refused(
    client: httpx.Client, version: MadeVersion, keys: dict[str, dict[str, str]], change: dict[str, Any]
) -> None:
    path = f"/v1/datasets/toy@1/questions/{version.questions[9]}/disputes"
    headers = keys["ada"] | {"Content-Type": "application/json"}
    answer = client.post(path, content=json.dumps(WORDS | change), headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid"), answer.text


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/datasets/toy@1/questions/unknown/disputes", 404),
        ("/v1/datasets/nope/questions/unknown/disputes", 404),
        ("/v1/datasets/toy@9/questions/unknown/disputes", 404),
        ("/v1/datasets/toy@x/questions/unknown/disputes", 400),
        ("/v1/datasets/toy@1/questions/a%00b/disputes", 422),
    ],
)
def test_what_is_not_there(
    client: httpx.Client, keys: dict[str, dict[str, str]], path: str, status: int
) -> None:
    assert client.post(path, json=WORDS, headers=keys["ada"]).status_code == status
    assert client.post(path, json=WORDS).status_code == 401


def test_disputes_that_are_not_there(
    client: httpx.Client, keys: dict[str, dict[str, str]], decide: Ask
) -> None:
    for path in ("/v1/disputes/999", "/v1/disputes/999/proof"):
        assert client.get(path, headers=keys["maintainer"]).status_code == 404
    assert decide("/v1/disputes/999", **VOID).status_code == 404
    assert decide("/v1/disputes/999", verdict="reject", text="x").status_code == 404
    assert decide("/v1/disputes/1", verdict="other", text="x").status_code == 422
