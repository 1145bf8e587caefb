"""The page of one question: text, options, proof, map, and what was answered."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse

from app.api.parameters import Dataset, Word
from app.api.service import ServiceOf
from app.dashboard.option_maps import grid_of, option_map_of
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.published.derivation_words import words_of
from app.published.inspecting import inspect
from app.published.map_drawing import picture_of
from app.questions.versions import find_version

router = APIRouter(include_in_schema=False)


@router.get("/datasets/{dataset}/questions/{question}", response_class=HTMLResponse)
def show_question(service: ServiceOf, dataset: Dataset, question: Word) -> HTMLResponse:
    """A question; of a hidden one text and options alone."""
    with reading(service) as connection:
        version = find_version(connection, dataset)
        found = inspect(connection, version, question)
    picture = None
    if found.map is not None and found.proof is not None:
        picture = picture_of(found.map, found.proof.binds)
    options_map = option_map_of(found.question.options)
    return page(
        "question.html",
        version=version,
        attribution=found.attribution,
        detail=found,
        margin_words=words_of(version.benchmark, found.proof.derive).margins if found.proof else {},
        question=found.question,
        picture=picture,
        options_map=options_map if found.question.split == "hidden" else None,
        grid=grid_of(picture.canvas) if picture and options_map else [],
    )
