"""The read-only routes over real HTTP: filters, formats, pages, tags, licence; and nothing of what is hidden."""

import gzip
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from app.access.keys import KeyRole
from app.core.settings import Role, Settings
from app.db.engine import connect
from tests.support.factories import MadeMap, make_version, name_question
from tests.support.planted_secrets import PLANTED, Hidden, addresses, crawl, make_hidden
from tests.support.scored_runs import make_gsqa_board
from tests.support.service import patient_client, serving

COUNT = 24


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, Hidden]:
    settings = make_database()
    hidden = make_hidden(settings, COUNT)
    made_map: MadeMap = hidden.version.map
    make_gsqa_board(settings, made_map)
    make_version(settings, [name_question(7)], name="toy_gsqa", made_map=made_map, number=2)
    return settings, hidden


@pytest.fixture(scope="module")
def hidden(made: tuple[Settings, Hidden]) -> Hidden:
    return made[1]


@pytest.fixture(scope="module")
def client(made: tuple[Settings, Hidden]) -> Iterator[httpx.Client]:
    with serving(made[0]) as address, patient_client(address) as client:
        yield client


def get(client: httpx.Client, path: str, key: str | None = None, **parameters: Any) -> Any:
    headers = {} if key is None else {"Authorization": f"Bearer {key}"}
    return client.get(path, params=parameters, headers=headers).raise_for_status().json()


def texts(client: httpx.Client, **parameters: Any) -> list[str]:
    return [one["text"] for one in get(client, "/v1/questions", **parameters)["questions"]]


# Questions


def test_all_questions_of_the_newest_versions(client: httpx.Client) -> None:
    found = get(client, "/v1/questions", limit=1000)
    references = [one["dataset"] for one in found["questions"]]
    assert references == ["half_hidden@1"] * COUNT + ["toy_gsqa@2"]
    assert found["next"] is None
    assert found["attribution"].startswith("© OpenStreetMap contributors")


