"""Pictures in prompts: stored by their content, asked, served, shown, exported and verified; and solutions beside gold."""

import asyncio
import base64
import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.core.clock import SystemClock
from app.core.errors import Conflict, ProofError, UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.operations.endpoints import EndpointChoice
from app.operations.evaluate import RunRequest, start_run
from app.predictions.images import ImageLoader
from app.questions.assets import LARGEST, store_asset
from app.questions.image_sizes import read_image
from app.questions.records import QuestionRecord
from app.questions.stored import load_questions
from app.questions.verifying import verify
from app.questions.versions import PublishedVersion
from tests.support.command_line import export, lines, trigpoint
from tests.support.rich_questions import (
    LICENCE,
    both,
    lines_by_template,
    make_rich,
    picture_of,
    png,
    recording_endpoint,
    with_parts,
)
from tests.support.service import serving
from tests.support.town import make_town

NOW = SystemClock().now()
PICTURE, UNSEEN = png(), png(grey=7)
SHA, UNSEEN_SHA = (hashlib.sha256(one).hexdigest() for one in (PICTURE, UNSEEN))
PART = picture_of(PICTURE, "the town <from> above")
PLAN = {"calls": ["PLANTED_plan"]}
JPEG = bytes.fromhex("ffd8ffe000104a46494600010100000100010000ffc0000b080003000201011100ffd9")


def with_plan(record: QuestionRecord) -> QuestionRecord:
    return replace(record, solutions={"tool_plan": PLAN})


def hide(record: QuestionRecord) -> QuestionRecord:
    return replace(record, split="hidden")


CHANGES = {"T5": both(with_parts(PART), with_plan), "T22": both(with_plan, hide), "T23": lambda one: one}


class Made(NamedTuple):
    settings: Settings
    version: PublishedVersion
    records: dict[str, QuestionRecord]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_town().write(tmp_path_factory.mktemp("pictures") / "town.osm")


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings], file: Path) -> Made:
    settings = make_database()
    return Made(settings, *make_rich(settings, file, "pictured", CHANGES, [PICTURE, UNSEEN]))


@pytest.fixture(scope="module")
def client(made: Made) -> Iterator[httpx.Client]:
    with serving(made.settings) as address, httpx.Client(base_url=address, timeout=60) as opened:
        yield opened


def test_what_a_file_is_is_read_from_its_bytes() -> None:
    assert read_image(PICTURE) == ("image/png", 2, 3)
    assert read_image(JPEG) == ("image/jpeg", 2, 3)
    for content in (
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        PICTURE[:20],
        b"\xff\xd8\xff",
        JPEG[:12],
    ):
        with pytest.raises(UsageError, match="PNG or JPEG"):
            read_image(content)


def test_a_picture_is_stored_once_and_never_changes(made: Made) -> None:
    with connect(made.settings, Role.WORKER) as connection:
        part = store_asset(connection, PICTURE, "another line", "again", SystemClock())
        assert (part.sha256, part.media_type, part.alt) == (SHA, "image/png", "again")
        rows = connection.execute(text("select sha256, width, licence from asset")).all()
        assert sorted(rows) == sorted([(SHA, 2, LICENCE), (UNSEEN_SHA, 2, LICENCE)])
        with pytest.raises(UsageError, match="at most 4 MB"):
            store_asset(connection, PICTURE + bytes(LARGEST), LICENCE, "", SystemClock())
        connection.rollback()
    for statement in (
        "update trigpoint.asset set licence = 'mine'",
        "delete from trigpoint.asset",
        "insert into trigpoint.asset select repeat('0', 64), media_type, size, width, height, licence, content,"
        " created_at from trigpoint.asset limit 1",
    ):
        with connect(made.settings, Role.OWNER) as connection, pytest.raises(DBAPIError):
            connection.execute(text(statement))


def test_a_question_cannot_show_what_is_not_stored(make_database: Callable[[], Settings], file: Path) -> None:
    with pytest.raises(ProofError, match=f"picture {SHA}.*is not stored"):
        make_rich(make_database(), file, "lacking", CHANGES)


def test_a_picture_of_a_published_question_is_served(made: Made, client: httpx.Client) -> None:
    served = client.get(f"/v1/assets/{SHA}")
    assert served.status_code == 200
    assert served.content == PICTURE
    assert served.headers["content-type"] == "image/png"
    assert served.headers["x-content-type-options"] == "nosniff"
    assert unquote(served.headers["x-asset-licence"]) == LICENCE
    assert served.headers["cache-control"] == "public, max-age=31536000, immutable"
    held = client.get(f"/v1/assets/{SHA}", headers={"If-None-Match": served.headers["etag"]})
    assert (held.status_code, held.content) == (304, b"")
    assert client.get(f"/v1/assets/{UNSEEN_SHA}").status_code == 404
    assert client.get("/v1/assets/none").status_code == 422
    question = made.records["T5"].id
    page = client.get(f"/datasets/pictured/questions/{question}").text
    assert f'<img src="/v1/assets/{SHA}" alt="the town &lt;from&gt; above">' in page
    parts = client.get(f"/v1/datasets/pictured/questions/{question}").json()["question"]["parts"]
    assert parts[0] == PART | {"url": f"/v1/assets/{SHA}"}


