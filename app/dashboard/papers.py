"""The page of a paper's tables, with runs beside the published rows."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import HTMLResponse

from app.api.parameters import Word
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.papers import figures
from app.papers.models import PaperRun
from app.papers.reading import MOST_RUNS, read_paper

router = APIRouter(include_in_schema=False)
RunNumber = Annotated[int, Query(ge=1, le=2**62)]


@router.get("/papers/{paper}", response_class=HTMLResponse)
def show_paper(
    service: ServiceOf,
    paper: Word,
    run: Annotated[list[RunNumber], Query(max_length=MOST_RUNS)] = [],  # noqa: B006 (pydantic copies it)
) -> HTMLResponse:
    """Every table of the paper: published rows, and those of the runs that are named."""
    with reading(service) as connection:
        found = read_paper(connection, paper, run)
    return page(
        "paper.html",
        report=found.model_copy(update={"runs": [without_endpoint(one) for one in found.runs]}),
        figures=figures,
        numbers=[one.run for one in found.runs],
        attribution=found.attribution,
        licence_url=found.licence_url,
    )


def without_endpoint(run: PaperRun) -> PaperRun:
    """The run as anybody may see it: whom it asked, REST tells to keys alone."""
    return run.model_copy(update={"endpoint": None, "model": None})
