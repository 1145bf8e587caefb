"""`rag`: shows the model the ten reference rows whose words are nearest to the question's, and asks once.

Lexical (BM25) over name, class and address; no coordinates, and never over gold. The index is made of the snapshot once
a run and worker: the same snapshot gives the same prompts.
"""

from collections.abc import Sequence

from sqlalchemy import Connection

from app.core.errors import SettingsError
from app.inference.chat import Reply
from app.map_tools.retrieving import Retriever, load_rows
from app.solvers.base import Answer, Asked, ChatCall, Mover, RunView, solver
from app.solvers.direct import chat_call, prompt_text, read_reply
from app.solvers.queries import SNAPSHOTS_OF_QUESTIONS

TOP = 10


def rag_prompt(asked: Asked, run: RunView, found: Sequence[str]) -> str:
    """The rows that were found, best first, then the question as `direct` puts it."""
    told = "\n".join(f"- {row}" for row in found) or "(nothing was found)"
    return f"These entries of a map (name; class; address) may help:\n\n{told}\n\n{prompt_text(asked, run.prompt)}"


@solver("rag", version=1, calls_endpoint=True, reads=("snapshot",))
def open_rag(connection: Connection, run: RunView) -> Mover:
    """Indexes the reference rows of each snapshot of the version."""
    if run.model is None:
        raise SettingsError("the solver rag needs an endpoint")
    rows = connection.execute(SNAPSHOTS_OF_QUESTIONS, {"version_id": run.version_id}).all()
    schemas = {row.snapshot_id: row.schema_name for row in rows}
    indexes = {one: Retriever(load_rows(connection, schema)) for one, schema in sorted(schemas.items())}
    of_question = {row.id: indexes[row.snapshot_id] for row in rows}

    def move(asked: Asked, replies: Sequence[Reply]) -> ChatCall | Answer:
        if replies:
            return read_reply(replies[0])
        found = of_question[asked.id].find(asked.text(), TOP)
        return chat_call(run, asked, rag_prompt(asked, run, found))

    return move