def test_a_model_is_sent_the_bytes_and_the_step_keeps_the_name(made: Made, client: httpx.Client) -> None:
    with recording_endpoint("I do not know") as (address, asked):
        done = trigpoint(
            made.settings, "evaluate", "pictured", "--solver", "direct", "--endpoint", address, "--model", "m", "--json"
        )  # fmt: skip
    assert done.status == 0, done.err
    shown = [one for body in asked if isinstance(one := body["messages"][-1]["content"], list)]
    ((words, picture),) = shown
    assert "[Image: the town <from> above]" in words["text"]
    uri = "data:image/png;base64," + base64.b64encode(PICTURE).decode()
    assert picture == {"type": "image_url", "image_url": {"url": uri}}
    with connect(made.settings, Role.WORKER) as connection:
        requests = (
            connection.execute(text("select request::text from step where kind = 'chat'")).scalars().all()
        )
    assert sum(f"asset:{SHA}" in one for one in requests) == 1
    assert not any("base64" in one for one in requests)
    page = client.get(f"/runs/{done.json['run']}").text
    assert "[Image: the town &lt;from&gt; above]" in page
    assert f'<img src="/v1/assets/{SHA}"' in page
    refused = trigpoint(
        made.settings, "run", "judge", str(done.json["run"]), "--endpoint", address, "--model", "m"
    )
    assert refused.status == 2
    assert "show pictures" in refused.err
    assert "a judge is sent text alone" in refused.err.replace("\n", " ")


def test_an_endpoint_that_sees_nothing_is_refused_before_the_run(made: Made) -> None:
    """By its last check where it was looked at, else by looking now; over REST by its last check alone."""
    asks = ("evaluate", "pictured", "--solver", "direct", "--endpoint")
    with recording_endpoint("red 4", sees=False) as (address, asked):
        by_url = trigpoint(made.settings, *asks, address, "--model", "m", "--seed", "5")
        assert by_url.status == 1
        assert "does not see them" in by_url.err.replace("\n", " ")
        assert "does not say what they show" in by_url.err.replace("\n", " ")
        assert not asked

        added = trigpoint(made.settings, "endpoint", "add", "blind", "--url", address, "--model", "m")
        assert added.status == 0, added.err
        assert not found_of(made.settings, "blind")
        health = {"state": "ok", "said": "", "engine": None, "latency_ms": 1, "guides": []}
        note(made.settings, "blind", health)
        with connect(made.settings, Role.MAINTAINER) as connection:
            with pytest.raises(Conflict, match="did not look whether it sees them"):
                start_run(connection, RunRequest("pictured", "direct", EndpointChoice("blind")), 10, NOW)
            connection.rollback()
        assert trigpoint(made.settings, *asks, "blind").status == 1
        assert found_of(made.settings, "blind") == {"pictures": "no"}, "what was found is kept"
        with connect(made.settings, Role.MAINTAINER) as connection:
            with pytest.raises(Conflict, match="does not see them"):
                start_run(connection, RunRequest("pictured", "direct", EndpointChoice("blind")), 10, NOW)
            connection.rollback()
    with connect(made.settings, Role.WORKER) as connection:
        runs = connection.execute(text("select count(*) from run where seed = 5")).scalar_one()
    assert runs == 0


def test_the_detail_of_pictures_is_an_option_of_the_run(made: Made) -> None:
    asks = ("evaluate", "pictured", "--solver", "direct", "--image-detail", "low", "--json")
    with recording_endpoint("I do not know") as (address, asked):
        done = trigpoint(made.settings, *asks, "--endpoint", address, "--model", "m")
        assert done.status == 0, done.err
        (picture,) = [
            part["image_url"]
            for body in asked
            if isinstance(content := body["messages"][0]["content"], list)
            for part in content
            if part["type"] == "image_url"
        ]
        assert picture["detail"] == "low"
        refused = trigpoint(
            made.settings, "evaluate", "pictured", "--solver", "random", "--image-detail", "low"
        )
        assert refused.status == 2
        assert "remove --image-detail" in refused.err.replace("\n", " ")
    with connect(made.settings, Role.WORKER) as connection:
        read = text("select label, presentation from run where id = :run")
        row = connection.execute(read, {"run": done.json["run"]}).one()
    assert row.label == "m (image detail low)"
    assert row.presentation == {"image_detail": "low"}


def test_only_what_everybody_may_see_can_be_a_link(made: Made) -> None:
    loader = ImageLoader(made.settings)
    assert asyncio.run(loader.load(SHA)).is_shown
    assert not asyncio.run(loader.load(UNSEEN_SHA)).is_shown


def found_of(settings: Settings, name: str) -> dict[str, str] | None:
    """What the last check of an endpoint found it able to do."""
    with connect(settings, Role.WORKER) as connection:
        read = text("select health -> 'abilities' from endpoint where name = :name")
        found: dict[str, str] | None = connection.execute(read, {"name": name}).scalar_one()
    return found


