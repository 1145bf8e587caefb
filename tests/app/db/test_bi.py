"""The views for BI tools: what their role may read, that it equals REST, and that nothing hidden is in it."""

import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import httpx
import pytest
from sqlalchemy import text

from app.core.settings import PROJECT_ROOT, Role, Settings
from app.db.engine import connect
from app.db.naming import quoted
from app.leaderboard.board import Kind, read_board
from tests.support.checked_reasoning import check, make_reasoning
from tests.support.explored import planted, store
from tests.support.factories import FAILED, MADE_AT, make_run
from tests.support.grafana import BOARDS, filled_panels
from tests.support.grafana import read_board as read_grafana
from tests.support.planted_secrets import KEY_VARIABLE, PLANTED, Hidden, make_hidden, make_key
from tests.support.scored_runs import MadeBoard, make_gsqa_board, make_knowledge_board, score
from tests.support.service import patient_client, serving
from tests.support.stored_episodes import make_agents

VIEWS = (
    *("bi_agent", "bi_agent_calls", "bi_agent_exploration", "bi_agent_tool"),
    *("bi_board", "bi_comparison", "bi_dataset_version", "bi_lineage", "bi_measure", "bi_question"),
    *("bi_reasoning", "bi_reject", "bi_run"),
    *("bi_snapshot", "bi_snapshot_layer", "bi_submission"),
)
KINDS: tuple[Kind, ...] = ("dimension", "strategy", "city", "answer_type")
STATES = ("correct", "wrong", "unparseable", "no_answer", "error", "missing")


@pytest.fixture(scope="module")
def made(make_database: Callable[[], Settings]) -> tuple[Settings, MadeBoard, Hidden]:
    settings = make_database()
    board = make_knowledge_board(settings)
    make_gsqa_board(settings)
    for label, status, answers in (
        ("gemma-3-270m", "complete", ["C"] * 48),
        ("again", "complete", ["B"] * 48),
        ("again", "incomplete", [FAILED] * 48),
        ("again", "incomplete", [FAILED, *["A"] * 47]),
        ("withdrawn", "cancelled", ["A"] * 48),
    ):
        score(settings, make_run(settings, board.version, answers, label, status=status))
    make_agents(settings)
    store(settings, planted(each=1))
    check(settings, make_reasoning(settings).run)
    hidden = make_hidden(settings)
    schema = quoted(board.version.map.schema)
    with connect(settings, Role.OWNER) as connection:
        connection.execute(text(f"create table {schema}.reject (layer text, reason text, osm_key text)"))
        connection.execute(
            text(
                f"insert into {schema}.reject values ('road', 'missing_nodes', '{PLANTED}_1'),"
                f" ('road', 'missing_nodes', '{PLANTED}_2'), ('poi', 'invalid', '{PLANTED}_3')"
            )
        )
        layers = {"poi": {"found": 3, "kept": 2, "repaired": 1, "rejected": 1}}
        connection.execute(
            text("update trigpoint.snapshot set layers = cast(:layers as jsonb) where id = :id"),
            {"layers": str(layers).replace("'", '"'), "id": board.version.map.id},
        )
        connection.commit()
    with connect(settings, Role.WORKER) as connection:
        _submit(connection, board.version.id)
        _follow(connection, hidden.version.id)
        connection.commit()
    return settings, board, hidden


def _submit(connection: Any, version: int) -> None:
    connection.execute(
        text(
            "insert into submission (version_id, label, card, contact, self_reported, source, digest, answers, repeats,"
            " state, error, created_at, finished_at) values"
            f" (:version, 'sent in', '{{}}', '{PLANTED}_contact', true, 'answers', '{PLANTED}_digest', 48, 1, 'failed',"
            f" '{PLANTED}_error', :at, :at),"
            f" (:version, '{PLANTED}_label', '{{}}', null, true, 'answers', 'x', 48, 1, 'withdrawn', null, :at, :at)"
        ),
        {"version": version, "at": MADE_AT},
    )


def _follow(connection: Any, version: int) -> None:
    """Each question retired, from a version to itself: counts are what matters."""
    connection.execute(
        text(
            "insert into lineage (to_version_id, from_version_id, from_question_id, outcome, reason)"
            f" select :version, :version, id, 'retired', case split when 'hidden' then '{PLANTED}_reason' else 'margin' end"
            " from question where version_id = :version"
        ),
        {"version": version},
    )


@pytest.fixture(scope="module")
def read(made: tuple[Settings, MadeBoard, Hidden]) -> Iterator[Callable[[str], list[dict[str, Any]]]]:
    with connect(made[0], Role.DASHBOARD) as connection:
        yield lambda statement: [dict(row) for row in connection.execute(text(statement)).mappings()]


