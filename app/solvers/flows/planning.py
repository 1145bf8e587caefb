"""From a model's replies to a graph that can be carried out: read, check, repair once, else templates."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from app.geoflow.graphs import Graph
from app.geoflow.retrieving import Likeness, examples_for
from app.geoflow.salvaging import compose_from
from app.geoflow.templates import TemplateFault
from app.inference.outcomes import Reply
from app.questions.prompts import chat_content
from app.solvers.agents.desk import Episode
from app.solvers.agents.manners import Message
from app.solvers.agents.prompts import Prompts
from app.solvers.base import letter
from app.solvers.calls import Call, CallResult
from app.solvers.flows import describing
from app.solvers.flows.drafts import Draft, Source, kept_of, may_repair, read_draft


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


def plan_graph(episode: Episode) -> Generator[Call, CallResult, Planned]:
    """Ask for a graph, and once more where it breaks a constraint; else make one of templates."""
    without = episode.desk.terms.without or ()
    messages = _first_messages(episode, without)
    reply = yield from episode.ask(messages, with_tools=False)
    draft = _read(episode, reply, "model", checks="checks" not in without)
    planned = Planned(before=draft.counts)
    if may_repair(draft, without):
        again = {"role": "user", "content": episode.told("repair", violations=draft.told())}
        messages += [{"role": "assistant", "content": reply.content or ""}, again]
        reply = yield from episode.ask(messages, with_tools=False)
        mended = _read(episode, reply, "repair", checks=True)
        planned.after = mended.counts
        draft = kept_of(draft, mended)
    if draft.is_right:
        planned.graph, planned.source = draft.graph, draft.source
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


def _read(episode: Episode, reply: Reply, source: Source, *, checks: bool) -> Draft:
    """The graph in a reply; a reply without any JSON counts as a fault of form."""
    draft = read_draft(reply.content or "", source, checks=checks)
    episode.meter.format_faults += draft.plan is None
    return draft
