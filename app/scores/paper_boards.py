"""What boards show of a run by the rules of its benchmark's paper: right answers, and the mean of each measure.

Hidden questions do not count: whatever was told of them by a second set of rules, beside the stepped sum by ours, would
tell more of each. What is told of public questions follows from gold that anybody may read.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row

from app.scores import queries_paper as queries
from app.scores.aggregating import ALL, Marked, Part, aggregate_scopes, scopes_of
from app.scores.as_published import PublishedGrounds
from app.scores.comparing import Scope, part_of, scopes_to_compare
from app.scores.grouping import Traits, groups_of
from app.scores.judging import judge
from app.scores.measuring import Measured, MeasuredAnswer, measure_scopes
from app.scores.paper_rules import paper_profile
from app.scores.placing import COMPONENT
from app.scores.profiles import Profile
from app.scores.shown import Shown

ATTEMPTED = "attempted"
"""The component that every answer has: 1 where the paper's rules found what was asked for, else 0."""
READ = ("correct", "wrong")
"""States of answers in which the paper's rules found what was asked for."""


@dataclass
class PaperBoards:
    """A version's public questions of the kinds that the paper has; `counted` are those that have a right answer."""

    published: PublishedGrounds
    public: Sequence[Traits]

    @cached_property
    def profile(self) -> Profile:
        """The paper's rules."""
        return paper_profile(self.published.rules)

    @cached_property
    def counted(self) -> list[Traits]:
        """The questions that boards count, in their order."""
        return [one for one in self.public if one.id in self.published.questions]

    @cached_property
    def scopes(self) -> dict[str, list[Part]]:
        """The questions that count in each scope; there is always a whole."""
        return _scopes_of(self.counted)

    @cached_property
    def compared(self) -> dict[str, Scope]:
        """What runs are compared over; places are those among all of `public`."""
        place = {one.id: number for number, one in enumerate(self.public)}
        places = np.array([place[one.id] for one in self.counted], dtype=np.int64)
        found = scopes_to_compare(self.counted, groups_of(self.counted))
        return {name: scope._replace(which=places[scope.which]) for name, scope in found.items()}

    def read(self, connection: Connection, run: Row[Any], owed: Mapping[str, int]) -> Shown:
        """What boards show of the run, from its stored scores; `owed` is how many answers it owes each question."""
        rows = connection.execute(queries.PAPER_MARKS, {"run_id": run.id, **self.profile.scorer_binds()})
        counted = [one for one in self.counted if one.id in owed]
        parts = [part_of(one) for one in counted]
        scopes = self.scopes if run.sample is None else _scopes_of(counted)
        marked = [(row, _mark(row)) for row in rows]
        known = {one.id for one in counted}
        told = [(row, mark) for row, mark in marked if row.question_id in known and row.state is not None]
        aggregates = aggregate_scopes(parts, scopes, [mark for _, mark in told], owed)
        scored = {one.scope: scopes[one.scope] for one in aggregates if one.score is not None}
        measured = measure_scopes(scored, (self._measured(row) for row, _ in told if row.state != "error"))
        return Shown(
            self.profile,
            aggregates,
            told,
            parts,
            [mark for _, mark in marked],
            components=measured,
        )

    def _measured(self, row: Row[Any]) -> MeasuredAnswer:
        stored = row.components
        components = (
            self._blank(row.question_id)
            if stored is None
            else {name: Measured(one["value"], one["attempted"]) for name, one in stored.items()}
        )
        attempted = Measured(float(row.state in READ), is_attempted=True)
        return MeasuredAnswer(row.question_id, {**components, ATTEMPTED: attempted})

    def _blank(self, question_id: str) -> Mapping[str, Measured]:
        """The components of a question that got no answer."""
        question = self.published.questions[question_id]
        score = judge(question, "")
        found = {name: Measured(part.value, is_attempted=False) for name, part in score.components.items()}
        if question_id in self.published.schemas:
            found[COMPONENT] = Measured(1.0, is_attempted=False)
        return found


def _scopes_of(traits: Sequence[Traits]) -> dict[str, list[Part]]:
    return {ALL: [], **scopes_of([part_of(one) for one in traits], groups_of(traits))}


def _mark(row: Row[Any]) -> Marked:
    """What became of a prediction; an answer that the paper's rules do not score is missing."""
    return Marked(row.question_id, row.state or "missing", float(row.state == "correct"))