@pytest.fixture(scope="module")
def client(made: tuple[Settings, MadeBoard, Hidden]) -> Iterator[httpx.Client]:
    settings = made[0]
    key = {"Authorization": f"Bearer {make_key(settings, 'reader')}"}
    with serving(settings) as address, patient_client(f"{address}/v1") as client:
        client.headers.update(key)
        yield client


Read = Callable[[str], list[dict[str, Any]]]


def test_nothing_but_the_views_may_be_read(made: tuple[Settings, MadeBoard, Hidden]) -> None:
    """All that is a relation or a function of ours, asked of the catalogue."""
    with connect(made[0], Role.OWNER) as connection:
        relations = connection.execute(
            text(
                "select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
                " where c.relkind in ('r', 'v', 'm', 'p', 'f') and n.nspname !~ '^(pg_|information_schema|public)'"
                " and has_schema_privilege('trigpoint_dashboard', n.oid, 'usage')"
                " and has_any_column_privilege('trigpoint_dashboard', c.oid, 'select')"
            )
        ).scalars()
        assert sorted(relations) == [*VIEWS, "review_pair", "review_reviewer", "review_template"]
        functions = connection.execute(
            text(
                "select p.proname from pg_proc p where p.pronamespace = 'trigpoint'::regnamespace"
                " and p.prorettype <> 'trigger'::regtype"
                " and has_function_privilege('trigpoint_dashboard', p.oid, 'execute')"
            )
        ).scalars()
        assert sorted(functions) == ["count_rejects", "snapshot_lock"]  # the latter reckons a number


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_answers_and_holds_nothing_hidden(read: Read, view: str) -> None:
    rows = read(f"select * from {view}")
    assert rows
    assert PLANTED not in str(rows)
    assert KEY_VARIABLE not in str(rows)
    assert "planted.example" not in str(rows).lower()


@pytest.mark.parametrize("view", VIEWS)
def test_columns_say_their_units(read: Read, view: str) -> None:
    for name, value in read(f"select * from {view}")[0].items():
        if isinstance(value, datetime):
            assert name.endswith("_utc")
            assert value.tzinfo is None


@pytest.mark.parametrize("dataset", ["toy_knowledge", "half_hidden"])
def test_boards_equal_rest(read: Read, client: httpx.Client, dataset: str) -> None:
    told = read(f"select * from bi_board where dataset = '{dataset}' and profile = 'trigpoint' and shown")
    found = {(row["scope_kind"], row["scope_name"], row["run_id"]): row for row in told}
    board = client.get(f"/leaderboards/{dataset}").json()
    expected = {("all", None): board} | {("template", name): one for name, one in board["templates"].items()}
    for kind in KINDS:
        groups = client.get(f"/leaderboards/{dataset}", params={"by": kind}).json()["groups"]
        expected |= {(kind, name): one for name, one in groups.items()}
    compared = set()
    for scope, section in expected.items():
        for row in section["rows"]:
            if row["run"] == board_run(board, "org/model-in-progress"):
                assert (*scope, row["run"]) not in found, "nothing of it is scored yet"
                continue
            one = found[*scope, row["run"]]
            assert [
                one[key] for key in ("label", "solver", "status", "score", "score_low", "score_high")
            ] == [row[key] for key in ("name", "solver", "status", "score", "low", "high")]
            assert {state: one[state] for state in STATES} == row["states"]
            assert one["questions"] == row["n"]
            assert one["score_step"] == row["step"]
            assert one["truncated"] == (row["truncated"] if scope[0] == "all" else None)
            if one["questions"] == section["n"]:
                assert one["chance_score"] == section["chance"]
                assert one["random_score"] == section["random_expectation"]
            if row["spent"]:
                assert all(
                    one[key] == row["spent"][key]
                    for key in ("calls", "prompt_tokens", "completion_tokens", "cost", "latency_p95_ms")
                )
            compared.add((*scope, row["run"]))
    assert compared == set(found)


def board_run(board: dict[str, Any], label: str) -> int | None:
    return next((row["run"] for row in board["rows"] if row["name"] == label), None)


def test_what_is_not_shown_is_there_for_those_who_look_back(read: Read) -> None:
    rows = read("select label, status, shown from bi_board where scope_kind = 'all' order by run_id")
    seen = [(row["label"], row["status"], row["shown"]) for row in rows]
    assert seen.count(("gemma-3-270m", "complete", False)) == 1
    assert [one[1:] for one in seen if one[0] == "again"] == [
        ("complete", True),
        ("incomplete", False),
        ("incomplete", True),
    ]
    assert not any(label == "withdrawn" for label, *_ in seen)


