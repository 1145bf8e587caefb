"""From a model's replies to a graph that can be carried out: read, check, repair once, else templates."""

from collections import Counter
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from app.geoflow.checking import Violation, violations_of
from app.geoflow.graphs import Graph, GraphFault, read_graph
from app.geoflow.grounding import ungrounded
from app.geoflow.retrieving import Likeness, examples_for
from app.geoflow.salvaging import compose_from
from app.geoflow.templates import TemplateFault
from app.inference.outcomes import Reply
from app.questions.prompts import chat_content
from app.solvers.agents.actions import NoAction, find_object
from app.solvers.agents.desk import Episode
from app.solvers.agents.manners import Message
from app.solvers.agents.prompts import Prompts
from app.solvers.base import letter
from app.solvers.calls import Call, CallResult
from app.solvers.flows import describing

Source = Literal["model", "repair", "templates"]
UNREAD: Final = "unread"
"""What is counted, in place of a constraint, for a reply that is no graph at all."""


@dataclass
class Planned:
    """What the replies came to. `before` and `after` the repair: violations by constraint.

    `graph` is None where there is none that may be carried out.
    """

    graph: Graph | None = None
    source: Source | None = None
    before: dict[str, int] = field(default_factory=dict)
    after: dict[str, int] | None = None
    fallback: str | None = None
    """Why templates did not help, where they were tried."""


@dataclass(frozen=True)
class _Draft:
    """A reply: the plan as JSON, the graph if it is one, and what is wrong with it."""

    plan: Any
    graph: Graph | None
    violations: Sequence[Violation]
    fault: str | None = None

    @property
    def counts(self) -> dict[str, int]:
        if self.graph is None:
            return {UNREAD: 1}
        return dict(Counter(one.constraint for one in self.violations))

    @property
    def is_right(self) -> bool:
        return self.graph is not None and not self.violations

    def told(self) -> str:
        """What is wrong, for the model."""
        return (
            describing.violations_in_lines(self.violations)
            if self.graph
            else f"- It is no graph: {self.fault}"
        )


def plan_graph(episode: Episode) -> Generator[Call, CallResult, Planned]:
    """Ask for a graph, and once more where it breaks a constraint; else make one of templates."""
    without = episode.desk.terms.without or ()
    messages = _first_messages(episode, without)
    reply = yield from episode.ask(messages, with_tools=False)
    draft = _read(episode, reply, checks="checks" not in without)
    planned = Planned(before=draft.counts)
    source: Source = "model"
    if not draft.is_right and "checks" not in without and "repair" not in without:
        again = {"role": "user", "content": episode.told("repair", violations=draft.told())}
        messages += [{"role": "assistant", "content": reply.content or ""}, again]
        reply = yield from episode.ask(messages, with_tools=False)
        mended = _read(episode, reply, checks=True)
        planned.after, source = mended.counts, "repair"
        draft = mended if mended.plan is not None or draft.plan is None else draft
    if draft.is_right:
        planned.graph, planned.source = draft.graph, source
    elif "templates" not in without:
        try:
            planned.graph, planned.source = compose_from(draft.plan), "templates"
        except TemplateFault as fault:
            planned.fallback = str(fault)
    return planned


def instructions_for(prompts: Prompts, *, with_templates: bool = True, alike: Sequence[Likeness] = ()) -> str:
    """What a model is told before the question: the form of graphs, the ontology, and what may help."""
    return prompts.render(
        "plan",
        concepts=describing.concepts_in_lines(),
        roles=describing.roles_in_lines(),
        operators=describing.operators_in_lines(),
        templates=describing.templates_in_lines() if with_templates else "",
        examples=describing.examples_in_lines(alike),
    )


def _first_messages(episode: Episode, without: Sequence[str]) -> list[Message]:
    question = episode.question
    alike = [] if "retrieval" in without else examples_for(question.text())
    system = instructions_for(episode.desk.prompts, with_templates="templates" not in without, alike=alike)
    options = [f"{letter(place)}) {option}" for place, option in enumerate(question.options or ())]
    text = "\n\n".join([question.text(), *(["\n".join(options)] if options else [])])
    asked = chat_content(question.prompt, text, episode.desk.run.image_detail)
    return [{"role": "system", "content": system}, {"role": "user", "content": asked}]


def _read(episode: Episode, reply: Reply, *, checks: bool) -> _Draft:
    try:
        plan = find_object(reply.content or "")
    except NoAction as error:
        episode.meter.format_faults += 1
        return _Draft(None, None, (), str(error))
    try:
        graph = read_graph(plan)
    except GraphFault as error:
        return _Draft(plan, None, (), f"{error}.")
    return _Draft(plan, graph, [*violations_of(graph), *ungrounded(graph)] if checks else ())
