"""GET /v1/questions as JSON, GeoJSON or JSON Lines, and GET /v1/datasets/{dataset}/questions/{question}."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request, Response

from app.api.caching import tagged, tagged_json
from app.api.parameters import Cursor, Dataset, Limit, QuestionId, Word
from app.api.schemas import refusals
from app.api.service import ServiceOf
from app.core.identity import canonical_json
from app.published.inspected import QuestionDetail
from app.published.inspecting import inspect
from app.published.models import QuestionCollection, QuestionPage
from app.published.questions import Box, Found, Position, Wanted, read_questions
from app.questions.versions import find_version

router = APIRouter(tags=["questions"])
Format = Literal["json", "geojson", "jsonl"]
OTHER_FORMATS = {
    "application/geo+json": {"schema": {"$ref": "#/components/schemas/QuestionCollection"}},
    "application/jsonl": {"schema": {"type": "string", "description": "a question a line"}},
}


@router.get(
    "/questions",
    response_model=QuestionPage,
    responses={**refusals(304, 400, 401, 404, 429), 200: {"content": OTHER_FORMATS}},
)
def get_questions(
    request: Request,
    service: ServiceOf,
    dataset: Annotated[
        Word | None, Query(description="name or name@version; by default the newest version of each data set")
    ] = None,
    benchmark: Word | None = None,
    template: Word | None = None,
    klass: Annotated[
        Word | None,
        Query(
            alias="class",
            description="a class of places that the question depends on, such as restaurant or poi:restaurant",
        ),
    ] = None,
    city: Annotated[Word | None, Query(description="the name of the map")] = None,
    split: Annotated[
        Literal["public", "hidden"] | None, Query(description="cannot be combined with class or bbox")
    ] = None,
    words: Annotated[
        Word | None,
        Query(description="words in the text, without regard to case; cannot be combined with class or bbox"),
    ] = None,
    bbox: Annotated[
        str | None,
        Query(
            max_length=200, description="west,south,east,north in degrees", examples=["24.9,60.1,25.0,60.2"]
        ),
    ] = None,
    gold: Annotated[bool, Query(description="with the answers of public questions")] = False,
    form: Annotated[Format, Query(alias="format")] = "json",
    limit: Limit = 100,
    cursor: Cursor = None,
) -> Response:
    """Questions, in the order of their data sets. `class` and `bbox` find public questions alone."""
    box = None if bbox is None else Box.read(bbox)
    wanted = Wanted(
        dataset, benchmark, template, klass, city, split, words, box, gold, area=form == "geojson"
    )
    position = service.cursors.read(request, cursor, (int, int))
    with service.engine.connect() as connection:
        found = read_questions(connection, wanted, Position(*position) if position else None, limit + 1)
    shown = found[:limit]
    further = service.cursors.make(request, list(shown[-1].position)) if len(found) > limit else None
    return _answer(request, form, shown, further)


@router.get(
    "/datasets/{dataset}/questions/{question}",
    response_model=QuestionDetail,
    responses=refusals(304, 400, 401, 404, 429),
)
def get_question(
    request: Request,
    service: ServiceOf,
    dataset: Dataset,
    question: QuestionId,
    with_map: Annotated[bool, Query(alias="map", description="with its map as GeoJSON")] = False,
) -> Response:
    """A question with what proves it, why each wrong option is wrong, and what was answered; hidden ones without."""
    with service.engine.connect() as connection:
        found = inspect(connection, find_version(connection, dataset), question)
    return tagged_json(request, found if with_map else found.model_copy(update={"map": None}))


def _answer(request: Request, form: Format, shown: list[Found], further: str | None) -> Response:
    questions = [one.question for one in shown]
    if form == "json":
        return tagged_json(request, QuestionPage(questions=questions, next=further), further)
    if form == "geojson":
        collection = QuestionCollection(features=[one.feature for one in shown], next=further)
        body = canonical_json(collection.model_dump(mode="json")).encode()
        return tagged(request, body, "application/geo+json", further)
    lines = "".join(canonical_json(one.model_dump(mode="json")) + "\n" for one in questions)
    return tagged(request, lines.encode(), "application/jsonl", further)
