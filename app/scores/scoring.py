"""Scores a run: reads stored predictions and gold, writes scores, board aggregates and expectations.

One transaction, which the caller commits. Safe to repeat: the same inputs give bit-equal rows.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row

import app.scores.scorers  # noqa: F401  (registers the scorers)
from app.core.errors import NotFound, ProofError
from app.core.identity import canonical_json
from app.core.log import get_logger
from app.scores import queries
from app.scores.aggregating import Aggregate, Marked, Part, aggregate
from app.scores.expectations import Judged, expectations
from app.scores.profiles import TRIGPOINT, Profile
from app.scores.published import answers as published
from app.scores.published.placing import Located, with_distance_errors
from app.scores.score import Score
from app.solvers.random import distributions

logger = get_logger(__name__)


def score_run(connection: Connection, run_id: int) -> None:
    """Score every answered prediction of the run and renew its aggregates, in one transaction, as the worker role.

    `no_answer` counts 0 without a score row; a scope with an error or a missing prediction gets no mean, only its
    counts. The version's expectations are computed with its first run and with every run of `random`.
    Raises NotFound for a run that there is not, ProofError for gold that a scorer cannot read.
    """
    run = connection.execute(queries.LOCK_RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows those there are.")
    profile = TRIGPOINT
    questions = read_questions(connection, run.version_id, profile)
    predictions = connection.execute(queries.PREDICTIONS, {"run_id": run_id}).all()
    scores = {
        row.id: judge(questions[row.question_id], row.answer or "")
        for row in predictions
        if row.state == "answered"
    }
    _write_scores(connection, run_id, profile.name, predictions, questions, scores)
    if run.benchmark == published.BENCHMARK:
        _score_as_published(connection, run, predictions, questions)
    aggregates = aggregate(
        [question.part for question in questions.values()],
        [_mark(row, scores) for row in predictions],
        answers_each=run.total // len(questions) if questions else 1,
    )
    _write_aggregates(connection, run, profile, aggregates)
    _renew_expectations(connection, run, profile, list(questions.values()))
    logger.info("run scored", run=run_id, predictions=len(predictions), scores=len(scores))


def read_questions(connection: Connection, version_id: int, profile: Profile) -> dict[str, Judged]:
    """The version's questions by id, in order, with their default gold and scorer; needs a role that sees gold.

    Raises ProofError for a question without gold, or of a kind that the profile has no scorer for.
    """
    questions = {}
    for row in connection.execute(queries.QUESTIONS, {"version_id": version_id}):
        if row.kind != "value":
            what = (
                "has no gold that this role may read"
                if row.kind is None
                else f"has gold of kind {row.kind!r}"
            )
            raise ProofError(
                f"Question {row.id} {what}; profile {profile.name} {profile.version} cannot score it."
            )
        scorer = profile.scorer(row.scorer)
        questions[row.id] = Judged(Part(row.id, row.template, scorer.graded), scorer, row.gold, row.options)
    return questions


def judge(question: Judged, answer: str) -> Score:
    """The score of one answer; raises ProofError naming the question whose gold its scorer cannot read."""
    try:
        return question.scorer.judge(answer, question.gold, question.options)
    except (KeyError, TypeError, ValueError) as error:
        raise ProofError(
            f"Question {question.part.question_id}: its gold does not fit the scorer {question.scorer.name!r}"
            f" version {question.scorer.version}: {error!r}."
        ) from error


def _score_as_published(
    connection: Connection, run: Row[Any], predictions: Sequence[Row[Any]], questions: Mapping[str, Judged]
) -> None:
    """Score rows beside ours, for comparison with the paper; of the kinds of questions that the paper has."""
    known = {
        name: question._replace(scorer=scorer)
        for name, question in questions.items()
        if (scorer := published.published_scorer(question.scorer.name)) is not None
    }
    answered = [row for row in predictions if row.state == "answered" and row.question_id in known]
    scores = {row.id: judge(known[row.question_id], row.answer or "") for row in answered}
    schemas = {
        row.id: row.schema_name
        for row in connection.execute(queries.LOCATION_SCHEMAS, {"version_id": run.version_id})
    }
    located = {
        row.id: Located(schemas[row.question_id], known[row.question_id].gold, scores[row.id])
        for row in answered
        if row.question_id in schemas
    }
    scores |= with_distance_errors(connection, located)
    _write_scores(connection, run.id, published.PROFILE, answered, known, scores)


def _mark(prediction: Row[Any], scores: Mapping[int, Score]) -> Marked:
    score = scores.get(prediction.id)
    if score is None:
        return Marked(prediction.question_id, prediction.state, 0.0)
    return Marked(prediction.question_id, score.outcome.value, score.value)


def _write_scores(
    connection: Connection,
    run_id: int,
    profile: str,
    predictions: Sequence[Row[Any]],
    questions: Mapping[str, Judged],
    scores: Mapping[int, Score],
) -> None:
    rows = []
    for prediction in predictions:
        score = scores.get(prediction.id)
        if score is not None:
            scorer = questions[prediction.question_id].scorer
            rows.append(
                {
                    "prediction_id": prediction.id,
                    "scorer": scorer.name,
                    "scorer_version": scorer.version,
                    "outcome": score.outcome.value,
                    "value": score.value,
                    "components": {name: part.as_json() for name, part in score.components.items()},
                    "parsed": dict(score.parsed),
                }
            )
    connection.execute(queries.DELETE_STALE_SCORES, {"run_id": run_id, "profile": profile})
    connection.execute(queries.UPSERT_SCORES, {"profile": profile, "rows": canonical_json(rows)})


def _write_aggregates(
    connection: Connection, run: Row[Any], profile: Profile, aggregates: Sequence[Aggregate]
) -> None:
    connection.execute(
        queries.UPSERT_AGGREGATES,
        {
            "run_id": run.id,
            "version_id": run.version_id,
            "profile": profile.name,
            "profile_version": profile.version,
            "rows": canonical_json([row._asdict() for row in aggregates]),
        },
    )


def _renew_expectations(
    connection: Connection, run: Row[Any], profile: Profile, questions: Sequence[Judged]
) -> None:
    key = {"version_id": run.version_id, "profile": profile.name, "profile_version": profile.version}
    if run.solver != "random" and connection.execute(queries.HAS_EXPECTATIONS, key).scalar_one():
        return
    found = expectations(questions, distributions(connection, run.version_id))
    rows = canonical_json([row._asdict() for row in found])
    connection.execute(queries.UPSERT_EXPECTATIONS, {**key, "rows": rows})
