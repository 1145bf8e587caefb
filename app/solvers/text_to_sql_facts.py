"""`text_to_sql_facts`: as `text_to_sql`, with a look-up of facts beside the SQL, in turns that the model chooses.

GS-QA's paper calls this the more complete baseline (section 4.2): its own text-to-SQL has no way to what is not in the
tables. Each turn is SQL over the views or a look-up by place and attribute; then one call asks for the answer.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from app.core.errors import SettingsError, UsageError
from app.facts.attributes import ATTRIBUTES
from app.inference.outcomes import Reply
from app.map_tools.fact_lookup import LONGEST, MOST_ASKED, FactsOutcome, Wanted
from app.map_tools.sql_running import SqlOutcome
from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import CHAT, FACTS, SQL, Call, CallResult, facts_call, sql_call
from app.solvers.direct import chat_call, guide_of, prompt_text, read_reply
from app.solvers.queries import FACTS_OF_SNAPSHOTS
from app.solvers.several_maps import refuse_several_maps
from app.solvers.text_to_sql import Told, find_sql, load_told, sql_prompt, tell

TURNS = 5
"""Look-ups of both kinds together."""
_ASKS = re.compile(r"^[ \t>*-]*FACT:[ \t]*([^|\n]+)\|[ \t]*([^|\n]+?)[ \t]*$", re.MULTILINE)
_SELECT = re.compile(r"\A\s*(?:select|with)\b", re.IGNORECASE)
_FACTS = f"""Facts about places are not in the views. Instead of SQL you may ask for facts, a line each and at most
{MOST_ASKED} lines:

FACT: name of the place | attribute

The attributes are: {", ".join(f"{one.name} ({one.words})" for one in ATTRIBUTES.values())}.
You may look things up {TURNS} times, by SQL or by such lines. When you know enough, write: DONE"""


@dataclass(frozen=True)
class LookedUp:
    """One turn: the SQL or the facts that the model asked for, and what came of it."""

    asked: str | list[Wanted]
    outcome: SqlOutcome | FactsOutcome

    def as_text(self) -> str:
        """What later calls say of it."""
        if isinstance(self.asked, str):
            assert isinstance(self.outcome, SqlOutcome)
            return f"This SQL was run over the map:\n\n{self.asked}\n\n{tell(self.outcome)}"
        assert isinstance(self.outcome, FactsOutcome)
        lines = [_tell_fact(number, one, self.outcome) for number, one in enumerate(self.asked)]
        more = ["(More was found.)"] if self.outcome.more else []
        return "\n".join(["These facts were looked up:", *lines, *more])


def _tell_fact(number: int, asked: Wanted, outcome: FactsOutcome) -> str:
    found = [one for one in outcome.found if one["number"] == number]
    said = "; ".join(f"{one['value']} ({one['place']}, as given by {one['credit']})" for one in found)
    return f"- {asked.place} | {asked.attribute}: {said or 'nothing is known'}"


def read_wish(reply: Reply) -> str | list[Wanted] | None:
    """The SQL or the facts that a reply asks for; None where it asks for nothing. Pure."""
    content = reply.content or ""
    facts = [
        Wanted(place.strip()[:LONGEST], told.strip()[:LONGEST]) for place, told in _ASKS.findall(content)
    ]
    if facts:
        return facts[:MOST_ASKED]
    sql = find_sql(reply)
    return sql if "```" in content or _SELECT.match(sql) else None


def _turn_prompt(asked: QuestionView, told: Told, turns: Sequence[LookedUp]) -> str:
    """The call that asks for a further look-up."""
    parts = [sql_prompt(asked, told.views, told.values), _FACTS]
    if turns:
        left = TURNS - len(turns)
        parts += [*(turn.as_text() for turn in turns), f"You may look things up {left} more times."]
    return "\n\n".join(parts)


def _answer_prompt(asked: QuestionView, run: RunView, turns: Sequence[LookedUp]) -> str:
    """The last call: what was looked up, and the question."""
    looked_up = "\n\n".join(turn.as_text() for turn in turns) or "Nothing was looked up."
    question = f"The question was:\n\n{prompt_text(asked, run.prompt, run.benchmark)}"
    return f"To answer a question, this was looked up:\n\n{looked_up}\n\n{question}"


def _read_answer(run: RunView, asked: QuestionView, reply: Reply, turns: Sequence[LookedUp]) -> Answer:
    """The answer in the last reply, with how the last SQL went and how often facts were asked for."""
    answer = read_reply(reply, guide_of(run, asked))
    outcomes = [turn.outcome for turn in turns if isinstance(turn.outcome, SqlOutcome)]
    detail = dict(answer.detail) | {"fact_calls": len(turns) - len(outcomes)}
    if outcomes:
        last = outcomes[-1]
        detail["sql"] = {"state": last.state, "valid": last.is_valid, "kind": last.kind}
    return Answer(answer.state, answer.text, detail)


def _refuse_without_facts(connection: Connection, version_id: int) -> None:
    """Raise UsageError where the version stands on several maps, or none of its maps has facts."""
    refuse_several_maps(connection, version_id)
    rows = connection.execute(FACTS_OF_SNAPSHOTS, {"version_id": version_id}).all()
    if not any(row.facts for row in rows):
        raise UsageError(
            "This version was made without facts, so there are none to look up. Use --solver text_to_sql."
        )


@solver(
    "text_to_sql_facts",
    version=1,
    calls=(CHAT, SQL, FACTS),
    reads=("snapshot", "facts"),
    check=_refuse_without_facts,
    most_steps=2 * TURNS + 2,
)
def open_text_to_sql_facts(connection: Connection, run: RunView) -> NextStep:
    """Loads of each question's map what `text_to_sql` tells of it."""
    if run.model is None:
        raise SettingsError("the solver text_to_sql_facts needs an endpoint")
    of_question = load_told(connection, run.version_id)

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        told, left = of_question[question.id], list(results)
        turns: list[LookedUp] = []
        while len(turns) < TURNS:
            if not left:
                return chat_call(run, question, _turn_prompt(question, told, turns), free=True)
            wish = read_wish(left.pop(0).expect(Reply))
            if wish is None:
                break
            if not left:
                return _look_up(run, question, told, wish)
            result = left.pop(0)
            outcome = result.expect(SqlOutcome) if isinstance(wish, str) else result.expect(FactsOutcome)
            turns.append(LookedUp(wish, outcome))
        if not left:
            return chat_call(run, question, _answer_prompt(question, run, turns))
        return _read_answer(run, question, left[0].expect(Reply), turns)

    return next_step


def _look_up(run: RunView, question: QuestionView, told: Told, wish: str | list[Wanted]) -> Call:
    if isinstance(wish, str):
        return sql_call(told.views.schema, told.views.names, wish)
    return facts_call(run.version_id, question.id, wish)
