"""Replies of a model as graphs, and the graphs of an episode: as written, after the repair, of templates. Pure."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.geoflow.checking import Violation, violations_of
from app.geoflow.graphs import Graph, GraphFault, read_graph
from app.geoflow.grounding import ungrounded
from app.geoflow.salvaging import compose_from
from app.geoflow.templates import TemplateFault
from app.solvers.agents.actions import NoAction, find_object
from app.solvers.flows import describing

Source = Literal["model", "repair", "templates"]
UNREAD: Final = "unread"
"""What is counted, in place of a constraint, for a reply that is no graph at all."""


@dataclass(frozen=True)
class Draft:
    """A reply: the plan as JSON, the graph if it is one, and what is wrong with it."""

    plan: Any
    graph: Graph | None
    violations: Sequence[Violation] = ()
    fault: str | None = None
    source: Source = "model"

    @property
    def counts(self) -> dict[str, int]:
        """Violations by constraint."""
        if self.graph is None:
            return {UNREAD: 1}
        return dict(Counter(one.constraint for one in self.violations))

    @property
    def is_right(self) -> bool:
        """Whether the graph may be executed."""
        return self.graph is not None and not self.violations

    def told(self) -> str:
        """What is wrong, for the model."""
        if self.graph is None:
            return f"- It is no graph: {self.fault}"
        return describing.violations_in_lines(self.violations)


def read_draft(text: str, source: Source, *, checks: bool = True) -> Draft:
    """The graph in a reply, with its violations."""
    try:
        plan = find_object(text)
    except NoAction as error:
        return Draft(None, None, (), str(error), source)
    try:
        graph = read_graph(plan)
    except GraphFault as error:
        return Draft(plan, None, (), f"{error}.", source)
    return Draft(plan, graph, [*violations_of(graph), *ungrounded(graph)] if checks else (), None, source)


def kept_of(draft: Draft, mended: Draft) -> Draft:
    """Which of two replies counts: the mended one, unless it has no plan and the first one has."""
    return mended if mended.plan is not None or draft.plan is None else draft


def may_repair(draft: Draft, without: Sequence[str]) -> bool:
    """Whether the model is asked once more."""
    return not draft.is_right and "checks" not in without and "repair" not in without


def drafts_of(replies: Sequence[str], without: Sequence[str] = ()) -> list[Draft]:
    """The graphs of an episode whose model said so, one reply after the other; further replies are no graphs."""
    if not replies:
        return []
    drafts = [read_draft(replies[0], "model", checks="checks" not in without)]
    last = drafts[0]
    if may_repair(last, without):
        if len(replies) == 1:
            return drafts  # the episode goes on, or ended before the repair
        drafts.append(read_draft(replies[1], "repair"))
        last = kept_of(last, drafts[1])
    if not last.is_right and "templates" not in without:
        try:
            drafts.append(Draft(last.plan, compose_from(last.plan), source="templates"))
        except TemplateFault as fault:
            drafts.append(Draft(None, None, (), str(fault), "templates"))
    return drafts
