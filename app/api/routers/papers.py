"""GET /v1/papers/{paper}: the tables of a benchmark's paper, with runs beside the published rows."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response

from app.api.access import Reader
from app.api.caching import tagged_json
from app.api.parameters import Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.papers.models import PaperReport
from app.papers.reading import MOST_RUNS, read_paper

router = APIRouter(tags=["papers"])
RunNumber = Annotated[int, Query(ge=1, le=2**62)]


@router.get(
    "/papers/{paper}", response_model=PaperReport, responses=refusals(304, 400, 401, 403, 404, 409, 429)
)
def get_paper(
    request: Request,
    service: ServiceOf,
    _: Reader,
    paper: Annotated[Word, Path(description="the name of a paper", examples=["urban"])],
    run: Annotated[
        list[RunNumber],
        Query(max_length=MOST_RUNS, description="the number of a complete run; may be given several times"),
    ] = [],  # noqa: B006 (pydantic copies it)
) -> Response:
    """The tables of a benchmark's paper: published rows, and those of runs, of public questions alone."""
    with service.engine.connect() as connection:
        return tagged_json(request, read_paper(connection, paper, run), private=True)
