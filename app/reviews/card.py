"""What a review says of a data set, from aggregates alone, so that the API's role can read it: no names, no question.

Shares are of 1; null means that there is none.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.reviews import bounds, queries
from app.reviews.agreement import SOURCE as KAPPA_SOURCE
from app.reviews.agreement import agree


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class Reviewer(_Model):
    """One reviewer's marks; reviewers are numbered in the order of their first mark."""

    number: int
    natural: int
    ambiguous: int
    wrong: int


class PairAgreement(_Model):
    """How far two reviewers agree on the questions that both marked."""

    first: int
    second: int
    questions: int
    agreement: float = Field(description="share of equal marks")
    kappa: float | None = Field(description="Cohen's kappa; null if it is undefined")


class Faults(_Model):
    """A kind of fault, by any reviewer."""

    found: int = Field(description="number of sampled questions that a reviewer gave this mark")
    estimate: float = Field(
        description="share of the data set; the weight of a template is its number of questions"
    )
    upper: float = Field(
        description="one-sided 95 % bound; sampled questions that nobody marked count as faulty"
    )


class Review(_Model):
    """What reviewers said of a sample of the version's questions."""

    seed: int
    questions: int = Field(description="of the whole version")
    templates: int
    sampled: int
    marked: int = Field(description="by at least one reviewer")
    reviewers: list[Reviewer]
    agreement: list[PairAgreement]
    wrong: Faults
    ambiguous_or_wrong: Faults
    effective_sample: int = Field(
        description="the effective sample: the number of questions on which the bounds are based"
    )
    bound: str = bounds.METHOD
    bound_source: str = bounds.SOURCE
    kappa_source: str = KAPPA_SOURCE


def read_review(connection: Connection, version_id: int) -> Review | None:
    """The review of a version, or None where no mark was loaded."""
    key = {"version_id": version_id}
    templates = connection.exec_driver_sql(queries.TEMPLATES, key).all()
    if not templates:
        return None
    reviewers = [
        Reviewer(
            number=row.number,
            natural=row.natural_marks,
            ambiguous=row.ambiguous_marks,
            wrong=row.wrong_marks,
        )
        for row in connection.exec_driver_sql(queries.REVIEWERS, key)
    ]
    wrong, effective = _faults(templates, "wrong")
    either, _ = _faults(templates, "ambiguous_or_wrong")
    return Review(
        seed=templates[0].seed,
        questions=sum(row.questions for row in templates),
        templates=len(templates),
        sampled=sum(row.sampled for row in templates),
        marked=sum(row.marked for row in templates),
        reviewers=reviewers,
        agreement=_agreement(connection.exec_driver_sql(queries.PAIRS, key).all()),
        wrong=wrong,
        ambiguous_or_wrong=either,
        effective_sample=effective,
    )


def sentences(review: Review) -> list[str]:
    """The review for people: the terminal and the page show these."""
    who = f"{len(review.reviewers)} reviewer{'s' if len(review.reviewers) != 1 else ''}"
    unmarked = review.sampled - review.marked
    left = f"; {unmarked} not marked yet, which count as faulty in the bounds" if unmarked else ""
    said = [
        f"{review.sampled} of {review.questions} questions, {review.templates} templates evenly (seed {review.seed}), "
        f"reviewed by {who}{left}."
    ]
    for pair in review.agreement:
        kappa = "undefined" if pair.kappa is None else f"{pair.kappa:.2f}"
        said.append(
            f"Reviewers {pair.first} and {pair.second} agree on {_percent(pair.agreement)} % of {pair.questions} "
            f"questions; Cohen's kappa {kappa}."
        )
    for label, faults in (("Wrong", review.wrong), ("Ambiguous or wrong", review.ambiguous_or_wrong)):
        said.append(
            f"{label} by any reviewer: {faults.found} of {review.marked}; in the whole data set "
            f"{_percent(faults.estimate)} %, at most {_percent(faults.upper)} % ({review.bound}, "
            f"effective sample {review.effective_sample})."
        )
    return said


def _faults(templates: Sequence[Row[Any]], kind: str) -> tuple[Faults, int]:
    """Found and estimate over what was marked; the bound over the whole sample, the unmarked taken for faulty."""
    marked = [
        bounds.Stratum(row.questions, row.marked, getattr(row, kind)) for row in templates if row.marked
    ]
    whole = [
        bounds.Stratum(row.questions, row.sampled, getattr(row, kind) + row.sampled - row.marked)
        for row in templates
    ]
    bound = bounds.stratified_upper(whole)
    found = sum(getattr(row, kind) for row in templates)
    estimate = bounds.stratified_upper(marked).estimate
    return Faults(found=found, estimate=estimate, upper=bound.upper), bound.effective


def _agreement(rows: Sequence[Row[Any]]) -> list[PairAgreement]:
    pairs: dict[tuple[int, int], dict[tuple[str, str], int]] = defaultdict(dict)
    for row in rows:
        marks = (row.first_mark, row.second_mark)
        pairs[row.first_number, row.second_number][marks] = row.questions
    return [
        PairAgreement(
            first=first,
            second=second,
            questions=found.questions,
            agreement=found.share,
            kappa=found.kappa,
        )
        for (first, second), counts in pairs.items()
        for found in [agree(counts)]
    ]


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
