"""The pages of a data set version: its card with a map, and the list of its questions."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse

from app.api.paging import next_address
from app.api.parameters import Cursor, Dataset
from app.api.service import ServiceOf
from app.dashboard.reading import reading
from app.dashboard.rendering import page
from app.db.naming import snapshot_reference
from app.exports.card import LIMITS, citation
from app.published.datasets import describe_version
from app.published.grounds import read_grounds
from app.published.map_drawing import overview_of
from app.published.maps import read_freshness
from app.published.questions import Position, Wanted, read_questions
from app.published.templates import titles_of
from app.questions.rechecking.report import is_rechecked
from app.questions.refusals import meanings
from app.questions.versions import find_version
from app.reviews.card import read_review, sentences

router = APIRouter(include_in_schema=False)
ROWS = 50


@router.get("/datasets/{dataset}", response_class=HTMLResponse)
def show_dataset(service: ServiceOf, dataset: Dataset) -> HTMLResponse:
    """What a version says of itself, and where its questions lie."""
    with reading(service) as connection:
        version = find_version(connection, dataset)
        card = describe_version(connection, version)
        grounds = read_grounds(connection, version.id, version.reference, service.kept)
        fresh = read_freshness(connection, service.clock.now())
        review = read_review(connection, version.id)
        rechecked = is_rechecked(connection, version)
    references = [snapshot_reference(one.name, one.timestamp) for one in card.snapshots]
    found = next((one.maps for one in fresh.datasets if one.dataset == version.reference), [])
    ages = {age.snapshot: age for age in found}
    return page(
        "dataset.html",
        version=version,
        card=card,
        rechecked=rechecked,
        asking=sum(one.get("selected", one["accepted"]) > 0 for one in card.templates.values()),
        titles=titles_of(card.benchmark),
        cited=citation(
            card.dataset,
            card.version,
            references,
            card.attribution,
            card.canary,
        ),
        limits=LIMITS,
        reasons=meanings(
            (reason for one in card.templates.values() for reason in one["refused"]), card.benchmark
        ),
        review=review,
        review_says=[] if review is None else sentences(review),
        overviews=[overview_of(ground) for ground in grounds.grounds],
        maps=[
            (one, reference, ages.get(reference))
            for one, reference in zip(card.snapshots, references, strict=True)
        ],
    )


@router.get("/datasets/{dataset}/questions", response_class=HTMLResponse)
def show_questions(
    request: Request,
    service: ServiceOf,
    dataset: Dataset,
    template: Annotated[str, Query(max_length=200)] = "",
    split: Literal["", "public", "hidden"] = "",
    words: Annotated[str, Query(max_length=200)] = "",
    cursor: Cursor = None,
) -> HTMLResponse:
    """The questions of a version, a page at a time."""
    position = service.cursors.read(request, cursor, (int, int))
    wanted = Wanted(
        dataset=dataset,
        template=_given(template),
        split=split or None,
        words=_given(words),
    )
    with reading(service) as connection:
        version = find_version(connection, dataset)
        card = describe_version(connection, version)
        found = read_questions(connection, wanted, Position(*position) if position else None, ROWS + 1)
    shown = found[:ROWS]
    further = service.cursors.make(request, list(shown[-1].position)) if len(found) > ROWS else None
    return page(
        "questions.html",
        version=version,
        card=card,
        attribution=card.attribution,
        titles=titles_of(card.benchmark),
        questions=[one.question for one in shown],
        asked={"template": template, "split": split, "words": words},
        is_first=cursor is None,
        further=None if further is None else next_address(request, further),
    )


def _given(word: str) -> str | None:
    """A filter that is filled in; what cannot be printed is found nowhere, and PostgreSQL takes no NUL."""
    return "".join(sign for sign in word if sign.isprintable()).strip() or None
