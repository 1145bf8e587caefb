"""What scoring reads of a version, whichever run is scored: questions with their gold, and what boards tell apart.

A version's questions and gold never change, so what was read while a run was worked serves at its end. As the worker.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from sqlalchemy import Connection

from app.scores.comparing import Scope, scopes_to_compare
from app.scores.expectations import Judged
from app.scores.grouping import Traits, groups_of, read_traits
from app.scores.judging import read_questions
from app.scores.profiles import Profile


@dataclass
class Grounds:
    """A version's questions by id, in order, and their traits in the same order."""

    questions: dict[str, Judged]
    traits: Sequence[Traits]

    @cached_property
    def groups(self) -> dict[str, frozenset[str]]:
        """The scopes beside templates, with the ids that count in each."""
        return groups_of(self.traits)

    @cached_property
    def scopes(self) -> dict[str, Scope]:
        """What runs are compared over."""
        return scopes_to_compare(self.traits, self.groups)


def read_grounds(connection: Connection, version_id: int, profile: Profile) -> Grounds:
    """The grounds of a version. Raises ProofError as `read_questions` does."""
    return Grounds(read_questions(connection, version_id, profile), read_traits(connection, version_id))
