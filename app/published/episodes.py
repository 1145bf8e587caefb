"""Episodes of a run on public questions, each with all its calls. Reads as the api role, which sees no others.

What may be told of a hidden question is decided here and in row-level security alone: it has no episode.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row

from app.core.errors import NotFound, UsageError
from app.core.strict_json import showable
from app.predictions.costs import Prices
from app.predictions.presentations import presentations
from app.predictions.runs import no_run
from app.published import queries_episodes as queries
from app.published.episode_models import EpisodeSums, ShownEpisode, ShownStep
from app.published.failures import kind_of, without_addresses
from app.published.replies import TakenApart, take_apart
from app.questions.prompts import prompt_as_text
from app.scores.profiles import default_profile
from app.solvers.run_kinds import JUDGEMENT

AT_ONCE = 500
"""Steps that are read from the database together."""


class _Key(NamedTuple):
    repeat: int
    rotation: int


class _Run(NamedTuple):
    row: Row[Any]
    prices: Prices | None

    def rotations(self, question: Row[Any]) -> dict[str, int]:
        """The rotation of each presentation of a question."""
        options = None if question.options is None else len(question.options)
        return {one.key: one.rotation for one in presentations(self.row.presentation, options)}


def read_episodes(connection: Connection, run_id: int, question: str | None = None) -> Iterator[ShownEpisode]:
    """The run's episodes on public questions, or those of one, in the order of questions, repeats and rotations.

    An episode that goes on is among them. Raises NotFound for a run that there is not, and for a judge's run, whose
    prompts hold other runs' answers.
    """
    run = _read_run(connection, run_id)
    binds = {"run_id": run_id, "question": question}
    answers: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(queries.PREDICTIONS, {**binds, **default_profile().scorer_binds()}):
        answers[row.question_id].append(row)
    streamed = connection.execution_options(yield_per=AT_ONCE).execute(queries.STEPS, binds)
    calls = groupby(streamed, key=lambda row: row.question_id)
    waiting = next(calls, None)
    for asked in connection.execute(queries.QUESTIONS, binds).all():
        steps: list[Row[Any]] = []
        if waiting is not None and waiting[0] == asked.id:
            steps = list(waiting[1])
            waiting = next(calls, None)
        yield from _episodes_of(run, asked, answers[asked.id], steps)


def read_episode(
    connection: Connection, run_id: int, question: str, repeat: int = 0, rotation: int = 0
) -> tuple[ShownEpisode, list[tuple[int, int]]]:
    """One episode, and the (repeat, rotation) of all episodes of its question. Raises NotFound.

    Of a hidden question it says no more than of one that was not asked.
    """
    found = {(one.repeat, one.rotation): one for one in read_episodes(connection, run_id, question)}
    if (repeat, rotation) not in found:
        which = f" with repeat {repeat} and rotation {rotation}" if found else ""
        raise NotFound(
            f"Run {run_id} has no episode on question {question[:60]!r}{which}. It was not in the run's"
            " sample, is not yet worked on, or is hidden: `run answers` lists what was asked."
        )
    return found[repeat, rotation], list(found)


def find_question(connection: Connection, run_id: int, beginning: str) -> str:
    """The id of the only public question of the run that begins so. Raises NotFound, UsageError for several."""
    run = _read_run(connection, run_id)
    found = (
        connection.execute(queries.FIND_QUESTION, {"run_id": run.row.id, "beginning": beginning})
        .scalars()
        .all()
    )
    if len(found) > 1:
        raise UsageError(
            f"Several questions of run {run_id} begin with {beginning[:60]!r}: write more of the id."
        )
    if not found:
        raise NotFound(f"Run {run_id} asks no public question whose id begins with {beginning[:60]!r}.")
    return str(found[0])


def for_anybody(episode: ShownEpisode) -> ShownEpisode:
    """The episode as it may be shown without a key: of what failed, the kind alone."""
    return _with_failures(episode, kind_of)


def for_keys(episode: ShownEpisode) -> ShownEpisode:
    """The episode as it may be told to who has a key: of what failed, no address."""
    return _with_failures(episode, without_addresses)


def _with_failures(episode: ShownEpisode, tell: Any) -> ShownEpisode:
    steps = [one.model_copy(update={"failure": one.failure and tell(one.failure)}) for one in episode.steps]
    return episode.model_copy(update={"steps": steps, "failure": episode.failure and tell(episode.failure)})


def _read_run(connection: Connection, run_id: int) -> _Run:
    row = connection.execute(queries.RUN, {"run_id": run_id}).one_or_none()
    if row is None:
        raise no_run(run_id)
    if row.kind == JUDGEMENT:
        raise NotFound(
            f"Run {run_id} is a judge's: its calls hold the answers of another run, and are not shown."
        )
    return _Run(row, Prices.of(row.prices))


def _episodes_of(
    run: _Run, question: Row[Any], answers: Sequence[Row[Any]], steps: Sequence[Row[Any]]
) -> Iterator[ShownEpisode]:
    rotations = run.rotations(question)
    ends = {_Key(row.repeat, row.rotation): row for row in answers}
    calls: dict[_Key, list[Row[Any]]] = defaultdict(list)
    for row in steps:
        if row.presentation_key in rotations:
            calls[_Key(row.repeat, rotations[row.presentation_key])].append(row)
    for key in sorted({*ends, *calls}):
        yield _episode(run, question, key, ends.get(key), calls.get(key, []))


def _episode(
    run: _Run, question: Row[Any], key: _Key, end: Row[Any] | None, calls: Sequence[Row[Any]]
) -> ShownEpisode:
    steps = _steps(calls, run.prices)
    row, detail = run.row, {} if end is None else end.detail
    return ShownEpisode(
        run=row.id,
        dataset=row.dataset,
        label=row.label,
        solver=row.solver,
        solver_version=row.solver_version,
        model=row.model,
        agent=row.presentation.get("agent"),
        sampling=row.sampling,
        currency=run.prices and run.prices.currency,
        question=question.id,
        template=question.template,
        repeat=key.repeat,
        rotation=key.rotation,
        text=prompt_as_text(question.prompt),
        options=question.options,
        messages=next((one.messages for one in calls if one.messages), []),
        steps=steps,
        sums=_sums(steps, detail.get("agent") or {}),
        state=end and end.state,
        ended_by=detail.get("outcome"),
        answer=end and end.answer,
        failure=end and end.error,
        read=end and end.read,
        gold=question.gold,
        outcome=end and end.outcome,
        score=end and end.score,
        errors=[] if end is None else list(end.errors),
    )


def _steps(calls: Sequence[Row[Any]], prices: Prices | None) -> list[ShownStep]:
    seen: dict[str, int] = {}
    return [
        _step(row, prices, repeated=seen.setdefault(row.request_hash, row.ordinal) != row.ordinal)
        for row in calls
    ]


def _step(row: Row[Any], prices: Prices | None, *, repeated: bool) -> ShownStep:
    response = row.response if isinstance(row.response, dict) else {}
    reply = take_apart(response) if row.kind == "chat" else TakenApart()
    request = row.request or {}
    arguments = request.get("arguments") if row.kind == "tool" else row.request
    error = response.get("error") if row.kind == "tool" else None
    fault = error if isinstance(error, dict) else {}
    counted = row.prompt_tokens is not None or row.completion_tokens is not None
    cost = None
    if prices is not None and counted:
        cost = float(prices.amount(row.prompt_tokens or 0, row.completion_tokens or 0))
    return ShownStep(
        ordinal=row.ordinal,
        attempt=row.attempt,
        kind=row.kind,
        state=row.state,
        model=row.model,
        thought=reply.thought,
        said=reply.said,
        wanted=list(reply.wanted),
        tool=request.get("tool") or (row.kind if row.kind != "chat" else None),
        arguments=showable(arguments) if isinstance(arguments, dict) else None,
        snapshot=request.get("snapshot"),
        sentence=response.get("sentence") or fault.get("message"),
        result=response.get("result")
        if row.kind == "tool"
        else (None if row.kind == "chat" else row.response),
        withheld_bytes=response.get("withheld_bytes"),
        fault=fault.get("kind"),
        failure=row.error,
        repeated=repeated and row.kind == "tool",
        reused=row.reused,
        finish_reason=row.finish_reason,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        cost=cost,
        milliseconds=row.latency_ms,
        sent_at=row.sent_at,
    )


def _sums(steps: Sequence[ShownStep], counted: dict[str, Any]) -> EpisodeSums:
    done = [one for one in steps if one.state == "done"]
    kinds = Counter(one.kind for one in done)
    costs = [one.cost for one in done if one.cost is not None]
    return EpisodeSums(
        chat_calls=kinds["chat"],
        tool_calls=kinds["tool"],
        failed_calls=sum(one.fault is not None for one in done),
        repeated_calls=sum(one.repeated for one in done),
        format_faults=int(counted.get("format_faults", 0)),
        failed_tries=sum(one.state in ("failed", "lost") for one in steps),
        prompt_tokens=sum(one.prompt_tokens or 0 for one in done),
        completion_tokens=sum(one.completion_tokens or 0 for one in done),
        cost=sum(costs) if costs else None,
        milliseconds=sum(one.milliseconds or 0 for one in done),
    )
