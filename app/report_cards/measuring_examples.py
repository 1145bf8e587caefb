"""The best and the worst templates of a card, each with one real public question. Read as the api role."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection

from app.published.gold_words import gold_values
from app.published.inspected import QuestionDetail
from app.published.inspecting import inspect
from app.questions.gold import UNANSWERABLE
from app.questions.versions import find_version
from app.report_cards import queries_measuring as queries
from app.report_cards.measuring_figures import Pool, split
from app.report_cards.measuring_runs import Asked, MeasuredRun
from app.report_cards.models import Example, Named, TemplateFigure
from app.scores.profiles import TRIGPOINT

MOST = 3
"""Templates that are shown as the best, and as the worst."""
LEAST_QUESTIONS = 2
"""A template of fewer questions is neither."""
LONGEST_ANSWER = 600
LONGEST_TEXT = 2_000
"""Signs of an answer and of a question that are shown."""
WORST_FIRST = ("wrong", "unparseable", "no_answer")


class _Choice(NamedTuple):
    kind: str
    figure: TemplateFigure
    run: MeasuredRun | None
    asked: Asked | None


def choose_examples(connection: Connection, pool: Pool, templates: Sequence[TemplateFigure]) -> list[Example]:
    """The best templates, then the worst.

    The best are those whose interval begins highest, the worst those whose interval ends lowest: so few questions that
    happen to be right make no best template.
    A template of which nothing was right is none of the best, and one of which all was right none of the worst.
    """
    scored = [one for one in templates if one.figure.score is not None and one.figure.n >= LEAST_QUESTIONS]
    half = min(MOST, len(scored) // 2)
    best = sorted(scored, key=lambda one: (-(one.figure.low or 0.0), one.benchmark, one.template))[:half]
    worst = sorted(scored, key=lambda one: (one.figure.high or 0.0, one.benchmark, one.template))[:half]
    best = [one for one in best if (one.figure.score or 0.0) > 0.0]
    worst = [one for one in worst if (one.figure.score or 0.0) < 1.0 and one not in best]
    by_template = split(pool, lambda _, one: (one.benchmark, one.template))
    choices = [
        _choose(kind, figure, by_template[figure.benchmark, figure.template], key)
        for kind, figures, key in (("best", best, _best), ("worst", worst, _worst))
        for figure in figures
    ]
    answers = _read_answers(connection, choices)
    return [_show(connection, one, answers) for one in choices]


def _choose(
    kind: str, figure: TemplateFigure, pool: Pool, fits: Callable[[MeasuredRun, Asked], float | None]
) -> _Choice:
    """The first of the questions that fit best."""
    ranked = [
        (fit, place, run, one)
        for place, (run, one) in enumerate((run, one) for run, questions in pool for one in questions)
        if (fit := fits(run, one)) is not None
    ]
    if not ranked:
        return _Choice(kind, figure, None, None)
    _, _, run, asked = min(ranked, key=lambda found: found[:2])
    return _Choice(kind, figure, run, asked)


def _best(run: MeasuredRun, asked: Asked) -> float | None:
    """The answer that is worth most; None of one that is worth nothing."""
    marks = run.marks[asked.key]
    return -marks[0].value if marks and marks[0].value > 0.0 else None


def _worst(run: MeasuredRun, asked: Asked) -> float | None:
    marks = run.marks[asked.key]
    return WORST_FIRST.index(marks[0].state) if marks and marks[0].state in WORST_FIRST else None


def _read_answers(connection: Connection, choices: Sequence[_Choice]) -> dict[tuple[int, str], Any]:
    """The first answer to each question that was chosen."""
    keys = [(one.run.about.id, one.asked.id) for one in choices if one.run and one.asked]
    binds = {"runs": [run for run, _ in keys], "questions": [question for _, question in keys]}
    rows = connection.execute(queries.ANSWER, {**binds, **TRIGPOINT.scorer_binds()})
    return {(row.run_id, row.question_id): row for row in rows}


def _show(connection: Connection, choice: _Choice, answers: dict[tuple[int, str], Any]) -> Example:
    known: dict[str, Any] = {"kind": choice.kind, "template": choice.figure}
    if choice.run is None or choice.asked is None:
        nothing: dict[str, Any] = dict.fromkeys(
            ("question", "text", "context", "options", "answer", "outcome", "map")
        )
        return Example(**known, **nothing, dataset="", gold=[])
    reference = choice.run.about.reference
    detail = inspect(connection, find_version(connection, reference), choice.asked.id)
    answer = answers.get((choice.run.about.id, choice.asked.id))
    parts = detail.question.parts or []
    text = _joined(part["text"] for part in parts if part.get("type") == "text")
    context = _joined(f"{part['title']}\n{part['text']}" for part in parts if part.get("type") == "context")
    return Example(
        **known,
        dataset=reference,
        question=choice.asked.id,
        text=_shortened(text or detail.question.text, LONGEST_TEXT),
        context=_shortened(context, LONGEST_TEXT) if text and context else None,
        options=detail.question.options,
        pictures=sum(part.get("type") == "image" for part in parts),
        gold=_gold(detail),
        answer=None if answer is None or answer.answer is None else _shortened(answer.answer, LONGEST_ANSWER),
        outcome=None if answer is None else answer.outcome,
        worth=choice.run.marks[choice.asked.key][0].value,
        map=detail.map,
        binds={} if detail.proof is None else detail.proof.binds,
    )


def _gold(detail: QuestionDetail) -> list[Named]:
    if detail.question.gold_kind == UNANSWERABLE:
        return [Named(name="Answer", value="none: it is right to say that there is no answer")]
    values = gold_values(detail.question.gold or {}, detail.question.answer_type)
    option = [
        one for one in values if one[0] == "Option"
    ]  # what it was computed from would say the same again
    return [Named(name=name, value=value) for name, value in option or values]


def _joined(texts: Iterable[str]) -> str:
    return "\n\n".join(texts)


def _shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[:most] + " …"
