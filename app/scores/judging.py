"""What scoring under any profile shares: questions with their gold, the judging of one answer, the rows written."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row

from app.core.errors import NotFound, ProofError
from app.core.identity import canonical_json
from app.questions.gold import DEFAULT_KEY, UNANSWERABLE
from app.questions.rotations import own_place, place_shown, turned
from app.scores import queries
from app.scores.aggregating import Part
from app.scores.expectations import Judged
from app.scores.paper_rules import find_rules
from app.scores.profiles import Profile
from app.scores.registry import EpisodeStep
from app.scores.score import Score
from app.scores.unanswerable import scorer_of_unanswerable


def lock_run(connection: Connection, run_id: int) -> Row[Any]:
    """The run's id, version_id, solver, repeats, presentation, sample, status and benchmark, locked; raises NotFound.

    `public_only` tells whether it, or the run that it marks, counts its public questions alone.
    """
    run = connection.execute(queries.LOCK_RUN, {"run_id": run_id}).one_or_none()
    if run is None:
        raise NotFound(f"There is no run {run_id}; `trigpoint run list` shows all runs.")
    return run


def read_questions(connection: Connection, version_id: int, profile: Profile) -> dict[str, Judged]:
    """The version's questions by id, in order, with their gold and scorer; needs a role that sees gold.

    Gold is that under the profile's key, or the default where a question has none under it. Raises ProofError for a
    question without gold, NotFound for a scorer that there is not.
    """
    questions = {}
    for row in connection.execute(
        queries.QUESTIONS, {"version_id": version_id, "gold_key": profile.gold_key}
    ):
        if row.kind is None:
            raise ProofError(
                f"Question {row.id} has no gold that this role may read; profile {profile.name} {profile.version} "
                "cannot score it."
            )
        scorer, answerable = profile.scorer(row.scorer), row.kind != UNANSWERABLE
        questions[row.id] = Judged(
            Part(row.id, row.template, scorer.graded, row.hidden, row.place),
            scorer if answerable else scorer_of_unanswerable(scorer),
            _with_form(row),
            row.options,
            answerable,
        )
    return questions


def _with_form(question: Row[Any]) -> Mapping[str, Any]:
    """Gold of a question; where the paper of its benchmark numbers options, it says so to the scorer."""
    rules = find_rules(question.benchmark) if question.scorer == "option" else None
    if rules is None or not rules.numbers_options:
        gold: Mapping[str, Any] = question.gold
        return gold
    return {"reply": "numbered", **question.gold}


def judge(question: Judged, answer: str, rotation: int = 0, steps: Sequence[EpisodeStep] = ()) -> Score:
    """The score of one answer to the question as it was shown, its options turned by `rotation` places.

    `steps` are those of the answer's episode, for a scorer that asks for them (see `app.scores.episodes`).
    `parsed.index` of an option is its place in the question's own options, whatever letter it was shown with.
    Raises ProofError naming the question whose gold its scorer cannot read.
    """
    try:
        return _judge_shown(question, answer, rotation, steps)
    except (KeyError, TypeError, ValueError) as error:
        raise ProofError(
            f"Question {question.part.question_id}: its gold does not fit the scorer {question.scorer.name!r}"
            f" version {question.scorer.version}: {error!r}."
        ) from error


def _judge_shown(question: Judged, answer: str, rotation: int, steps: Sequence[EpisodeStep]) -> Score:
    scorer = question.scorer
    judge = scorer.judge if scorer.judge_episode is None else partial(scorer.judge_episode, steps)
    if not rotation or not question.options or "index" not in question.gold:
        return judge(answer, question.gold, question.options)
    count = len(question.options)
    score = judge(answer, _gold_shown(question.gold, rotation, count), turned(question.options, rotation))
    if score.parsed.get("index", -1) < 0:  # no option, or the one that stands for none
        return score
    return replace(score, parsed={**score.parsed, "index": own_place(score.parsed["index"], rotation, count)})


def _gold_shown(gold: Mapping[str, Any], rotation: int, count: int) -> Mapping[str, Any]:
    """Gold of a question whose options are turned; the place -1 is that of no option, and stays."""
    turned_gold = {**gold}
    if gold["index"] >= 0:
        turned_gold["index"] = place_shown(gold["index"], rotation, count)
    if "also" in gold:
        turned_gold["also"] = [place_shown(one, rotation, count) for one in gold["also"]]
    return turned_gold


def write_scores(
    connection: Connection,
    run_id: int,
    profile: str,
    predictions: Sequence[Row[Any]],
    questions: Mapping[str, Judged],
    scores: Mapping[int, Score],
    gold_key: str = DEFAULT_KEY,
) -> None:
    """Write the run's score rows under `profile`, by gold of `gold_key`.

    Rows of predictions that are not answered any more go away.
    """
    connection.execute(queries.DELETE_STALE_SCORES, {"run_id": run_id, "profile": profile})
    upsert_scores(connection, profile, predictions, questions, scores, gold_key)


def upsert_scores(
    connection: Connection,
    profile: str,
    predictions: Sequence[Row[Any]],
    questions: Mapping[str, Judged],
    scores: Mapping[int, Score],
    gold_key: str = DEFAULT_KEY,
) -> None:
    """Write the rows of those of the predictions that have a score."""
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
    connection.execute(
        queries.UPSERT_SCORES, {"profile": profile, "gold_key": gold_key, "rows": canonical_json(rows)}
    )
