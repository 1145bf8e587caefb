"""Data sets that others published: loaded, scored by both rules, seen by maintainers alone until one opens them."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
from pydantic import SecretStr
from sqlalchemy import text

from app.access.keys import KeyRole, Wanted, create_key
from app.core.clock import SystemClock
from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from tests.support.command_line import trigpoint
from tests.support.processes import private_redis, scripted_endpoint
from tests.support.published_gsqa import SECRET, write_release
from tests.support.service import patient_client, serving

NAME = "hidden_from_all"
RELEASE = PROJECT_ROOT.parent / "shared" / "published" / "gsqa"
PAGES = (
    f"/v1/datasets/{NAME}",
    f"/v1/datasets/{NAME}@1",
    f"/v1/datasets/{NAME}/map",
    f"/v1/datasets/{NAME}/tiles/0/0/0.mvt",
    f"/v1/datasets/{NAME}/comparisons/1/2",
    f"/v1/datasets/{NAME}/questions/{{question}}",
    f"/v1/questions?dataset={NAME}",
    f"/v1/leaderboards/{NAME}",
    f"/datasets/{NAME}",
    f"/datasets/{NAME}@1/questions",
    f"/datasets/{NAME}@1/questions/{{question}}",
    f"/leaderboards/{NAME}",
    "/runs/1",
)
LISTS = (
    "/",
    "/runs",
    "/submissions",
    "/v1/datasets",
    "/v1/questions?benchmark=gsqa",
    "/v1/freshness",
)
WITH_A_KEY = ("/v1/runs", "/v1/runs/1", "/v1/runs/1/answers", "/v1/submissions", "/v1/submissions/1")


class Loaded(NamedTuple):
    """A database with a data set that was loaded and is not open, and what the command said."""

    settings: Settings
    told: dict[str, Any]
    question: str


def load(settings: Settings, folder: Path, name: str = NAME) -> dict[str, Any]:
    done = trigpoint(settings, "load", "gsqa", str(folder), "--out", name, "--json")
    assert done.status == 0, done.err
    told: dict[str, Any] = done.json
    return told


def rows(settings: Settings, role: Role, statement: str) -> list[Any]:
    with connect(settings, role) as connection:
        return list(connection.execute(text(statement)))


def key(settings: Settings, role: KeyRole) -> dict[str, str]:
    with connect(settings, Role.MAINTAINER) as connection:
        token, _ = create_key(connection, Wanted("Ada", role, 6000, 1.0), SystemClock().now())
        connection.commit()
    return {"Authorization": f"Bearer {token}"}


@pytest.fixture(scope="module")
def closed(make_database: Callable[[], Settings], tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    settings = make_database()
    told = load(settings, write_release(tmp_path_factory.mktemp("release")))
    ((question,),) = rows(settings, Role.WORKER, "select id from question where template = 'T5'")
    return Loaded(settings, told, question)


@pytest.fixture(scope="module")
def client(closed: Loaded) -> Iterator[httpx.Client]:
    with serving(closed.settings) as address, patient_client(address) as client:
        yield client


@pytest.fixture
def opened(database: Settings, tmp_path: Path) -> Settings:
    load(database, write_release(tmp_path))
    done = trigpoint(database, "imported", "open", NAME, "--licence", "CC-BY-4.0, as its authors told us")
    assert done.status == 0, done.err
    return database


# What is loaded


def test_what_the_command_says(closed: Loaded) -> None:
    told = closed.told
    assert (told["dataset"], told["version"], told["questions"], told["answers"]) == (NAME, 1, 6, 4)
    assert (told["scores_compared"], told["differing"], told["differences"]) == (31, 0, [])
    assert told["notes"]["left_out"] == 1
    assert told["licence"] == "licence not stated by its authors"


def test_the_same_files_are_loaded_once(closed: Loaded, tmp_path: Path) -> None:
    again = load(closed.settings, write_release(tmp_path))
    assert (again["new"], again["version"]) == (False, 1)
    assert rows(closed.settings, Role.WORKER, "select count(*) from run") == [(2,)]


def test_other_files_need_another_name(closed: Loaded, tmp_path: Path) -> None:
    release = write_release(tmp_path, {"T5/ 3/baseline_answers.json": {}})
    done = trigpoint(closed.settings, "load", "gsqa", str(release), "--out", NAME)
    assert (done.status, "choose another --out" in done.err) == (1, True)


def test_a_fault_of_the_files_stores_nothing(database: Settings, tmp_path: Path) -> None:
    release = write_release(tmp_path, {"T26/ 1/question.json": "{"})
    done = trigpoint(database, "load", "gsqa", str(release), "--out", "faulty")
    assert (done.status, "question.json, line 1" in done.err) == (2, True)
    counted = (
        "select (select count(*) from dataset) + (select count(*) from template) + (select count(*) from run)"
    )
    assert rows(database, Role.WORKER, counted) == [(0,)]


def test_answers_are_scored_by_the_published_rules_as_their_authors_read_them(closed: Loaded) -> None:
    statement = """
    select split_part(run.label, ':', 1) as baseline, question.template, score.components, score.value
    from score
    inner join prediction on score.prediction_id = prediction.id
    inner join run on prediction.run_id = run.id
    inner join question on prediction.version_id = question.version_id and prediction.question_id = question.id
    where score.profile = 'published'
    """
    found = {(row.baseline, row.template): row for row in rows(closed.settings, Role.WORKER, statement)}
    assert set(found) == {("G", "T5"), ("GT", "T5"), ("G", "T22"), ("G", "T24")}
    # By its text it does not know; by what its authors read from it, at whatever depth, it is right.
    assert found["GT", "T5"].components["parsed_F1"]["value"] == 1.0
    assert found["GT", "T5"].components["text_F1"]["value"] == 0.0
    assert found["G", "T22"].components["parsed_angle_error"]["value"] == 0.0
    # The paper caps an error of 2.5 at 1.
    assert found["G", "T24"].components["parsed_relative_error"]["value"] == 1.0


def test_answers_are_scored_by_our_rules_too(closed: Loaded) -> None:
    board = trigpoint(closed.settings, "leaderboard", NAME, "--json").json
    scores = {row["name"]: (row["score"], row["states"]["no_answer"]) for row in board["rows"]}
    # Two names, one of them right; Four hotels; east: 3 of 6. "I don't know." gives no value.
    assert scores["G: an earlier run than the paper's"] == (pytest.approx(3 / 6), 3)
    assert scores["GT: an earlier run than the paper's"] == (0.0, 5)


def test_components_in_the_database_are_the_stored_scores(database: Settings) -> None:
    if not RELEASE.exists():
        pytest.skip(f"{RELEASE} is not here: the authors' files are not part of the project")
    told = load(database, RELEASE)
    assert (told["questions"], told["answers"], told["differing"]) == (56, 336, 0)
    statement = """
    select
        split_part(run.label, ':', 1) as baseline,
        proof.parameters ->> 'question' as question,
        score.components
    from score
    inner join prediction on score.prediction_id = prediction.id
    inner join run on prediction.run_id = run.id
    inner join proof on prediction.version_id = proof.version_id and prediction.question_id = proof.question_id
    where score.profile = 'published'
    """
    found = {(row.question, row.baseline): row.components for row in rows(database, Role.WORKER, statement)}
    compared = 0
    for path in RELEASE.glob("*/*/baseline_answers.json"):
        question = f"{path.parts[-3]}/{path.parts[-2].strip()}"
        for baseline, answer in json.loads(path.read_text(encoding="utf-8")).items():
            for part, said in answer.items():
                components = found[question, baseline]
                for name, value in said["scores"].items():
                    if name in ("attempted", "distance_error"):
                        continue
                    assert components[f"{part}_{name}"]["value"] == pytest.approx(min(value, 1.0), abs=1e-9)
                    assert components[f"{part}_{name}"]["attempted"] == said["scores"]["attempted"]
                    compared += 1
    assert compared > 1500


# What is not proved


def test_verify_proves_nothing(closed: Loaded) -> None:
    done = trigpoint(closed.settings, "verify", NAME)
    assert (done.status, "Nothing is proved: its questions were published by others." in done.out) == (
        1,
        True,
    )
    found = trigpoint(closed.settings, "verify", NAME, "--json").json
    assert (found["questions"], found["unproved"], found["failures"]) == (6, 6, [])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", NAME, "--to", "{folder}"), "So it is in no export"),
        (("export", NAME, "--to", "{folder}", "--format", "inspect"), "So it is in no export"),
        (("reproduce", NAME), "It has no recipe"),
        (("refresh", NAME, "--snapshot", "x"), "So it cannot be refreshed"),
        (("evaluate", NAME, "--solver", "oracle"), "The solver `oracle` reads the map or proved gold"),
        (("evaluate", NAME, "--solver", "random"), "use --solver direct"),
        (("evaluate", NAME, "--solver", "rag", "--endpoint", "http://127.0.0.1:9/v1"), "use --solver direct"),
        (
            ("evaluate", NAME, "--solver", "text_to_sql", "--endpoint", "http://127.0.0.1:9/v1"),
            "--solver direct",
        ),
    ],
)
def test_what_needs_a_map_or_a_proof_is_refused(
    closed: Loaded, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    done = trigpoint(closed.settings, *(one.format(folder=tmp_path) for one in arguments))
    assert (done.status, said in done.err) == (1, True), done.err
    assert list(tmp_path.iterdir()) == []


def test_an_opened_one_is_in_no_export_either(opened: Settings, tmp_path: Path) -> None:
    done = trigpoint(opened, "export", NAME, "--to", str(tmp_path / "out"))
    assert (done.status, "in no export" in done.err, (tmp_path / "out").exists()) == (1, True, False)


# Who sees it


@pytest.mark.parametrize("role", [None, "reader", "submitter"])
def test_it_is_not_there_for_anybody_but_maintainers(
    closed: Loaded, client: httpx.Client, role: KeyRole | None
) -> None:
    headers = {} if role is None else key(closed.settings, role)
    for address in PAGES:
        answer = client.get(address.format(question=closed.question), headers=headers)
        assert answer.status_code == 404, address
        assert SECRET not in answer.text
    for address in (*LISTS, *(WITH_A_KEY if role else ())):
        answer = client.get(address, headers=headers)
        assert answer.status_code in (200, 403, 404), address
        assert not _words_of(answer.text), address


def _words_of(page: str) -> list[str]:
    return [word for word in (SECRET, NAME, "earlier run") if word in page]


@pytest.mark.parametrize("role", ["reader", "submitter"])
def test_the_list_of_imported_data_sets_is_for_maintainers(
    closed: Loaded, client: httpx.Client, role: KeyRole
) -> None:
    assert client.get("/v1/imported").status_code == 401
    assert client.get("/v1/imported", headers=key(closed.settings, role)).status_code == 403
    sent = client.post(
        f"/v1/imported/{NAME}/open", headers=key(closed.settings, role), json={"licence": "mine"}
    )
    assert sent.status_code == 403
    (found,) = client.get("/v1/imported", headers=key(closed.settings, "maintainer")).json()["imported"]
    assert (found["dataset"], found["opened_at"], found["questions"]) == (NAME, None, 6)


def test_submissions_to_it_find_nothing(closed: Loaded, client: httpx.Client) -> None:
    line = json.dumps({"id": closed.question, "answer": SECRET}).encode()
    sent = client.post(
        f"/v1/datasets/{NAME}/submissions", headers=key(closed.settings, "submitter"), content=line
    )
    assert sent.status_code == 404
    disputed = client.post(
        f"/v1/datasets/{NAME}/questions/{closed.question}/disputes",
        headers=key(closed.settings, "reader"),
        json={"reason": "other", "text": "It is wrong."},
    )
    assert disputed.status_code in (404, 422)


TABLES = (
    "dataset",
    "dataset_version",
    "question",
    "gold",
    "proof",
    "run",
    "prediction",
    "score",
    "submission",
    "board_aggregate",
    "run_standing",
    "run_comparison",
    "expectation",
)


@pytest.mark.parametrize("table", TABLES)
def test_the_role_of_the_service_sees_no_row(closed: Loaded, table: str) -> None:
    assert rows(closed.settings, Role.API, f"select count(*) from {table}") == [(0,)]


def test_views_for_bi_tools_hold_no_row_of_it(closed: Loaded) -> None:
    views = rows(
        closed.settings,
        Role.MAINTAINER,
        """
        select relname from pg_class
        where relkind = 'v' and has_table_privilege('trigpoint_dashboard', oid, 'select') and relname ~ '^(bi|review)_'
        """,
    )
    assert len(views) > 10
    for (view,) in views:
        found = rows(closed.settings, Role.DASHBOARD, f"select * from {view}")
        assert not _words_of(str(found)), view
        assert not found or view in ("bi_snapshot",), view


def test_plots_and_comparisons_find_nothing(closed: Loaded, tmp_path: Path) -> None:
    done = trigpoint(closed.settings, "plot", "board", NAME, "--to", str(tmp_path / "board.svg"))
    assert (done.status, list(tmp_path.iterdir())) == (2, [])
    assert trigpoint(closed.settings, "compare", "1", "2").status == 2


# Once it is open


def test_an_opened_one_is_seen_by_everybody_with_its_licence(opened: Settings) -> None:
    with serving(opened) as address, patient_client(address) as client:
        described = client.get(f"/v1/datasets/{NAME}").raise_for_status().json()
        assert described["licence"]["name"] == "CC-BY-4.0, as its authors told us"
        assert "OpenStreetMap contributors" in described["licence"]["attribution"]
        page = client.get(f"/v1/questions?dataset={NAME}&gold=true").raise_for_status().json()["questions"]
        assert [one["snapshot"] for one in page] == [None] * 6
        for one in page:
            detail = client.get(f"/v1/datasets/{NAME}/questions/{one['id']}").raise_for_status().json()
            assert detail["proof"]["kind"] == "imported"
            shown = client.get(f"/datasets/{NAME}@1/questions/{one['id']}").raise_for_status()
            assert "Unproved: this question was published by others" in shown.text
        for address in (
            f"/datasets/{NAME}@1",
            f"/leaderboards/{NAME}",
            f"/v1/leaderboards/{NAME}",
            "/runs/1",
        ):
            assert client.get(address).status_code == 200, address
        board = client.get(f"/v1/leaderboards/{NAME}").json()
        assert board["snapshots"] == []
        assert board["attribution"].startswith("map data © OpenStreetMap contributors")
    views = rows(opened, Role.DASHBOARD, "select distinct dataset from bi_board")
    assert views == [(NAME,)]


def test_opening_is_on_record_and_happens_once(opened: Settings) -> None:
    (noted,) = rows(opened, Role.MAINTAINER, "select action, subject from audit")
    assert tuple(noted) == ("imported.open", f"data set {NAME}")
    other = trigpoint(opened, "imported", "open", NAME, "--licence", "ODbL")
    assert (other.status, "open already" in other.err) == (1, True)
    assert trigpoint(opened, "imported", "open", "nothing", "--licence", "ODbL").status == 2
    assert trigpoint(opened, "imported", "open", NAME, "--licence", " ").status == 2


def test_maintainers_open_it_over_rest(database: Settings, tmp_path: Path) -> None:
    load(database, write_release(tmp_path))
    headers = key(database, "maintainer")
    with serving(database) as address, patient_client(address) as client:
        sent = client.post(f"/v1/imported/{NAME}/open", headers=headers, json={"licence": "CC0-1.0"})
        assert (sent.status_code, sent.json()["opened_under"]) == (200, "CC0-1.0")
        assert client.get(f"/v1/datasets/{NAME}").status_code == 200
        assert (
            client.post("/v1/imported/other/open", headers=headers, json={"licence": "x"}).status_code == 404
        )
        assert client.post(
            f"/v1/imported/{NAME}/open", headers=headers, json={"licence": ""}
        ).status_code in (400, 422)


def test_it_takes_no_part_in_boards_of_its_benchmark(opened: Settings) -> None:
    done = trigpoint(opened, "leaderboard", NAME, "--benchmark")
    assert (done.status, "No data set of benchmark 'gsqa' is published" in done.err) == (2, True)


# What else becomes of it


def test_a_backup_keeps_it_as_closed_as_it_was(
    closed: Loaded, make_database: Callable[[], Settings], tmp_path: Path
) -> None:
    file, empty = tmp_path / "all.backup", make_database()
    done = trigpoint(closed.settings, "backup", str(file))
    assert done.status == 0, done.err
    restored = trigpoint(empty, "restore", str(file))
    assert restored.status == 0, restored.err
    counted = (
        "select (select count(*) from question), (select count(*) from score where profile = 'published')"
    )
    assert rows(empty, Role.WORKER, counted) == [(6, 4)]
    assert rows(empty, Role.API, "select count(*) from dataset") == [(0,)]
    (found,) = trigpoint(empty, "imported", "list", "--json").json["imported"]
    assert (found["dataset"], found["opened_at"]) == (NAME, None)


def test_the_board_by_the_papers_rules_has_the_baselines(closed: Loaded) -> None:
    done = trigpoint(closed.settings, "leaderboard", NAME, "--profile", "published", "--json")
    assert done.status == 0, done.err
    assert {row["name"].partition(":")[0] for row in done.json["rows"]} == {"G", "GT"}


def test_a_model_is_asked_and_scored_by_both_rules(database: Settings, tmp_path: Path) -> None:
    load(database, write_release(tmp_path / "release"))
    with private_redis(tmp_path) as redis, scripted_endpoint(tmp_path, "garbage") as endpoint:
        settings = database.model_copy(update={"redis_url": SecretStr(redis.url)})
        arguments = ("--solver", "direct", "--endpoint", endpoint.url, "--model", "scripted:garbage")
        done = trigpoint(settings, "evaluate", NAME, *arguments, "--json")
    assert done.status == 0, done.err
    assert (done.json["status"], done.json["total"]) == ("complete", 6)
    counted = f"""
    select score.profile, count(*) from score
    inner join prediction on score.prediction_id = prediction.id
    where prediction.run_id = {done.json["run"]}
    group by score.profile order by score.profile
    """
    assert rows(database, Role.WORKER, counted) == [("published", 6), ("trigpoint", 6)]
