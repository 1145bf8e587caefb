"""`rag`: shows the model the ten entries of the map that are nearest to the question, and asks once.

Nearest by words (BM25), or by the embeddings of an endpoint where the run names one (dense). Entries are reference rows
and pages of facts (app.map_tools.retrieving): no coordinates, never gold. Made of the snapshot once a run and worker:
the same snapshot and embeddings give the same prompts.
"""

from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection

from app.core.errors import NotFound, SettingsError
from app.inference.outcomes import Reply
from app.map_tools.embedding import DenseRetriever, load_vectors
from app.map_tools.retrieving import Retriever, load_pages, load_rows
from app.questions.prompts import prompt_as_text
from app.solvers.base import Answer, NextStep, QuestionView, RunView, solver
from app.solvers.calls import CHAT, Call, CallResult
from app.solvers.direct import chat_call, guide_of, prompt_text, read_reply
from app.solvers.queries import ENDPOINT, FACTS_OF_SNAPSHOTS, PROMPTS, SNAPSHOTS_OF_QUESTIONS
from app.solvers.several_maps import refuse_several_maps

TOP = 10
Find = Callable[[QuestionView], list[str]]


def rag_prompt(asked: QuestionView, run: RunView, found: Sequence[str]) -> str:
    """The entries that were found, best first, then the question as `direct` puts it."""
    told = "\n".join(f"- {row}" for row in found) or "(nothing was found)"
    entries = f"These entries of a map (name; class; address; facts) may help:\n\n{told}"
    return f"{entries}\n\n{prompt_text(asked, run.prompt, run.benchmark)}"


def texts_to_embed(connection: Connection, version_id: int) -> list[str]:
    """All that dense retrieval compares: the entries of a version's maps and the texts of its questions, each once."""
    entries = _entries(connection, version_id).values()
    questions = [
        prompt_as_text(row.prompt) for row in connection.execute(PROMPTS, {"version_id": version_id})
    ]
    return sorted({text for texts in (*entries, questions) for text in texts})


@solver("rag", version=2, calls=(CHAT,), reads=("snapshot",), check=refuse_several_maps)
def open_rag(connection: Connection, run: RunView) -> NextStep:
    """Indexes the entries of each snapshot of the version."""
    if run.model is None:
        raise SettingsError("the solver rag needs an endpoint")
    binds = {"version_id": run.version_id}
    of_question = {row.id: row.snapshot_id for row in connection.execute(SNAPSHOTS_OF_QUESTIONS, binds)}
    entries = _entries(connection, run.version_id)
    find = (
        _by_words(entries, of_question)
        if run.embeddings is None
        else _by_embeddings(connection, run, entries, of_question)
    )

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        if results:
            return read_reply(results[0].expect(Reply), guide_of(run, question))
        return chat_call(run, question, rag_prompt(question, run, find(question)))

    return next_step


def _entries(connection: Connection, version_id: int) -> dict[int, list[str]]:
    """By snapshot: what there is to retrieve."""
    binds = {"version_id": version_id}
    facts = {row.snapshot_id: row.facts for row in connection.execute(FACTS_OF_SNAPSHOTS, binds)}
    rows = connection.execute(SNAPSHOTS_OF_QUESTIONS, binds).all()
    found = {}
    for snapshot_id, schema in sorted({(row.snapshot_id, row.schema_name) for row in rows}):
        pages = load_pages(connection, schema, facts[snapshot_id]) if facts.get(snapshot_id) else []
        found[snapshot_id] = sorted({*load_rows(connection, schema), *pages})
    return found


def _by_words(entries: Mapping[int, Sequence[str]], of_question: Mapping[str, int]) -> Find:
    indexes = {snapshot_id: Retriever(texts) for snapshot_id, texts in entries.items()}
    return lambda asked: indexes[of_question[asked.id]].find(asked.text(), TOP)


def _by_embeddings(
    connection: Connection,
    run: RunView,
    entries: Mapping[int, Sequence[str]],
    of_question: Mapping[str, int],
) -> Find:
    """Reads vectors alone: `trigpoint evaluate` has asked for them before there was a run."""
    endpoint_id = connection.execute(ENDPOINT, {"name": run.embeddings}).scalar()
    if endpoint_id is None:
        raise NotFound(f"there is no endpoint {run.embeddings!r} for embeddings")
    indexes = {
        snapshot_id: DenseRetriever(texts, load_vectors(connection, endpoint_id, texts))
        for snapshot_id, texts in entries.items()
    }
    prompts = connection.execute(PROMPTS, {"version_id": run.version_id}).all()
    vectors = load_vectors(connection, endpoint_id, [prompt_as_text(row.prompt) for row in prompts])
    places = {row.id: place for place, row in enumerate(prompts)}
    return lambda asked: indexes[of_question[asked.id]].find(vectors[places[asked.id]], TOP)