def test_comparisons_equal_rest(read: Read, client: httpx.Client) -> None:
    told = client.get("/datasets/toy_knowledge/comparisons").json()["pairs"]
    rows = read("select * from bi_comparison where dataset = 'toy_knowledge' and scope_kind = 'all'")
    found = {frozenset((row["run_id"], row["other_run_id"])): row for row in rows}
    assert told
    for pair in told:
        row = found[frozenset((pair["run"], pair["other"]))]
        sign = 1 if row["run_id"] == pair["run"] else -1
        assert row["difference"] == sign * pair["difference"]
        assert {row["p"], row["questions"], row["templates"], row["places"]} == {
            *(pair[key] for key in ("p", "n", "templates", "places"))
        }
        assert row["run_id"] < row["other_run_id"]
        assert (row["test"], row["new_templates_p"], pair["new_templates"]) == (2, None, None), (
            "four templates"
        )


def test_counts_of_questions(read: Read) -> None:
    (version,) = read("select * from bi_dataset_version where dataset = 'half_hidden'")
    assert (version["questions"], version["public_questions"], version["hidden_questions"]) == (24, 12, 12)
    assert (version["newest"], version["attribution"]) == (True, "© OpenStreetMap contributors")
    by_split = read(
        "select split, sum(questions)::int as n from bi_question where dataset = 'half_hidden' group by 1 order by 1"
    )
    assert by_split == [{"split": "hidden", "n": 12}, {"split": "public", "n": 12}]
    assert read("select distinct city from bi_question") == [{"city": "village"}]


def test_runs_and_their_errors(read: Read) -> None:
    (row,) = read("select * from bi_run where label = 'broken <b>model</b>'")
    assert (row["answered"], row["no_answer"], row["error"], row["owed_answers"]) == (40, 0, 2, 48)
    assert (row["progress"], row["status"], row["elapsed_seconds"]) == (42 / 48, "incomplete", 0)
    (row,) = read("select * from bi_run where label = 'planted model'")
    assert (row["endpoint"], row["model"], row["created_utc"]) == (
        "local",
        "planted-model",
        MADE_AT.replace(tzinfo=None),
    )


def test_maps_their_layers_and_rejects(read: Read) -> None:
    rows = read("select layer, reason, objects from bi_reject order by objects")
    assert [tuple(row.values()) for row in rows] == [("poi", "invalid", 1), ("road", "missing_nodes", 2)]
    (layer,) = read("select layer, found, kept, repaired, rejected from bi_snapshot_layer")
    assert tuple(layer.values()) == ("poi", 3, 2, 1, 1)
    ages = read("select age_days, newest, dataset_versions from bi_snapshot")
    assert all(row["age_days"] > 0 and row["dataset_versions"] == 1 for row in ages)
    assert [row["newest"] for row in ages].count(True) == 1


def test_fates_are_counted_and_those_of_hidden_questions_without_reason(read: Read) -> None:
    rows = read("select reason, sum(questions)::int as n from bi_lineage group by 1 order by 1")
    assert rows == [{"reason": "margin", "n": 12}, {"reason": None, "n": 12}]


def test_ends_of_agents_that_explore_are_counted(read: Read) -> None:
    planned = [one.ended_by for one in planted(each=1)][1:]
    (row,) = read("select * from bi_agent where dataset = 'explored'")
    for cap in ("call_limit", "unusable_replies", "step_limit", "loop"):
        assert row[f"ended_by_{cap}"] == planned.count(cap)
    assert {"call_limit", "unusable_replies"} <= {*planned}


def test_submissions_tell_no_contact(read: Read) -> None:
    rows = read("select label, state, open_seconds from bi_submission order by submission_id")
    assert [tuple(row.values()) for row in rows] == [("sent in", "failed", 0), (None, "withdrawn", 0)]


def test_steps_of_scores_are_told(read: Read) -> None:
    rows = read(
        "select scope_kind, score_step from bi_board where dataset = 'half_hidden' and profile = 'trigpoint'"
    )
    assert {row["score_step"] for row in rows if row["scope_kind"] == "all"} == {6 / 24}
    assert {row["score_step"] for row in rows if row["scope_kind"] != "all"} == {None}


def test_figures_of_a_sample_stand_on_the_public_questions_that_it_answered(database: Settings) -> None:
    """Also if it had a hidden one, as here: groups count public questions alone."""
    board = make_knowledge_board(database)
    check_sample(database, board, 7, 6)
    check_sample(database, board, 48, 44)


