"""The page of GeoFlow's ontology, and the graphs of an episode of the solver `geoflow` as its page draws them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.dashboard.flow_drawing import Flow, draw_flow
from app.dashboard.rendering import STATIC, page, render
from app.geoflow.checking import CONSTRAINTS, Violation, violations_of
from app.geoflow.graphs import Graph
from app.geoflow.ontology import ontology
from app.geoflow.templates import templates
from app.published.episode_models import ShownEpisode
from app.solvers.flows.drafts import drafts_of

router = APIRouter(include_in_schema=False)
SOLVER = "geoflow"
SOURCES = {
    "model": "The graph as the model wrote it",
    "repair": "The graph after the repair",
    "templates": "The graph that templates made",
}


class DrawnDraft(NamedTuple):
    """A graph of an episode: what it is called, its picture, what is wrong with it, and why there is none."""

    title: str
    flow: Flow | None
    violations: Sequence[Violation]
    fault: str | None


@router.get("/geoflow", response_class=HTMLResponse)
def show_ontology() -> HTMLResponse:
    """The concepts, roles and operators of GeoFlow graphs, the constraints, and the templates."""
    known = ontology()
    groups: dict[str, list[str]] = {}
    for one in known.operators.values():
        groups.setdefault(one.group, []).append(one.name)
    drawn = {name: draw_flow(one.skeleton()) for name, one in templates().items()}
    return page(
        "geoflow.html",
        known=known,
        groups=groups,
        constraints=CONSTRAINTS,
        templates=templates(),
        drawn=drawn,
    )


def page_of_graph(graph: Graph, title: str) -> str:
    """A page that shows one graph and what is wrong with it; it needs no server."""
    violations = violations_of(graph)
    styles = (STATIC / "trigpoint.css").read_text(encoding="utf-8")
    return render(
        "flow.html", title=title, flow=draw_flow(graph, violations), violations=violations, styles=styles
    )


def draw_drafts(episode: ShownEpisode) -> list[DrawnDraft]:
    """The graphs of an episode: as written, after the repair, and of templates; none of other solvers."""
    if episode.solver != SOLVER:
        return []
    without = (episode.agent or {}).get("without") or ()
    return [
        DrawnDraft(
            SOURCES[one.source],
            None if one.graph is None else draw_flow(one.graph, one.violations),
            one.violations,
            one.fault,
        )
        for one in drafts_of([*_replies(episode)], without)
    ]


def _replies(episode: ShownEpisode) -> Iterator[str]:
    """What the model said until the first tool was called: plans, and perhaps the answer after them."""
    for step in episode.steps:
        if step.kind != "chat":
            return
        if step.state == "done":
            yield step.said or ""
