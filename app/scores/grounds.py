"""What scoring reads of a version, whichever run is scored: questions with their gold, and what boards tell apart.

A version's questions and gold never change, so what was read while a run was worked serves at its end. As the worker.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sqlalchemy import Connection, Row

from app.scores.aggregating import Part, scopes_of
from app.scores.as_published import PublishedGrounds, read_published_grounds
from app.scores.comparing import OtherRuns, Scope, scopes_to_compare
from app.scores.expectations import Judged
from app.scores.grouping import Traits, groups_of, read_traits
from app.scores.judging import read_questions
from app.scores.paper_boards import PaperBoards
from app.scores.paper_rules import find_rules, paper_profile
from app.scores.profiles import Profile


@dataclass
class Grounds:
    """A version's questions by id, in order, and their traits in the same order; `published` where rules were."""

    version_id: int
    questions: dict[str, Judged]
    traits: Sequence[Traits]
    published: PublishedGrounds | None = None
    others: OtherRuns = field(default_factory=OtherRuns)
    others_by_paper: OtherRuns = field(default_factory=OtherRuns)

    @cached_property
    def parts(self) -> dict[str, list[Part]]:
        """The questions that count in each scope."""
        return scopes_of([question.part for question in self.questions.values()], self.groups)

    @cached_property
    def public(self) -> list[Part]:
        """The questions whose single values may be told."""
        return [question.part for question in self.questions.values() if not question.part.hidden]

    @cached_property
    def paper(self) -> PaperBoards | None:
        """The public questions of the kinds that the paper has, with those without an answer; None without rules."""
        if self.published is None:
            return None
        profile = paper_profile(self.published.rules)
        told = [
            one
            for one in self.traits
            if profile.counts(self.questions[one.id].scorer.name, None, is_hidden=one.hidden)
        ]
        return PaperBoards(self.published, told)

    @cached_property
    def groups(self) -> dict[str, frozenset[str]]:
        """The scopes beside templates, with the ids that count in each."""
        return groups_of(self.traits)

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        """What runs are compared over."""
        return scopes_to_compare(self.traits, self.groups)


def read_grounds(connection: Connection, run: Row[Any], profile: Profile) -> Grounds:
    """The grounds of a run's version. Raises ProofError as `read_questions` does."""
    questions = read_questions(connection, run.version_id, profile)
    published = None
    if rules := find_rules(run.benchmark):
        published = read_published_grounds(connection, run.version_id, questions, rules)
    return Grounds(run.version_id, questions, read_traits(connection, run.version_id), published)
