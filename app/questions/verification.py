"""What `verify` finds of a version: counts, and each way in which a question is not proved."""

from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True)
class Failure:
    """One way in which one question is not proved."""

    id: str
    template: str
    path: str
    expected: Any
    got: Any


@dataclass
class Verification:
    """What verify found; counts are of questions, those of distractors of wrong options."""

    questions: int = 0
    stored_sql: dict[str, int] = field(default_factory=lambda: {"agree": 0, "differ": 0})
    second_path: dict[str, int] = field(default_factory=lambda: {"agree": 0, "differ": 0})
    tool_plan: dict[str, int] = field(default_factory=lambda: {"agree": 0, "differ": 0})
    """Questions whose answer tools can find: whether the calls that are stored lead to gold."""
    no_plan: dict[str, int] = field(default_factory=dict)
    """Questions that tools cannot answer, or not in few calls: how many, by the reason that they give."""
    context: dict[str, int] = field(default_factory=lambda: {"agree": 0, "differ": 0})
    """Questions that print a context: whether the answer follows from it alone."""
    drawing: dict[str, int] = field(default_factory=lambda: {"agree": 0, "differ": 0})
    """Questions about a drawn map: whether the answer follows from what was drawn, and the picture comes out again."""
    evidence: dict[str, int] = field(default_factory=lambda: {"agree": 0, "differ": 0})
    readings: dict[str, int] = field(default_factory=lambda: {"agree": 0, "differ": 0})
    """Questions of versions that have registers: whether readings and text are as they are to be."""
    assumed_edge: int = 0
    """Questions that look beyond their objects on a map whose end is known by the box in its file's header alone: that
    the file holds all there is in the box is assumed, not proved."""
    distractors: dict[str, int] = field(default_factory=lambda: {"checked": 0, "not_wrong": 0})
    unproved: int = 0
    """Questions that others published: there is nothing by which they could be proved."""
    no_router: int = 0
    """Questions whose answer is computed with a router, of a map that has none here: nobody could look."""
    written: int = 0
    """Questions that people wrote by hand: the calls that are their evidence give the same results, and people agree on
    their answers; nothing computes these."""
    failures: list[Failure] = field(default_factory=list)

    @property
    def proved(self) -> bool:
        """Whether there was something to check, and all of it held."""
        return self.questions > 0 and not self.unproved and not self.no_router and not self.failures

    def as_json(self) -> dict[str, Any]:
        """As `verify --json` prints it."""
        return asdict(self)