def note(settings: Settings, name: str, health: dict[str, object]) -> None:
    """Store this as an endpoint's last check."""
    with connect(settings, Role.WORKER) as connection:
        stored = text("update endpoint set health = cast(:health as jsonb) where name = :name")
        connection.execute(stored, {"health": json.dumps(health), "name": name})
        connection.commit()


def test_exports_hold_the_pictures_and_solutions_leave_with_gold_alone(made: Made, tmp_path: Path) -> None:
    bare = export(made.settings, "pictured", tmp_path / "a")
    assert bare[f"assets/{SHA}.png"] == PICTURE
    assert LICENCE in bare["LICENSE"].decode().split("The pictures in the folder assets:")[1]
    assert b"PLANTED" not in b"".join(bare.values())
    rows = lines_by_template(lines(export(made.settings, "pictured", tmp_path / "b", "--with-gold")))
    assert rows["T5"]["prompt"][0] == PART | {"file": f"assets/{SHA}.png"}
    assert rows["T5"]["solutions"] == {"tool_plan": PLAN}
    assert "solutions" not in rows["T22"]
    every = lines(export(made.settings, "pictured", tmp_path / "c", "--with-gold", "--include-hidden"))
    assert lines_by_template(every)["T22"]["solutions"] == {"tool_plan": PLAN}
    described = export(made.settings, "pictured", tmp_path / "d", "--format", "croissant", "--with-gold")
    files = {
        one["contentUrl"]: one["sha256"] for one in json.loads(described["croissant.json"])["distribution"]
    }
    assert files[f"assets/{SHA}.png"] == SHA
    task = export(made.settings, "pictured", tmp_path / "e", "--format", "inspect", "--with-gold")
    assert task[f"assets/{SHA}.png"] == PICTURE
    compile(task["task.py"], "task.py", "exec")
    refused = trigpoint(
        made.settings, "export", "pictured", "--format", "lm-eval", "--with-gold", "--to", str(tmp_path / "f")
    )
    assert refused.status == 2
    assert "Use --format inspect" in refused.err.replace("\n", " ")


def test_verify_looks_at_the_bytes(made: Made, superuser_of: Callable[[Settings], str]) -> None:
    import psycopg

    with connect(made.settings, Role.MAINTAINER) as connection:
        stored = load_questions(connection, made.version)
        found = verify(connection, stored, lambda done: None)
    assert {one.template: one.solutions for one in stored}["T5"] == {"tool_plan": PLAN}
    assert not [one for one in found.failures if one.path in ("picture", "identity")]
    with psycopg.connect(superuser_of(made.settings)) as tampering:
        tampering.execute("set session_replication_role = replica")
        tampering.execute(
            "alter table trigpoint.asset drop constraint ck_asset_sha256, drop constraint ck_asset_size"
        )
        tampering.execute("update trigpoint.asset set content = %s where sha256 = %s", (UNSEEN, SHA))
        tampering.commit()
        with connect(made.settings, Role.MAINTAINER) as connection:
            found = verify(connection, stored, lambda done: None)
        tampering.execute("update trigpoint.asset set content = %s where sha256 = %s", (PICTURE, SHA))
        tampering.commit()
    assert [(one.template, one.path) for one in found.failures if one.path == "picture"] == [
        ("T5", "picture")
    ]


@pytest.mark.parametrize("role", [Role.API, Role.DASHBOARD, Role.READER])
def test_nobody_who_serves_outsiders_reads_solutions(made: Made, role: Role) -> None:
    with connect(made.settings, role) as connection, pytest.raises(DBAPIError, match="permission denied"):
        connection.execute(text("select * from trigpoint.solution"))


def test_no_page_and_no_answer_holds_a_solution(made: Made, client: httpx.Client) -> None:
    for template in ("T5", "T22"):
        question = made.records[template].id
        for address in (
            f"/datasets/pictured/questions/{question}",
            f"/v1/datasets/pictured/questions/{question}",
        ):
            answer = client.get(address)
            assert answer.status_code == 200
            assert "PLANTED" not in answer.text
    assert "PLANTED" not in client.get("/v1/questions?dataset=pictured&gold=true").text


def test_a_backup_brings_pictures_and_solutions_back(
    made: Made, make_database: Callable[[], Settings], tmp_path: Path
) -> None:
    file, restored = tmp_path / "made.backup", make_database()
    done = trigpoint(made.settings, "backup", str(file))
    assert done.status == 0, done.err
    done = trigpoint(restored, "restore", str(file))
    assert done.status == 0, done.err
    options = ("--with-gold", "--include-hidden")
    before = export(made.settings, "pictured", tmp_path / "before", *options)
    assert export(restored, "pictured", tmp_path / "after", *options) == before
    assert before[f"assets/{SHA}.png"] == PICTURE
    with connect(restored, Role.OWNER) as connection, pytest.raises(DBAPIError, match="never changes"):
        connection.execute(text("update trigpoint.asset set licence = 'mine'"))
    with connect(restored, Role.API) as connection, pytest.raises(DBAPIError, match="permission denied"):
        connection.execute(text("select * from trigpoint.solution"))
