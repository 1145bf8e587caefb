"""A data set whose hidden questions hold planted, unique strings wherever something may be hidden, and who looks for them."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx
from sqlalchemy import Connection, text

from app.access.keys import KeyRole, Wanted, create_key
from app.core.clock import SystemClock
from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.factories import MADE_AT, MadeVersion, make_run, make_version, option_question
from tests.support.scored_runs import score

TEMPLATES = ("Find_Nearest_POI", "Find_Cover_AOI", "Compare_Area_Size")
KEY_VARIABLE = "ENDPOINT_KEY_PLANTED_VARIABLE"
PLANTED = "PLANTED"
"""Stands in every planted string, and in nothing that may be seen."""


@dataclass(frozen=True)
class Hidden:
    """The data set, its run, and the keys to ask with."""

    version: MadeVersion
    run: int
    keys: dict[KeyRole, str] = field(default_factory=dict)


def make_key(settings: Settings, role: KeyRole, rate: int = 1_000_000) -> str:
    """A key of that role."""
    with connect(settings, Role.MAINTAINER) as connection:
        token, _ = create_key(connection, Wanted(f"a {role}", role, rate), SystemClock().now())
        connection.commit()
    return token


def make_hidden(settings: Settings, count: int = 24, name: str = "half_hidden") -> Hidden:
    """Option questions, every other one hidden; all have a footprint, on a line to the north-east; one scored run."""
    questions = [
        option_question(i, key=i % 4, template=TEMPLATES[i % 3], split="hidden" if i % 2 else "public")
        for i in range(count)
    ]
    version = make_version(settings, questions, name=name, publish=False)
    with connect(settings, Role.WORKER) as connection:
        _plant_truth(connection, version)
        connection.execute(
            text("update dataset_version set state = 'published', published_at = :at where id = :id"),
            {"at": MADE_AT, "id": version.id},
        )
        connection.commit()
    answers: list[object] = [f"A {PLANTED}_answer" if i % 2 else "ABCD"[i % 4] for i in range(count)]
    run = make_run(settings, version, answers, "planted model")
    score(settings, run)
    with connect(settings, Role.WORKER) as connection:
        _plant_answers(connection, run)
        connection.commit()
    keys: dict[KeyRole, str] = {
        role: make_key(settings, role) for role in ("reader", "submitter", "maintainer")
    }
    with connect(settings, Role.OWNER) as connection:
        _plant_dispute(connection, version)
        connection.commit()
    return Hidden(version, run, keys)


def _plant_truth(connection: Connection, version: MadeVersion) -> None:
    binds = {"version": version.id}
    hidden = "(select id from question where version_id = :version and split = 'hidden')"
    for statement in (
        f"update gold set value = value || jsonb_build_object('planted', '{PLANTED}_gold_' || question_id)"
        f" where version_id = :version and question_id in {hidden}",
        f"update proof set sql = 'select ''{PLANTED}_sql''', derive = '{PLANTED}_derive',"
        f' binds = \'{{"b": "{PLANTED}_bind"}}\', parameters = \'{{"p": "{PLANTED}_parameter"}}\','
        f' evidence = \'["{PLANTED}_evidence"]\', second_path = \'{{"s": "{PLANTED}_second"}}\''
        f" where version_id = :version and question_id in {hidden}",
        f"update question set revision = '{PLANTED}_revision_' || position where version_id = :version",
        "insert into footprint (version_id, question_id, area, classes, osm_keys, name_keys, fact_ids, uses_outline)"
        " select version_id, id, st_setsrid(st_buffer(st_makepoint(9.4 + position * 0.01, 47.0 + position * 0.01),"
        " 0.004), 4326), array['poi:' || case when position % 4 = 0 then 'cafe' else 'restaurant' end],"
        f" array[case split when 'hidden' then '{PLANTED}_osm_key' else 'n1' end],"
        f" array[case split when 'hidden' then '{PLANTED}_name_key' else 'x' end], array[]::text[], false"
        " from question where version_id = :version",
        "insert into solution (version_id, question_id, kind, value) select version_id, id, 'tool_plan',"
        f" jsonb_build_object('plan', case split when 'hidden' then '{PLANTED}_plan_' || id else 'x' end)"
        " from question where version_id = :version",
        f"insert into dataset_secret select dataset_id, '{PLANTED}_secret', created_at from dataset_version"
        " where id = :version",
    ):
        connection.execute(text(statement), binds)


def _plant_answers(connection: Connection, run: int) -> None:
    """Steps, verdicts, and an endpoint whose address and key are nobody's business."""
    hidden = (
        "select prediction.id from prediction join question on question.version_id = prediction.version_id"
        " and question.id = prediction.question_id where run_id = :run and split = 'hidden'"
    )
    endpoint = connection.execute(
        text(
            "insert into endpoint (name, record, url, model, key_variable, limits, prices, health, created_at,"
            f" checked_at) values ('local', 'local', 'http://{PLANTED}.example/v1', 'planted-model', '{KEY_VARIABLE}',"
            ' \'{"concurrency": 4}\', \'{"prompt": "1", "completion": "2", "currency": "USD"}\','
            f' \'{{"state": "ok", "said": "{PLANTED}_said", "engine": "vllm", "latency_ms": 5,'
            ' "guides": ["json_schema"]}\', :at, :at) returning id'
        ),
        {"at": MADE_AT},
    ).scalar_one()
    for statement in (
        'update run set endpoint_id = :endpoint, prices = \'{"prompt": "1", "completion": "2",'
        ' "currency": "USD"}\', spent_prompt = 1000, spent_completion = 500 where id = :run',
        f'update score set parsed = \'{{"read": "{PLANTED}_parsed"}}\','
        f' components = \'{{"c": "{PLANTED}_component"}}\' where prediction_id in ({hidden})',
        "insert into step (run_id, batch_id, fencing_token, version_id, question_id, question_revision,"
        " presentation_key, repeat, ordinal, attempt, kind, state, request_hash, request, response, usage, error,"
        " sent_at) select run_id, 1, 1, prediction.version_id, question_id, question_revision, presentation_key,"
        " repeat, 0, 0, 'chat', 'done', mark || '_request_hash', jsonb_build_object('q', mark || '_request'),"
        " jsonb_build_object('r', mark || '_response'), null, mark || '_error', created_at from prediction"
        " join question on question.version_id = prediction.version_id and question.id = prediction.question_id"
        f" cross join lateral (select case split when 'hidden' then '{PLANTED}' else 'x' end as mark) as marked"
        " where run_id = :run",
    ):
        connection.execute(text(statement), {"run": run, "endpoint": endpoint})


