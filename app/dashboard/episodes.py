"""The page of an episode: every call on the way to an answer, with a map; two runs side by side."""

from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse
from sqlalchemy import Connection

from app.api.parameters import QuestionId, RunId
from app.api.service import Service, ServiceOf
from app.core.errors import NotFound
from app.dashboard.episode_drawing import EpisodeMap, draw_episode
from app.dashboard.flows import DrawnDraft, draw_drafts
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.dashboard.shown import EPISODE, shown
from app.predictions.listing import read_run
from app.published.episodes import for_anybody, read_episode
from app.published.question_maps import Parts, read_map
from app.questions.versions import find_version
from app.scores.reasoning import Reasoning, check_reasoning

router = APIRouter(include_in_schema=False)
NOTHING = Parts(roles={}, letters={}, points=[], layers={})
"""Of a question's map, what lies around alone."""
Repeat = Annotated[int, Query(ge=0, le=1_000_000)]
Rotation = Annotated[int, Query(ge=0, le=1_000)]


class Side(NamedTuple):
    """An episode as a page shows it, its map, the (repeat, rotation) of all of its question, its steps recomputed, and
    the graphs that the model wrote.
    """

    episode: dict[str, Any]
    drawn: EpisodeMap | None
    others: list[tuple[int, int]]
    reasoning: Reasoning | None
    graphs: list[DrawnDraft]


@router.get("/runs/{run}/questions/{question}", response_class=HTMLResponse)
def show_episode(
    service: ServiceOf,
    run: RunId,
    question: QuestionId,
    repeat: Repeat = 0,
    rotation: Rotation = 0,
    beside: Annotated[int | None, Query(ge=1, le=2**62)] = None,
) -> HTMLResponse:
    """An episode on a public question; with `beside` also that of another run. Hidden ones are not found."""
    with reading(service) as connection:
        runs = [run] if beside is None else list(dict.fromkeys((run, beside)))
        sides = [_side(connection, service, one, question, (repeat, rotation)) for one in runs]
    return page("episode.html", sides=sides, asked={"repeat": repeat, "rotation": rotation})


def _side(connection: Connection, service: Service, run: int, question: str, which: tuple[int, int]) -> Side:
    told = read_run(connection, run, service.clock.now())
    if told.status == "cancelled":
        raise NotFound(f"Run {run} is cancelled: its episodes are not shown.")
    found, others = read_episode(connection, run, question, *which)
    episode = for_anybody(found)
    version = find_version(connection, told.dataset)
    around = read_map(connection, version.id, question, NOTHING)
    reasoning = None
    if episode.answer is not None:
        reasoning = check_reasoning(version.benchmark, episode.template, episode.text, episode.answer)
    return Side(
        shown(episode, EPISODE), draw_episode(episode, around), others, reasoning, draw_drafts(episode)
    )
