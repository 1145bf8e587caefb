"""`judge`: marks the answers of a finished run by rubrics; each verdict is a prediction of a run of its own.

A reply that is not a verdict is asked for once more; a second one is an error of ours, never a mark.
The part `judge` of a question's default gold says how it is judged: {rubric, reference, facts}. All of it goes to the
judge's endpoint.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.core.errors import Conflict, NotFound, UsageError
from app.core.identity import digest
from app.inference.completions import read_completion
from app.inference.outcomes import Reply
from app.solvers import queries_judge
from app.solvers.base import Answer, NextStep, QuestionView, RunView, Unusable, letter, solver
from app.solvers.calls import CHAT, Call, CallResult
from app.solvers.judging.asking import PROMPT_VERSION, Case, Manner, second_body, verdict_body
from app.solvers.judging.reading import Unreadable, read_verdict
from app.solvers.judging.rubrics import Rubric, find_rubric, rubrics, rubrics_hash
from app.solvers.names import JUDGE
from app.solvers.run_kinds import JUDGEMENT

TRIES = 2
"""Replies that a judge may give for one response."""
Key = tuple[str, int, int]
"""(question id, rotation, repeat): what a verdict and the answer that it is of have in common."""


class Marking(NamedTuple):
    """By what a question's responses are marked."""

    rubric: Rubric
    reference: str
    facts: Mapping[str, Any]


class Earlier(NamedTuple):
    """A reply that was paid for by another run."""

    step: int
    content: str


def judging(judged_run: int, *, schema: bool) -> dict[str, Any]:
    """What the presentation of a judge's run says: whose answers it marks, by which rubrics, asked how."""
    told = {"run": judged_run, "rubrics": rubrics_hash(), "prompt": PROMPT_VERSION, "schema": schema}
    return {"judging": told}


def find_judged(connection: Connection, run_id: int) -> Row[Any]:
    """The run whose answers can be judged. Raises NotFound, Conflict where it is not complete, UsageError."""
    run = connection.execute(queries_judge.RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    if run.kind == JUDGEMENT:
        raise UsageError(
            f"Run {run_id} is a judge's: judge run {run.presentation['judging']['run']} instead."
        )
    if run.status != "complete":
        raise Conflict(f"Run {run_id} is {run.status}: its answers are judged when it is complete.")
    pictured = connection.execute(
        queries_judge.QUESTIONS_WITH_PICTURES, {"version_id": run.version_id}
    ).scalar_one()
    if pictured:
        raise UsageError(
            f"Run {run_id} cannot be judged: {pictured} of its questions show pictures, and a judge is sent text alone."
        )
    counted = connection.execute(queries_judge.QUESTIONS_BY_RUBRIC, {"version_id": run.version_id}).all()
    without = sum(row.n for row in counted if row.rubric not in rubrics())
    if without:
        unknown = sorted(str(row.rubric) for row in counted if row.rubric and row.rubric not in rubrics())
        raise UsageError(
            f"{without} questions of run {run_id} name no known rubric"
            + (f" (they name {', '.join(unknown)})" if unknown else "")
            + f", so they cannot be judged. Known rubrics: {', '.join(rubrics())}."
        )
    return run


def _refuse(connection: Connection, version_id: int) -> None:
    raise UsageError("The solver judge marks a run's answers: `trigpoint run judge RUN --endpoint URL`.")


@solver(JUDGE, version=1, calls=(CHAT,), reads=("gold",), check=_refuse, makes=JUDGEMENT)
def open_judge(connection: Connection, run: RunView) -> NextStep:
    """Loads the answers of the judged run, their rubrics and facts, and replies that are there already."""
    this = connection.execute(queries_judge.RUN, {"run_id": run.run_id}).one()
    told = this.presentation["judging"]
    if told["rubrics"] != rubrics_hash() or told["prompt"] != PROMPT_VERSION:
        raise Conflict(
            "rubrics or prompt have changed since the run was made; `trigpoint run judge` makes another"
        )
    marking = _markings(connection, run.version_id)
    answers = {
        (row.question_id, row.rotation, row.repeat): row
        for row in connection.execute(queries_judge.ANSWERS, {"run_id": told["run"]})
    }
    earlier = _earlier(connection, this.id)
    manner = Manner(run.model or "", run.sampling, run.seed, told["schema"])

    def next_step(question: QuestionView, results: Sequence[CallResult]) -> Call | Answer:
        judged = answers.get((question.id, question.rotation, question.repeat))
        if judged is None or judged.state == "error":
            raise Unusable("the judged run has no answer here: `trigpoint run retry` it, then judge again")
        if judged.state == "no_answer":
            return Answer("no_answer", None)
        of_question = marking[question.id]
        case = Case(
            of_question.rubric, _shown(question), of_question.reference, of_question.facts, judged.answer
        )
        return _next(case, manner, [result.expect(Reply) for result in results], earlier)

    return next_step


def _next(
    case: Case, manner: Manner, replies: Sequence[Reply], earlier: Mapping[str, Earlier]
) -> Call | Answer:
    """The call for a verdict, the call for another, or the verdict. Raises Unusable where the second is none."""
    faults = []
    for tries, reply in enumerate(replies, start=1):
        read = read_verdict(reply.content, case.rubric)
        if not isinstance(read, Unreadable):
            return Answer("answered", reply.content, {"tries": tries, "finish_reason": reply.finish_reason})
        faults.append(read)
    if len(replies) >= TRIES:
        raise Unusable(f"the judge gave no verdict in {TRIES} replies: {faults[-1].reason}")
    if replies:
        return Call(CHAT, second_body(case, manner, replies[-1].content, faults[-1]))
    body = verdict_body(case, manner)
    found = earlier.get(digest(body))
    if found and not isinstance(read_verdict(found.content, case.rubric), Unreadable):
        return Answer("answered", found.content, {"tries": 0, "reused_step": found.step})
    return Call(CHAT, body)


def _markings(connection: Connection, version_id: int) -> dict[str, Marking]:
    rows = connection.execute(queries_judge.MARKINGS, {"version_id": version_id})
    return {row.id: Marking(find_rubric(row.rubric), row.reference or "", row.facts or {}) for row in rows}


def _earlier(connection: Connection, run_id: int) -> dict[str, Earlier]:
    found = {}
    for row in connection.execute(queries_judge.EARLIER_REPLIES, {"run_id": run_id}):
        reply = read_completion(row.response)
        if reply is not None and reply.content:
            found[row.request_hash] = Earlier(row.id, reply.content)
    return found


def _shown(asked: QuestionView) -> str:
    """The question as the model saw it, with its options."""
    lettered = [f"{letter(place)}) {option}" for place, option in enumerate(asked.options or ())]
    return "\n".join([asked.text(), *lettered])
