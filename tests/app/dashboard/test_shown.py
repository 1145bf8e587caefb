"""Without a key pages show what REST shows without one, and the fields that docs/dashboard.md lists; nothing else."""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import PROJECT_ROOT, Role, Settings
from app.dashboard import shown
from app.db.engine import connect
from tests.support.factories import FAILED, FAILURE, make_run
from tests.support.inspected_dataset import make_inspected
from tests.support.planted_secrets import KEY_VARIABLE, PLANTED, make_key
from tests.support.service import patient_client, serving

CONTACT = "private-contact@example.org"
OWNER_OF_KEYS = f"{PLANTED} owner of a key"


class Made(NamedTuple):
    client: httpx.Client
    maintainer: str
    pages: dict[str, str]
    run: int

    def rest(self, path: str) -> Any:
        headers = {"Authorization": f"Bearer {self.maintainer}"}
        return self.client.get(f"/v1{path}", headers=headers).raise_for_status().json()


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> Iterator[Made]:
    settings = make_database()
    version = make_inspected(settings)
    run = make_run(settings, version, [FAILED] * 3, "model", status="incomplete")
    submitter, maintainer = make_key(settings, "submitter"), make_key(settings, "maintainer")
    card = {"contact": CONTACT, "model": f"{PLANTED}_model", "sampling": {"word": f"{PLANTED}_sampling"}}
    lines = [{"card": card}] + [{"id": one, "answer": "B"} for one in version.questions]
    doubt = {"reason": "ambiguous", "text": f"{PLANTED}_words", "proposed": f"{PLANTED}_proposed"}
    with serving(settings) as address, patient_client(address) as client:
        client.headers["Authorization"] = f"Bearer {submitter}"
        body = "".join(json.dumps(line) + "\n" for line in lines)
        sent = client.post("/v1/datasets/shown/submissions", params={"name": "sent"}, content=body)
        assert sent.status_code == 202, sent.text
        asked = client.post(f"/v1/datasets/shown/questions/{version.questions[0]}/disputes", json=doubt)
        assert asked.status_code in (200, 201), asked.text
        del client.headers["Authorization"]
        plant(settings, run)
        paths = [f"/datasets/shown{more}" for more in ("", "/churn", "/questions")]
        paths += [f"/datasets/shown/questions/{one}" for one in version.questions]
        paths += ["/", "/leaderboards/shown", "/leaderboards/shown/templates", "/leaderboards/shown/compare"]
        paths += ["/runs", f"/runs/{run}", "/submissions", "/disputes", "/snapshots"]
        pages = {path: client.get(path).raise_for_status().text.replace("\u200b", "") for path in paths}
        yield Made(client, maintainer, pages, run)


def plant(settings: Settings, run: int) -> None:
    """What nobody without a key may read, wherever there is room for it."""
    endpoint = (
        "insert into trigpoint.endpoint (name, record, url, model, revision, key_variable, limits, created_at) values"
        f" ('{PLANTED}_endpoint', '{PLANTED}_record', 'http://{PLANTED}.example/v1', '{PLANTED}_llm',"
        f" '{PLANTED}_revision', '{KEY_VARIABLE}', '{{}}', now()) returning id"
    )
    log = json.dumps([{"at": "2031-01-02T03:04:05Z", "said": f"{PLANTED}_log"}])
    with connect(settings, Role.OWNER) as owner:
        owner.execute(text("alter table trigpoint.dispute disable trigger user"))
        owner.execute(text("alter table trigpoint.submission disable trigger user"))
        number = owner.execute(text(endpoint)).scalar_one()
        for statement in (
            "update trigpoint.run set endpoint_id = :endpoint, carried_from = 1,"
            " budget = '{\"tokens\": 987654321}' where id = :run",
            f"update trigpoint.submission set state = 'failed', error = '{PLANTED}_error', deadline = null,"
            " finished_at = now(), log = cast(:log as jsonb)",
            f"update trigpoint.dispute set decision = '{PLANTED}_decision', state = 'rejected', closed_at = now()",
            f"update trigpoint.api_key set name = '{OWNER_OF_KEYS}'",
        ):
            binds = {"endpoint": number, "run": run, "log": log}
            used = {name: value for name, value in binds.items() if f":{name}" in statement}
            owner.execute(text(statement), used)
        owner.commit()


