"""GET /v1/benchmarks and GET /v1/templates, with SQL and documentation."""

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response

from app.api.caching import tagged_json
from app.api.parameters import Cursor, Limit, Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.published.models import BenchmarkList, BenchmarkPage, TemplateDetail, TemplatePage
from app.published.templates import (
    list_benchmarks,
    list_templates,
    place_of,
    read_benchmark,
    read_template,
)

router = APIRouter(tags=["templates"])
Benchmark = Annotated[Word, Path(examples=["gsqa"])]


@router.get("/benchmarks", response_model=BenchmarkList, responses=refusals(304, 401, 429))
def get_benchmarks(request: Request) -> Response:
    """Every benchmark and the ids of its templates."""
    return tagged_json(request, BenchmarkList(benchmarks=list_benchmarks()), licensed=False)


@router.get("/benchmarks/{benchmark}", response_model=BenchmarkPage, responses=refusals(304, 401, 404, 429))
def get_benchmark(request: Request, benchmark: Benchmark) -> Response:
    """A benchmark with its page of documentation."""
    return tagged_json(request, read_benchmark(benchmark), licensed=False)


@router.get("/templates", response_model=TemplatePage, responses=refusals(304, 400, 401, 404, 429))
def get_templates(
    request: Request,
    service: ServiceOf,
    benchmark: Word | None = None,
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """The templates, by benchmark and in its order."""
    position = service.cursors.read(request, cursor, (str, int))
    found = list_templates(benchmark, (position[0], position[1]) if position else None, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, place_of(shown[-1])) if len(found) > limit else None
    return tagged_json(request, TemplatePage(templates=shown, next=further), further, licensed=False)


@router.get(
    "/templates/{benchmark}/{template}",
    response_model=TemplateDetail,
    responses=refusals(304, 401, 404, 429),
)
def get_template(
    request: Request,
    service: ServiceOf,
    benchmark: Benchmark,
    template: Annotated[Word, Path(examples=["T1"])],
) -> Response:
    """A template with its header, SQL, picks and phrasings, and the forms of it that made published questions."""
    with service.engine.connect() as connection:
        return tagged_json(request, read_template(connection, benchmark, template), licensed=False)