def _plant_dispute(connection: Connection, version: MadeVersion) -> None:
    """Of a hidden question, by the reader's key: what was decided speaks of its gold."""
    connection.execute(
        text(
            "insert into trigpoint.dispute (version_id, question_id, key_id, reason, text, state, decision, created_at,"
            " closed_at) select version_id, id, (select max(id) from trigpoint.api_key where role = 'reader'), 'other',"
            f" 'mine', 'rejected', '{PLANTED}_decision', :at, :at from trigpoint.question"
            " where version_id = :version and split = 'hidden' order by position limit 1"
        ),
        {"version": version.id, "at": MADE_AT},
    )


def crawl(client: httpx.Client, starts: list[str], headers: dict[str, str]) -> Iterator[tuple[str, bytes]]:
    """Every answer at these addresses and at all pages behind them, as bytes; both packed and unpacked."""
    waiting = list(starts)
    while waiting:
        address = waiting.pop()
        for encoding in ("gzip", "identity"):
            with client.stream("GET", address, headers={**headers, "Accept-Encoding": encoding}) as answer:
                raw = b"".join(answer.iter_raw())
            assert answer.status_code < 500, address
            if answer.headers.get("content-encoding") == "gzip":
                raw = gzip.decompress(raw)
            yield address, raw + str(answer.headers.raw).encode()
        if "next" in answer.links:
            waiting.append(answer.links["next"]["url"])


def addresses(described: dict[str, Any], values: dict[str, str]) -> list[str]:
    """Every GET that an OpenAPI description has, its path filled in."""
    return [path.format(**values) for path, operations in described["paths"].items() if "get" in operations]