def test_the_documentation_lists_what_pages_are_given() -> None:
    page = (PROJECT_ROOT / "docs" / "dashboard.md").read_text()
    table = page.partition("## What anybody sees")[2].partition("\n- ")[0]
    rows = {
        cells[0]: re.findall(r"`(\w+)`", cells[1])
        for cells in re.findall(r"^\| ([\w, ]+) \| (.+) \|$", table, re.M)
    }
    run = {name for name in shown.RUN if name != "progress"}
    calls = [*shown.CALLS["latency"], *shown.CALLS["errors"]["__all__"]]
    assert set(rows["each run in the list"]) == set(shown.RUN_LISTED)
    assert set(rows["each run in the list"] + rows["a single run"]) == run
    assert rows["the progress of a run"] == list(shown.RUN["progress"])
    assert rows["the calls of a run"] == calls
    assert rows["the answers of a run to public questions"] == list(shown.ANSWER)
    step = [*(name for name in shown.STEP if name != "wanted"), *shown.STEP["wanted"]["__all__"]]
    assert rows["the episodes of a run on public questions"] == [n for n in shown.EPISODE if n != "steps"]
    assert rows["the calls of an episode"] == step
    assert rows["submissions"] == list(shown.SUBMISSION)
    assert rows["disputes"] == list(shown.DISPUTE)


def left_out(told: Mapping[str, Any], fields: shown.Fields, path: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of an answer of REST that pages are not given, with what stands in them."""
    for name, value in told.items():
        where = f"{path}{name}"
        if isinstance(fields.get(name), Mapping):
            yield from left_out(value, fields[name], f"{where}.")
        elif name not in fields:
            yield where, value


def words_of(value: Any) -> Iterator[str]:
    """The texts and large numbers in a value: what would be known again on a page."""
    if isinstance(value, Mapping):
        yield from (word for part in value.values() for word in words_of(part))
    elif isinstance(value, list):
        yield from (word for part in value for word in words_of(part))
    elif isinstance(value, str) and len(value) > 7:
        yield value
    elif isinstance(value, int | float) and value > 999_999:
        yield str(value)


@pytest.mark.parametrize(
    ("path", "fields", "kept_in"),
    [
        (
            "/runs/{run}",
            shown.RUN,
            {"carried_from", "kind", "endpoint", "progress.budget"},
        ),
        (
            "/submissions",
            shown.SUBMISSION,
            {
                "card",
                "source",
                "repeats",
                "next",
                "deadline",
                "error",
                "log",
                "created_at",
                "finished_at",
                "public_only",
            },
        ),
        ("/disputes", shown.DISPUTE, {"text", "proposed", "decision", "closed_at"}),
    ],
)
def test_what_is_not_listed_is_on_no_page(
    made: Made, path: str, fields: shown.Fields, kept_in: set[str]
) -> None:
    told = made.rest(path.format(run=made.run))
    one = told if "run" in path else told[path.strip("/")][0]
    found = dict(left_out(one, fields))
    assert set(found) == kept_in
    for name, value in found.items():
        assert value is not None or name in ("deadline", "finished_at"), f"{name} is not planted"
        for word in words_of(value):
            assert not [page for page, content in made.pages.items() if word in content], (name, word)


def test_nothing_planted_is_on_a_page(made: Made) -> None:
    secrets = (
        PLANTED,
        CONTACT,
        KEY_VARIABLE,
        OWNER_OF_KEYS,
        "gpu-7",
        "gpu-8",
        "acme-42",
        "987654321",
        FAILURE,
    )
    for path, page in made.pages.items():
        for secret in secrets:
            assert secret not in page, path


def test_without_a_key_rest_tells_no_more_of_failures(made: Made) -> None:
    questions = made.client.get("/v1/questions?dataset=shown").json()["questions"]
    public = next(one["id"] for one in questions if one["split"] == "public")
    told = made.client.get(f"/v1/datasets/shown/questions/{public}").raise_for_status().json()
    (failed,) = [one for one in told["answers"] if one["run"] == made.run]
    assert failed["error"] == "the endpoint cannot be reached"
    assert "gpu-" not in json.dumps(told)
    for path in ("/runs", f"/runs/{made.run}", f"/runs/{made.run}/calls", "/submissions", "/disputes"):
        assert made.client.get(f"/v1{path}").status_code == 401
