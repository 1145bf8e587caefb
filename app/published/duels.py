"""Two runs of one data set version: over all, by template and group, and question by question. As the api role.

Differences are those that were stored when the runs were scored; hidden questions count in them, and are never listed.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, Row

from app.core.errors import NotFound, UsageError
from app.leaderboard.board import ProfileName
from app.leaderboard.comparing import holm
from app.leaderboard.makeup import read_makeup
from app.leaderboard.models import NEW_TEMPLATES, STEP, NewTemplates
from app.leaderboard.pairwise import new_templates
from app.published import queries_duels as queries
from app.published.models import Licensed
from app.questions.prompts import prompt_as_text
from app.questions.versions import PublishedVersion
from app.scores.aggregating import ALL
from app.scores.new_templates import TWO_WAY
from app.scores.pairs import LEVEL, name_tests
from app.scores.paper_rules import find_profile_for
from app.scores.withholding import step_of_mean


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True)


class DuelRun(_Model):
    """One of the two; its score is null until it is complete and scored."""

    run: int
    name: str
    solver: str
    score: float | None
    step: float | None = STEP


class ScopeDifference(_Model):
    """The mean of the first run less that of the second over a scope, in shares of 1."""

    scope: str = Field(description="all, or KIND:NAME, such as template:T5")
    n: int
    first_score: float | None
    second_score: float | None
    difference: float
    step: float | None = Field(
        default=None,
        description="the scores and the difference count hidden questions, rounded to a step: its size, in shares of"
        " 1; null where they are exact",
    )
    low: float | None = Field(description="end of the 95 % interval; null if nothing can be tested")
    high: float | None
    p: float | None = Field(description="two-sided p, before the adjustment")
    adjusted_p: float | None = Field(
        description="p adjusted by Holm over the scopes of one kind; null if p is null"
    )
    tied: bool = Field(description="whether the adjusted p is above 0.05, or nothing can be tested")
    new_templates: NewTemplates | None = NEW_TEMPLATES


class Tally(_Model):
    """Public questions that both have answered, by whose answer is worth more."""

    first_better: int
    second_better: int
    alike: int


class DuelQuestion(_Model):
    """A public question on which the two differ; values are means over repeats and rotations."""

    id: str
    template: str
    text: str
    first_value: float
    second_value: float
    first_answer: str | None
    second_answer: str | None


class Duel(Licensed):
    """Two runs beside one another."""

    dataset: str
    version: int
    profile: str
    profile_version: int
    test: str = Field(description="the test on the templates of the benchmark")
    new_templates_test: str = Field(default=TWO_WAY, description="the test of `new_templates`")
    level: float = LEVEL
    first: DuelRun
    second: DuelRun
    scopes: list[ScopeDifference] = Field(description="null until both are complete and compared")
    public: Tally
    questions: list[DuelQuestion] = Field(description="the largest differences first, 60 at most")


def read_duel(
    connection: Connection,
    version: PublishedVersion,
    first: int,
    second: int,
    profile: ProfileName = "trigpoint",
) -> Duel:
    """Two runs of the version. Raises NotFound for one that it does not have, UsageError for one run twice."""
    if first == second:
        raise UsageError("Name two different runs.")
    binds: dict[str, Any] = {"version_id": version.id, "first": first, "second": second}
    rules = find_profile_for(version.benchmark, profile)
    binds |= rules.version_binds()
    whole = read_makeup(connection, version.id, rules).sizes[ALL]
    step = step_of_mean(whole.hidden, whole.n)
    found = {
        row.run: DuelRun(
            run=row.run,
            name=row.name,
            solver=row.solver,
            score=row.score,
            step=step if row.n == whole.n else None,
        )
        for row in connection.execute(queries.RUNS, binds)
    }
    for run in (first, second):
        if run not in found:
            raise NotFound(f"{version.reference} has no run {run}.")
    asked = {**binds, **rules.scorer_binds(), "most": queries.MOST_QUESTIONS}
    questions = connection.execute(queries.QUESTIONS, asked)
    rows = connection.execute(queries.SCOPES, binds).all()
    return Duel(
        dataset=version.name,
        version=version.number,
        profile=rules.name,
        profile_version=rules.version,
        test=name_tests(row.test for row in rows),
        first=found[first],
        second=found[second],
        scopes=_scopes(rows, step),
        public=Tally(**connection.execute(queries.TALLY, asked).one()._mapping),
        questions=[
            DuelQuestion(
                **{name: value for name, value in row._mapping.items() if name != "prompt"},
                text=prompt_as_text(row.prompt),
            )
            for row in questions
        ],
    )


def _scopes(rows: Sequence[Row[Any]], step: float | None) -> list[ScopeDifference]:
    """Every scope that both were compared over; a family of tests is all scopes of a kind."""
    families: dict[str, dict[str, float | None]] = {}
    for row in rows:
        families.setdefault(_kind(row.scope), {})[row.scope] = row.p
    adjusted = {scope: p for family in families.values() for scope, p in holm(family).items()}
    return [
        ScopeDifference(
            **row._mapping,
            new_templates=new_templates((row.new_low, row.new_high), row.new_p),
            step=step if row.scope == ALL else None,
            adjusted_p=None if row.p is None else adjusted[row.scope],
            tied=row.p is None or adjusted[row.scope] > LEVEL,
        )
        for row in rows
    ]


def _kind(scope: str) -> str:
    return ALL if scope == ALL else scope.partition(":")[0]