def test_hidden_questions_show_text_and_options_and_no_gold(client: httpx.Client) -> None:
    found = get(client, "/v1/questions", dataset="half_hidden", gold=True)["questions"]
    assert [one["split"] for one in found] == ["public", "hidden"] * (COUNT // 2)
    assert all(one["text"] and len(one["options"]) == 4 for one in found)
    assert all((one["gold"] is None) == (one["split"] == "hidden") for one in found)
    assert found[4]["gold"]["index"] == 0
    assert all(
        one["gold"] is None for one in get(client, "/v1/questions", dataset="half_hidden")["questions"]
    )


@pytest.mark.parametrize("limit", [1, 5, 24, 25])
@pytest.mark.parametrize(
    "more", [{}, {"template": "Find_Cover_AOI"}, {"class": "restaurant"}, {"bbox": "9,46,10,48"}]
)
def test_pages_are_the_whole_without_seams(client: httpx.Client, limit: int, more: dict[str, str]) -> None:
    whole = texts(client, limit=1000, **more)
    assert len(whole) > 5
    paged, cursor = [], None
    while True:
        page = get(client, "/v1/questions", limit=limit, **more, **({"cursor": cursor} if cursor else {}))
        paged += [one["text"] for one in page["questions"]]
        assert len(page["questions"]) <= limit
        cursor = page["next"]
        if cursor is None:
            break
        assert len(page["questions"]) == limit
    assert paged == whole


def test_filters(client: httpx.Client) -> None:
    assert len(texts(client, benchmark="gsqa")) == 1
    assert len(texts(client, dataset="toy_gsqa@1")) == 12
    assert texts(client, dataset="toy_gsqa@1", benchmark="urban_knowledge") == []
    assert len(texts(client, template="Find_Nearest_POI")) == 8
    assert len(texts(client, city="village")) == COUNT + 1
    assert texts(client, city="elsewhere") == []
    cafes = get(client, "/v1/questions", **{"class": "cafe"})["questions"]
    assert len(cafes) == 6
    assert {one["split"] for one in cafes} == {"public"}
    assert texts(client, **{"class": "poi:cafe"}) == [one["text"] for one in cafes]
    assert texts(client, **{"class": "park:cafe"}) == []
    assert len(texts(client, template="Find_Nearest_POI", **{"class": "cafe"})) == 2


def test_a_box_finds_what_it_meets(client: httpx.Client) -> None:
    features = get(client, "/v1/questions", bbox="9.43,47.03,9.47,47.07", format="geojson")["features"]
    (four, six) = features  # the odd ones are hidden
    assert [one["properties"]["split"] for one in features] == ["public"] * 2
    ring = four["geometry"]["coordinates"][0]
    assert sum(x for x, _ in ring) / len(ring) == pytest.approx(9.44, abs=1e-3)
    assert sum(y for _, y in ring) / len(ring) == pytest.approx(47.04, abs=1e-3)
    assert six["id"] == six["properties"]["id"]
    assert texts(client, bbox="0,0,1,1") == []
    assert len(texts(client, bbox="-180,-90,180,90")) == COUNT // 2


@pytest.mark.parametrize(
    "box", ["1,2,3", "a,b,c,d", "10,0,5,1", "0,0,1,91", "nan,0,1,1", "inf,0,1,1", "1,1,1,1,1", ""]
)
def test_what_is_no_box(client: httpx.Client, box: str) -> None:
    answer = client.get("/v1/questions", params={"bbox": box})
    assert (answer.status_code, answer.json()["code"]) == (400, "usage_error")


def test_geojson_of_hidden_questions_has_no_ground(client: httpx.Client) -> None:
    answer = client.get("/v1/questions", params={"dataset": "half_hidden", "format": "geojson"})
    assert answer.headers["content-type"] == "application/geo+json"
    collection = answer.json()
    assert collection["type"] == "FeatureCollection"
    grounds = [one["geometry"] is not None for one in collection["features"]]
    assert grounds == [True, False] * (COUNT // 2)


def test_json_lines(client: httpx.Client) -> None:
    answer = client.get("/v1/questions", params={"dataset": "half_hidden", "format": "jsonl", "limit": 10})
    assert answer.headers["content-type"] == "application/jsonl"
    assert len(answer.text.splitlines()) == 10
    assert answer.links["license"]["url"].startswith("https://opendatacommons.org")
    assert len(client.get(answer.links["next"]["url"]).text.splitlines()) == 10


@pytest.mark.parametrize(
    ("parameters", "status"),
    [
        ({"limit": 0}, 422),
        ({"limit": 1001}, 422),
        ({"limit": "x"}, 422),
        ({"format": "xml"}, 422),
        ({"template": "a\x00b"}, 422),
        ({"class": "x" * 201}, 422),
        ({"city": ""}, 422),
        ({"dataset": "nope"}, 404),
        ({"dataset": "half_hidden@0"}, 404),
        ({"dataset": "half_hidden@x"}, 400),
        ({"city": "'; drop table question; --"}, 200),
        ({"class": "' or true --"}, 200),
        ({"template": "\U0001f600"}, 200),
    ],
)
def test_odd_parameters(client: httpx.Client, parameters: dict[str, Any], status: int) -> None:
    answer = client.get("/v1/questions", params=parameters)
    assert answer.status_code == status, answer.text
    if status >= 400:
        assert answer.headers["content-type"] == "application/problem+json"


def test_a_cursor_belongs_to_its_question(client: httpx.Client) -> None:
    cursor = get(client, "/v1/questions", limit=2)["next"]
    assert get(client, "/v1/questions", limit=5, cursor=cursor)["questions"]
    for path, more in (("/v1/questions", {"template": "Find_Cover_AOI"}), ("/v1/snapshots", {})):
        answer = client.get(path, params={"cursor": cursor, **more})
        assert (answer.status_code, "another question" in answer.text) == (400, True)


def test_tags_and_packing(client: httpx.Client) -> None:
    first = client.get("/v1/questions", headers={"Accept-Encoding": "gzip"})
    assert first.headers["content-encoding"] == "gzip"
    assert "accept-encoding" in first.headers["vary"].lower()
    again = client.get("/v1/questions", headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/v1/questions", params={"limit": 3}, headers={"If-None-Match": first.headers["etag"]})
    assert other.status_code == 200
    with client.stream("GET", "/v1/questions", headers={"Accept-Encoding": "gzip"}) as packed:
        assert len(gzip.decompress(b"".join(packed.iter_raw()))) == len(first.content)


# The rest


def test_snapshots(client: httpx.Client) -> None:
    (one,) = get(client, "/v1/snapshots")["snapshots"]
    assert (one["name"], one["newest"]) == ("village", True)
    assert one["snapshot"] == "village@2026-01-02T03:04:05Z"
    assert one["box"] == [9.4, 47.0, 9.7, 47.3]
    assert one["datasets"] == ["half_hidden@1", "toy_gsqa@1", "toy_gsqa@2"]
    assert get(client, "/v1/snapshots", name="elsewhere")["snapshots"] == []


def test_freshness(client: httpx.Client) -> None:
    found = get(client, "/v1/freshness")
    assert [one["dataset"] for one in found["datasets"]] == ["half_hidden@1", "toy_gsqa@2"]
    (age,) = found["datasets"][0]["maps"]
    assert age["behind_days"] == 0
    assert age["age_days"] > 0
    assert age["newest"] == age["snapshot"]


def test_data_sets(client: httpx.Client) -> None:
    first = get(client, "/v1/datasets", limit=1)
    assert [one["name"] for one in first["datasets"]] == ["half_hidden"]
    second = get(client, "/v1/datasets", limit=1, cursor=first["next"])
    assert [one["version"] for one in second["datasets"][0]["versions"]] == [2, 1]
    assert second["next"] is None
    described = get(client, "/v1/datasets/half_hidden")
    assert described["questions"] == {"public": COUNT // 2, "hidden": COUNT // 2}
    assert described["snapshots"][0]["name"] == "village"
    assert described["licence_url"].startswith("https://")
    assert get(client, "/v1/datasets/toy_gsqa@1")["versions"] == [2, 1]
    assert client.get("/v1/datasets/nope").status_code == 404


def test_benchmarks_and_templates(client: httpx.Client) -> None:
    names = [one["name"] for one in get(client, "/v1/benchmarks")["benchmarks"]]
    assert names == [
        "evgeoqa",
        "gsqa",
        "map_tools_check",
        "mapeval",
        "mapeval_visual",
        "mapqa",
        "urban_knowledge",
        "urban_reasoning",
    ]
    assert get(client, "/v1/benchmarks/gsqa")["readme"].startswith("# ")
    listed, cursor = [], None
    while True:
        page = get(client, "/v1/templates", limit=7, **({"cursor": cursor} if cursor else {}))
        listed += [(one["benchmark"], one["id"]) for one in page["templates"]]
        cursor = page["next"]
        if cursor is None:
            break
    expected = [
        (one["name"], template)
        for one in get(client, "/v1/benchmarks")["benchmarks"]
        for template in one["templates"]
    ]
    assert listed == expected
    one = get(client, "/v1/templates/gsqa/T1")
    assert "select" in one["sql"].lower()
    assert one["picks"]
    assert one["phrasings"]["en"]["precise"]
    made = get(client, "/v1/templates/urban_knowledge/Find_Nearest_POI")["made"]
    assert [form["sql"] for form in made] == ["select 1"]
    for path in ("/v1/templates/gsqa/T99", "/v1/templates/nope/T1", "/v1/benchmarks/nope"):
        assert client.get(path).status_code == 404


def test_runs(client: httpx.Client, hidden: Hidden) -> None:
    key = hidden.keys["reader"]
    first = get(client, "/v1/runs", key, limit=2)
    runs = [one["run"] for one in first["runs"]]
    assert runs == sorted(runs, reverse=True)
    second = get(client, "/v1/runs", key, limit=2, cursor=first["next"])
    assert [one["run"] for one in second["runs"]] == [hidden.run]
    assert [one["run"] for one in get(client, "/v1/runs", key, dataset="half_hidden")["runs"]] == [hidden.run]
    assert get(client, "/v1/runs", key, status="running")["runs"] == []
    assert len(get(client, "/v1/runs", key, solver="oracle")["runs"]) == 1


def test_a_run_tells_where_it_stands(client: httpx.Client, hidden: Hidden) -> None:
    found = get(client, f"/v1/runs/{hidden.run}", hidden.keys["reader"])
    assert found["states"] == {"answered": COUNT, "no_answer": 0, "error": 0}, "hidden ones are counted"
    progress = found["progress"]
    assert (progress["done"], progress["waiting"], progress["errors"]) == (COUNT, 0, 0)
    assert (progress["tokens"], progress["cost"], progress["currency"]) == (1500, 0.002, "USD")
    assert found["endpoint"] == {"name": "local", "model": "planted-model", "revision": None}
    assert found["endpoint_requests"] == COUNT


def test_endpoints(client: httpx.Client, hidden: Hidden) -> None:
    (listed,) = get(client, "/v1/endpoints", hidden.keys["reader"])["endpoints"]
    assert (listed["name"], listed["state"], listed["runs"]) == ("local", "ok", 1)
    shown = get(client, "/v1/endpoints/local", hidden.keys["reader"])
    assert shown == listed
    assert (shown["url"], shown["key_variable"], shown["said"]) == (None, None, None)
    told = get(client, "/v1/endpoints/local", hidden.keys["maintainer"])
    assert told["url"].startswith("http://")


@pytest.mark.parametrize(
    "path", ["/v1/runs", "/v1/runs/1", "/v1/endpoints", "/v1/endpoints/local", "/v1/key", "/v1/audit"]
)
def test_what_needs_a_key(client: httpx.Client, path: str) -> None:
    assert client.get(path).status_code == 401


@pytest.mark.parametrize("path", ["/v1/runs/0", "/v1/runs/x", "/v1/runs/" + "9" * 30])
def test_runs_that_are_none(client: httpx.Client, hidden: Hidden, path: str) -> None:
    answer = client.get(path, headers={"Authorization": f"Bearer {hidden.keys['reader']}"})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert get_status(client, "/v1/runs/999999", hidden) == 404
    assert get_status(client, "/v1/endpoints/nope", hidden) == 404


def get_status(client: httpx.Client, path: str, hidden: Hidden) -> int:
    return client.get(path, headers={"Authorization": f"Bearer {hidden.keys['reader']}"}).status_code


# What is hidden


@pytest.mark.parametrize("role", [None, "reader", "submitter"])
def test_nothing_that_was_planted_is_in_any_answer(
    client: httpx.Client, hidden: Hidden, role: KeyRole | None
) -> None:
    described = client.get("/v1/openapi.json").json()
    values = {
        "dataset": "half_hidden",
        "benchmark": "urban_knowledge",
        "template": "Find_Nearest_POI",
        "name": "local",
        "run": str(hidden.run),
        "paper": "urban",
        "job": "1",
        "submission": "1",
        "dispute": "1",
        "schedule": "none",
        "card": "1",
        "dial": "letters",
        "question": hidden.version.questions[1],
        **dict.fromkeys("zxy", "0"),
        "other": "1",
        "sha256": "0" * 64,
        "session": "0" * 32,
        "snapshot": "village@2026-01-02T03:04:05Z",
    }
    starts = addresses(described, values)
    assert len(starts) > 12
    for form in ("json", "geojson", "jsonl"):
        for asked in (
            "",
            "&class=restaurant",
            "&class=cafe",
            "&bbox=-180,-90,180,90",
            "&template=Find_Cover_AOI",
        ):
            starts.append(f"/v1/questions?format={form}&gold=true&limit=5{asked}")
    starts += [
        "/",
        "/leaderboards/half_hidden",
        "/datasets/half_hidden",
        "/datasets/half_hidden/questions",
        "/leaderboards/half_hidden/templates",
        "/leaderboards/half_hidden/compare",
        "/datasets/half_hidden/churn",
        "/runs",
        f"/runs/{hidden.run}",
        f"/papers/urban?run={hidden.run}",
        f"/v1/papers/urban?run={hidden.run}",
        "/snapshots",
        "/snapshots/village@2026-01-02T03:04:05Z",
        "/submissions",
        "/disputes",
        *(f"/datasets/half_hidden/questions/{one}" for one in hidden.version.questions),
        *(f"/v1/datasets/half_hidden/questions/{one}?map=true" for one in hidden.version.questions),
        "/v1/runs?limit=1",
        "/v1/openapi.json",
        f"/v1/questions?dataset={PLANTED}",
    ]
    headers = {} if role is None else {"Authorization": f"Bearer {hidden.keys[role]}"}
    looked_at = 0
    for address, raw in crawl(client, starts, headers):
        looked_at += 1
        if PLANTED not in address:
            assert PLANTED.encode() not in raw, address
    assert looked_at > 60


def test_the_search_finds_what_is_planted(client: httpx.Client, hidden: Hidden) -> None:
    """The test above can fail: a maintainer is told where an endpoint is."""
    headers = {"Authorization": f"Bearer {hidden.keys['maintainer']}"}
    assert any(PLANTED.encode() in raw for _, raw in crawl(client, ["/v1/endpoints/local"], headers))


READABLE = """
select table_name, string_agg(quote_ident(column_name), ', ')
from information_schema.column_privileges
where grantee = 'trigpoint_api' and table_schema = 'trigpoint' and privilege_type = 'SELECT'
group by table_name
"""


FUNCTIONS = """
select p.proname
from pg_proc as p
where
    p.pronamespace = 'trigpoint'::regnamespace
    and p.prosecdef
    and has_function_privilege('trigpoint_api', p.oid, 'execute')
"""
"""What works with its owner's rights for the server's role."""
WRITING = {"add_submission", "answer_of_request", "end_submission", "open_dispute", "withdraw_dispute"} | {
    "open_agent_session",
    "store_session_call",
    "close_agent_session",
    "claim_agent_sessions",
}


def test_the_servers_role_reads_nothing_that_was_planted(made: tuple[Settings, Hidden]) -> None:
    """Every SELECT that it may make, whoever makes it in its name."""
    settings, hidden = made
    with connect(settings, Role.OWNER) as owner:
        readable = owner.execute(text(READABLE)).all()
        everything = {
            table: owner.execute(
                text(f"select count(*) from trigpoint.{table} as t where t::text like '%{PLANTED}%'")
            )
            for table, _ in readable
        }
        planted_in = {table for table, counted in everything.items() if counted.scalar_one()}
    assert {"gold", "proof", "footprint", "prediction", "step", "score", "endpoint", "question"} <= planted_in
    assert len(readable) > 15
    with connect(settings, Role.API) as connection:
        for table, columns in readable:
            rows = connection.execute(text(f"select row({columns})::text from trigpoint.{table}")).scalars()
            assert not [row for row in rows if PLANTED in row], table
        called = {
            "progress_of_run": f"{hidden.run}, now()",
            "public_questions_about": "(select array_agg(id) from dataset_version), null, null, null, null, 0, -1, 999",
            "known_key": "'x', 'y'",
            "known_page_session": "'x'",
            "is_shown_asset": "repeat('0', 64)",
            "map_of_question": f"{hidden.version.id}, question.id, 99",
            "map_rejects": "1, 99",
            "solution_sizes": f"{hidden.version.id}",
            "places_of_options": f"{hidden.version.id}",
            "tile_of_version": f"{hidden.version.id}, 0, 0, 0",
            "answer_tile_of_version": f"{hidden.version.id}, 0, 0, 0",
            "latency_of_run": f"{hidden.run}",
            "service_counts": "now()",
            "schedule_health": "now()",
            "churn_of": "'half_hidden'",
        }
        assert set(connection.execute(text(FUNCTIONS)).scalars()) == set(called) | WRITING
        for name, arguments in called.items():
            statement = f"select t::text from question cross join lateral {name}({arguments}) as t"
            rows = connection.execute(text(statement)).scalars()
            assert not [row for row in rows if PLANTED in row or PLANTED.encode().hex() in row], name
