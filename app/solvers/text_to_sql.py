"""`text_to_sql`: the model writes one SELECT over the reference views, sees what it gives, and answers.

Two calls of the endpoint a question, as GS-QA's baseline has them; between them the SQL runs as the role `reader`. SQL
that fails goes into the second call as its error. Reads the snapshot through that SQL alone.

Since version 2 the first call says which values the columns hold, as the paper's does.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.core.errors import ProofError, SettingsError
from app.db.naming import reference_schema
from app.inference.outcomes import Reply
from app.inference.probing import Guide
from app.map_tools.sql_running import ROWS, SECONDS, SqlOutcome
from app.map_tools.values import describe_values
from app.map_tools.views import Views, describe_views
from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import CHAT, SQL, Call, CallResult, sql_call
from app.solvers.direct import chat_call, guide_of, prompt_text, read_reply
from app.solvers.queries import SNAPSHOTS_OF_QUESTIONS
from app.solvers.several_maps import refuse_several_maps

SHOWN = 16_000
"""Characters of rows that the second call shows: a geometry may be long, and a model's memory is not."""
_FENCED = re.compile(r"```(?:\w+)?[ \t]*\n?(.*?)(?:```|\Z)", re.DOTALL)
FIRST_WITH_VALUES = 2
"""The version of the solver since which prompts say which values there are."""
_GUIDE = f"""The database is PostgreSQL with PostGIS and holds a map from OpenStreetMap in these views:

{{views}}

geom is EPSG:4326, longitude first; geog is the same as geography, so that ST_Distance, ST_DWithin, ST_Length and
ST_Area of it are in metres. subcategory is the class of a thing, such as restaurant, park, river, primary or village;
subcategories holds all classes of a poi. Write one SELECT that finds what the question asks for. It may take
{SECONDS:g} seconds and give {ROWS} rows. Answer with the SQL alone."""


_VALUES = """Values that columns of this map hold:

{values}

Where a column holds several values, semicolons separate them, such as 'pizza;italian'."""


def sql_prompt(asked: QuestionView, views: Views, values: str | None = None) -> str:
    """The first call: the question, the values of columns where they are told, and the views."""
    told = [_VALUES.format(values=values)] if values else []
    return "\n\n".join([asked.text(), *told, _GUIDE.format(views=views.description)])


def find_sql(reply: Reply) -> str:
    """The SQL in a reply: its last fenced block, else all of it. Pure."""
    text = reply.content or ""
    blocks = [block for block in _FENCED.findall(text) if block.strip()]
    return (blocks[-1] if blocks else text).strip()


def tell(outcome: SqlOutcome) -> str:
    """What the second call says of the SQL."""
    if outcome.state == "timeout":
        return f"It was stopped: {outcome.message}."
    if outcome.state != "rows":
        return f"It failed ({outcome.kind}): {outcome.message}"
    if not outcome.rows and not outcome.withheld:
        return "It gave no rows."
    shown = "\n".join(outcome.rows)
    notes = [f"… ({len(shown) - SHOWN} more characters)"] if len(shown) > SHOWN else []
    notes += [f"({outcome.withheld} rows are too large to be shown.)"] if outcome.withheld else []
    notes += ["(There are more rows.)"] if outcome.more else []
    return "\n".join(["It gave, a row a line:", shown[:SHOWN], *notes])


def answer_prompt(asked: QuestionView, run: RunView, sql: str, outcome: SqlOutcome) -> str:
    """The second call: the question, the SQL, what it gave, and the form of the answer."""
    looked_up = f"To answer it, this SQL was run over the map:\n\n{sql}\n\n{tell(outcome)}"
    return f"{looked_up}\n\nThe question was:\n\n{prompt_text(asked, run.prompt, run.benchmark)}"


def read_answer(reply: Reply, outcome: SqlOutcome, guide: Guide | None = None) -> Answer:
    """The answer in the second reply, with how the SQL went."""
    answer = read_reply(reply, guide)
    sql: dict[str, Any] = {"state": outcome.state, "valid": outcome.is_valid, "kind": outcome.kind}
    return Answer(answer.state, answer.text, answer.detail | {"sql": sql})


class Told(NamedTuple):
    """What prompts tell of a snapshot: its views, and the values that they hold, if at all."""

    views: Views
    values: str | None


def load_told(connection: Connection, version_id: int, *, with_values: bool = True) -> dict[str, Told]:
    """By question of a version: what prompts tell of its map. Raises ProofError for a map without reference views."""
    rows = connection.execute(SNAPSHOTS_OF_QUESTIONS, {"version_id": version_id}).all()
    told = {}
    for snapshot_id, schema in sorted({(row.snapshot_id, row.schema_name) for row in rows}):
        views = describe_views(connection, reference_schema(snapshot_id))
        if not views.names:
            raise ProofError(f"snapshot {snapshot_id} has no reference views: import its map again")
        told[snapshot_id] = Told(views, describe_values(connection, schema) if with_values else None)
    return {row.id: told[row.snapshot_id] for row in rows}


@solver("text_to_sql", version=2, calls=(CHAT, SQL), reads=("snapshot",), check=refuse_several_maps)
def open_text_to_sql(connection: Connection, run: RunView) -> NextStep:
    """Loads which snapshot each question is about, what its views are, and which values they hold."""
    if run.model is None:
        raise SettingsError("the solver text_to_sql needs an endpoint")
    is_told = run.solver_version is None or run.solver_version >= FIRST_WITH_VALUES
    of_question = load_told(connection, run.version_id, with_values=is_told)

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        about, values = of_question[question.id]
        if not results:
            return chat_call(run, question, sql_prompt(question, about, values), free=True)
        sql = find_sql(results[0].expect(Reply))
        if len(results) == 1:
            return sql_call(about.schema, about.names, sql)
        outcome = results[1].expect(SqlOutcome)
        if len(results) == 2:
            return chat_call(run, question, answer_prompt(question, run, sql, outcome))
        return read_answer(results[2].expect(Reply), outcome, guide_of(run, question))

    return next_step
