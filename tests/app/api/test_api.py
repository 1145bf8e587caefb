"""REST over real HTTP: answers, tags, problems, headers."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest
from sqlalchemy import text

from app.agent_tools.errors import ToolError, ToolErrorKind
from app.api import errors as api_errors
from app.api.main import create_app
from app.api.middleware import on_this_server
from app.core import errors
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.leaderboard.models import Board, DatasetList
from tests.support.factories import make_run
from tests.support.scored_runs import make_knowledge_board, score
from tests.support.service import patient_client, serving


@pytest.fixture(scope="module")
def shared(make_database: Callable[[], Settings]) -> Settings:
    settings = make_database()
    make_knowledge_board(settings)
    return settings


@pytest.fixture(scope="module")
def client(shared: Settings) -> Iterator[httpx.Client]:
    with serving(shared) as address, patient_client(address) as client:
        yield client


def assert_problem(answer: httpx.Response, status: int, code: str) -> dict[str, object]:
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert (body["status"], body["code"], body["type"]) == (status, code, "about:blank")
    assert body["request_id"] == answer.headers["x-request-id"]
    assert "Traceback" not in answer.text
    assert "sqlalchemy" not in answer.text
    return dict(body)


def test_health(client: httpx.Client) -> None:
    answer = client.get("/v1/health")
    assert answer.json() == {"status": "ok", "version": "0.1.0"}


def test_datasets(client: httpx.Client) -> None:
    body = client.get("/v1/datasets").raise_for_status().json()
    DatasetList(**body)
    assert body["datasets"][0]["name"] == "toy_knowledge"
    assert body["datasets"][0]["versions"][0]["questions"] == 48
    assert body["attribution"].startswith("© OpenStreetMap contributors")


def test_a_board_fits_its_schema(client: httpx.Client) -> None:
    Board(**client.get("/v1/leaderboards/toy_knowledge@1").raise_for_status().json())


def test_a_tag_changes_with_the_board_and_only_then(database: Settings) -> None:
    version = make_knowledge_board(database).version
    with serving(database) as address, patient_client(address) as client:
        first = client.get("/v1/leaderboards/toy_knowledge")
        tag = first.headers["etag"]
        again = client.get("/v1/leaderboards/toy_knowledge", headers={"If-None-Match": f'"other", {tag}'})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        score(database, make_run(database, version, ["A"] * 48, "another"))
        changed = client.get("/v1/leaderboards/toy_knowledge", headers={"If-None-Match": tag})
        assert changed.status_code == 200
        assert changed.headers["etag"] != tag


def test_an_unknown_data_set_is_a_problem(client: httpx.Client) -> None:
    body = assert_problem(client.get("/v1/leaderboards/nope"), 404, "not_found")
    assert "toy_knowledge@1" in str(body["detail"])


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/v1/leaderboards/toy_knowledge@x", 400, "usage_error"),
        ("/v1/leaderboards/toy_knowledge@" + "9" * 40, 404, "not_found"),
        ("/v1/leaderboards/" + "x" * 5000, 422, "invalid"),
        ("/v1/leaderboards/a%00b", 422, "invalid"),
        ("/v1/leaderboards/%F0%9F%98%80%E2%80%AE", 422, "invalid"),
        ("/v1/leaderboards/%27%20or%201%3D1", 404, "not_found"),
        ("/v1/leaderboards/%FF", 404, "not_found"),
        ("/v1/nothing", 404, "not_found"),
    ],
)
def test_bad_addresses_are_problems(client: httpx.Client, path: str, status: int, code: str) -> None:
    assert_problem(client.get(path), status, code)


def test_other_methods_are_refused(client: httpx.Client) -> None:
    answer = client.post("/v1/leaderboards/toy_knowledge")
    told = assert_problem(answer, 405, "method_not_allowed")
    assert answer.headers["allow"] == "GET"
    assert told["detail"] == "This address takes GET, not POST."


@pytest.mark.parametrize(
    ("path", "name", "known"),
    [
        ("/v1/questions?datset=toy_knowledge&limit=1", "datset", "dataset, benchmark"),
        ("/v1/leaderboards/toy_knowledge?BY=city", "BY", "by, profile"),
        ("/v1/templates/urban_knowledge/Find_Nearest_POI?x%00=1", "x\0", "none"),
        ("/v1/datasets/toy_knowledge@1?" + "y" * 5000, "y" * 100, "none"),
    ],
    ids=["misspelt", "case", "odd", "long"],
)
def test_parameters_that_there_are_not_are_told(
    client: httpx.Client, path: str, name: str, known: str
) -> None:
    (fault,) = assert_problem(client.get(path), 422, "invalid")["faults"]  # type: ignore[misc]
    assert fault["where"] == ["query", name]
    assert f"there are: {known}" in fault["what"]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/datasets/",
        "/v1/leaderboards/toy_knowledge/",
        "/datasets/toy_knowledge@1/",
        "/v1/questions/?limit=1",
    ],
)
@pytest.mark.parametrize("host", ["evil.example", "evil.example:81", "evil.example/x?", "a@evil.example"])
def test_who_asks_does_not_decide_where_a_redirect_leads(client: httpx.Client, path: str, host: str) -> None:
    answer = client.get(path, headers={"Host": host, "X-Forwarded-Host": host, "X-Forwarded-Proto": "ftp"})
    assert "evil" not in str(answer.headers)
    assert "evil" not in answer.text
    if answer.is_redirect:
        where, asked = answer.headers["location"], path.replace("/?", "?")
        assert where == (asked if "?" in asked else asked.removesuffix("/"))


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("http://evil.example/v1/datasets", "/v1/datasets"),
        ("//evil.example/x?a=b#c", "/x?a=b#c"),
        ("http://h//evil.example/x", "/evil.example/x"),
        ("/\\evil.example", "/evil.example"),
        ("https:evil.example", "/evil.example"),
        ("/v1/jobs/3", "/v1/jobs/3"),
    ],
)
def test_where_an_answer_leads_is_on_this_server(sent: str, kept: str) -> None:
    assert on_this_server(sent) == kept


def test_what_does_not_fit_is_told_in_words(client: httpx.Client) -> None:
    told = assert_problem(client.get("/v1/questions?limit=5000&format=csv"), 422, "invalid")
    assert str(told["detail"]).splitlines()[1:] == [
        "query format: Input should be 'json', 'geojson' or 'jsonl'",
        "query limit: Input should be less than or equal to 1000",
    ]
    assert "/v1/openapi.json" in str(assert_problem(client.get("/v1"), 404, "not_found")["detail"])


def test_every_answer_carries_its_surroundings(client: httpx.Client) -> None:
    for path in ("/v1/health", "/v1/leaderboards/nope", "/", "/static/trigpoint.css"):
        headers = client.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert len(headers["x-request-id"]) == 16


def find_examples(described: dict[str, Any], schema: dict[str, Any]) -> list[Any]:
    """The examples of a body, which may also be none."""
    schemas = [schema, *schema.get("anyOf", [])]
    names = [one["$ref"].rpartition("/")[2] for one in schemas if "$ref" in one]
    return [example for name in names for example in described["components"]["schemas"][name]["examples"]]


def test_openapi_describes_the_routes(client: httpx.Client) -> None:
    described = client.get("/v1/openapi.json").json()
    assert {"/v1/health", "/v1/datasets", "/v1/leaderboards/{dataset}"} < set(described["paths"])
    assert all(path.startswith("/v1/") for path in described["paths"])
    operations = [one for found in described["paths"].values() for one in found.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    for one in operations:
        assert one["summary"]
        assert one["description"]
        assert one["tags"]
        assert "503" in one["responses"]
        for parameter in one.get("parameters", []):
            assert (
                parameter["in"] != "path" or parameter.get("examples") or parameter["schema"].get("examples")
            )
        for content in one.get("requestBody", {}).get("content", {}).values():
            assert content.get("examples") or find_examples(described, content["schema"]), one["operationId"]
    assert client.get("/docs").status_code == 404


def test_nothing_of_a_hidden_question_is_in_any_answer(database: Settings) -> None:
    board = make_knowledge_board(database)
    with connect(database, Role.WORKER) as connection:
        hidden = connection.execute(text("select id, revision from question where split = 'hidden'")).all()
        connection.execute(
            text("update prediction set answer = 'PLANTED' where question_id = any(:ids)"),
            {"ids": [row.id for row in hidden]},
        )
        connection.commit()
    for run_id in board.runs.values():
        score(database, run_id)
    with serving(database) as address, patient_client(address) as client:
        for path in (
            "/",
            "/leaderboards/toy_knowledge",
            "/v1/datasets",
            "/v1/leaderboards/toy_knowledge",
            "/v1/openapi.json",
        ):
            shown = client.get(path).text
            assert "PLANTED" not in shown
            assert not any(row.id in shown or row.revision in shown for row in hidden)


def test_a_silent_database_is_503(shared: Settings) -> None:
    nowhere = shared.model_copy(update={"database_url": "postgresql://127.0.0.1:9/trigpoint"})
    with serving(nowhere) as address:
        answer = httpx.get(f"{address}/v1/health")
        assert_problem(answer, 503, "service_unavailable")
        assert answer.headers["retry-after"] == "5"
        page = httpx.get(f"{address}/")
        assert page.status_code == 503
        assert "does not answer" in page.text


def test_what_is_not_foreseen_is_500_without_a_word_of_its_cause(shared: Settings) -> None:
    app = create_app(shared)

    @app.get("/v1/boom")
    def boom() -> None:
        raise RuntimeError("a secret of ours")

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
            return await client.get("/v1/boom")

    answer = asyncio.run(ask())
    assert_problem(answer, 500, "internal")
    assert "secret" not in answer.text
    assert answer.headers["x-content-type-options"] == "nosniff"
    app.state.engine.dispose()


def test_every_error_class_has_a_status() -> None:
    def descendants(kind: type[Exception]) -> list[type[Exception]]:
        return [kind, *(found for child in kind.__subclasses__() for found in descendants(child))]

    kinds = (kind for kind in descendants(errors.TrigpointError) if kind is not ToolError)
    statuses = {kind.__name__: api_errors.status_of(kind()) for kind in kinds}
    assert all(
        api_errors.status_of(ToolError("no", kind)) in (404, 409, 422, 503)
        for kind in get_args(ToolErrorKind)
    )
    assert statuses["NotFound"] == 404
    assert statuses["UsageError"] == statuses["TemplateError"] == 400
    assert statuses["ServiceUnavailable"] == statuses["EndpointUnavailable"] == 503
    assert statuses["ProofError"] == statuses["SettingsError"] == 500
    assert api_errors.code_of(errors.NotFound()) == "not_found"


def test_status_codes_for_errors_live_in_one_file() -> None:
    source = Path(api_errors.__file__).parents[1]
    others = [path for path in source.rglob("*.py") if "api" not in path.parts]
    assert len(others) > 50
    assert not [path for path in others if "status_code=" in path.read_text()]