def check_sample(database: Settings, board: MadeBoard, asked: int, counted: int) -> None:
    label = f"sample of {asked}"
    run = make_run(database, board.version, ["A"] * asked, label)
    with connect(database, Role.WORKER) as connection:
        connection.execute(
            text("update run set sample = cast(:ids as text[]) where id = :run"),
            {"ids": board.version.questions[:asked], "run": run},
        )
        connection.commit()
    score(database, run)
    with connect(database, Role.API) as connection:
        shown = {"template": read_board(connection, "toy_knowledge").templates}
        shown |= {kind: read_board(connection, "toy_knowledge", kind).groups for kind in KINDS}
    with connect(database, Role.DASHBOARD) as connection:
        statement = text("select * from bi_board where label = :label and scope_kind <> 'all'")
        rows = connection.execute(statement, {"label": label}).all()
    for kind, sections in shown.items():
        told = {row.scope_name: (row.questions, row.score) for row in rows if row.scope_kind == kind}
        pages = [(name, row) for name, one in sections.items() for row in one.rows if row.run == run]
        assert told == {name: (row.n, row.score) for name, row in pages if row.score is not None}
        assert sum(n for n, _ in told.values()) == (counted if sections else 0)


# Dashboards for Grafana

CHOSEN = {"dataset": "toy_knowledge", "kind": "template"}
EMPTY = {
    "Measures of the papers",  # toy_knowledge has no such measures; the statement is run all the same
    *("Reviews by template", "Reviewers", "Agreement of pairs of reviewers"),  # nobody has reviewed
    *(
        "Objects by layer: kept and rejected",
        "Why objects were rejected",
    ),  # counts are of a map that has a successor
}


@pytest.mark.parametrize("name", BOARDS)
def test_every_chart_of_the_dashboards_can_be_drawn(read: Read, name: str) -> None:
    """Its statement runs as the role of BI tools, gives the columns that the chart names, and rows."""
    for panel in filled_panels(read_grafana(name), read, CHOSEN):
        rows = read(panel.statement)
        assert bool(rows) != (panel.title in EMPTY), panel.title
        if rows:
            assert columns_named(panel.body) <= set(rows[0]), panel.title
        assert PLANTED not in str(rows)
        if panel.body["targets"][0]["format"] == "time_series":
            assert all(isinstance(row["time"], datetime) for row in rows), panel.title


def columns_named(panel: dict[str, Any]) -> set[str]:
    """The columns that a chart's axis, overrides and transformations name."""
    named = {one["matcher"]["options"] for one in panel["fieldConfig"]["overrides"]}
    named |= {panel["options"]["xField"]} if "xField" in panel["options"] else set()
    for one in panel.get("transformations", ()):
        named |= set(one["options"].values())
    return named


def test_a_board_in_grafana_equals_rest(read: Read, client: httpx.Client) -> None:
    scores = filled_panels(read_grafana("leaderboard"), read, CHOSEN)[0]
    told = client.get("/leaderboards/toy_knowledge").json()["rows"]
    shown = {
        tuple(row[key] for key in ("label", "solver", "score", "score_low", "score_high"))
        for row in read(scores.statement)
    }
    complete = {
        tuple(row[key] for key in ("name", "solver", "score", "low", "high"))
        for row in told
        if row["score"] is not None
    }
    assert complete
    assert complete == {row for row in shown if row[2] is not None}


def test_every_view_is_in_a_dashboard() -> None:
    text_of_all = " ".join(path.read_text() for path in BOARDS.values())
    asked = set(re.findall(r"trigpoint\.((?:bi|review)_\w+)", text_of_all))
    assert asked == {*VIEWS, "review_pair", "review_reviewer", "review_template"}


# The page


def described(read: Read) -> dict[str, dict[str, str | None]]:
    rows = read(
        "select c.relname as view, a.attname as column, col_description(c.oid, a.attnum) as said"
        " from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0"
        " where c.relnamespace = 'trigpoint'::regnamespace and c.relname like 'bi\\_%' order by 1, a.attnum"
    )
    found: dict[str, dict[str, str | None]] = {}
    for row in rows:
        found.setdefault(row["view"], {})[row["column"]] = row["said"]
    return found


def test_the_page_names_the_columns_of_views_of_reviews(read: Read) -> None:
    page = (PROJECT_ROOT / "docs" / "bi.md").read_text()
    told = {
        view: re.findall(r"^\| `(\w+)` \| .+ \|$", body, re.MULTILINE)
        for view, body in re.findall(r"^### (review_\w+)\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    }
    columns = read(
        "select table_name, array_agg(column_name::text order by ordinal_position) as names"
        " from information_schema.columns where table_name like 'review\\_%' group by table_name"
    )
    assert told == {one["table_name"]: one["names"] for one in columns}
    assert len(told) == 3


def test_the_page_says_of_every_column_what_the_database_says(read: Read) -> None:
    page = (PROJECT_ROOT / "docs" / "bi.md").read_text()
    told = {
        view: dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", body, re.MULTILINE))
        for view, body in re.findall(r"^### (bi_\w+)\n(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL)
    }
    assert tuple(sorted(told)) == VIEWS
    assert told == described(read)
