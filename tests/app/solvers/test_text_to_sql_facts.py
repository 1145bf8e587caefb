"""The turns of `text_to_sql_facts`: what is asked, of which results; what a reply asks for; where it ends."""

from typing import Any

import pytest

from app.core.errors import UsageError
from app.core.settings import Role, Settings
from app.db.engine import connect
from app.inference.outcomes import Reply
from app.map_tools.fact_lookup import MOST_ASKED, FactsOutcome, Wanted
from app.map_tools.sql_running import SqlOutcome
from app.map_tools.views import Views
from app.solvers import Answer, Call, CallResult, QuestionView, RunView, find_solver, text_to_sql_facts
from app.solvers.calls import CHAT, FACTS, SQL
from app.solvers.text_to_sql import Told
from app.solvers.text_to_sql_facts import TURNS, open_text_to_sql_facts, read_wish
from tests.support.factories import make_version, mixed_dataset

ASKED = QuestionView("q", "T8", [{"type": "text", "text": "Which inn is nearest?"}], None, "name")
RUN = RunView(3, "gsqa", 7, "m", {"temperature": 0.0})
FOUND = FactsOutcome([{"number": 0, "place": "Museum Alpha", "value": "1984", "credit": "OpenStreetMap"}])


def reply(content: str | None) -> Reply:
    return Reply(content, "stop", None, {})


def said(content: str) -> CallResult:
    return CallResult(reply(content))


def content(call: object) -> str:
    assert isinstance(call, Call)
    return str(call.body["messages"][0]["content"])


@pytest.fixture
def next_step(monkeypatch: pytest.MonkeyPatch) -> Any:
    told = {"q": Told(Views("reference_1", ("pois",), "pois (name text)"), "pois.cuisine: pizza")}
    monkeypatch.setattr(text_to_sql_facts, "load_told", lambda connection, version_id: told)
    return open_text_to_sql_facts(None, RUN)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "wish"),
    [
        ("FACT: Museum Alpha | start_year", [Wanted("Museum Alpha", "start_year")]),
        ("I ask:\n- FACT: n12 | architect \nFACT: B|beds", [Wanted("n12", "architect"), Wanted("B", "beds")]),
        ("```sql\nselect 1\n```", "select 1"),
        (" select name from pois", "select name from pois"),
        ("DONE", None),
        ("The answer is Adler.", None),
        ("", None),
        (None, None),
    ],
)
def test_what_a_reply_asks_for(text: str | None, wish: Any) -> None:
    assert read_wish(reply(text)) == wish


def test_a_reply_asks_for_a_bounded_number_of_facts() -> None:
    wish = read_wish(reply("\n".join(f"FACT: {'x' * 500} | beds" for _ in range(50))))
    assert isinstance(wish, list)
    assert (len(wish), len(wish[0].place)) == (MOST_ASKED, 200)


def test_facts_then_sql_then_the_answer(next_step: Any) -> None:
    first = next_step(ASKED, [])
    for part in (
        "Which inn is nearest?",
        "pois (name text)",
        "pois.cuisine: pizza",
        "FACT: name of the place |",
        "start_year",
    ):
        assert part in content(first)
    results = [said("FACT: Museum Alpha | start_year")]
    second = next_step(ASKED, results)
    assert second == Call(
        FACTS,
        {
            "tool": "facts",
            "version": 3,
            "question": "q",
            "asked": [{"place": "Museum Alpha", "attribute": "start_year"}],
        },
    )
    results.append(CallResult(FOUND))
    third = next_step(ASKED, results)
    assert "- Museum Alpha | start_year: 1984 (Museum Alpha, as given by OpenStreetMap)" in content(third)
    results.append(said("```sql\nselect 1\n```"))
    assert next_step(ASKED, results).kind == SQL
    results += [CallResult(SqlOutcome("rows", ['{"name":"Inn"}'])), said("DONE")]
    last = next_step(ASKED, results)
    assert last.kind == CHAT
    for part in ("1984", '{"name":"Inn"}', "Which inn is nearest?", "Answer with the name"):
        assert part in content(last)
    end = next_step(ASKED, [*results, said("Inn")])
    assert end == Answer(
        "answered",
        "Inn",
        {"finish_reason": "stop", "fact_calls": 1, "sql": {"state": "rows", "valid": True, "kind": None}},
    )
    assert next_step(ASKED, results) == last


def test_an_episode_has_so_many_turns_and_no_more(next_step: Any) -> None:
    results: list[CallResult] = []
    for _ in range(TURNS):
        results += [said("FACT: Museum Alpha | beds"), CallResult(FactsOutcome([]))]
    last = next_step(ASKED, results)
    assert content(last).count("nothing is known") == TURNS
    assert "The question was" in content(last)
    assert isinstance(next_step(ASKED, [*results, said("FACT: Museum Alpha | beds")]), Answer)


def test_a_version_without_facts_is_refused(database: Settings) -> None:
    version = make_version(database, mixed_dataset())
    check = find_solver("text_to_sql_facts").check
    assert check is not None
    with connect(database, Role.WORKER) as connection, pytest.raises(UsageError, match="without facts"):
        check(connection, version.id)
