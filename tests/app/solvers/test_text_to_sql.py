"""The next_steps of `text_to_sql` and `rag`, and the published prompt: what is asked, in which order, of which results."""

from typing import Any

import pytest

from app.core.errors import ProofError, SettingsError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.outcomes import Reply
from app.map_tools.sql_running import SqlOutcome
from app.map_tools.views import Views
from app.questions.snapshots import find_snapshots
from app.solvers import Answer, Call, CallResult, QuestionView, RunView, find_solver
from app.solvers.calls import SQL
from app.solvers.direct import prompt_text
from app.solvers.text_to_sql import SHOWN, find_sql, sql_prompt, tell
from tests.support.factories import MadeMap, make_version, mixed_dataset
from tests.support.town import Imported, import_map


def reply(content: str | None) -> Reply:
    return Reply(content, "stop", None, {})


def content(call: object) -> str:
    assert isinstance(call, Call)
    return str(call.body["messages"][0]["content"])


@pytest.fixture
def prepared(database: Settings, town: Imported) -> tuple[Settings, Any, QuestionView]:
    """A data set over a map with reference views; its run and its first question."""
    import_map(database, town.file, "town")
    with connect(database, Role.WORKER) as connection:
        (snapshot,) = find_snapshots(connection, ["town"])
    version = make_version(database, mixed_dataset(), made_map=MadeMap(snapshot.id, snapshot.schema))
    asked = QuestionView(
        version.questions[0], "T5", [{"type": "text", "text": "Which restaurant?"}], None, "name", repeat=2
    )
    return database, version, asked


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        ("select 1", "select 1"),
        ("```sql\nselect 1\n```", "select 1"),
        ("Here:\n```\nselect 1\n```\nBetter:\n```postgresql\nselect 2;\n```\nDone.", "select 2;"),
        ("```sql\nselect 1", "select 1"),
        ("```sql\n```", "```sql\n```"),
        ("  ", ""),
        (None, ""),
    ],
)
def test_the_sql_in_a_reply(said: str | None, sql: str) -> None:
    assert find_sql(reply(said)) == sql


def test_what_the_second_call_says_of_each_outcome() -> None:
    assert tell(SqlOutcome("rows")) == "It gave no rows."
    assert tell(SqlOutcome("rows", ['{"a":1}'], more=True)).endswith('{"a":1}\n(There are more rows.)')
    assert "2 rows are too large" in tell(SqlOutcome("rows", withheld=2))
    assert (
        tell(SqlOutcome("timeout", message="not done within 60 s")) == "It was stopped: not done within 60 s."
    )
    assert tell(SqlOutcome("invalid", kind="column", message="no a")) == "It failed (column): no a"
    long = tell(SqlOutcome("rows", ["x" * (SHOWN + 5)]))
    assert len(long) < SHOWN + 100
    assert "5 more characters" in long


def test_two_calls_and_the_sql_between_them(prepared: tuple[Settings, Any, QuestionView]) -> None:
    settings, version, asked = prepared
    with connect(settings, Role.WORKER) as connection:
        next_step = find_solver("text_to_sql").open(
            connection, RunView(version.id, "gsqa", 7, "m", {"temperature": 0.0})
        )
    first = next_step(asked, [])
    assert "Which restaurant?" in content(first)
    for view in (
        "pois (osm_type text",
        "parks (",
        "lakes (",
        "roads (",
        "regions (",
        "geog geography(Point,4326)",
    ):
        assert view in content(first)
    assert isinstance(first, Call)
    assert (first.body["model"], first.body["temperature"], first.body["seed"]) == ("m", 0.0, 9)
    results = [CallResult(reply("```sql\nselect name from pois\n```"))]
    second = next_step(asked, results)
    assert isinstance(second, Call)
    assert second.kind == SQL
    assert second.body["tool"] == "sql"
    assert second.body["sql"] == "select name from pois"
    assert second.body["schema"].startswith("reference_")
    assert second.body["relations"] == ["lakes", "parks", "pois", "regions", "roads"]
    results.append(CallResult(SqlOutcome("rows", ['{"name":"Adler"}'])))
    third = next_step(asked, results)
    for part in ("Which restaurant?", "select name from pois", '{"name":"Adler"}', "Answer with the name"):
        assert part in content(third)
    end = next_step(asked, [*results, CallResult(reply("Adler"))])
    assert end == Answer(
        "answered", "Adler", {"finish_reason": "stop", "sql": {"state": "rows", "valid": True, "kind": None}}
    )
    silent = next_step(asked, [*results, CallResult(reply("I do not know"))])
    assert isinstance(silent, Answer)
    assert silent.state == "no_answer"
    assert next_step(asked, results) == third


def test_prompts_say_which_values_there_are_and_old_runs_keep_theirs(
    prepared: tuple[Settings, Any, QuestionView],
) -> None:
    settings, version, asked = prepared
    prompts = {}
    with connect(settings, Role.WORKER) as connection:
        for made_with in (None, 1, 2):
            view = RunView(version.id, "gsqa", 7, "m", solver_version=made_with)
            prompts[made_with] = content(find_solver("text_to_sql").open(connection, view)(asked, []))
    assert prompts[None] == prompts[2]
    assert "pois.cuisine: pizza" in prompts[2]
    assert "roads.subcategory: " in prompts[2]
    start, _, told = prompts[2].partition("Values that columns of this map hold:")
    assert prompts[1] == start + told[told.index("The database is PostgreSQL") :]


def test_a_map_without_views_is_an_error_of_ours(database: Settings) -> None:
    version = make_version(database, mixed_dataset())
    with connect(database, Role.WORKER) as connection:
        with pytest.raises(ProofError, match="no reference views"):
            find_solver("text_to_sql").open(connection, RunView(version.id, "gsqa", 7, "m"))
        for name in ("text_to_sql", "rag"):
            with pytest.raises(SettingsError, match="needs an endpoint"):
                find_solver(name).open(connection, RunView(version.id, "gsqa", 7))


def test_rag_shows_ten_rows_and_never_gold(prepared: tuple[Settings, Any, QuestionView]) -> None:
    settings, version, asked = prepared
    with connect(settings, Role.WORKER) as connection:
        next_step = find_solver("rag").open(connection, RunView(version.id, "gsqa", 7, "m"))
    call = next_step(asked, [])
    rows = [line for line in content(call).splitlines() if line.startswith("- ")]
    assert 1 <= len(rows) <= 10
    assert all("restaurant" in row.casefold() for row in rows)
    assert "Which restaurant?" in content(call)
    assert next_step(asked, []) == call
    assert next_step(asked, [CallResult(reply("Adler"))]) == Answer(
        "answered", "Adler", {"finish_reason": "stop"}
    )


def test_the_published_prompt_has_the_published_rules() -> None:
    asked = QuestionView("q", "T5", [{"type": "text", "text": "Which?"}], None, "count")
    published = prompt_text(asked, "published")
    assert published.startswith("Which?\n\n")
    for rule in ("nothing else", "metric units", "in words", "nearest ten"):
        assert rule in published
    assert "nearest ten" not in prompt_text(asked)


def test_the_prompt_for_sql_holds_nothing_but_question_and_views() -> None:
    asked = QuestionView("q", "T5", [{"type": "text", "text": "Which {place}?"}], None, "name")
    prompt = sql_prompt(asked, Views("reference_1", ("pois",), "pois (name text)"))
    assert prompt.startswith("Which {place}?\n\n")
    assert "pois (name text)" in prompt
    assert "reference_1" not in prompt
